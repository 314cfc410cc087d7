"""What people ask of data from practices and claims: who is seen by whom, what it costs, what is still going on, what
was done and how often, and what people are called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ehrtui.concepts.codes import stored_of_codes
from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from tests import small_flat, small_synthea
from tests.planning.test_families import Ask, asking
from tests.small_synthea import ADA, BEN


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    engine = open_engine(str(small_synthea.build(tmp_path_factory.mktemp("synthea") / "synthea.db")))
    yield asking(engine, small_synthea.NOW)
    engine.close()


@pytest.fixture(scope="module")
def ask_flat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    engine = open_engine(str(small_flat.build(tmp_path_factory.mktemp("flat") / "flat.db")))
    yield asking(engine, small_flat.NOW)
    engine.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # kinds of visits, and how long they are
        ("number of visits of each class", {("inpatient", 1), ("emergency", 1), ("wellness", 1)}),
        ("mean cost of a visit by class", {("inpatient", 1200.5), ("emergency", 300), ("wellness", 130)}),
        ("how many people are from each state?", {("Massachusetts", 3)}),
        # what is still going on
        ("ongoing conditions, how many?", {(2,)}),
        ("how many patients currently have hypertension?", {(1,)}),
        ("how many care plans are still active?", {(1,)}),
        # what was done, and how often
        (
            "which drugs were given in 2020, and how often?",
            {("Metformin 1000 MG Oral Tablet", 1), ("Lisinopril 10 MG Oral Tablet", 1)},
        ),
        (
            "list the vaccines given and how many patients got each",
            {("Influenza seasonal injectable preservative free", 1)},
        ),
        ("two commonest drugs among the men, with counts", {("Lisinopril 10 MG Oral Tablet",)}),
        # who died, and how old they were then
        ("who died and how old were they?", {(BEN, 31)}),
        ("which patients died and at what age?", {(BEN, 31)}),
        # what somebody was vaccinated against
        ("who was vaccinated against influenza?", {(ADA,)}),
        # what it costs
        ("total cost per patient, top 2", {(ADA, 1500.5), (BEN, 130.0)}),
        ("total medication cost per patient, top 1", {(ADA, 55.0)}),
        ("most expensive medication", {("Metformin 500 MG Oral Tablet", "30")}),
        ("prescriptions per patient, top 1 patient", {(ADA, 2)}),
    ],
)
def test_visits_costs_and_what_goes_on(ask: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    proposal, found = ask(question)
    assert {row[: len(next(iter(rows)))] for row in found} == rows
    assert not proposal.reason
    assert proposal.confidence >= 0.7


def test_a_length_is_told_in_the_unit_that_is_asked_for(ask: Ask) -> None:
    proposal, [(minutes,)] = ask("average duration of wellness visits in minutes")
    assert minutes == pytest.approx(60)
    assert proposal.confidence >= 0.7


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("names of the women", {("1", "Nora Lind"), ("3", "Petra Quist")}),
        ("names of patients who got heparin", {("1", "Nora Lind")}),
        ("religion breakdown please", {("CATHOLIC", 2), ("MUSLIM", 1)}),
    ],
)
def test_what_people_are_called_and_broken_down_by(ask_flat: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    proposal, found = ask_flat(question)
    assert found == rows
    assert not proposal.reason
    assert proposal.confidence >= 0.7


def test_long_numbers_are_no_family_of_icd_codes(tmp_path_factory: pytest.TempPathFactory) -> None:
    engine = open_engine(str(small_synthea.build(tmp_path_factory.mktemp("codes") / "synthea.db")))
    index = build_value_index(load_profile(engine.schema(), engine.read), engine.read)
    engine.close()
    assert not stored_of_codes(("440.*",), "diagnosis", index)
    assert set(stored_of_codes(("44054006",), "diagnosis", index)) == {"Diabetes mellitus type 2 (disorder)"}
