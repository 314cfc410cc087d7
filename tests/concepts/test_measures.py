"""Derived measures over the first day of three patients, whose scores are worked out by hand beside them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ehrtui.schema
from ehrtui.concepts.library import Library, shipped_shelf
from ehrtui.concepts.meaning import Meanings
from ehrtui.errors import LogicError
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.written import written
from ehrtui.schema.detection import load_profile
from ehrtui.schema.model import Column, Schema, Table
from ehrtui.schema.profile import read_profile

NOW = "2150-01-01 00:00:00"
DAY = "2140-01-01 "
TABLES = {
    "patients": "row_id subject_id gender dob dod",
    "admissions": "row_id subject_id hadm_id admittime dischtime admission_type hospital_expire_flag",
    "icustays": "row_id subject_id hadm_id icustay_id first_careunit last_careunit intime outtime",
    "diagnoses_icd": "row_id subject_id hadm_id seq_num icd9_code",
    "d_icd_diagnoses": "row_id icd9_code short_title long_title",
    "d_items": "row_id itemid label category dbsource linksto",
    "d_labitems": "row_id itemid label fluid category loinc_code",
    "chartevents": "row_id subject_id hadm_id icustay_id itemid charttime value valuenum valueuom warning",
    "labevents": "row_id subject_id hadm_id itemid charttime value valuenum valueuom flag",
    "inputevents_mv": "row_id subject_id hadm_id icustay_id starttime endtime itemid amount amountuom rate rateuom "
    "statusdescription",
    "inputevents_cv": "row_id subject_id hadm_id icustay_id charttime itemid amount amountuom rate rateuom",
    "procedureevents_mv": "row_id subject_id hadm_id icustay_id starttime endtime itemid value valueuom",
    "prescriptions": "row_id subject_id hadm_id icustay_id startdate enddate drug_type drug dose_val_rx dose_unit_rx "
    "route",
    "microbiologyevents": "row_id subject_id hadm_id chartdate charttime spec_itemid spec_type_desc org_itemid "
    "org_name ab_itemid ab_name dilution_text interpretation",
    "outputevents": "row_id subject_id hadm_id icustay_id charttime itemid value valueuom",
}
CHARTED = ["Heart Rate", "Respiratory Rate", "Temperature C", "Arterial BP Mean", "GCS Total", "GCS - Eye Opening",
           "GCS - Verbal Response", "GCS - Motor Response", "FiO2 Set", "Inspired O2 Fraction", "Ventilator Mode",
           "Temperature F", "SpO2", "NBP [Systolic]", "Admit Wt"]  # fmt: skip
GIVEN, MADE, DONE = ["Norepinephrine", "Dopamine", "Vasopressin", "Phenylephrine"], ["Foley"], ["Invasive Ventilation"]
TESTED = ["pO2", "pCO2", "Platelet Count", "Bilirubin, Total", "Creatinine", "White Blood Cells", "Bands", "Lactate"]

VITALS = [
    # Stay 1: ventilated shock. Stay 2: next to nothing. Stay 3: charted by MetaVision, its second day does not count.
    (1, "Heart Rate", "02:00", 120), (1, "Respiratory Rate", "02:00", 28), (1, "Temperature C", "02:00", 39.1),
    (1, "Arterial BP Mean", "03:00", 52), (1, "GCS Total", "03:00", 8), (1, "FiO2 Set", "02:30", 0.8),
    (1, "Ventilator Mode", "02:00", 1), (1, "Heart Rate", "05:00", 96), (1, "Heart Rate", "06:00", 0),
    (1, "SpO2", "02:00", 91), (1, "NBP [Systolic]", "03:00", 84), (1, "Admit Wt", "01:30", 75),
    (1, "Admit Wt", "09:00", 80), (3, "Admit Wt", "02:00", 50),
    (2, "Heart Rate", "02:00", 80), (2, "Arterial BP Mean", "03:00", 75), (2, "GCS Total", "03:00", 15),
    (3, "Heart Rate", "02:00", 88), (3, "GCS - Eye Opening", "04:00", 3), (3, "GCS - Verbal Response", "04:00", 4),
    (3, "GCS - Motor Response", "05:00", 6), (3, "Inspired O2 Fraction", "02:00", 40),
    (3, "Temperature F", "04:00", 96),
]  # fmt: skip
LABS = [
    (1, "pO2", "03:00", 72), (1, "Platelet Count", "03:00", 45), (1, "Bilirubin, Total", "03:00", 3.1),
    (1, "Creatinine", "03:00", 1.0), (1, "Creatinine", "20:00", 2.4), (1, "White Blood Cells", "03:00", 15.2),
    (2, "Creatinine", "03:00", 0.8), (2, "Creatinine", "21:00", 0.9),
    (3, "pO2", "04:00", 90), (3, "pCO2", "04:00", 30), (3, "Creatinine", "03:00", 1.3), (3, "Creatinine", "23:00", 1.6),
]  # fmt: skip
LATE = [(3, "Platelet Count", "2140-01-03 03:00:00", 10)]
CODES = [(1, "4280"), (1, "5723"), (1, "5712"), (1, "1970"), (1, "1629"), (3, "25000"), (3, "25040"), (3, "4019")]


@pytest.fixture(scope="module")
def ask() -> Iterator[Callable[[str], list[tuple[object, ...]]]]:
    """Asks query logic over the three patients, whose stays have the numbers 1 to 3 in all tables."""
    connection = sqlite3.connect(":memory:")
    for name, columns in TABLES.items():
        listed = columns.replace(" ", ", ").replace("row_id", "row_id INTEGER PRIMARY KEY", 1)
        connection.execute(f"CREATE TABLE {name} ({listed})")
    items = {name: at for at, name in enumerate([*CHARTED, *GIVEN, *MADE, *DONE], start=100)}
    tests = {name: at for at, name in enumerate(TESTED, start=500)}

    def put(table: str, *values: object) -> None:
        connection.execute(f"INSERT INTO {table} VALUES (NULL{', ?' * len(values)})", values)

    for at in (1, 2, 3):
        put("patients", at, "F", "2080-01-01", {2: "2140-01-25", 3: "2140-06-01"}.get(at))
        put("admissions", at, at, f"{DAY}00:00:00", "2140-01-09 00:00:00", "EMERGENCY", 0)
        put("icustays", at, at, at, "MICU", "MICU", f"{DAY}01:00:00", "2140-01-08 00:00:00")
    linked_names = {"chartevents": CHARTED, "inputevents_mv": GIVEN, "outputevents": MADE, "procedureevents_mv": DONE}
    for linked, names in linked_names.items():
        for name in names:
            put("d_items", items[name], name, None, "metavision", linked)
    for name, number in tests.items():
        put("d_labitems", number, name, "Blood", None, None)
    for at, name, hour, value in VITALS:
        put("chartevents", at, at, at, items[name], f"{DAY}{hour}:00", str(value), value, None, None)
    for at, name, hour, value in LABS:
        put("labevents", at, at, tests[name], f"{DAY}{hour}:00", str(value), value, None, None)
    for at, name, time, value in LATE:
        put("labevents", at, at, tests[name], time, str(value), value, None, None)
    start, end = f"{DAY}04:00:00", f"{DAY}09:00:00"
    put("inputevents_mv", 1, 1, 1, start, end, items["Norepinephrine"], 5, "mg", 0.25, "mcg/kg/min", "Running")
    put("inputevents_mv", 3, 3, 3, start, end, items["Dopamine"], 5, "mg", 4.0, "mcg/kg/min", "Running")
    later = f"{DAY}06:30:00"
    put("inputevents_mv", 1, 1, 1, start, later, items["Vasopressin"], 5, "units", 2.4, "units/hour", "Running")
    put("inputevents_mv", 1, 1, 1, start, later, items["Phenylephrine"], 5, "mg", 1.5, "mcg/kg/min", "Running")
    put("inputevents_mv", 1, 1, 1, "2140-01-03 00:00:00", "2140-01-03 01:00:00", items["Norepinephrine"], 5, "mg", 0.9,
        "mcg/kg/min", "Running")  # fmt: skip
    for begun, ended in (("02:00", "20:00"), ("22:00", "23:30")):
        times = (f"{DAY}{begun}:00", f"{DAY}{ended}:00")
        put("procedureevents_mv", 1, 1, 1, *times, items["Invasive Ventilation"], 1, "min")
    put("prescriptions", 1, 1, 1, f"{DAY}00:00:00", "2140-01-04 00:00:00", "MAIN", "Vancomycin", "1", "g", "IV")
    put("prescriptions", 3, 3, 3, "2140-01-05 00:00:00", "2140-01-06 00:00:00", "MAIN", "Vancomycin", "1", "g", "IV")
    blood = (None, "BLOOD CULTURE", *[None] * 6)
    put("microbiologyevents", 1, 1, f"{DAY}00:00:00", f"{DAY}08:00:00", *blood)
    put("microbiologyevents", 3, 3, f"{DAY}00:00:00", f"{DAY}08:00:00", *blood)
    for at, amount in ((1, 150), (2, 1800), (3, 900)):
        put("outputevents", at, at, at, f"{DAY}12:00:00", items["Foley"], amount, "ml")
    for at, code in CODES:
        put("diagnoses_icd", at, at, 1, code)
        put("d_icd_diagnoses", code, code, code)
    schema = Schema(
        tuple(Table(name, tuple(Column(one, "") for one in columns.split())) for name, columns in TABLES.items())
    )
    profile = load_profile(schema, lambda sql, *_: connection.execute(sql).fetchall())
    library = Library([shipped_shelf(None)])
    meanings = Meanings(lambda: library, profile)

    def answer(logic: str) -> list[tuple[object, ...]]:
        steps = written(logic, profile, now=NOW, turns={}, concepts=meanings).steps
        return sorted(connection.execute(flat_sql(steps)).fetchall())

    yield answer
    library.close()
    connection.close()


@pytest.mark.parametrize(
    ("measure", "unit", "values"),
    [
        # 72 mmHg at 80 % oxygen are 90, ventilated; 90 mmHg at 40 % are 225; the second stay has no gas.
        ("PaO2/FiO2 ratio", "icu stay", [90.0, None, 225.0]),
        ("SOFA respiration", "icu stay", [4, 0, 2]),
        ("SOFA coagulation", "icu stay", [3, 0, 0]),  # the third stay's platelets are of its third day
        ("SOFA liver", "icu stay", [2, 0, 0]),
        ("SOFA cardiovascular", "icu stay", [4, 0, 2]),  # norepinephrine 0.25; nothing; dopamine 4
        ("SOFA nervous system", "icu stay", [3, 0, 1]),  # 8; 15; 3 + 4 + 6 = 13
        ("SOFA renal", "icu stay", [4, 0, 1]),  # 150 ml of urine; 0.9 mg/dL; 1.6 mg/dL
        ("SOFA", "icu stay", [20, 0, 6]),
        ("Urine output of the first day", "icu stay", [150.0, 1800.0, 900.0]),
        ("Highest heart rate of the first day", "icu stay", [120, 80, 88]),
        ("Lowest heart rate of the first day", "icu stay", [96, 80, 88]),  # 0 cannot be
        ("Lowest oxygen saturation of the first day", "icu stay", [91, None, None]),
        ("Lowest systolic blood pressure of the first day", "icu stay", [84, None, None]),
        ("Lowest mean arterial pressure of the first day", "icu stay", [52, 75, None]),
        ("Highest respiratory rate of the first day", "icu stay", [28, None, None]),
        ("Lowest temperature of the first day", "icu stay", [39.1, None, (96 - 32) / 1.8]),
        ("Highest creatinine of the first day", "icu stay", [2.4, 0.9, 1.6]),
        ("Lowest platelets of the first day", "icu stay", [45, None, None]),
        ("Highest bilirubin of the first day", "icu stay", [3.1, None, None]),
        ("Highest white blood cells of the first day", "icu stay", [15.2, None, None]),
        ("GCS of the first day", "icu stay", [8, 15, 13]),
        ("Weight of the first day", "icu stay", [75, None, 50]),
        ("Urine output rate of the first day", "icu stay", [150 / 75 / 24, None, 900 / 50 / 24]),
        # 0.25 + 1.5 x 0.06 + 2.4 / 60 x 2.5 (0.9 is of the third day); nothing; 4 / 100
        ("Norepinephrine equivalent of the first day", "icu stay", [0.44, 0, 0.04]),
        ("Vasopressor hours", "icu stay", [5 + 2.5 + 2.5 + 1, 0, 5]),
        ("Ventilation hours", "icu stay", [19.5, 0, 0]),
        ("Ventilation periods", "icu stay", [2, 0, 0]),
        ("Suspicion of infection", "hospital stay", [1, 0, 0]),  # the third stay's antibiotic is 88 hours late
        ("Sepsis-3", "icu stay", [1, 0, 0]),
        ("30-day mortality", "hospital stay", [0, 1, 0]),
        ("30-day readmission", "hospital stay", [0, 0, 0]),
        ("SIRS criteria", "icu stay", [4, 0, 2]),  # all four; none; 96 °F are 35.6 °C, and a PaCO2 of 30
        ("KDIGO stage", "hospital stay", [2, 0, 1]),  # 2.4 times; by 0.1; by 0.3 within 20 hours
        ("Baseline creatinine", "hospital stay", [1.0, 0.8, 1.3]),
        # Failing heart 1, severe liver disease 3 without the mild one, metastases 6 without the tumor; diabetes with
        # complication 2 without the plain one.
        ("Charlson index", "hospital stay", [10, 0, 2]),
        ("Elixhauser count", "hospital stay", [4, 0, 2]),  # heart, liver, alcohol, metastases; diabetes, hypertension
        ("Elixhauser score", "hospital stay", [30, 0, 0]),  # 7 + 11 + 12
    ],
)
def test_a_measure_is_what_the_hand_finds(
    ask: Callable[[str], list[tuple[object, ...]]], measure: str, unit: str, values: list[float | None]
) -> None:
    found = ask(f'for each {unit}: id, measure "{measure}"')
    assert [at for at, _ in found] == [1, 2, 3]
    for (_, value), wanted in zip(found, values, strict=True):
        assert value == (wanted if wanted is None else pytest.approx(wanted)), measure


def test_measures_go_wherever_numbers_do(ask: Callable[[str], list[tuple[object, ...]]]) -> None:
    assert ask('icu stays where measure "sofa score" >= 6') == [(1,), (3,)]
    assert ask('mean (measure "SOFA") of icu stays') == [(26 / 3,)]
    assert ask('histogram in bands of 10 of (measure "SOFA") of icu stays')[0][2] == 2
    assert ask('for each patient: id, measure "Charlson"') == [(1, 10), (2, 0), (3, 2)]


def test_what_no_measure_is_is_said(ask: Callable[[str], list[tuple[object, ...]]]) -> None:
    with pytest.raises(LogicError, match="no measure “APACHE IX”"):
        ask('for each icu stay: measure "APACHE IX"')


@pytest.mark.parametrize("family", ["mimic_iii_native", "mimic_iv_native"])
def test_every_measure_can_be_asked_of_both_native_schemas(family: str) -> None:
    profile = read_profile(Path(ehrtui.schema.__file__).parent / "profiles" / f"{family}.toml")
    library = Library([shipped_shelf(None)])
    meanings = Meanings(lambda: library, profile)
    kept = library.of_kind("measure")
    for one in kept:
        unit = "icu stay" if one.description.startswith("Of an ICU stay") else "hospital stay"
        logic = f'for each {unit}: id, measure "{one.name}"'
        assert written(logic, profile, now=NOW, turns={}, concepts=meanings).steps, one.name
    library.close()
    assert len(kept) > 60
