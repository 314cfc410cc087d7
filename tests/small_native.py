"""A hand-written EHR of four patients in MIMIC-III's native schema, small enough to check any answer by eye.

Database now, where a test needs one: 2150-12-31 23:59:00 (`NOW`). Nobody is in hospital any more.

    subject  born        sex  hospital stays (hadm_id: from – to)                     died
    201      2085-04-11  F    3001: 2147-02-03 – 02-10   3002: 2149-06-01 – 06-09
    202      2070-10-02  M    3003: 2148-03-05 – 03-20 (MICU 03-06 – 03-12)           2148-03-20
    203      1848-01-30  F    3004: 2148-07-11 – 07-15 (over 89: age hidden)
    204      2092-08-17  M    3005: 2149-05-02 – 05-12

CHF: 201 (2147), 202. Hypertension: 201 (2149), 204. Furosemide: 201 (IV 2147, PO 2149), 202 (IV), 204 (PO).
ASPIRIN and Aspirin are two spellings: 201 and 203. Saline went in by both systems: 202 (CareVue), 204 (MetaVision).
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

NOW = "2150-12-31 23:59:00"

_SCHEMA = """
CREATE TABLE patients (row_id INTEGER PRIMARY KEY, subject_id INT, gender VARCHAR, dob TIMESTAMP(0), dod TIMESTAMP(0));
CREATE TABLE admissions (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, admittime TIMESTAMP(0),
    dischtime TIMESTAMP(0), admission_type VARCHAR, admission_location VARCHAR, discharge_location VARCHAR,
    insurance VARCHAR, religion VARCHAR, marital_status VARCHAR, ethnicity VARCHAR, diagnosis VARCHAR);
CREATE TABLE icustays (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, icustay_id INT,
    first_careunit VARCHAR, last_careunit VARCHAR, intime TIMESTAMP(0), outtime TIMESTAMP(0));
CREATE TABLE transfers (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, curr_careunit VARCHAR,
    curr_wardid INT, intime TIMESTAMP(0), outtime TIMESTAMP(0));
CREATE TABLE services (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, transfertime TIMESTAMP(0),
    curr_service VARCHAR);
CREATE TABLE diagnoses_icd (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, seq_num INT, icd9_code VARCHAR);
CREATE TABLE procedures_icd (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, seq_num INT, icd9_code VARCHAR);
CREATE TABLE d_icd_diagnoses (row_id INTEGER PRIMARY KEY, icd9_code VARCHAR, short_title VARCHAR, long_title VARCHAR);
CREATE TABLE d_icd_procedures (row_id INTEGER PRIMARY KEY, icd9_code VARCHAR, short_title VARCHAR, long_title VARCHAR);
CREATE TABLE d_items (row_id INTEGER PRIMARY KEY, itemid INT, label VARCHAR, linksto VARCHAR);
CREATE TABLE d_labitems (row_id INTEGER PRIMARY KEY, itemid INT, label VARCHAR);
CREATE TABLE labevents (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, itemid INT, charttime TIMESTAMP(0),
    valuenum DOUBLE PRECISION, valueuom VARCHAR);
CREATE TABLE prescriptions (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, startdate TIMESTAMP(0),
    enddate TIMESTAMP(0), drug VARCHAR, dose_val_rx VARCHAR, dose_unit_rx VARCHAR, route VARCHAR);
CREATE TABLE chartevents (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, icustay_id INT, itemid INT,
    charttime TIMESTAMP(0), valuenum DOUBLE PRECISION, valueuom VARCHAR);
CREATE TABLE inputevents_cv (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, icustay_id INT,
    charttime TIMESTAMP(0), itemid INT, amount DOUBLE PRECISION, amountuom VARCHAR);
CREATE TABLE inputevents_mv (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, icustay_id INT,
    starttime TIMESTAMP(0), endtime TIMESTAMP(0), itemid INT, amount DOUBLE PRECISION, amountuom VARCHAR);
CREATE TABLE microbiologyevents (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, chartdate TIMESTAMP(0),
    charttime TIMESTAMP(0), spec_type_desc VARCHAR, org_name VARCHAR, ab_name VARCHAR);
