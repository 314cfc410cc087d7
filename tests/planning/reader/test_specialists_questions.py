"""Dense questions of specialists on a small hospital: several columns, several numbers, times between events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ehrtui.logic.algebra.render import render_statement
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.reader.wording import in_benchmark_wording
from tests import small_mimic, small_omop
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
        # columns that stand behind what they are of
        (
            "creatinine over 2: who, when, what value?",
            [(102, "2104-03-05 23:00:00", 2.9), (102, "2104-03-09 06:00:00", 4.6)],
        ),
        ("longest admission ever - patient and days", [(102, pytest.approx(14.21, abs=0.01))]),
        ("potassium of patient 102, with times", [(5.8, "2104-03-09 06:00:00")]),
        ("patients on furosemide and whether they died", [(101, 0), (102, 1), (104, 0)]),
        # the highest of all, and so many of the highest
        ("Highest creatinine anyone has had, and whose was it?", [(102, 4.6)]),
        ("the 2 patients with the highest creatinine", [(101, 1.4), (102, 4.6)]),
        ("who are the two patients with the highest peak creatinine?", [(101, 1.4), (102, 4.6)]),
        # one set against another
        ("did more patients get furosemide than aspirin?", [(3, 2)]),
        ("furosemide vs aspirin: patients", [(3, 2)]),
        # both ends
        ("first and last admission date of patient 104", [("2104-07-11 06:00:00", "2105-05-02 19:25:00")]),
        ("earliest and latest date of birth", [("2030-10-02 00:00:00", "2071-12-05 00:00:00")]),
        # ages at other moments than a stay
        ("average age at death", [(73.0,)]),
        ("how old were patients at their first furosemide?", [(101, 57), (102, 73), (104, 52)]),
        # the time from one event to another
        ("days from the first chf nos to the first aspirin, patient 101", [(pytest.approx(484.656, abs=0.01),)]),
        (
            "interval in hours from admission to the first creatinine of patient 102",
            [(pytest.approx(0.917, abs=0.01),)],
        ),
        ("how long after metoprolol did patients get furosemide, in days?", [(104, pytest.approx(296.0))]),
        ("how many days after aspirin did patients get furosemide?", []),  # they had had it before alone
        ("how long before discharge was the last creatinine, patient 102?", [(pytest.approx(11.0, abs=0.5),)]),
        ("how long after admission did patients die on average?", [(pytest.approx(14.2, abs=0.1),)]),
        # several numbers of each group
        (
            "admissions and in-hospital deaths by insurance",
            [("government", 2, 0), ("medicaid", 1, 0), ("medicare", 2, 0), ("private", 2, 1)],
        ),
        ("people with two or more admissions, with their number of stays", [(101, 2), (104, 2)]),
        ("first creatinine of each admission: min and max", [(0.7, 2.9)]),
        # by how many people a ranking is
        ("top 2 diagnoses by number of patients", [("chf nos", 3), ("hypertension nos", 2)]),
        # of those that were named before
        ("how many patients had chf nos, and how many of those died during that stay?", [(3, 1)]),
        ("heart failure - number of patients with that diagnosis", [(3,)]),
        # days of the week and times of day
        ("how many admissions on a weekend", [(4,)]),
        ("how many admissions between 7 pm and 7 am", [(4,)]),
        ("admissions before noon: how many", [(4,)]),
        # so many different ones, rates, and means against each other
        ("patients with at least 2 different drugs", [(101,), (102,), (103,), (104,)]),
        ("deaths in hospital per 100 stays, F vs M", [("f", 0.0), ("m", pytest.approx(33.33, abs=0.01))]),
        ("mean creatinine vs mean potassium of patient 102", [("creatinine", 3.75), ("potassium", 5.8)]),
        # words that name a unit, or that it is any
        ("potassium of patient 102, mmol", [(5.8,)]),
    ],
)
def test_it_is_answered(hospital: Hospital, question: str, rows: list[Any]) -> None:
    assert hospital.rows(question) == rows


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("number of stays with furosemide where they were over 50", True),
        ("list those who got furosemide and had chf nos", True),
        ("which drugs did they get?", False),
        ("how many admissions did they have?", False),
        ("how many admissions did she have?", False),
        ("how many stays ended with the patient dying?", True),
        ("how many stays did the patient have?", False),
    ],
)
def test_a_pronoun_is_known_where_the_question_itself_says_whom_it_means(
    planner: OfflinePlanner, question: str, known: bool
) -> None:
    reason = planner.propose(question, ()).reason
    assert ("could refer to" in reason or "which patient is meant" in reason) != known, reason


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("What was the length of the last hospital stay of patient 101?", True),
        ("What was the length of the last hospital stay of patient 101 in hours?", False),
        ("What are the top five diagnoses by number of admissions?", False),
    ],
)
def test_phrases_tell_whose_wording_it_is(question: str, own: bool) -> None:
    assert in_benchmark_wording(question) == own


def test_a_stay_that_ended_in_death_is_one_in_which_somebody_died(hospital: Hospital) -> None:
    read = hospital.read("how many stays ended with the patient dying?")[0]
    assert render_statement(read.statement) == "count of (hospital stays where hospital death = 1)"


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hospital]:
    one = Hospital(small_omop.build(tmp_path_factory.mktemp("omop") / "omop.sqlite"))
    yield one
    one.engine.close()


def test_a_value_is_not_said_by_the_words_that_it_denies(visits: Hospital) -> None:
    assert not any("Not Hispanic" in str(one.statement) for one in visits.read("how many patients are hispanic?"))


def test_an_emergency_department_has_many_names(visits: Hospital) -> None:
    assert visits.rows("number of A&E visits") == visits.rows("number of emergency room visits") == [(1,)]
