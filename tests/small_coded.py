"""A hand-written database of a hospital that keeps all its codes in one list, names wards by number, and tells patients
by codes with letters.

Asa Brook (AB1001, woman, smokes, born 1950) was an inpatient (701, sepsis, on the intensive care unit for two days)
and later seen at the clinic (702, for her blood pressure), where she missed another appointment; Cai Dale (AB1002,
man, used to smoke, born 1970) was an inpatient (703, pneumonia), and is still there. Vital signs are kept in a table
that writes its keys in another way. Of the staff one is a consultant, two are nurses; two wards have 32 beds.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

NOW = "2023-06-30 12:00:00"

_SCRIPT = """
CREATE TABLE CODE_VALUE (CODE_SET TEXT, CODE TEXT, DISPLAY TEXT, PRIMARY KEY (CODE_SET, CODE));
CREATE TABLE DEPT (DEPT_ID INTEGER PRIMARY KEY, DEPT_NAME TEXT, DEPT_KIND TEXT, BED_CNT INTEGER);
CREATE TABLE STAFF (STAFF_ID TEXT PRIMARY KEY, LAST_NM TEXT, FIRST_NM TEXT, ROLE_CD TEXT REFERENCES CODE_VALUE(CODE),
    DEPT_ID INTEGER REFERENCES DEPT(DEPT_ID));
CREATE TABLE vitObs (obsId INTEGER PRIMARY KEY, encId INTEGER, obsDtm TEXT, hr INTEGER, sbp INTEGER, spo2 INTEGER,
    respRate INTEGER);
CREATE TABLE PAT_MASTER (PAT_NO TEXT PRIMARY KEY, LAST_NM TEXT, FIRST_NM TEXT, SEX_CD INTEGER, BIRTH_DT TEXT,
    BLOOD_GRP TEXT, SMOKER_CD TEXT);
CREATE TABLE ENCOUNTER (ENC_ID INTEGER PRIMARY KEY, PAT_NO TEXT REFERENCES PAT_MASTER(PAT_NO), ENC_TYPE_CD TEXT,
    ADMIT_DTTM TEXT, DISCH_DTTM TEXT);
CREATE TABLE WARD_STAY (WARD_STAY_ID INTEGER PRIMARY KEY, ENC_ID INTEGER REFERENCES ENCOUNTER(ENC_ID),
    DEPT_ID INTEGER REFERENCES DEPT(DEPT_ID), IN_DTTM TEXT, OUT_DTTM TEXT);
CREATE TABLE DX_CATALOG (ICD10_CD TEXT PRIMARY KEY, DX_DESC TEXT);
CREATE TABLE ENC_DX (ENC_DX_ID INTEGER PRIMARY KEY, ENC_ID INTEGER REFERENCES ENCOUNTER(ENC_ID),
    ICD10_CD TEXT REFERENCES DX_CATALOG(ICD10_CD), DX_SEQ INTEGER, RECORDED_DTTM TEXT);
CREATE TABLE LAB_TEST (TEST_CD TEXT PRIMARY KEY, TEST_NAME TEXT, UNIT TEXT);
CREATE TABLE LAB_RESULT (RESULT_ID INTEGER PRIMARY KEY, ENC_ID INTEGER REFERENCES ENCOUNTER(ENC_ID),
    TEST_CD TEXT REFERENCES LAB_TEST(TEST_CD), COLLECT_DTTM TEXT, RESULT_NUM REAL);
CREATE TABLE OP_CASE (CASE_ID TEXT PRIMARY KEY, ENC_ID INTEGER REFERENCES ENCOUNTER(ENC_ID), OP_NAME TEXT,
    START_DTTM TEXT, END_DTTM TEXT, CASE_STATUS_CD TEXT);
CREATE TABLE APPT (APPT_ID INTEGER PRIMARY KEY, PAT_NO TEXT REFERENCES PAT_MASTER(PAT_NO),
    DEPT_ID INTEGER REFERENCES DEPT(DEPT_ID), APPT_DTTM TEXT, APPT_STATUS_CD TEXT);
CREATE TABLE MICRO_CULTURE (CULTURE_ID INTEGER PRIMARY KEY, ENC_ID INTEGER REFERENCES ENCOUNTER(ENC_ID), SPECIMEN TEXT,
    COLLECT_DTTM TEXT, ORGANISM TEXT, ABX_TESTED TEXT, SUSC_CD TEXT);