"""

# Every row without its row_id, which counts from 0 within its table.
_ROWS: dict[str, list[tuple[Any, ...]]] = {
    "patients": [
        (201, "F", "2085-04-11 00:00:00", None),
        (202, "M", "2070-10-02 00:00:00", "2148-03-20 00:00:00"),
        (203, "F", "1848-01-30 00:00:00", None),
        (204, "M", "2092-08-17 00:00:00", None),
    ],
    "admissions": [
        (201, 3001, "2147-02-03 08:15:00", "2147-02-10 14:00:00", "EMERGENCY", "EMERGENCY ROOM ADMIT", "HOME",
         "Medicare", "CATHOLIC", "MARRIED", "WHITE", "DYSPNEA"),
        (201, 3002, "2149-06-01 10:30:00", "2149-06-09 11:45:00", "URGENT", "CLINIC REFERRAL/PREMATURE", "HOME",
         "Medicare", "CATHOLIC", "MARRIED", "WHITE", "CHEST PAIN"),
        (202, 3003, "2148-03-05 22:05:00", "2148-03-20 03:10:00", "EMERGENCY", "EMERGENCY ROOM ADMIT",
         "DEAD/EXPIRED", "Private", "JEWISH", "WIDOWED", "ASIAN", "SEPSIS"),
        (203, 3004, "2148-07-11 06:00:00", "2148-07-15 12:20:00", "ELECTIVE", "PHYS REFERRAL/NORMAL DELI", "SNF",
         "Medicare", "OTHER", "SINGLE", "WHITE", "FALL"),
        (204, 3005, "2149-05-02 19:25:00", "2149-05-12 10:00:00", "EMERGENCY", "EMERGENCY ROOM ADMIT", "HOME",
         "Medicaid", "CATHOLIC", "DIVORCED", "WHITE", "HYPERTENSION"),
    ],
    "icustays": [
        (202, 3003, 4001, "MICU", "MICU", "2148-03-06 01:00:00", "2148-03-12 09:00:00"),
        (204, 3005, 4002, "CCU", "CCU", "2149-05-03 01:00:00", "2149-05-04 01:00:00"),
    ],
    "transfers": [(202, 3003, "MICU", 52, "2148-03-06 01:00:00", "2148-03-12 09:00:00")],
    "services": [
        (201, 3001, "2147-02-03 08:15:00", "CMED"),
        (202, 3003, "2148-03-05 22:05:00", "MED"),
        (204, 3005, "2149-05-02 19:25:00", "MED"),
    ],
    "diagnoses_icd": [
        (201, 3001, 1, "4280"), (201, 3002, 1, "4019"), (202, 3003, 1, "4280"), (202, 3003, 2, "5849"),
        (204, 3005, 1, "4019"),
    ],
    "procedures_icd": [(202, 3003, 1, "3995")],
    "d_icd_diagnoses": [
        ("4280", "CHF NOS", "Congestive heart failure, unspecified"),
        ("4019", "Hypertension NOS", "Unspecified essential hypertension"),
        ("5849", "Acute kidney failure NOS", "Acute kidney failure, unspecified"),
    ],
    "d_icd_procedures": [("3995", "Hemodialysis", "Hemodialysis")],
    "d_items": [
        (211, "Heart Rate", "chartevents"), (220045, "Heart Rate", "chartevents"),
        (762, "Admit Wt", "chartevents"), (226512, "Admission Weight (Kg)", "chartevents"),
        (51, "Arterial BP [Systolic]", "chartevents"),
        (30018, ".9% Normal Saline", "inputevents_cv"), (225158, "NaCl 0.9%", "inputevents_mv"),
        (5, "Sputum Culture", "chartevents"),
    ],
    "d_labitems": [(50912, "Creatinine"), (50971, "Potassium")],
    "labevents": [
        (201, 3001, 50912, "2147-02-03 10:00:00", 1.1, "mg/dL"),
        (201, None, 50912, "2149-04-01 10:00:00", 1.4, "mg/dL"),
        (202, 3003, 50912, "2148-03-06 05:00:00", 3.2, "mg/dL"),
        (202, 3003, 50912, "2148-03-18 05:00:00", 4.0, "mg/dL"),
    ],
    "prescriptions": [
        (201, 3001, "2147-02-04 00:00:00", "2147-02-06 00:00:00", "Furosemide", "40", "mg", "IV"),
        (201, 3002, "2149-06-02 00:00:00", "2149-06-09 00:00:00", "Furosemide", "20", "mg", "PO"),
        (201, 3002, "2149-06-02 00:00:00", "2149-06-09 00:00:00", "ASPIRIN", "81", "mg", "PO"),
        (202, 3003, "2148-03-06 00:00:00", "2148-03-10 00:00:00", "Furosemide", "80", "mg", "IV"),
        (203, 3004, "2148-07-11 00:00:00", "2148-07-15 00:00:00", "Aspirin", "325", "mg", "PO"),
        (204, 3005, "2149-05-03 00:00:00", "2149-05-10 00:00:00", "Furosemide", "20", "mg", "PO"),
    ],
    "chartevents": [
        (202, 3003, 4001, 211, "2148-03-06 02:00:00", 118.0, "BPM"),
        (202, 3003, 4001, 51, "2148-03-06 02:00:00", 84.0, "mmHg"),
        (202, 3003, 4001, 762, "2148-03-06 02:00:00", 80.5, "kg"),
        (204, 3005, 4002, 220045, "2149-05-03 02:00:00", 90.0, "bpm"),
        (204, 3005, 4002, 226512, "2149-05-03 02:00:00", 95.0, "kg"),
    ],
    "inputevents_cv": [(202, 3003, 4001, "2148-03-06 03:00:00", 30018, 500.0, "ml")],
    "inputevents_mv": [
        (204, 3005, 4002, "2149-05-03 03:00:00", "2149-05-03 04:00:00", 225158, 250.0, "ml"),
        (204, 3005, 4002, "2149-05-03 06:00:00", "2149-05-03 07:00:00", 225158, 100.0, "ml"),
    ],
    "microbiologyevents": [
        (202, 3003, "2148-03-07 00:00:00", None, "SPUTUM", "STAPH AUREUS COAG +", "OXACILLIN"),
        (204, 3005, "2149-05-03 00:00:00", "2149-05-03 08:00:00", "URINE", None, None),
    ],
}  # fmt: skip


def build(path: Path) -> Path:
    """Write the database to `path`, which must not be there yet, and return it."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_SCHEMA)
        for table, rows in _ROWS.items():
            marks = ", ".join("?" * (len(rows[0]) + 1))
            connection.executemany(
                f"INSERT INTO {table} VALUES ({marks})", [(index, *row) for index, row in enumerate(rows)]
            )
    connection.close()
    return path
