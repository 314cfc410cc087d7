"""A hand-written database with the columns of Synthea's CSV tables, in upper or lower case; all values are texts, as
`.import` makes them.

Ada (1950, F, insured by Medicare): an inpatient encounter in 2019 with hypertension and diabetes, an emergency one in
2020; metformin twice; weights 70 and 72; a flu vaccine; allergic to peanuts; a chest film; a care plan.
Ben (1990, M, died in 2021, insured by Humana): a wellness encounter in 2020 with sinusitis; lisinopril; weight 90.
Cleo (1985, F): nothing.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

NOW = "2021-12-31 23:59:00"
ADA, BEN, CLEO = (
    "1c9e6679-7425-40de-944b-e07fc1f90ae7",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "6fa459ea-ee8a-3ca4-894e-db77e160355e",
)
_IN, _ER, _WELL = ("a1b2c3d4-0000-4000-8000-00000000000" + digit for digit in "123")
_TABLES: dict[str, tuple[str, Sequence[str]]] = {
    "patients": (
        "Id BIRTHDATE DEATHDATE SSN PREFIX FIRST LAST MARITAL RACE ETHNICITY GENDER BIRTHPLACE CITY STATE",
        [
            f"{ADA}|1950-06-01||999-1|Mrs.|Ada604|Harris789|M|white|nonhispanic|F|Lynn|Boston|Massachusetts",
            f"{BEN}|1990-02-03|2021-03-01|999-2|Mr.|Ben71|Ortiz186|S|black|hispanic|M|Lynn|Quincy|Massachusetts",
            f"{CLEO}|1985-02-03||999-3|Ms.|Cleo250|Moen819||white|nonhispanic|F|Quincy|Boston|Massachusetts",
        ],
    ),
    "encounters": (
        "Id START STOP PATIENT ORGANIZATION PROVIDER PAYER ENCOUNTERCLASS CODE DESCRIPTION "
        "BASE_ENCOUNTER_COST TOTAL_CLAIM_COST PAYER_COVERAGE REASONCODE REASONDESCRIPTION",
        [
            f"{_IN}|2019-03-01T10:00:00Z|2019-03-04T10:00:00Z|{ADA}|o1|d1|p1|inpatient|185347001|"
            "Encounter for problem|80.0|1200.5|1000|38341003|Essential hypertension (disorder)",
            f"{_ER}|2020-07-01T10:00:00Z|2020-07-01T12:00:00Z|{ADA}|o1|d1|p1|emergency|50849002|"
            "Emergency room admission|80.0|300|200||",
            f"{_WELL}|2020-08-01T10:00:00Z|2020-08-01T11:00:00Z|{BEN}|o2|d2|p2|wellness|162673000|"
            "General examination of patient|80.0|130|0||",
        ],
    ),
    "conditions": (
        "START STOP PATIENT ENCOUNTER CODE DESCRIPTION",
        [
            f"2019-03-01||{ADA}|{_IN}|38341003|Essential hypertension (disorder)",
            f"2019-03-01||{ADA}|{_IN}|44054006|Diabetes mellitus type 2 (disorder)",
            f"2020-08-01|2020-08-20|{BEN}|{_WELL}|444814009|Viral sinusitis (disorder)",
        ],
    ),
    "medications": (
        "START STOP PATIENT PAYER ENCOUNTER CODE DESCRIPTION BASE_COST PAYER_COVERAGE DISPENSES TOTALCOST "
        "REASONCODE REASONDESCRIPTION",
        [
            f"2019-03-01T11:00:00Z|2019-06-01T11:00:00Z|{ADA}|p1|{_IN}|860975|Metformin 500 MG Oral Tablet|10|0|"
            "3|30|44054006|Diabetes mellitus type 2 (disorder)",
            f"2020-07-01T11:00:00Z||{ADA}|p1|{_ER}|861004|Metformin 1000 MG Oral Tablet|12.5|0|2|25|44054006|"
            "Diabetes mellitus type 2 (disorder)",
            f"2020-08-01T10:30:00Z||{BEN}|p2|{_WELL}|314076|Lisinopril 10 MG Oral Tablet|5|0|1|5||",
        ],
    ),
    "procedures": (
        "START STOP PATIENT ENCOUNTER CODE DESCRIPTION BASE_COST REASONCODE REASONDESCRIPTION",
        [
            f"2019-03-02T08:00:00Z|2019-03-02T09:00:00Z|{ADA}|{_IN}|430193006|"
            "Medication Reconciliation (procedure)|500||",
        ],
    ),
    "observations": (
        "DATE PATIENT ENCOUNTER CATEGORY CODE DESCRIPTION VALUE UNITS TYPE",
        [
            f"2019-03-01T11:00:00Z|{ADA}|{_IN}|vital-signs|29463-7|Body Weight|70.0|kg|numeric",
            f"2020-07-01T11:00:00Z|{ADA}|{_ER}|vital-signs|29463-7|Body Weight|72.0|kg|numeric",
            f"2020-08-01T10:30:00Z|{BEN}|{_WELL}|vital-signs|29463-7|Body Weight|90.0|kg|numeric",
            f"2020-08-01T10:30:00Z|{BEN}|{_WELL}|survey|72166-2|Tobacco smoking status|Never smoker||text",
        ],
    ),
    "immunizations": (
        "DATE PATIENT ENCOUNTER CODE DESCRIPTION BASE_COST",
        [
            f"2019-03-03T10:00:00Z|{ADA}|{_IN}|140|Influenza seasonal injectable preservative free|136",
        ],
    ),
    "allergies": (
        "START STOP PATIENT ENCOUNTER CODE DESCRIPTION TYPE CATEGORY DESCRIPTION1 SEVERITY1",
        [
            f"2019-03-01||{ADA}|{_IN}|91935009|Allergy to peanuts|allergy|food|Hives|SEVERE",
        ],
    ),
    "careplans": (
        "Id START STOP PATIENT ENCOUNTER CODE DESCRIPTION REASONCODE REASONDESCRIPTION",
        [
            f"c1|2019-03-01||{ADA}|{_IN}|698360004|Diabetes self management plan|44054006|"
            "Diabetes mellitus type 2 (disorder)",
        ],
    ),
    "devices": (
        "START STOP PATIENT ENCOUNTER CODE DESCRIPTION UDI",
        [
            f"2019-03-01T10:00:00Z||{ADA}|{_IN}|705643001|Home nebulizer (physical object)|u1",
        ],
    ),
    "imaging_studies": (
        "Id DATE PATIENT ENCOUNTER BODYSITE_CODE BODYSITE_DESCRIPTION MODALITY_CODE MODALITY_DESCRIPTION",
        [
            f"i1|2019-03-01T12:00:00Z|{ADA}|{_IN}|51185008|Thoracic structure|DX|Digital Radiography",
        ],
    ),
    "payers": (
        "Id NAME CITY REVENUE UNIQUE_CUSTOMERS",
        [
            "p1|Medicare||0.0|7",
            "p2|Humana|Louisville|5000.5|3",
        ],
    ),
    "organizations": (
        "Id NAME CITY PHONE",
        [
            "o1|Mercy Medical Center|Boston|6175550101",
            "o2|Shore Family Practice|Quincy|6175550102",
        ],
    ),
    "providers": (
        "Id ORGANIZATION NAME GENDER SPECIALITY",
        [
            "d1|o1|Rosa Vance|F|CARDIOLOGY",
            "d2|o2|Otto Kern|M|GENERAL PRACTICE",
        ],
    ),
    "claims": (
        "Id PATIENTID PROVIDERID PRIMARYPATIENTINSURANCEID DEPARTMENTID APPOINTMENTID SERVICEDATE STATUS1 STATUSP "
        "OUTSTANDING1 OUTSTANDING2 OUTSTANDINGP",
        [
            f"m1|{ADA}|d1|p1|4|{_IN}|2019-03-01T10:00:00Z|CLOSED|CLOSED|0||0",
            f"m2|{ADA}|d1|p1|4|{_ER}|2020-07-01T10:00:00Z|BILLED|BILLED|40||60",
            f"m3|{BEN}|d2|p2|9|{_WELL}|2020-08-01T10:00:00Z|CLOSED|BILLED|0||130",
        ],
    ),
    "claims_transactions": (
        "Id CLAIMID PATIENTID TYPE AMOUNT METHOD FROMDATE TODATE PLACEOFSERVICE PAYMENTS OUTSTANDING APPOINTMENTID",
        [
            f"t1|m1|{ADA}|CHARGE|1200.5||2019-03-01T10:00:00Z|2019-03-04T10:00:00Z|o1||1200.5|{_IN}",
            f"t2|m1|{ADA}|PAYMENT||ECHECK|2019-03-01T10:00:00Z|2019-03-04T10:00:00Z|o1|1200.5|0|{_IN}",
            f"t3|m2|{ADA}|PAYMENT||CASH|2020-07-01T10:00:00Z|2020-07-01T12:00:00Z|o1|200|100|{_ER}",
        ],
    ),
}
"""The columns of each table, and its rows with bars between the values; nothing stands for NULL."""


def build(path: Path, *, lower: bool = False, without: Sequence[str] = ()) -> Path:
    """Write the database to `path`, which must not be there yet, and return it; with `lower`, names in lower case;
    `without` tables or columns of these names."""
    connection = sqlite3.connect(path)
    with connection:
        for table, (names, rows) in _TABLES.items():
            if table in without:
                continue
            columns = [name for name in names.split() if name not in without]
            kept = [place for place, name in enumerate(names.split()) if name not in without]
            said = ", ".join(f'"{name.lower() if lower else name}" TEXT' for name in columns)
            connection.execute(f"CREATE TABLE {table} ({said})")
            marks = re.sub(r"\w+", "?", ", ".join(columns))
            connection.executemany(
                f"INSERT INTO {table} VALUES ({marks})",
                [[row.split("|")[place] or None for place in kept] for row in rows],
            )
    connection.close()
    return path
