"""Turns that part from a topic, take groups by their values, point at records, or ask of the one before further."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.follow.pointing import opens_anew
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.reader.asked_besides import something_lost
from ehrtui.settings import DEFAULTS
from tests.planning.test_acts_of_a_conversation import conversation, misread

LAST = 'patient, value of last lab "creatinine"'
FUROSEMIDE = 'patients with prescription "furosemide"'
GREW = 'count of (patients with (cultures where organism = "escherichia coli"))'
LASTED = "mean length of hospital stays by insurance"
WOMAN = "count of hospital stays for patient 101"
MOST = "for each patient: id, count of hospital stays ordered by count of hospital stays descending first 1"

ASKED: list[tuple[list[str], str, list[str]]] = [
    # another topic is read alone, whatever was asked before
    (['patients with diagnosis "gout"'], FUROSEMIDE,
     ["new question: which patients got furosemide?", "different topic - who was prescribed furosemide?",
      "something else: patients with furosemide"]),
    # groups by the values that they are told by
    ([LASTED], 'mean length of (hospital stays where insurance in ("medicare", "private")) by insurance',
     ["medicare and private only", "just medicare and private"]),
    ([LASTED], 'mean length of (hospital stays where insurance = "private") by insurance', ["only private"]),
    ([LASTED], "count of (hospital stays where length > 5) by insurance",
     ["how many stays over 5 days in each?", "how many stays over 5 days in each group?"]),
    # figures of two years
    (["count of (hospital stays in 2104)", "count of (hospital stays in 2105)"],
     "(count of (hospital stays in 2104)) - (count of (hospital stays in 2105))",
     ["how many more were there in 2104?", "so how many more in 2104"]),
    # months that call an answer
    (["count of (hospital stays in 2104-03)", "count of (hospital stays in 2105-12)"],
     "count of (hospital stays in 2104-03 where hospital death = 1)",
     ["how many of the march ones died in hospital?", "back to march: how many of those died in hospital?"]),
    # those with the most of what was counted
    (['count patients with lab "creatinine" where value > 1'],
     'maximum value of lab "creatinine" where value > 1 by patient ordered by maximum value descending first 2'
     " with ties", ["who are the two with the highest value?", "which two had the highest?"]),
    # when a highest was, beside it; since when something is so
    (['last value of lab "creatinine" for patient 101'],
     'value, time of highest lab "creatinine" for patient 101 per all',
     ["and the highest, and when was that?", "the highest, and when?"]),
    ([FUROSEMIDE], 'patient, time of first prescription "furosemide"',
     ["since when, each of them?", "since when?", "when was it first given, each?"]),
    (['any prescription "furosemide" for patient 101'], 'first time of prescription "furosemide" for patient 101',
     ["since when?"]),
    # the one of whom a yes or no was asked
    ([MOST, "any patients in A1 without death"], "last age of admission for patients in A1", ["how old is she?"]),
    # an order with its end "on top"
    ([LAST], f"{LAST} ordered by value descending", ["sort that, highest on top", "sort with the highest on top"]),
    # what is theirs is told of each
    ([FUROSEMIDE, 'patient, time of first prescription "furosemide" for (patients in A1)'],
     'for each patient in A1: id, value of last lab "creatinine"', ["their latest creatinine"]),
    # the records by which patients are told
    ([GREW], 'count of (cultures where organism = "escherichia coli" for (patients where gender = "female"))',
     ["how many of those cultures were from women?", "how many of the isolates were from women?"]),
]  # fmt: skip
"""Earlier logic, what is meant, and ways to say it."""


@pytest.mark.parametrize(("earlier", "logic", "wordings"), ASKED)
def test_a_turn_is_read_as_it_is_meant(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], logic: str, wordings: list[str]
) -> None:
    assert not misread(planner, ehr, earlier, logic, wordings)


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ('last value of lab "creatinine" for patient 101', "will she survive this?"),
        ('last value of lab "creatinine" for patient 101', "should I give her furosemide?"),
        (FUROSEMIDE, "why did they not get aspirin?"),
    ],
)
def test_what_no_record_says_is_declined_of_those_before_too(
    planner: OfflinePlanner, ehr: Path, earlier: str, question: str
) -> None:
    proposal = planner.propose(question, conversation(planner, ehr, [earlier]))
    assert proposal.reason
    assert proposal.refusal is not None
    assert proposal.logic is None, "nothing of it is what the conversation goes on from"


@pytest.mark.parametrize(
    ("question", "anew"),
    [
        ("new topic: who had gout?", True),
        ("Different question - how many patients died?", True),
        ("another thing: the longest stay, and who was it?", True),
        ("Thanks! Which patient had the longest stay in the ICU?", True),
        ("ok, leave that. What is the mean age by type of admission?", True),
        ("thanks. and in 2104?", False),
        ("thank you, only the women", False),
        ("new question: how many of them died?", False),
        ("something else about those: mean age", False),
        ("how many new patients were there?", False),
        ("how many patients are there and how many of them died?", True),
        ("How many women had gout, and how many of those are over 60?", True),
        ("how many of them had gout and how many of those died?", False),
        ("how many patients in A2 had gout and how many of them died?", False),
    ],
)
def test_a_new_topic_points_at_nothing_before(question: str, anew: bool) -> None:
    assert opens_anew(question) is anew


@pytest.mark.parametrize(
    ("question", "logic", "lost"),
    [
        ("which ICU was he in?", "id of icu stay for patients in A1", True),
        ("which ICU stay was it?", "id of icu stay for patients in A1", False),
        ("how long was she in hospital that time?", "length of admission for patients in A4", True),
        ("how long was she in hospital that time?", "length of admission in 2104 for patients in A4", False),
        ("how many of those cultures grew it?", 'count patients with culture "urine"', True),
        ("the highest, and when?", 'maximum value of lab "creatinine" for patient 101', True),
        ("the highest, and when?", 'value, time of highest lab "creatinine" for patient 101 per all', False),
        ("list those over 80 with age and sex", "id, gender of patients with (admission where age > 80)", True),
        ("who was on the ward start and end", 'patient, end time of transfer "micu"', True),
        ("who was on the ward, start and end", 'patient, time, end time of transfer "micu"', False),
        ("creatinine of all the other patients", 'value of lab "creatinine" for patients with (lab "other")', True),
        ("list those over 80 with age and sex", "patient, age, gender of hospital stays where age > 80", False),
    ],
)
def test_what_is_asked_and_not_told_is_seen(question: str, logic: str, lost: bool) -> None:
    assert something_lost(question, logic) is lost


def test_those_who_are_not_there_any_more_are_not_there_now(planner: OfflinePlanner) -> None:
    for question in ("who is no longer in hospital?", "patients who are not in hospital any more"):
        proposal = planner.propose(question, [])
        assert proposal.logic == "patients without admission where end time is missing", question
        assert proposal.confidence >= DEFAULTS.threshold


def test_figures_of_two_values_are_no_second_reading_beside_their_groups(planner: OfflinePlanner) -> None:
    proposal = planner.propose("mean length of stay of medicare vs private admissions", [])
    assert proposal.logic is not None
    assert proposal.logic.endswith(" by insurance")
    assert not [one.logic for one in proposal.readings if one.logic.count("mean length of") > 1]
