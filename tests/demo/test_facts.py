"""The fact tables of the demo are complete, well formed and mean what they say."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import ehrtui.demo

FACTS = Path(ehrtui.demo.__file__).parent / "facts"

COLUMNS = {
    "diagnoses": ["code", "short_title", "long_title", "group", "weight", "sex", "min_age"],
    "procedures": ["code", "short_title", "long_title", "groups", "weight"],
    "drugs": ["drug", "route", "dose_val", "dose_unit", "groups", "weight", "days"],
    "labs": ["itemid", "label", "unit", "low", "high", "decimals", "panel", "interval_hours", "shifts"],
    "items": ["itemid", "label", "linksto", "unit", "low", "high", "decimals", "interval_hours"],
    "cultures": ["spec_type_desc", "organisms", "negative_share"],
    "places": ["kind", "value", "weight"],
}

UNIQUE = [
    ("diagnoses", ("code",)),
    ("diagnoses", ("short_title",)),
    ("diagnoses", ("long_title",)),
    ("procedures", ("code",)),
    ("procedures", ("short_title",)),
    ("procedures", ("long_title",)),
    ("drugs", ("drug", "route", "dose_val", "dose_unit")),
    ("labs", ("itemid",)),
    ("labs", ("label",)),
    ("items", ("itemid",)),
    ("items", ("linksto", "label")),
    ("cultures", ("spec_type_desc",)),
    ("places", ("kind", "value")),
]

ROUTES = {"po", "iv", "iv drip", "im", "sc", "sl", "pr", "ih", "tp", "ou", "nu", "ep"}


def lines(table: str) -> list[list[str]]:
    text = (FACTS / f"{table}.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()]


def rows(table: str) -> list[dict[str, str]]:
    with (FACTS / f"{table}.tsv").open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source, delimiter="\t", quoting=csv.QUOTE_NONE))


def distinct(table: str, *columns: str) -> set[tuple[str, ...]]:
    return {tuple(row[column] for column in columns) for row in rows(table)}


def parts(text: str) -> list[tuple[str, float]]:
    pairs = [part.rpartition(":") for part in text.split(";") if part]
    return [(name, float(number)) for name, _, number in pairs]


def diagnosis_groups() -> set[str]:
    return {row["group"] for row in rows("diagnoses")}


@pytest.mark.parametrize("table", COLUMNS)
def test_table_has_its_columns_in_every_line(table: str) -> None:
    header, *body = lines(table)
    assert header == COLUMNS[table]
    assert {len(line) for line in body} == {len(header)}


@pytest.mark.parametrize("table", COLUMNS)
def test_text_is_lower_case_without_stray_spaces(table: str) -> None:
    cells = [cell for line in lines(table) for cell in line]
    assert [cell for cell in cells if cell != cell.lower() or cell != " ".join(cell.split())] == []


def test_every_tsv_file_is_described() -> None:
    guide = (FACTS / "README.md").read_text(encoding="utf-8")
    tables = {path.stem for path in FACTS.glob("*.tsv")}
    assert tables == set(COLUMNS)
    assert [table for table in tables if f"`{table}.tsv`" not in guide] == []


@pytest.mark.parametrize(
    ("table", "column", "least"),
    [
        ("diagnoses", "code", 420),
        ("procedures", "code", 160),
        ("drugs", "drug", 260),
        ("labs", "label", 125),
        ("cultures", "spec_type_desc", 22),
    ],
)
def test_table_is_large_enough(table: str, column: str, least: int) -> None:
    assert len(distinct(table, column)) >= least


@pytest.mark.parametrize(("linksto", "least"), [("chartevents", 29), ("inputevents_cv", 35), ("outputevents", 20)])
def test_each_charted_table_has_enough_items(linksto: str, least: int) -> None:
    assert sum(row["linksto"] == linksto for row in rows("items")) >= least


@pytest.mark.parametrize(("table", "columns"), UNIQUE)
def test_key_occurs_once(table: str, columns: tuple[str, ...]) -> None:
    assert len(distinct(table, *columns)) == len(rows(table))


@pytest.mark.parametrize("table", ["diagnoses", "procedures"])
def test_short_titles_fit_in_24_characters(table: str) -> None:
    assert [row["short_title"] for row in rows(table) if not 0 < len(row["short_title"]) <= 24] == []


def test_diagnosis_codes_have_the_form_of_icd_9_cm() -> None:
    form = re.compile(r"\d{3,5}|v\d{2,4}|e\d{3,4}")
    assert [row["code"] for row in rows("diagnoses") if not form.fullmatch(row["code"])] == []


def test_procedure_codes_have_the_form_of_icd_9_cm() -> None:
    assert [row["code"] for row in rows("procedures") if not re.fullmatch(r"\d{3,4}", row["code"])] == []


def test_diagnoses_say_for_whom_they_are() -> None:
    for row in rows("diagnoses"):
        assert 1 <= int(row["weight"]) <= 100
        assert row["sex"] in {"", "m", "f"}
        assert 18 <= int(row["min_age"]) <= 70


@pytest.mark.parametrize("table", ["procedures", "drugs"])
def test_groups_are_those_of_the_diagnoses(table: str) -> None:
    known = diagnosis_groups() | {"any"}
    for row in rows(table):
        assert set(row["groups"].split(",")) <= known, row


def test_shifts_are_of_diagnosis_groups() -> None:
    known = diagnosis_groups()
    for row in rows("labs"):
        shifts = parts(row["shifts"])
        assert {group for group, _ in shifts} <= known, row
        assert len(dict(shifts)) == len(shifts), row
        assert all(factor > 0 for _, factor in shifts), row


def test_every_diagnosis_group_has_a_drug_of_its_own() -> None:
    given = {group for row in rows("drugs") for group in row["groups"].split(",")}
    assert diagnosis_groups() - given == set()


def test_drugs_have_a_route_a_dose_and_a_course() -> None:
    for row in rows("drugs"):
        assert row["route"] in ROUTES, row
        assert float(row["dose_val"]) > 0, row
        assert row["dose_unit"], row
        assert 1 <= int(row["days"]) <= 14, row
        assert int(row["weight"]) > 0, row


@pytest.mark.parametrize("table", ["labs", "items"])
def test_ranges_are_in_order_and_survive_rounding(table: str) -> None:
    for row in rows(table):
        decimals = int(row["decimals"])
        assert round(float(row["low"]), decimals) < round(float(row["high"]), decimals), row
        assert float(row["interval_hours"]) >= 0, row


def test_laboratory_item_numbers_are_in_the_range_of_mimic() -> None:
    assert [row["itemid"] for row in rows("labs") if not 50800 <= int(row["itemid"]) <= 51600] == []


def test_the_vital_signs_and_body_measures_of_ehrsql_are_charted() -> None:
    charted = {row["label"]: row["unit"] for row in rows("items") if row["linksto"] == "chartevents"}
    wanted = {
        "heart rate": "bpm",
        "respiratory rate": "bpm",
        "arterial bp [systolic]": "mmhg",
        "arterial bp [diastolic]": "mmhg",
        "arterial bp mean": "mmhg",
        "temperature c (calc)": "deg. c",
        "spo2": "%",
        "sao2": "%",
        "admit ht": "inches",
        "admit wt": "kg",
    }
    assert {label: charted.get(label) for label in wanted} == wanted


def test_cultures_name_their_organisms() -> None:
    organisms: set[str] = set()
    for row in rows("cultures"):
        grown = parts(row["organisms"])
        assert all(name and weight > 0 for name, weight in grown), row
        assert len(dict(grown)) == len(grown), row
        assert 0 < float(row["negative_share"]) < 1
        organisms |= {name for name, _ in grown}
    assert len(organisms) >= 40


def test_places_cover_every_administrative_column() -> None:
    kinds = {row["kind"] for row in rows("places")}
    assert kinds == {
        "careunit",
        "ward",
        "admission_type",
        "admission_location",
        "discharge_location",
        "insurance",
        "language",
        "marital_status",
        "ethnicity",
    }
    assert {row["value"] for row in rows("places") if row["kind"] == "careunit"} == {
        "micu",
        "sicu",
        "ccu",
        "csru",
        "tsicu",
    }
    assert all(float(row["weight"]) > 0 for row in rows("places"))


@pytest.mark.parametrize(
    ("code", "meaning", "group"),
    [
        ("0389", "unspecified septicemia", "sepsis"),
        ("99592", "severe sepsis", "sepsis"),
        ("78552", "septic shock", "sepsis"),
        ("4280", "congestive heart failure, unspecified", "heart failure"),
        ("41071", "subendocardial infarction, initial episode of care", "coronary"),
        ("42731", "atrial fibrillation", "arrhythmia"),
        ("51881", "acute respiratory failure", "respiratory failure"),
        ("486", "pneumonia, organism unspecified", "pneumonia"),
        ("496", "chronic airway obstruction, not elsewhere classified", "copd"),
        ("5849", "acute kidney failure, unspecified", "renal failure"),
        ("5856", "end stage renal disease", "renal failure"),
        ("431", "intracerebral hemorrhage", "stroke"),
        ("5789", "hemorrhage of gastrointestinal tract, unspecified", "gi bleed"),
        ("5715", "cirrhosis of liver without mention of alcohol", "liver"),
        ("4019", "unspecified essential hypertension", "hypertension"),
        ("2449", "unspecified acquired hypothyroidism", "endocrine"),
        ("2851", "acute posthemorrhagic anemia", "anaemia"),
        ("5770", "acute pancreatitis", "pancreatitis"),
        ("v4581", "aortocoronary bypass status", "coronary"),
    ],
)
def test_well_known_diagnosis_codes_mean_what_they_mean(code: str, meaning: str, group: str) -> None:
    assert (code, meaning, group) in distinct("diagnoses", "code", "long_title", "group")


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        ("9604", "insertion of endotracheal tube"),
        ("9671", "continuous invasive mechanical ventilation for less than 96 consecutive hours"),
        ("9672", "continuous invasive mechanical ventilation for 96 consecutive hours or more"),
        ("3893", "venous catheterization, not elsewhere classified"),
        ("3995", "hemodialysis"),
        ("9904", "transfusion of packed cells"),
        ("3615", "single internal mammary-coronary artery bypass"),
        ("0066", "percutaneous transluminal coronary angioplasty [ptca]"),
        ("3324", "closed [endoscopic] biopsy of bronchus"),
        ("5491", "percutaneous abdominal drainage"),
        ("0331", "spinal tap"),
    ],
)
def test_well_known_procedure_codes_mean_what_they_mean(code: str, meaning: str) -> None:
    assert (code, meaning) in distinct("procedures", "code", "long_title")


@pytest.mark.parametrize(
    ("itemid", "label", "unit"),
    [
        ("50912", "creatinine", "mg/dl"),
        ("51006", "urea nitrogen", "mg/dl"),
        ("50971", "potassium", "meq/l"),
        ("50813", "lactate", "mmol/l"),
        ("51301", "white blood cells", "k/ul"),
        ("51221", "hematocrit", "%"),
        ("51003", "troponin t", "ng/ml"),
        ("50818", "pco2", "mm hg"),
    ],
)
def test_well_known_laboratory_items_have_their_number_and_unit(itemid: str, label: str, unit: str) -> None:
    assert (itemid, label, unit) in distinct("labs", "itemid", "label", "unit")


@pytest.mark.parametrize(
    ("drug", "route", "group"),
    [
        ("furosemide", "iv", "heart failure"),
        ("norepinephrine", "iv drip", "sepsis"),
        ("metformin", "po", "diabetes"),
        ("lactulose", "po", "liver"),
        ("heparin", "sc", "any"),
        ("levothyroxine sodium", "po", "endocrine"),
    ],
)
def test_well_known_drugs_are_given_for_their_indication(drug: str, route: str, group: str) -> None:
    indications = {
        indication
        for row in rows("drugs")
        if (row["drug"], row["route"]) == (drug, route)
        for indication in row["groups"].split(",")
    }
    assert group in indications


def test_diseases_of_one_sex_are_of_that_sex() -> None:
    for row in rows("diagnoses"):
        if re.search(r"\bprostate\b", row["long_title"]):
            assert row["sex"] == "m", row
        if re.search(r"\b(ovary|uteri|vagin\w+)\b", row["long_title"]):
            assert row["sex"] == "f", row
