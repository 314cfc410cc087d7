"""Questions of stays on a small hospital: those in which something happened, a value of each, and coming back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from tests import small_mimic
from tests.planning.conftest import planner_of
from tests.planning.reader.hospital import Hospital


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OfflinePlanner]:
    path = small_mimic.build(tmp_path_factory.mktemp("planned") / "small.db")
    with planner_of(path, small_mimic.NOW) as planner:
        yield planner


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # the stays, and not the patients or the records
        ("In how many hospital stays was furosemide prescribed?", [(4,)]),
        ("how many admissions had a creatinine over 1.3", [(2,)]),
        # one value of each stay
        ("peak creatinine of each hospital stay", [(1001, 1.1), (1002, 1.4), (1003, 4.6), (1004, 0.8), (1007, 0.7)]),
        (
            "lowest creatinine within 24 hours of admission for every admission",
            [(1001, 1.1), (1002, 1.4), (1003, 2.9), (1004, 0.8), (1007, 0.7)],
        ),
        ("for each admission with a first creatinine above 2, that value and the last one", [(1003, 2.9, 4.6)]),
        ("median of the peak creatinine of each hospital stay", [(1.1,)]),
        # beside the first value
        ("in how many admissions did creatinine rise to 1.5 times the first value?", [(1,)]),
        ("how many hospital stays had a creatinine that at least doubled", [(0,)]),
        ("patients whose creatinine rose by at least 50% from the first value", [(102,)]),
        ("admissions in which creatinine fell by 0.15 from the first value", [(1002,)]),
        # coming back, and going on in another unit
        ("30-day readmission rate", [(0.0,)]),
        ("share of live discharges readmitted within 600 days", [(50.0,)]),
        ("how many ICU stays started in one unit and ended in another", [(1,)]),
    ],
)
def test_stays_are_measured_by_what_happened_in_them(
    hospital: Hospital, question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert [tuple(row) for row in hospital.rows(question)] == rows


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("How many hospital stays had a creatinine above 2?", "count of (hospital stays with"),
        ("How many ICU stays had a heart rate above 100?", "count of (icu stays with"),
    ],
)
def test_a_count_of_stays_in_whole_sentences_is_of_those_in_which_it_happened(
    planner: OfflinePlanner, question: str, logic: str
) -> None:
    assert (planner.propose(question, ()).logic or "").startswith(logic)


def test_a_moment_of_an_icu_stay_is_near_its_own_admission_but_where_the_hospital_is_named(
    planner: OfflinePlanner,
) -> None:
    own = planner.propose("ICU stays with a creatinine above 2 within 6 hours of admission: how many?", ()).logic or ""
    named = planner.propose("ICU stays with a creatinine above 2 within 6 hours of hospital admission", ()).logic or ""
    assert "of icu admission time" in own
    assert "icu admission time" not in named