INSERT INTO CODE_VALUE VALUES ('SEX', '1', 'Male'), ('SEX', '2', 'Female'), ('ENC_TYPE', 'I', 'Inpatient'),
    ('ENC_TYPE', 'O', 'Outpatient'), ('SMOKER', '1', 'Current smoker'), ('SMOKER', '2', 'Ex-smoker'),
    ('CASE_STATUS', 'D', 'Done'), ('CASE_STATUS', 'X', 'Cancelled'), ('APPT_STATUS', 'A', 'Attended'),
    ('APPT_STATUS', 'N', 'No show'), ('SUSC', 'S', 'Sensitive'), ('SUSC', 'R', 'Resistant');
INSERT INTO CODE_VALUE VALUES ('ROLE', 'CON', 'Consultant'), ('ROLE', 'RN', 'Registered nurse');
INSERT INTO DEPT VALUES (2, 'Intensive Care Unit', 'WARD', 8), (3, 'Medical Ward', 'WARD', 24),
    (9, 'Heart Clinic', 'CLINIC', NULL);
INSERT INTO STAFF VALUES ('S1', 'Gray', 'Cy', 'CON', 3), ('S2', 'Pole', 'Ada', 'RN', 3), ('S3', 'Finn', 'Bo', 'RN', 2);
INSERT INTO vitObs VALUES (1, 701, '2022-02-01 11:00:00', 120, 90, 88, 28),
    (2, 703, '2023-06-20 09:00:00', 80, 130, 96, 16);
INSERT INTO PAT_MASTER VALUES ('AB1001', 'Brook', 'Asa', 2, '1950-01-02', 'AB-', '1'),
    ('AB1002', 'Dale', 'Cai', 1, '1970-03-04', 'O+', '2');
INSERT INTO ENCOUNTER VALUES (701, 'AB1001', 'I', '2022-02-01 10:00:00', '2022-02-11 10:00:00'),
    (702, 'AB1001', 'O', '2022-05-01 09:00:00', '2022-05-01 10:00:00'),
    (703, 'AB1002', 'I', '2023-06-20 08:00:00', NULL);
INSERT INTO WARD_STAY VALUES (1, 701, 2, '2022-02-01 10:00:00', '2022-02-03 10:00:00'),
    (2, 701, 3, '2022-02-03 10:00:00', '2022-02-11 10:00:00'), (3, 703, 3, '2023-06-20 08:00:00', NULL);
INSERT INTO DX_CATALOG VALUES ('A41.9', 'Sepsis, unspecified organism'), ('J18.9', 'Pneumonia'),
    ('I10', 'Essential hypertension');
INSERT INTO ENC_DX VALUES (1, 701, 'A41.9', 1, '2022-02-01 12:00:00'), (2, 702, 'I10', 1, '2022-05-01 09:30:00'),
    (3, 703, 'J18.9', 1, '2023-06-20 12:00:00');
INSERT INTO LAB_TEST VALUES ('NA', 'Sodium', 'mmol/L');
INSERT INTO LAB_RESULT VALUES (1, 701, 'NA', '2022-02-01 11:00:00', 130), (2, 702, 'NA', '2022-05-01 09:40:00', 144),
    (3, 703, 'NA', '2023-06-20 09:00:00', 138);
INSERT INTO OP_CASE VALUES ('OR1', 701, 'Laparotomy', '2022-02-01 14:00:00', '2022-02-01 16:00:00', 'D'),
    ('OR2', 703, 'Bronchoscopy', NULL, NULL, 'X');
INSERT INTO APPT VALUES (1, 'AB1001', 9, '2022-05-01 09:00:00', 'A'), (2, 'AB1001', 9, '2022-08-01 09:00:00', 'N');
INSERT INTO MICRO_CULTURE VALUES
    (1, 701, 'Blood', '2022-02-01 11:00:00', 'Escherichia coli', 'Ceftriaxone', 'R'),
    (2, 701, 'Urine', '2022-02-02 11:00:00', 'Escherichia coli', 'Ceftriaxone', 'S'),
    (3, 703, 'Blood', '2023-06-20 09:00:00', 'Staphylococcus aureus', 'Ceftriaxone', 'S'),
    (4, 703, 'Urine', '2023-06-21 09:00:00', NULL, NULL, NULL);
"""


def build(path: Path) -> Path:
    """Make the database."""
    with sqlite3.connect(path) as connection:
        connection.executescript(_SCRIPT)
    connection.close()
    return path
