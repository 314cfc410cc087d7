"""The tables of the demo database: EHRSQL's MIMIC-III schema (Lee et al., NeurIPS 2022), in lower case."""

from __future__ import annotations

TABLES: dict[str, str] = {
    "patients": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL UNIQUE,
        gender VARCHAR(5) NOT NULL,
        dob TIMESTAMP(0) NOT NULL,
        dod TIMESTAMP(0)""",
    "admissions": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL UNIQUE,
        admittime TIMESTAMP(0) NOT NULL,
        dischtime TIMESTAMP(0),
        admission_type VARCHAR(50) NOT NULL,
        admission_location VARCHAR(50) NOT NULL,
        discharge_location VARCHAR(50),
        insurance VARCHAR(255) NOT NULL,
        language VARCHAR(10),
        marital_status VARCHAR(50),
        ethnicity VARCHAR(200) NOT NULL,
        age INT NOT NULL,
        FOREIGN KEY(subject_id) REFERENCES patients(subject_id)""",
    "d_icd_diagnoses": """
        row_id INT NOT NULL PRIMARY KEY,
        icd9_code VARCHAR(10) NOT NULL UNIQUE,
        short_title VARCHAR(50) NOT NULL,
        long_title VARCHAR(255) NOT NULL""",
    "d_icd_procedures": """
        row_id INT NOT NULL PRIMARY KEY,
        icd9_code VARCHAR(10) NOT NULL UNIQUE,
        short_title VARCHAR(50) NOT NULL,
        long_title VARCHAR(255) NOT NULL""",
    "d_labitems": """
        row_id INT NOT NULL PRIMARY KEY,
        itemid INT NOT NULL UNIQUE,
        label VARCHAR(200) NOT NULL""",
    "d_items": """
        row_id INT NOT NULL PRIMARY KEY,
        itemid INT NOT NULL UNIQUE,
        label VARCHAR(200) NOT NULL,
        linksto VARCHAR(50) NOT NULL""",
    "diagnoses_icd": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        icd9_code VARCHAR(10) NOT NULL,
        charttime TIMESTAMP(0) NOT NULL,
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id),
        FOREIGN KEY(icd9_code) REFERENCES d_icd_diagnoses(icd9_code)""",
    "procedures_icd": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        icd9_code VARCHAR(10) NOT NULL,
        charttime TIMESTAMP(0) NOT NULL,
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id),
        FOREIGN KEY(icd9_code) REFERENCES d_icd_procedures(icd9_code)""",
    "labevents": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        itemid INT NOT NULL,
        charttime TIMESTAMP(0),
        valuenum DOUBLE PRECISION,
        valueuom VARCHAR(20),
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id),
        FOREIGN KEY(itemid) REFERENCES d_labitems(itemid)""",
    "prescriptions": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        startdate TIMESTAMP(0) NOT NULL,
        enddate TIMESTAMP(0),
        drug VARCHAR(100) NOT NULL,
        dose_val_rx VARCHAR(120) NOT NULL,
        dose_unit_rx VARCHAR(120) NOT NULL,
        route VARCHAR(120) NOT NULL,
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id)""",
    # EHRSQL declares event_id as a key of four tables at once, which no row can meet: event_type says which one it is.
    "cost": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        event_type VARCHAR(20) NOT NULL,
        event_id INT NOT NULL,
        chargetime TIMESTAMP(0) NOT NULL,
        cost DOUBLE PRECISION NOT NULL,
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id)""",
    "chartevents": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        icustay_id INT NOT NULL,
        itemid INT NOT NULL,
        charttime TIMESTAMP(0) NOT NULL,
        valuenum DOUBLE PRECISION,
        valueuom VARCHAR(50),
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id),
        FOREIGN KEY(icustay_id) REFERENCES icustays(icustay_id),
        FOREIGN KEY(itemid) REFERENCES d_items(itemid)""",
    "inputevents_cv": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        icustay_id INT NOT NULL,
        charttime TIMESTAMP(0) NOT NULL,
        itemid INT NOT NULL,
        amount DOUBLE PRECISION,
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id),
        FOREIGN KEY(icustay_id) REFERENCES icustays(icustay_id),
        FOREIGN KEY(itemid) REFERENCES d_items(itemid)""",
    "outputevents": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        icustay_id INT NOT NULL,
        charttime TIMESTAMP(0) NOT NULL,
        itemid INT NOT NULL,
        value DOUBLE PRECISION,
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id),
        FOREIGN KEY(icustay_id) REFERENCES icustays(icustay_id),
        FOREIGN KEY(itemid) REFERENCES d_items(itemid)""",
    "microbiologyevents": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        charttime TIMESTAMP(0) NOT NULL,
        spec_type_desc VARCHAR(100),
        org_name VARCHAR(100),
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id)""",
    # Unique here, so that the tables of the ICU can refer to it.
    "icustays": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        icustay_id INT NOT NULL UNIQUE,
        first_careunit VARCHAR(20) NOT NULL,
        last_careunit VARCHAR(20) NOT NULL,
        first_wardid SMALLINT NOT NULL,
        last_wardid SMALLINT NOT NULL,
        intime TIMESTAMP(0) NOT NULL,
        outtime TIMESTAMP(0),
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id)""",
    "transfers": """
        row_id INT NOT NULL PRIMARY KEY,
        subject_id INT NOT NULL,
        hadm_id INT NOT NULL,
        icustay_id INT,
        eventtype VARCHAR(20) NOT NULL,
        careunit VARCHAR(20),
        wardid SMALLINT,
        intime TIMESTAMP(0) NOT NULL,
        outtime TIMESTAMP(0),
        FOREIGN KEY(hadm_id) REFERENCES admissions(hadm_id)""",
}
"""The column definitions of each table."""


def create(table: str) -> str:
    """The CREATE statement of one table."""
    return f"CREATE TABLE {table} ({TABLES[table]}\n)"


def insert(table: str, columns: int) -> str:
    """The INSERT statement for rows of that many `columns`, in the order of the definition."""
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"
