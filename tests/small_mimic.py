"""A hand-written EHR of five patients in EHRSQL's MIMIC-III schema: small enough to check any answer by eye.

Database now, where a test needs one: 2105-12-31 23:59:00 (`NOW`).

    subject  born  sex  hospital stays (hadm_id: from – to)                              died
    101      2045  f    1001: 2103-02-03 – 02-10    1002: 2104-06-01 – 06-09
    102      2030  m    1003: 2104-03-05 – 03-20                                         2104-03-20
    103      2060  f    1004: 2105-12-20 – (still in hospital)
    104      2052  m    1005: 2104-07-11 – 07-15    1006: 2105-05-02 – 05-12
    105      2071  f    1007: 2105-12-28 – (still in hospital)

furosemide: 101 (twice: 2103 iv, 2104 po), 102 (2104 iv), 104 (2105 po). Aspirin: 101 (2104), 103 (2105).
Diagnoses: 101 heart failure (both stays), hypertension; 102 heart failure, kidney failure; 103 pneumonia;
104 hypertension (2104), heart failure (2105); 105 pneumonia.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

NOW = "2105-12-31 23:59:00"

_SCHEMA = """
CREATE TABLE patients (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL UNIQUE, gender VARCHAR(5) NOT NULL,
    dob TIMESTAMP(0) NOT NULL, dod TIMESTAMP(0));
CREATE TABLE admissions (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL UNIQUE,
    admittime TIMESTAMP(0) NOT NULL, dischtime TIMESTAMP(0), admission_type VARCHAR(50) NOT NULL,
    admission_location VARCHAR(50) NOT NULL, discharge_location VARCHAR(50), insurance VARCHAR(255) NOT NULL,
    language VARCHAR(10), marital_status VARCHAR(50), ethnicity VARCHAR(200) NOT NULL, age INT NOT NULL,
    FOREIGN KEY(subject_id) REFERENCES patients(subject_id));
CREATE TABLE d_icd_diagnoses (row_id INT NOT NULL PRIMARY KEY, icd9_code VARCHAR(10) NOT NULL UNIQUE,
    short_title VARCHAR(50) NOT NULL, long_title VARCHAR(255) NOT NULL);
CREATE TABLE d_icd_procedures (row_id INT NOT NULL PRIMARY KEY, icd9_code VARCHAR(10) NOT NULL UNIQUE,
    short_title VARCHAR(50) NOT NULL, long_title VARCHAR(255) NOT NULL);
CREATE TABLE d_labitems (row_id INT NOT NULL PRIMARY KEY, itemid INT NOT NULL UNIQUE, label VARCHAR(200) NOT NULL);
CREATE TABLE d_items (row_id INT NOT NULL PRIMARY KEY, itemid INT NOT NULL UNIQUE, label VARCHAR(200) NOT NULL,
    linksto VARCHAR(50) NOT NULL);
CREATE TABLE diagnoses_icd (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    icd9_code VARCHAR(10) NOT NULL, charttime TIMESTAMP(0) NOT NULL,
    FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id),
    FOREIGN KEY(icd9_code) REFERENCES d_icd_diagnoses(icd9_code));
CREATE TABLE procedures_icd (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    icd9_code VARCHAR(10) NOT NULL, charttime TIMESTAMP(0) NOT NULL,
    FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id),
    FOREIGN KEY(icd9_code) REFERENCES d_icd_procedures(icd9_code));
CREATE TABLE labevents (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    itemid INT NOT NULL, charttime TIMESTAMP(0), valuenum DOUBLE PRECISION, valueuom VARCHAR(20),
    FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id), FOREIGN KEY(itemid) REFERENCES d_labitems(itemid));
CREATE TABLE prescriptions (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    startdate TIMESTAMP(0) NOT NULL, enddate TIMESTAMP(0), drug VARCHAR(100) NOT NULL,
    dose_val_rx VARCHAR(120) NOT NULL, dose_unit_rx VARCHAR(120) NOT NULL, route VARCHAR(120) NOT NULL,
    FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id));
CREATE TABLE cost (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    event_type VARCHAR(20) NOT NULL, event_id INT NOT NULL, chargetime TIMESTAMP(0) NOT NULL,
    cost DOUBLE PRECISION NOT NULL, FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id));
