"""Numbers that people ask for every day: ratios, of each so many, decades and steps of age, which of two is more, the
first there ever was, and values that are said by one of their words."""

from __future__ import annotations

from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from tests import small_omop, small_synthea
from tests.planning.test_families import Ask, asking
from tests.small_synthea import ADA, BEN, CLEO


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return asking(open_engine(str(small_synthea.build(tmp_path_factory.mktemp("synthea") / "s.db"))), small_synthea.NOW)


@pytest.fixture(scope="module")
def ask_omop(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return asking(open_engine(str(small_omop.build_whole(tmp_path_factory.mktemp("omop") / "o.db"))), small_omop.NOW)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("ratio of women to men", {(2.0,)}),
        ("what is the ratio of wellness to emergency visits?", {(1.0,)}),
        ("were there more emergency or wellness visits?", {(1, 1)}),
        ("how many people are under 35 and how many over 70?", {(1, 1)}),
        ("who was born in the 1980s?", {(CLEO,)}),
        ("number of patients by decade of birth", {(1950, 1), (1980, 1), (1990, 1)}),
        ("number of patients in 20-year age groups", {(20, 2), (60, 1)}),
        ("visits by age band of 30 years", {(30, 1), (60, 2)}),
        ("how many visits per decade?", {(2010, 1), (2020, 2)}),
        ("patients with sinusitis before the age of 40", {(BEN,)}),
        ("who had hypertension after turning 60?", {(ADA,)}),
        ("number of new patients per year", {("2019", 1), ("2020", 1)}),
        ("visits per patient on average", {(1.5,)}),
        ("the largest number of drugs per patient", {(2,)}),
        ("average number of visits per patient with hypertension", {(2.0,)}),
        ("average number of visits per year", {(1.5,)}),
        ("average cost per patient", {(815.25,)}),
        ("what does a patient cost?", {(815.25,)}),
        ("how much does one visit cost on average?", {(543.5,)}),
        ("how many visits does a patient have?", {(1.5,)}),
        (
            "visits per visit class per year",
            {("inpatient", "2019", 1), ("emergency", "2020", 1), ("wellness", "2020", 1)},
        ),
        ("how many visits have no insurance?", {(0,)}),
        ("seasonality of hypertension", {(3, 1)}),
        ("what was the busiest year?", {("2020",)}),
        ("quietest year", {("2019",)}),
        ("patients who got two different drugs", {(ADA,)}),
        ("number of patients by age, in steps of 20 years", {(20, 2), (60, 1)}),
        ("how long is it on average between the first and the last visit of a patient?", {(488.0 / 2,)}),
        ("which diagnosis has the lowest average cost?", {("Viral sinusitis (disorder)",)}),
        ("what do men get prescribed most?", {("Lisinopril 10 MG Oral Tablet",)}),
        ("average age of those who died vs those who survived", {(0, 53.5), (1, 31.0)}),
        ("when was the first visit?", {("2019-03-01T10:00:00Z",)}),
        ("who had the latest visit?", {(BEN,)}),
        ("how many patients are black?", {(1,)}),
        ("average age of patients with and without sinusitis", {(0, 53.5), (1, 31.0)}),
        ("number of visits in 2020 vs 2019", {(2, 1)}),
        ("how many more visits were there in 2020 than in 2019?", {(1,)}),
        ("did more people get drugs in 2020 than in 2019?", {(2, 1)}),
        ("the two costliest patients", {(ADA, 1500.5), (BEN, 130.0)}),
        ("longest visit by class", {("inpatient", 3.0), ("emergency", 2 / 24), ("wellness", 1 / 24)}),
        ("oldest patient by race", {("white", 71), ("black", 31)}),
        ("how many visits happened in summer?", {(2,)}),
        ("give a breakdown of visits by class", {("inpatient", 1), ("emergency", 1), ("wellness", 1)}),
        ("share of patients having both hypertension and diabetes", {(33.333,)}),
        ("average number of drugs per inpatient visit", {(1.0,)}),
        (
            "which drugs were given to fewer than 2 patients?",
            {("Metformin 500 MG Oral Tablet",), ("Metformin 1000 MG Oral Tablet",), ("Lisinopril 10 MG Oral Tablet",)},
        ),
        ("how many patients had their first visit after 2019?", {(1,)}),
        ("patients on more than one drug", {(ADA,)}),
        ("how many people died before the age of 40?", {(1,)}),
        ("which year did the most people die?", {("2021",)}),
        ("the youngest age at which somebody was diagnosed with sinusitis", {(30,)}),
        ("how many different drugs are there?", {(3,)}),
        ("how many visits did women make compared to men?", {("F", 2), ("M", 1)}),
        ("average number of days between two visits", {(485.0,)}),
        ("age distribution by decade", {(30, 2), (70, 1)}),
    ],
)
def test_a_number_is_shown(ask: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    proposal, found = ask(question)
    told = {tuple(round(cell, 3) if isinstance(cell, float) else cell for cell in row) for row in found}
    wanted = {tuple(round(cell, 3) if isinstance(cell, float) else cell for cell in row) for row in rows}
    assert {row[: len(next(iter(rows)))] for row in told} == wanted
    assert not proposal.reason
    assert proposal.confidence >= 0.7


def test_a_word_of_a_stored_value_says_which_stays_are_meant(ask_omop: Ask) -> None:
    counted, rows = ask_omop("how many visits were emergencies?")
    share, _ = ask_omop("what percentage of the visits were emergencies?")
    assert rows == {(1,)}
    assert 'visit type = "Emergency Room Visit"' in (counted.logic or "")
    assert (share.logic or "").startswith('percent (visit type = "Emergency Room Visit")')
