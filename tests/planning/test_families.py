"""Questions over databases of other families than EHRSQL's: each gives the rows that one can read off the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.evaluation.rightness import shows_answer
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import Proposal
from ehrtui.schema.detection import load_profile
from tests import small_clinic, small_native, small_omop

Ask = Callable[[str], tuple[Proposal, set[tuple[Any, ...]]]]


def asking(engine: Engine, now: str) -> Ask:
    """Plans a question and runs its SQL."""
    schema = engine.schema()
    planner = OfflinePlanner(schema=schema, profile=load_profile(schema, engine.read), now=now, read=engine.read)

    def ask(question: str) -> tuple[Proposal, set[tuple[Any, ...]]]:
        proposal = planner.propose(question, [])
        return proposal, set(engine.read(proposal.sql)) if proposal.sql else set()

    return ask


@pytest.fixture
def native(tmp_path: Path) -> Iterator[Ask]:
    engine = open_engine(str(small_native.build(tmp_path / "native.sqlite")))
    yield asking(engine, small_native.NOW)
    engine.close()


@pytest.fixture
def omop(tmp_path: Path) -> Iterator[Ask]:
    engine = open_engine(str(small_omop.build(tmp_path / "omop.sqlite")))
    yield asking(engine, small_omop.NOW)
    engine.close()


@pytest.fixture
def clinic(tmp_path: Path) -> Iterator[Ask]:
    engine = open_engine(str(small_clinic.build(tmp_path / "clinic.sqlite")))
    yield asking(engine, small_clinic.NOW)
    engine.close()


def check_sure(ask: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    """The question leaves nothing open, and shows these rows; it may show more columns, such as whose a value is."""
    proposal, found = ask(question)
    assert (proposal.reason, proposal.unexplained) == ("", ()), proposal.logic
    # where the tables are guessed, and where much is said, it may ask back
    guessed = any(doubt.kind == "guessed" for doubt in proposal.doubts)
    assert proposal.confidence >= (0.55 if guessed else 0.65), proposal.logic
    assert shows_answer(list(found), list(rows)), (proposal.logic, found)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients are there?", {(4,)}),
        ("how many patients were prescribed furosemide?", {(3,)}),
        ("how many patients were prescribed aspirin?", {(2,)}),
        ("which patients were diagnosed with chf nos?", {(201,), (202,)}),
        ("which patients were diagnosed with Congestive heart failure, unspecified in 2148?", {(202,)}),
        ("how many women were diagnosed with unspecified essential hypertension?", {(1,)}),
        ("what diagnoses did patient 202 have?",
         {("Congestive heart failure, unspecified",), ("Acute kidney failure, unspecified",)}),
        ("what does CHF NOS stand for?", {("Congestive heart failure, unspecified",)}),
        ("what is the gender of patient 201?", {("F",)}),
        ("how old was patient 201 at the first hospital visit?", {(61,)}),
        ("how old is patient 203?", {(90,)}),
        ("how many patients over 70 were prescribed aspirin?", {(1,)}),
        ("what was the last creatinine value of patient 201?", {(1.4,)}),
        ("what is the maximum creatinine of patient 202?", {(4.0,)}),
        ("what was the heart rate of patient 204?", {(90.0,)}),
        ("what was the weight of patient 204?", {(95.0,)}),
        ("what was the weight of patient 202?", {(80.5,)}),
        ("what is the total input of nacl 0.9% of patient 204?", {(350.0,)}),
        ("what is the total input of .9% normal saline of patient 202?", {(500.0,)}),
        ("was the systolic blood pressure of patient 202 normal?", {(0,)}),
        ("which drugs were prescribed to patient 201 during the last hospital stay?", {("Furosemide",), ("ASPIRIN",)}),
        ("by what route was furosemide prescribed to patient 202?", {("IV",)}),
        ("how many patients were admitted via the emergency room in 2148?", {(1,)}),
        ("how many patients with insurance Medicaid were admitted?", {(1,)}),
        ("what is the religion of patient 202?", {("JEWISH",)}),
        ("list the services of patient 204", {("MED",)}),
        ("what organism was found in the sputum culture of patient 202?", {("STAPH AUREUS COAG +",)}),
        ("when was the sputum culture of patient 202?", {("2148-03-07 00:00:00",)}),
        ("how many patients died?", {(1,)}),
        ("how many patients underwent hemodialysis since 2148?", {(1,)}),
        ("how many patients were prescribed aspirin within 1 month after being diagnosed with hypertension nos?",
         {(1,)}),
    ],
)  # fmt: skip
def test_a_question_on_native_mimic_iii(native: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    check_sure(native, question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients are there?", {(4,)}),
        ("how many persons were exposed to furosemide?", {(3,)}),
        ("which patients were diagnosed with heart failure?", {(1,), (2,)}),
        ("how many women were diagnosed with essential hypertension?", {(1,)}),
        ("how many patients were diagnosed with essential hypertension in 06/2021?", {(1,)}),
        ("what is the gender of patient 2?", {("MALE",)}),
        ("what is the race of patient 2?", {("Asian",)}),
        ("what is the birth date of person 1?", {("1950-04-11",)}),
        ("what is the birth date of patient 3?", {("1988",)}),
        ("how old was patient 1 at the first hospital visit?", {(70,)}),
        ("what was the last creatinine value of patient 1?", {(1.4,)}),
        ("what was the last measurement of creatinine of patient 2?", {(4.0,)}),
        ("what was the creatinine of patient 2 during the first icu stay?", {(3.2,)}),
        ("what is the mean creatinine of patient 2?", {(3.6,)}),
        ("which drugs were prescribed to patient 1 in 2021?", {("Furosemide",), ("Aspirin",)}),
        ("what was the dose of furosemide prescribed to patient 2?", {(80.0,)}),
        ("by what route was furosemide prescribed to patient 4?", {("Oral",)}),
        ("how many patients underwent renal dialysis?", {(1,)}),
        ("how many visits did patient 1 have?", {(2,)}),
        ("how many patients had an outpatient visit in 2021?", {(1,)}),
        ("what was the length of the last visit of patient 3?", {(1.0,)}),
        ("how many visits were there, and how many admissions?", {(5, 3)}),
        ("how many patients died?", {(1,)}),
        ("how many patients died after having been diagnosed with heart failure?", {(1,)}),
        ("how many patients were prescribed furosemide within 2 days after being diagnosed with heart failure?",
         {(2,)}),
        ("what are the top 2 drugs?", {("Furosemide",), ("Aspirin",)}),
        ("what is the one-year survival rate of patients diagnosed with heart failure?", {(50,)}),
    ],
)  # fmt: skip
def test_a_question_on_omop(omop: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    check_sure(omop, question, rows)


def test_a_concept_that_no_record_has_is_not_a_name_in_omop(omop: Ask) -> None:
    proposal, _ = omop("how many patients were diagnosed with type 2 diabetes mellitus?")
    assert proposal.unexplained


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients are there?", {(3,)}),
        ("how many women are there?", {(1,)}),
        ("what is the city of patient 3?", {("Ulm",)}),
        ("when was patient 1 born?", {("1950-02-03",)}),
        ("how many patients from Bonn are there?", {(2,)}),
        ("how many visits did patient 1 have?", {(2,)}),
        ("which departments did patient 1 visit?", {("Cardiology",), ("Surgery",)}),
        ("what was the department of the last visit of patient 1?", {("Surgery",)}),
        ("how many patients had a visit in cardiology in 2021?", {(1,)}),
        ("how long was the first hospital stay of patient 1?", {(4.0,)}),
        ("what was the last creatinine of patient 1?", {(2.5,)}),
        ("what is the mean result of sodium?", {(140.0,)}),
        ("which patients had a creatinine greater than 2?", {(1,)}),
        ("list the lab results of patient 2", {("Sodium", 140.0, "2021-03-01 12:00:00")}),
        ("which drugs were prescribed to patient 2?", {("Aspirin",), ("Heparin",)}),
        ("how many patients got aspirin?", {(2,)}),
        ("list the medications since 2021", {("Aspirin",), ("Heparin",)}),
        ("what is the maximum dose of heparin?", {(5000.0,)}),
        ("how many patients with visits in cardiology got heparin?", {(1,)}),
        ("what are the top 1 medications?", {("Aspirin",)}),
        ("how many medications were there in 2021?", {(2,)}),
        ("when was patient 1 last discharged?", {("2021-01-02 10:00:00",)}),
        ("how many patients were discharged in 2020?", {(1,)}),
        ("drugs of patient 1 during the first hospital stay", {("Aspirin",)}),
        ("drugs of patient 2 during the current hospital stay", {("Aspirin",), ("Heparin",)}),
        ("average age of patients on heparin", {(61.0,)}),
    ],
)
def test_a_question_on_a_database_of_no_known_family(clinic: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    check_sure(clinic, question, rows)
