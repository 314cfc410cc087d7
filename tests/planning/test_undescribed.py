"""Databases that no profile describes: what is guessed of them is enough for plain questions, and for their logic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.evaluation.rightness import shows_answer
from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import GUESSED
from ehrtui.settings import DEFAULTS
from tests import (
    small_coded,
    small_flat,
    small_hospital,
    small_maternity,
    small_synthea,
    small_trust,
    small_warehouse,
)
from tests.planning.test_families import asking, check_sure
from tests.small_synthea import ADA, BEN, CLEO

Build = Callable[[Path], Path]
Rows = set[tuple[Any, ...]]
NOW = "2022-12-31 23:59:00"
BUILDERS: dict[str, Build] = {
    "flat": small_flat.build,
    "synthea": small_synthea.build,
    "lower synthea": lambda path: small_synthea.build(path, lower=True),
    "old synthea": lambda path: small_synthea.build(path, without=("ENCOUNTERCLASS",)),
    "fhir": small_warehouse.build_fhir,
    "star": small_warehouse.build_star,
    "hospital": small_warehouse.build_hospital,
    "shortened": small_hospital.build,
    "joined": small_trust.build,
    "coded": small_coded.build,
    "maternity": small_maternity.build,
}


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Engine]]:
    folder = tmp_path_factory.mktemp("undescribed")
    opened = {name: open_engine(str(build(folder / f"{name}.db"))) for name, build in BUILDERS.items()}
    yield opened
    for engine in opened.values():
        engine.close()


def rows_of(engine: Engine, logic: str, now: str = NOW) -> Rows:
    """The rows of a statement of query logic."""
    profile = load_profile(engine.schema(), engine.read)
    return set(engine.read(flat_sql(compile_statement(parse_statement(logic), profile, now=now, turns={}))))


def test_only_synthea_is_described(engines: dict[str, Engine]) -> None:
    names = {name: load_profile(engine.schema(), engine.read).name for name, engine in engines.items()}
    assert names.pop("synthea") == names.pop("lower synthea") == "Synthea"
    assert set(names.values()) == {GUESSED}


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients are there?", {(3,)}),
        ("how many female patients are there?", {(2,)}),
        ("what is the age of Nora Lind?", {("70",)}),
        ("what is the insurance of omar said?", {("Private",)}),
        ("when was Petra Quist admitted?", {("2151-06-01 10:00:00",)}),
        ("what is the birth year of Omar Said?", {("2106",)}),
        ("which drugs were prescribed to Nora Lind?", {("Heparin",)}),
        ("what is the glucose of Nora Lind?", {(180.0,), (90.0,)}),
        ("what is the maximum glucose of Nora Lind?", {(180.0,)}),
        ("average glucose", {((180 + 90 + 101) / 3,)}),
        ("how many patients were diagnosed with sepsis?", {(1,)}),
        ("how many patients were diagnosed with hypertension nos?", {(2,)}),
        ("how many patients were diagnosed with unspecified essential hypertension?", {(2,)}),
        ("how many patients underwent hemodialysis?", {(1,)}),
        ("how many patients were given heparin by iv route?", {(1,)}),
        ("how many patients had an abnormal glucose?", {(1,)}),
        ("how many patients under 60 years of age were admitted as elective?", {(2,)}),
        ("what is the average age of female patients?", {(50.0,)}),
        ("how many patients with medicare insurance died?", {(1,)}),
        ("number of patients by insurance", {("Medicare", 1), ("Private", 2)}),
        ("how many catholic patients speak russian?", {(1,)}),
        ("oldest patient", {("1", "70")}),
    ],
)
def test_a_question_on_a_flat_export(engines: dict[str, Engine], question: str, rows: Rows) -> None:
    check_sure(asking(engines["flat"], small_flat.NOW), question, rows)


@pytest.mark.parametrize(
    ("logic", "rows"),
    [
        ('count of patients with diagnosis code "4019"', {(2,)}),
        ('count of patients with diagnosis code "401*"', {(2,)}),
        ('short title of diagnosis "Sepsis of any cause"', {("Sepsis",)}),
        ('name of patients with diagnosis "Sepsis of any cause"', {("Nora Lind",)}),
        ('age of patients where name = "Nora Lind"', {("70",)}),
        ("count of patients where age > 40 and insurance = \"Private\"", {(1,)}),
        ("count of patients where birth year < 2110", {(2,)}),
        ("minimum age, maximum age of patients", {(30.0, 70.0)}),
        ("mean (days stay) of patients", {(8 / 3,)}),
        ("count of patients by gender, admission type",
         {("F", "EMERGENCY", 1), ("F", "ELECTIVE", 1), ("M", "ELECTIVE", 1)}),
        ('value, unit of lab "Glucose" for (patients where name = "Omar Said")', {(101.0, "mg/dL")}),
        ('text of lab "Bacteria"', {("NONE",)}),
        ('count of lab where fluid = "Blood" and itemid = "50931"', {(3,)}),
        ('value, dose unit of prescription "Aspirin"', {(81.0, "mg")}),
        ("time of diagnosis \"Sepsis of any cause\"", {("2150-03-01 10:00:00",)}),
        ("length of last hospital stay where hospital death = 1", {(5.0,)}),
        ("count of hospital stays with (diagnosis in 2151)", {(1,)}),
    ],
)  # fmt: skip
def test_logic_on_a_flat_export(engines: dict[str, Engine], logic: str, rows: Rows) -> None:
    assert rows_of(engines["flat"], logic, small_flat.NOW) == rows


@pytest.mark.parametrize("name", ["synthea", "lower synthea", "old synthea"])
@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients are there?", {(3,)}),
        ("how old was Ada604 Harris789 at the first visit?", {(68,)}),
        ("what is the gender of Ben71 Ortiz186?", {("M",)}),
        ("how many patients were diagnosed with diabetes?", {(1,)}),
        ("what is the last body weight of Ada604 Harris789?", {(72.0,)}),
        ("maximum body weight of female patients", {(72.0,)}),
        ("average body weight", {((70 + 72 + 90) / 3,)}),
        ("count patients by race", {("black", 1), ("white", 2)}),
        ("how many encounters per year?", {("2019", 1), ("2020", 2)}),
        ("how many patients were vaccinated?", {(1,)}),
        ("how many patients are insured by medicare?", {(1,)}),
        ("how many patients died?", {(1,)}),
        ("when did Ben71 Ortiz186 die?", {("2021-03-01",)}),
        ("how many patients older than 65?", {(1,)}),
        ("which patients have a care plan?", {(ADA,)}),
        ("how many imaging studies in 2019?", {(1,)}),
        ("which medication is Ada604 Harris789 allergic to?", {("Allergy to peanuts",)}),
        ("list the drugs that Ada604 Harris789 is allergic to", {("Allergy to peanuts",)}),
        (
            "which medications were prescribed to patients with allergies?",
            {("Metformin 500 MG Oral Tablet",), ("Metformin 1000 MG Oral Tablet",)},
        ),
    ],
)
def test_a_question_on_synthea(engines: dict[str, Engine], name: str, question: str, rows: Rows) -> None:
    check_sure(asking(engines[name], small_synthea.NOW), question, rows)


@pytest.mark.parametrize("name", ["synthea", "lower synthea"])
@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("what is the age of Ada604 Harris789?", {(71,)}),
        ("how old is Ben71 Ortiz186?", {(31,)}),
        ("how many patients are octogenarians?", {(0,)}),
        ("how many patients are in their seventies?", {(1,)}),
        ("how many patients were hospitalized?", {(1,)}),
        ("what percentage of patients were hospitalised?", {(100 / 3,)}),
        ("average age at the visits", {(56.0,)}),
    ],
)
def test_the_age_of_a_patient_is_the_one_now_or_at_death(
    engines: dict[str, Engine], name: str, question: str, rows: Rows
) -> None:
    proposal, found = asking(engines[name], small_synthea.NOW)(question)
    assert proposal.reason == ""
    assert shows_answer(list(found), list(rows)), (proposal.logic, found)


@pytest.mark.parametrize(
    ("logic", "rows"),
    [
        ('count of patients where city = "Boston"', {(2,)}),
        ('name of patients with diagnosis "Viral sinusitis (disorder)"', {("Ben71 Ortiz186",)}),
        ('text of measurement "Tobacco smoking status"', {("Never smoker",)}),
        ('count of measurement "Tobacco smoking status" where value is present', {(0,)}),
        ('count of hospital stays where admission type = "inpatient"', {(1,)}),
        ("sum cost of prescription", {(60.0,)}),
        ('reason of prescription like "%metformin%"', {("Diabetes mellitus type 2 (disorder)",)}),
        ("organization, provider of hospital stays with (diagnosis code \"44054006\")",
         {("Mercy Medical Center", "Rosa Vance")}),
        ("patients without hospital stay", {(CLEO,)}),
        ("patients with death", {(BEN,)}),
        ('count of prescription where end time is open', {(2,)}),
    ],
)  # fmt: skip
def test_logic_on_synthea(engines: dict[str, Engine], logic: str, rows: Rows) -> None:
    assert rows_of(engines["synthea"], logic, small_synthea.NOW) == rows


@pytest.mark.parametrize(
    ("name", "question", "rows"),
    [
        ("fhir", "age of Ida Berg", {(50,)}),
        ("fhir", "how many women have asthma?", {(1,)}),
        ("fhir", "medications of Ida Berg", {("Salbutamol",)}),
        ("fhir", "heart rate of Jon Falk", {(100.0,)}),
        ("fhir", "mean heart rate", {(90.0,)}),
        ("fhir", "how many patients died?", {(1,)}),
        ("fhir", "how many inpatient encounters?", {(1,)}),
        ("star", "how many patients were diagnosed with type 2 diabetes?", {(1,)}),
        ("star", "maximum glucose of patient 1", {(170.0,)}),
        ("star", "which patients had a glucose above 140?", {(1,)}),
        ("star", "how many patients take insulin?", {(1,)}),
        ("star", "how many women were admitted in 2010?", {(1,)}),
        ("star", "age of patient 1", {(69,)}),
        ("shortened", "average length of stay in days", {(3.583,)}),
        ("shortened", "admission type breakdown", {("Emergency", 2), ("Elective", 1)}),
        ("shortened", "how many admissions ended with death in the hospital?", {(1,)}),
        ("shortened", "did anyone leave against medical advice?", {(1,)}),
        ("shortened", "how many women were admitted?", {(1,)}),
        ("shortened", "how many smokers?", {(1,)}),
        ("shortened", "how many patients were in the icu?", {(1,)}),
        ("shortened", "mean icu length of stay", {(2.0,)}),
        ("shortened", "average time on the icu in hours", {(48.0,)}),
        ("shortened", "mean heart rate", {(90.0,)}),
        ("shortened", "lowest spo2 of patient 1", {(88.0,)}),
        ("shortened", "which chief complaint did patient 2 have?", {("Fall",)}),
        ("shortened", "operations under spinal anaesthesia", {("Hernia repair",)}),
        ("shortened", "mean duration of hernia repair in min", {(90.0,)}),
        ("joined", "how many patients were given intravenous gentamicin?", {(1,)}),
        ("joined", "mean heart rate", {(90.0,)}),
        ("joined", "how many patients had a NEWS of 7 or more?", {(1,)}),
        ("joined", "patients needing an interpreter", {(1,)}),
        ("joined", "how old was patient UX18 on admission?", {(41,)}),
        ("joined", "elective vs emergency admissions", {("Elective", 1), ("Emergency", 1)}),
        ("joined", "which surgeon did the hip replacement of Una Marsh?", {("Ada Pole",)}),
        ("joined", "average duration of hip replacements", {(80.0,)}),
        ("joined", "total tariff of stays in orthopaedics", {(14000.0,)}),
        ("joined", "how many appointments in cardiology?", {(2,)}),
        ("joined", "missed appointments by specialty", {("Cardiology", 1)}),
        ("joined", "when was the first appointment?", {("2022-02-03 09:00:00",)}),
        ("joined", "percentage of A&E attendances lasting longer than 4 hours", {(50.0,)}),
        ("joined", "ED attendances in 2022", {(1,)}),
        ("joined", "how many women were admitted?", {(1,)}),
        ("joined", "how many patients were over 80 when they were admitted?", {(1,)}),
        ("coded", "how many current smokers?", {(1,)}),
        ("coded", "cancelled operations", {("Bronchoscopy",)}),
        ("coded", "no-show rate in the heart clinic", {(50.0,)}),
        ("coded", "how many patients with blood group AB-?", {(1,)}),
        ("coded", "when was AB1001 last discharged", {("2022-05-01 10:00:00",)}),
        ("coded", "diagnoses of ab1002", {("Pneumonia",)}),
        ("coded", "how many ICU stays?", {(1,)}),
        ("coded", "mean icu length of stay", {(2.0,)}),
        ("coded", "mean sodium of inpatients", {(134.0,)}),
        ("coded", "how many E. coli isolates were resistant to ceftriaxone?", {(1,)}),
        ("coded", "what percentage of E. coli isolates was resistant to ceftriaxone?", {(50.0,)}),
        ("coded", "how many isolates are there?", {(3,)}),
        ("coded", "mean heart rate", {(100.0,)}),
        ("coded", "lowest spo2 of patient AB1001", {(88.0,)}),
        ("coded", "how many registered nurses do we have?", {(2,)}),
        ("coded", "how many nurses are there?", {(2,)}),
        ("coded", "nurses by department", {("Medical Ward", 1), ("Intensive Care Unit", 1)}),
        ("coded", "which ward has the most beds?", {("Medical Ward", 24)}),
        ("coded", "how many beds are there?", {(32,)}),
        ("coded", "how many inpatients have not been discharged yet?", {(1,)}),
        ("maternity", "how many women are there?", {(3,)}),
        ("maternity", "average birth weight, boys vs girls", {("F", 3100.0), ("M", 2300.0)}),
        ("maternity", "how many babies are there?", {(2,)}),
        ("maternity", "which midwife attended the most deliveries?", {("Rosie Bell",)}),
        (
            "maternity",
            "mean blood loss for each type of delivery",
            {("Emergency caesarean section", 600.0), ("Spontaneous vaginal delivery", 300.0)},
        ),
        ("maternity", "how many emergency caesareans were done?", {(1,)}),
        ("maternity", "which patients are severely allergic to penicillin?", {(1,)}),
        ("maternity", "how many appointments were cancelled by the hospital?", {(1,)}),
        ("maternity", "which patients left against advice?", {(2,)}),
        ("maternity", "what percentage of group B strep swabs came back positive?", {(50.0,)}),
        ("maternity", "how many blood cultures were positive?", {(1,)}),
        ("maternity", "how many abnormal potassium results?", {(1,)}),
        ("maternity", "average time patients spend on the neonatal unit", {(2.0,)}),
        ("maternity", "how long does an emergency caesarean section take on average?", {(45.0,)}),
        ("maternity", "patients by language", {(None, 2), ("English", 1), ("Welsh", 1)}),
        ("maternity", "no-show rate", {(25.0,)}),
        ("maternity", "admissions by site", {("Millbrook Unit", 2), ("Orchard Hospital", 2)}),
        ("maternity", "average length of stay on the delivery suite", {(3.125,)}),
        ("maternity", "in how many admissions did the patient have a potassium above 5?", {(1,)}),
        ("hospital", "age of Lena Weber", {(62,)}),
        ("hospital", "how many patients have pneumonia?", {(1,)}),
        ("hospital", "how was amoxicillin given to Lena Weber?", {("oral",)}),
        ("hospital", "dose of amoxicillin of Lena Weber", {(500.0,)}),
        ("hospital", "last crp of Lena Weber", {(20.0,)}),
        ("hospital", "mean crp", {(35.0,)}),
        ("hospital", "patients older than 50", {(7,)}),
        ("hospital", "average age of patients", {(47.0,)}),
    ],
)
def test_a_question_on_an_undescribed_database(
    engines: dict[str, Engine], name: str, question: str, rows: Rows
) -> None:
    check_sure(asking(engines[name], NOW), question, rows)


def test_names_of_patients_are_told_by_their_identifiers(engines: dict[str, Engine]) -> None:
    engine = engines["flat"]
    schema = engine.schema()
    planner = OfflinePlanner(
        schema=schema, profile=load_profile(schema, engine.read), now=small_flat.NOW, read=engine.read
    )
    proposal = planner.propose("gender of Nora Lind", [])
    assert [(link.text, link.kind, link.value) for link in proposal.links if link.kind == "patient"] == [
        ("Nora Lind", "patient", "1")
    ]
    assert planner.propose("gender of Nora Lindt", []).confidence < 0.7  # who is meant is not guessed


def test_who_got_a_drug_is_not_allergic_to_it(engines: dict[str, Engine]) -> None:
    proposal, _ = asking(engines["synthea"], small_synthea.NOW)("patients allergic to metformin")
    assert proposal.confidence < DEFAULTS.threshold
