"""A hand-written flat export in no known schema: five tables, patients by their full names, everything stored as text,
a row for each patient with what is known of the stay, titles beside the codes, values and units in one column.

Nora Lind (1, F, 70, Medicare, sepsis; died) has hypertension and sepsis; heparin by IV; glucose 180 (abnormal) and 90.
Omar Said (2, M, 45, Private, newborn of nobody) has hypertension; aspirin by mouth; glucose 101.
Petra Quist (3, F, 30, Private): nothing.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

NOW = "2151-12-31 23:59:00"
_SCRIPT = """
CREATE TABLE DEMOGRAPHIC (SUBJECT_ID TEXT, HADM_ID TEXT, NAME TEXT, MARITAL_STATUS TEXT, AGE TEXT, DOB TEXT,
    GENDER TEXT, LANGUAGE TEXT, RELIGION TEXT, ADMISSION_TYPE TEXT, DAYS_STAY TEXT, INSURANCE TEXT, ETHNICITY TEXT,
    EXPIRE_FLAG TEXT, ADMISSION_LOCATION TEXT, DISCHARGE_LOCATION TEXT, DIAGNOSIS TEXT, DOD TEXT, DOB_YEAR TEXT,
    ADMITTIME TEXT, DISCHTIME TEXT);
INSERT INTO DEMOGRAPHIC VALUES
    ('1', '10', 'Nora Lind', 'MARRIED', '70', '2080-02-03 00:00:00', 'F', 'ENGL', 'CATHOLIC', 'EMERGENCY', '5',
     'Medicare', 'WHITE', '1', 'EMERGENCY ROOM ADMIT', 'DEAD/EXPIRED', 'FEVER', '2150-03-06 00:00:00', '2080',
     '2150-03-01 10:00:00', '2150-03-06 10:00:00'),
    ('2', '20', 'Omar Said', 'SINGLE', '45', '2106-02-03 00:00:00', 'M', 'ENGL', 'MUSLIM', 'ELECTIVE', '2',
     'Private', 'ASIAN', '0', 'CLINIC REFERRAL', 'HOME', 'HERNIA', NULL, '2106',
     '2151-05-01 10:00:00', '2151-05-03 10:00:00'),
    ('3', '30', 'Petra Quist', 'SINGLE', '30', '2121-02-03 00:00:00', 'F', 'RUSS', 'CATHOLIC', 'ELECTIVE', '1',
     'Private', 'WHITE', '0', 'CLINIC REFERRAL', 'HOME', 'HERNIA', NULL, '2121',
     '2151-06-01 10:00:00', '2151-06-02 10:00:00');
CREATE TABLE DIAGNOSES (SUBJECT_ID TEXT, HADM_ID TEXT, ICD9_CODE TEXT, SHORT_TITLE TEXT, LONG_TITLE TEXT);
INSERT INTO DIAGNOSES VALUES ('1', '10', '4019', 'Hypertension NOS', 'Unspecified essential hypertension'),
    ('1', '10', '99591', 'Sepsis', 'Sepsis of any cause'),
    ('2', '20', '4019', 'Hypertension NOS', 'Unspecified essential hypertension');
CREATE TABLE PROCEDURES (SUBJECT_ID TEXT, HADM_ID TEXT, ICD9_CODE TEXT, SHORT_TITLE TEXT, LONG_TITLE TEXT);
INSERT INTO PROCEDURES VALUES ('1', '10', '3995', 'Hemodialysis', 'Extracorporeal dialysis'),
    ('2', '20', '5300', 'Unilat ing hernia repair', 'Unilateral repair of inguinal hernia');
CREATE TABLE PRESCRIPTIONS (SUBJECT_ID TEXT, HADM_ID TEXT, ICUSTAY_ID TEXT, DRUG_TYPE TEXT, DRUG TEXT,
    FORMULARY_DRUG_CD TEXT, ROUTE TEXT, DRUG_DOSE TEXT);
INSERT INTO PRESCRIPTIONS VALUES ('1', '10', '', 'MAIN', 'Heparin', 'HEPA5I', 'IV', '5000 UNIT'),
    ('2', '20', '', 'MAIN', 'Aspirin', 'ASA81', 'PO', '81mg');
CREATE TABLE LAB (SUBJECT_ID TEXT, HADM_ID TEXT, ITEMID TEXT, CHARTTIME TEXT, FLAG TEXT, VALUE_UNIT TEXT, LABEL TEXT,
    FLUID TEXT, CATEGORY TEXT);
INSERT INTO LAB VALUES
    ('1', '10', '50931', '2150-03-01 12:00:00', 'abnormal', '180mg/dL', 'Glucose', 'Blood', 'Chemistry'),
    ('1', '10', '50931', '2150-03-02 12:00:00', '', '90mg/dL', 'Glucose', 'Blood', 'Chemistry'),
    ('2', '20', '50931', '2151-05-01 12:00:00', '', '101mg/dL', 'Glucose', 'Blood', 'Chemistry'),
    ('2', '20', '51463', '2151-05-01 12:00:00', '', 'NONE', 'Bacteria', 'Urine', 'Hematology');
"""


def build(path: Path) -> Path:
    """Write the database to `path`, which must not be there yet, and return it."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_SCRIPT)
    connection.close()
    return path
