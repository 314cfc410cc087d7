"""What a question says of whom, of what and when is in the cheapest reading of it, and nothing that it does not say."""

from __future__ import annotations

import pytest

from ehrtui.logic.algebra.render import render_statement
from ehrtui.planning.offline.words import read
from ehrtui.planning.reader.reader import readings
from ehrtui.planning.reader.tasks import tasks
from ehrtui.planning.reader.world import World


def logic(world: World, question: str) -> str:
    """The cheapest reading, as a question or as a task, as query logic."""
    text = read(question)
    found = readings(text, world)
    found += tasks(text, world, lambda part: readings(part, world))
    return render_statement(min(found, key=lambda one: one.price).statement)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        (
            "How many diagnoses does one admission have on average?",
            "mean (count of diagnoses) of (hospital stays with diagnoses)",
        ),
        (
            "how many labs were done in the last 2 days before discharge",
            "count of (labs within 2 days before discharge time)",
        ),
        ("patients without chf nos at any admission", 'patients without diagnosis "chf nos"'),
        (
            "count of stays given both furosemide and aspirin",
            'count of (hospital stays with prescription "furosemide" with prescription "aspirin")',
        ),
        (
            "of the patients who got furosemide, what share died in hospital?",
            'percent (with (hospital stays where hospital death = 1)) of (patients with prescription "furosemide")',
        ),
        (
            "chf nos admissions: n and in-hospital deaths",
            'count of (hospital stays with diagnosis "chf nos"), '
            'count of (hospital stays with (diagnosis "chf nos") where hospital death = 1)',
        ),
        ("who got furosemide, from when to when", 'patient, time of prescription "furosemide"'),
        (
            "which icu takes the most stays?",
            "count of icu stays by first care unit ordered by count descending first 1 with ties showing keys",
        ),
        (
            "chf nos patients who got aspirin within 60 days of the diagnosis",
            'patients with diagnosis "chf nos" with (prescription "aspirin" within 60 days of (diagnosis "chf nos"))',
        ),
    ],
    ids=[
        "what is counted",
        "the last days before",
        "a phrase that says nothing",
        "both",
        "of the patients",
        "stays and not patients",
        "from when to when",
        "stays of the unit",
        "the diagnosis that was named",
    ],
)
def test_the_reading_says_what_the_question_says(world: World, question: str, meant: str) -> None:
    assert logic(world, question) == meant


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("of the stays with chf nos, how many got aspirin?", ['hospital stays with diagnosis "chf nos"']),
        ("how many women have a mean creatinine above 4?", ['gender = "female"']),
        ("how long on average did the patients with chf nos stay?", ["hospital stays with (diagnosis"]),
    ],
    ids=["of the stays", "of whom", "those stays and no others"],
)
def test_of_whom_it_is_asked_is_never_lost(world: World, question: str, said: list[str]) -> None:
    assert all(each in logic(world, question) for each in said)