CREATE TABLE chartevents (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    icustay_id INT NOT NULL, itemid INT NOT NULL, charttime TIMESTAMP(0) NOT NULL, valuenum DOUBLE PRECISION,
    valueuom VARCHAR(50), FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id),
    FOREIGN KEY(icustay_id) REFERENCES icustays(icustay_id), FOREIGN KEY(itemid) REFERENCES d_items(itemid));
CREATE TABLE inputevents_cv (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    icustay_id INT NOT NULL, charttime TIMESTAMP(0) NOT NULL, itemid INT NOT NULL, amount DOUBLE PRECISION,
    FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id), FOREIGN KEY(icustay_id) REFERENCES icustays(icustay_id),
    FOREIGN KEY(itemid) REFERENCES d_items(itemid));
CREATE TABLE outputevents (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    icustay_id INT NOT NULL, charttime TIMESTAMP(0) NOT NULL, itemid INT NOT NULL, value DOUBLE PRECISION,
    FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id), FOREIGN KEY(icustay_id) REFERENCES icustays(icustay_id),
    FOREIGN KEY(itemid) REFERENCES d_items(itemid));
CREATE TABLE microbiologyevents (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    charttime TIMESTAMP(0) NOT NULL, spec_type_desc VARCHAR(100), org_name VARCHAR(100),
    FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id));
CREATE TABLE icustays (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    icustay_id INT NOT NULL, first_careunit VARCHAR(20) NOT NULL, last_careunit VARCHAR(20) NOT NULL,
    first_wardid SMALLINT NOT NULL, last_wardid SMALLINT NOT NULL, intime TIMESTAMP(0) NOT NULL,
    outtime TIMESTAMP(0), FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id));
CREATE TABLE transfers (row_id INT NOT NULL PRIMARY KEY, subject_id INT NOT NULL, hadm_id INT NOT NULL,
    icustay_id INT, eventtype VARCHAR(20) NOT NULL, careunit VARCHAR(20), wardid SMALLINT,
    intime TIMESTAMP(0) NOT NULL, outtime TIMESTAMP(0), FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id));
