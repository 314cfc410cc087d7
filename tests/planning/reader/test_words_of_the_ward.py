"""What ward staff and analysts say: what ran at once, how long something was in all, either of two limits, what is
charted in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from tests import small_native
from tests.planning.conftest import planner_of


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "which patients were on aspirin and potassium chloride at the same time",
            'patients with (prescription "aspirin" overlapping (prescription "potassium chloride"))',
        ),
        (
            "number of patients with a potassium above 5 while taking aspirin",
            'count of (patients with (lab "potassium" where value > 5 overlapping (prescription "aspirin")))',
        ),
        (
            "patients with a creatinine above 2 or a potassium below 3",
            'patients where (with (lab "creatinine" where value > 2) or with (lab "potassium" where value < 3))',
        ),
        ("total hospital days per patient", "for each patient with hospital stays: id, sum length of hospital stays"),
        (
            "how many nights did each woman spend in the icu",
            'for each patient where gender = "female" with icu stays: id, sum length of icu stays',
        ),
        (
            "which admission had the most lab tests",
            "for each hospital stay: id, count of labs ordered by count of labs descending first 1",
        ),
        (
            "icu stays that began at night, 11 pm to 5 am",
            'icu stays where ((time of day of time) >= "23:00:00" or (time of day of time) < "05:00:00")',
        ),
        (
            "women over 60 as a share of all women",
            'percent (with (hospital stays where age > 60)) of (patients where gender = "female")',
        ),
        (
            "how many women under 50 died in hospital",
            "count patients of sex female with admission where age < 50 where hospital death = 1",
        ),
        (
            "list stays with creatinine over 1 and the lowest value of each",
            'for each hospital stay with (lab "creatinine" where value > 1): id, value of lowest lab "creatinine"',
        ),
        (
            "median hours of aspirin per admission",
            'median (sum (hours from time to end time) of (prescription "aspirin" where end time is present)) of '
            '(hospital stays with (prescription "aspirin" where end time is present))',
        ),
    ],
)
def test_a_question_is_read_so_and_shown(planner: OfflinePlanner, question: str, logic: str) -> None:
    found = planner.propose(question, ())
    assert found.logic == logic
    assert not found.reason
    assert found.confidence >= 0.7


def test_a_pressure_of_two_numbers_is_of_either(planner: OfflinePlanner) -> None:
    logic = planner.propose("patients whose bp was over 160/100", ()).logic or ""
    assert "where value > 160" in logic
    assert "or with" in logic
    assert "where value > 100" in logic


_CHARTED = [(1, 202, "Do Not Resuscita"), (2, 202, "Do Not Resuscita"), (3, 204, "Full Code")]


@pytest.fixture(scope="module")
def charted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OfflinePlanner]:
    """A planner over the small hospital in its native schema, in which an item is charted in words."""
    path = small_native.build(tmp_path_factory.mktemp("charted") / "c.db")
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("ALTER TABLE chartevents ADD COLUMN value VARCHAR")
        connection.execute("INSERT INTO d_items VALUES (90, 128, 'Code Status', 'chartevents')")
        for day, patient, said in _CHARTED:
            stay = {202: (3003, 4001), 204: (3005, 4002)}[patient]
            row = (90 + day, patient, *stay, 128, f"2148-03-0{day + 5} 09:00:00", None, None, said)
            connection.execute("INSERT INTO chartevents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    connection.close()
    with planner_of(path, small_native.NOW) as planner:
        yield planner


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "how many patients had a code status of DNR",
            'count patients with vital "Code Status" where text = "Do Not Resuscita"',
        ),
        ("what was the last code status of patient 202", 'last text of vital "Code Status" for patient 202'),
        (
            "which code status was charted most often",
            'count of vital "Code Status" by text ordered by count descending first 1 with ties showing keys',
        ),
    ],
)
def test_what_is_charted_in_words(charted: OfflinePlanner, question: str, logic: str) -> None:
    found = charted.propose(question, ())
    assert found.logic == logic
    assert found.confidence >= 0.7
