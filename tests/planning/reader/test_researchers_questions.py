"""What researchers and analysts ask: percentiles, the first hours of a stay, how many have how many, the leading ones
in each group, coming back, and an age with its other side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from tests import small_native, small_synthea
from tests.planning.test_families import Ask, asking
from tests.small_synthea import ADA


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    engine = open_engine(str(small_native.build(tmp_path_factory.mktemp("native") / "n.db")))
    yield asking(engine, small_native.NOW)
    engine.close()


@pytest.fixture(scope="module")
def synthea(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    engine = open_engine(str(small_synthea.build(tmp_path_factory.mktemp("synthea") / "s.db")))
    yield asking(engine, small_synthea.NOW)
    engine.close()


_CHF, _HYPERTENSION = "Congestive heart failure, unspecified", "Unspecified essential hypertension"


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("75th percentile of creatinine", {(3.4,)}),
        ("what are the 25th and 75th percentiles of creatinine?", {(1.325, 3.4)}),
        ("p50 of creatinine in patients with heart failure", {(2.3,)}),
        ("upper quartile of creatinine", {(3.4,)}),
        ("highest creatinine in the first 24 hours, per admission", {(3001, 1.1), (3003, 3.2)}),
        ("mean creatinine on day 1", {(2.15,)}),
        ("who had a creatinine above 2 within the first 12 hours?", {(202,)}),
        ("average heart rate on the first day", {(104.0,)}),
        ("patients per number of admissions", {(1, 3), (2, 1)}),
        ("distribution of the number of admissions per patient", {(1, 3), (2, 1)}),
        ("number of diagnoses per admission: mean and maximum", {(1.25, 2)}),
        (
            "most common diagnosis for each insurance",
            {
                ("Medicaid", _HYPERTENSION, 1),
                ("Medicare", _CHF, 1),
                ("Medicare", _HYPERTENSION, 1),
                ("Private", _CHF, 1),
                ("Private", "Acute kidney failure, unspecified", 1),
            },
        ),
        ("how many ICU stays had hemodialysis?", {(1,)}),
        ("ICU stays with hypertension", {(4002,)}),
        ("how many patients were readmitted to the ICU within 48 hours?", {(0,)}),
        ("icu readmission rate", {(0.0,)}),
        ("patients whose last creatinine was higher than the first", {(201,), (202,)}),
        ("whose creatinine rose by more than 0.5 between the first and the last value?", {(202,)}),
        ("how long do ICU stays last, median?", {(3.666667,)}),
        ("average creatinine per stay on the first day", {(3001, 1.1), (3003, 3.2)}),
        ("how many ICU stays had heart failure and a creatinine above 3 in that stay?", {(1,)}),
    ],
)
def test_questions_of_researchers(native: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    proposal, found = native(question)
    assert not proposal.reason, proposal.reason
    rounded = {tuple(round(one, 6) if isinstance(one, float) else one for one in row) for row in found}
    assert rounded == rows, proposal.logic


def test_the_other_side_of_an_age(native: Ask) -> None:
    proposal, _ = native("mean length of stay of patients over 70 vs younger ones")
    assert proposal.logic is not None
    assert "age > 70" in proposal.logic
    assert "age <= 70" in proposal.logic


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("most frequent drug per race", {("black", "Lisinopril 10 MG Oral Tablet", 1)}),
        ("how many were readmitted within 30 days?", {(0,)}),
        ("number of encounters before and after 2020", {(1, 0)}),
        ("prescriptions per year for metformin", {("2019", 1), ("2020", 1)}),
        ("visits by type, with counts", {("inpatient", 1), ("emergency", 1), ("wellness", 1)}),
        ("patients with an inpatient stay followed by an emergency visit within 500 days", {(ADA,)}),
        ("patients with an inpatient stay followed by an emergency visit within 30 days", set()),
    ],
)
def test_what_lies_how_near(synthea: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    proposal, found = synthea(question)
    assert not proposal.reason, proposal.reason
    assert rows <= found, proposal.logic
    assert rows or not found, proposal.logic