"""

# Every row without its row_id, which counts from 0 within its table.
_ROWS: dict[str, list[tuple[Any, ...]]] = {
    "patients": [
        (101, "f", "2045-04-11 00:00:00", None),
        (102, "m", "2030-10-02 00:00:00", "2104-03-20 00:00:00"),
        (103, "f", "2060-01-30 00:00:00", None),
        (104, "m", "2052-08-17 00:00:00", None),
        (105, "f", "2071-12-05 00:00:00", None),
    ],
    "admissions": [
        (101, 1001, "2103-02-03 08:15:00", "2103-02-10 14:00:00", "emergency", "emergency room admit", "home",
         "medicare", "engl", "married", "white", 57),
        (101, 1002, "2104-06-01 10:30:00", "2104-06-09 11:45:00", "urgent", "clinic referral/premature",
         "home health care", "medicare", "engl", "married", "white", 59),
        (102, 1003, "2104-03-05 22:05:00", "2104-03-20 03:10:00", "emergency", "emergency room admit",
         "dead/expired", "private", None, "widowed", "asian", 73),
        (103, 1004, "2105-12-20 17:40:00", None, "emergency", "emergency room admit", None, "private", "span",
         "single", "hispanic or latino", 45),
        (104, 1005, "2104-07-11 06:00:00", "2104-07-15 12:20:00", "elective", "phys referral/normal deli", "home",
         "government", "engl", "divorced", "black/african american", 51),
        (104, 1006, "2105-05-02 19:25:00", "2105-05-12 10:00:00", "emergency", "emergency room admit", "snf",
         "government", "engl", "divorced", "black/african american", 52),
        (105, 1007, "2105-12-28 01:50:00", None, "emergency", "transfer from hosp/extram", None, "medicaid",
         None, "single", "white", 34),
    ],
    "d_icd_diagnoses": [
        ("4280", "chf nos", "congestive heart failure, unspecified"),
        ("4019", "hypertension nos", "unspecified essential hypertension"),
        ("5849", "acute kidney failure nos", "acute kidney failure, unspecified"),
        ("486", "pneumonia, organism nos", "pneumonia, organism unspecified"),
        ("25000", "dmii wo cmp nt st uncntr", "diabetes mellitus without mention of complication, type ii"),
    ],
    "d_icd_procedures": [
        ("9671", "cont inv mec ven <96 hrs", "continuous invasive mechanical ventilation for less than 96 hours"),
        ("3893", "venous cath nec", "venous catheterization, not elsewhere classified"),
        ("3995", "hemodialysis", "hemodialysis"),
    ],
    "d_labitems": [(50912, "creatinine"), (50971, "potassium"), (51222, "hemoglobin")],
    "d_items": [
        (211, "heart rate", "chartevents"),
        (762, "admit wt", "chartevents"),
        (920, "admit ht", "chartevents"),
        (51, "arterial bp [systolic]", "chartevents"),
        (30018, ".9% normal saline", "inputevents_cv"),
        (40055, "urine out foley", "outputevents"),
    ],
    "diagnoses_icd": [
        (101, 1001, "4280", "2103-02-03 08:15:00"),
        (101, 1001, "4019", "2103-02-03 08:15:00"),
        (101, 1002, "4280", "2104-06-01 10:30:00"),
        (102, 1003, "4280", "2104-03-05 22:05:00"),
        (102, 1003, "5849", "2104-03-08 22:05:00"),
        (103, 1004, "486", "2105-12-20 17:40:00"),
        (104, 1005, "4019", "2104-07-11 06:00:00"),
        (104, 1006, "4280", "2105-05-02 19:25:00"),
        (105, 1007, "486", "2105-12-28 01:50:00"),
    ],
    "procedures_icd": [
        (102, 1003, "9671", "2104-03-06 09:00:00"),
        (102, 1003, "3995", "2104-03-09 15:30:00"),
        (103, 1004, "3893", "2105-12-21 08:00:00"),
        (104, 1006, "3893", "2105-05-03 07:45:00"),
    ],
    "labevents": [
        (101, 1001, 50912, "2103-02-03 09:00:00", 1.1, "mg/dl"),
        (101, 1001, 50971, "2103-02-03 09:00:00", 4.2, "meq/l"),
        (101, 1002, 50912, "2104-06-01 11:00:00", 1.4, "mg/dl"),
        (101, 1002, 50912, "2104-06-05 06:00:00", 1.2, "mg/dl"),
        (102, 1003, 50912, "2104-03-05 23:00:00", 2.9, "mg/dl"),
        (102, 1003, 50912, "2104-03-09 06:00:00", 4.6, "mg/dl"),
        (102, 1003, 50971, "2104-03-09 06:00:00", 5.8, "meq/l"),
        (102, 1003, 51222, "2104-03-09 06:00:00", 8.7, "g/dl"),
        (103, 1004, 50912, "2105-12-20 18:30:00", 0.8, "mg/dl"),
        (103, 1004, 51222, "2105-12-30 06:00:00", 11.3, "g/dl"),
        (104, 1005, 51222, "2104-07-11 07:00:00", 13.9, "g/dl"),
        (104, 1006, 50971, "2105-05-02 20:00:00", 3.4, "meq/l"),
        (104, 1006, 50971, "2105-05-04 06:00:00", None, "meq/l"),
        (105, 1007, 50912, "2105-12-28 02:30:00", 0.7, "mg/dl"),
    ],
    "prescriptions": [
        (101, 1001, "2103-02-03 00:00:00", "2103-02-09 00:00:00", "furosemide", "40", "mg", "iv"),
        (101, 1002, "2104-06-01 00:00:00", "2104-06-09 00:00:00", "furosemide", "20", "mg", "po"),
        (101, 1002, "2104-06-02 00:00:00", "2104-06-09 00:00:00", "aspirin", "81", "mg", "po"),
        (102, 1003, "2104-03-06 00:00:00", "2104-03-18 00:00:00", "furosemide", "80", "mg", "iv"),
        (102, 1003, "2104-03-07 00:00:00", "2104-03-12 00:00:00", "potassium chloride", "20", "meq", "iv"),
        (103, 1004, "2105-12-20 00:00:00", None, "ceftriaxone", "1", "gm", "iv"),
        (103, 1004, "2105-12-22 00:00:00", None, "aspirin", "325", "mg", "po"),
        (104, 1005, "2104-07-11 00:00:00", "2104-07-15 00:00:00", "metoprolol", "25", "mg", "po"),
        (104, 1006, "2105-05-03 00:00:00", "2105-05-12 00:00:00", "furosemide", "40", "mg", "po"),
        (105, 1007, "2105-12-28 00:00:00", None, "ceftriaxone", "2", "gm", "iv"),
    ],
    "cost": [
        (101, 1001, "diagnoses_icd", 0, "2103-02-03 08:15:00", 12.5),
        (101, 1001, "prescriptions", 0, "2103-02-03 00:00:00", 5.06),
        (102, 1003, "procedures_icd", 1, "2104-03-09 15:30:00", 310.75),
        (102, 1003, "labevents", 5, "2104-03-09 06:00:00", 9.9),
        (103, 1004, "diagnoses_icd", 5, "2105-12-20 17:40:00", 14.2),
    ],
    "chartevents": [
        (101, 1001, 2001, 211, "2103-02-03 12:00:00", 96.0, "bpm"),
        (101, 1001, 2001, 211, "2103-02-04 12:00:00", 82.0, "bpm"),
        (101, 1001, 2001, 762, "2103-02-03 12:00:00", 71.5, "kg"),
        (102, 1003, 2002, 211, "2104-03-06 01:00:00", 118.0, "bpm"),
        (102, 1003, 2002, 51, "2104-03-06 01:00:00", 84.0, "mmhg"),
        (103, 1004, 2003, 211, "2105-12-21 06:00:00", 101.0, "bpm"),
        (103, 1004, 2003, 920, "2105-12-21 06:00:00", 64.0, "inch"),
    ],
    "inputevents_cv": [
        (102, 1003, 2002, "2104-03-06 02:00:00", 30018, 500.0),
        (103, 1004, 2003, "2105-12-21 07:00:00", 30018, 250.0),
    ],
    "outputevents": [
        (102, 1003, 2002, "2104-03-06 05:00:00", 40055, 120.0),
        (103, 1004, 2003, "2105-12-21 09:00:00", 40055, 340.0),
    ],
    "microbiologyevents": [
        (102, 1003, "2104-03-07 10:00:00", "blood culture", None),
        (103, 1004, "2105-12-20 19:00:00", "sputum", "streptococcus pneumoniae"),
    ],
    "icustays": [
        (101, 1001, 2001, "ccu", "ccu", 7, 7, "2103-02-03 10:00:00", "2103-02-05 16:00:00"),
        (102, 1003, 2002, "micu", "sicu", 12, 23, "2104-03-05 23:30:00", "2104-03-20 03:10:00"),
        (103, 1004, 2003, "micu", "micu", 12, 12, "2105-12-21 05:00:00", None),
    ],
    "transfers": [
        (101, 1001, 2001, "admit", "ccu", 7, "2103-02-03 10:00:00", "2103-02-05 16:00:00"),
        (101, 1001, None, "discharge", None, None, "2103-02-10 14:00:00", None),
        (102, 1003, 2002, "admit", "micu", 12, "2104-03-05 23:30:00", "2104-03-10 08:00:00"),
        (102, 1003, 2002, "transfer", "sicu", 23, "2104-03-10 08:00:00", "2104-03-20 03:10:00"),
        (103, 1004, 2003, "admit", "micu", 12, "2105-12-21 05:00:00", None),
    ],
}  # fmt: skip


def build(path: Path) -> Path:
    """Write the database to `path`, which must not be there yet, and return it."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_SCHEMA)
        for table, rows in _ROWS.items():
            marks = ", ".join("?" * (len(rows[0]) + 1))
            numbered = [(index, *row) for index, row in enumerate(rows)]
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", numbered)
    connection.close()
    return path


def chart_too(path: Path, label: str, row: int = 99) -> Path:
    """The same database where `label` also names a vital sign, charted once for patient 102: questions that only name
    it can be read in two ways. `row` is the number of both new rows."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("INSERT INTO d_items VALUES (?, ?, ?, 'chartevents')", (row, 99_000 + row, label))
        charted = (row, 102, 1003, 2002, 99_000 + row, "2104-03-06 01:00:00", 5.1, "meq/l")
        connection.execute(f"INSERT INTO chartevents VALUES ({', '.join('?' * len(charted))})", charted)
    connection.close()
    return path


def two_failures(path: Path) -> Path:
    """The five patients, of whom 105 has a heart failure of another name."""
    connection = sqlite3.connect(build(path))
    with connection:
        title = "diastolic heart failure"
        connection.execute("INSERT INTO d_icd_diagnoses VALUES (90, '42833', ?, ?)", (title, title))
        connection.execute("INSERT INTO diagnoses_icd VALUES (90, 105, 1007, '42833', '2105-12-28 01:50:00')")
    connection.close()
    return path
