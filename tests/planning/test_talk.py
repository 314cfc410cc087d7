"""What people say of themselves around a question is not asked."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.offline.shorthand import rewritten
from ehrtui.planning.offline.talk import find_talk, told_first

_STORED = ("asthma", "warfarin", "gout", "ferritin", "wrist fracture")


def _topics(said: str) -> Mapping[str, str]:
    return {name: name for name in _STORED if name in said}


def _asked(question: str) -> str:
    return rewritten(question, find_talk(question, _topics).stretches)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("We are moving house next spring, so how many wards are there?", "how many wards are there?"),
        ("My head of department wants to know who was on warfarin", "who was on warfarin"),
        ("I never learned this, but what is the mean ferritin?", "what is the mean ferritin?"),
        ("The auditors come on Friday - list the deaths of 2104", "list the deaths of 2104"),
        ("It would be lovely to see the number of stays by payer.", "the number of stays by payer."),
        ("Somebody swore that women live longer. Mean age by sex?", "Mean age by sex?"),
        ("The board meets at noon: patients with gout over 80", "patients with gout over 80"),
        ("How many patients had gout? I need it for a poster.", "How many patients had gout?"),
        ("Mean ferritin of women - my professor asked for it", "Mean ferritin of women"),
        (
            "Hi, I need the transfers to the burns unit. How many were there?",
            "the transfers to the burns unit. How many were there?",
        ),
        ("For the quality report: deaths per year", "deaths per year"),
        (
            "Pharmacy: number of patients on warfarin, and how many of these had gout",
            "number of patients on warfarin, and how many of these had gout",
        ),
        ("For infection control: how many patients had gout", "how many patients had gout"),
        ("Bed mgmt here - who is in hospital now", "who is in hospital now"),
        ("Cardiology: how many patients had gout", "Cardiology: how many patients had gout"),  # which may be meant
        ("one more question: who is on heparin", "who is on heparin"),
        ("Chaplaincy asks: which religions are there", "which religions are there"),
        ("Safety check from pharmacy: who got both", "who got both"),
        (
            "Sorry to bother you with this one: across patient 40077, what was the mean ferritin?",
            "patient 40077: what was the mean ferritin?",
        ),
        ("I just took over patient 40077: which drugs was he given?", "patient 40077: which drugs was he given?"),
        ("I'm reading up on asthma. How old were they on average?", "asthma: How old were they on average?"),
        ("I'm reading up on asthma. Who was on warfarin?", "Who was on warfarin?"),
        ("How many had gout, whether or not they took anything for it?", "How many had gout?"),
        ("Mean ferritin of women regardless of whether or not they had gout", "Mean ferritin of women"),
    ],
)
def test_talk_is_left_out_but_for_whom_and_what_it_is_about(question: str, asked: str) -> None:
    assert _asked(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "I am interested in women over 65. How many had gout?",
        "I mean the men. How many of them died?",
        "We only count 2104: how many stays were there?",
        "I gave it yesterday. When did they stop it?",
        "Patients with asthma: how many were on warfarin?",
        "Those seen in the audit of 2104: how many had gout?",
        "Which people are still in the ward, and how many of them had gout?",
        "Who had gout? Just the numbers.",
        "ICU stays, i.e. everybody who was in a unit",
        "For each ward, how many stays were there?",
        "First time, which drug was given?",
        "Before the operation, what was the ferritin?",
        "Family history of gout: how many have one?",
        "For the first admission, what was the ferritin?",
        "Delete my data. How many patients are there?",
        "Mean ferritin by whether or not they had gout",
        "Show for each patient whether or not they had gout",
        "List the ferritin, and whether or not they had gout",
        "Tell me whether or not they had gout",
        "ok and the day after, what drugs did they get?",
        "ok and during that, which drugs were given?",
    ],
)
def test_what_limits_or_asks_stays(question: str) -> None:
    assert _asked(question) == question


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "Warfarin clinics are closing, that's why I ask: how many patients have gout?",
            "how many patients have gout?",
        ),
        (
            "There was an outbreak and we trace it. Which patients of ours had asthma?",
            "Which patients of ours had asthma?",
        ),
    ],
)
def test_what_is_told_first_may_be_left_out(question: str, asked: str) -> None:
    assert asked in [rewritten(question, one.stretches) for one in told_first(question, _topics)]


@pytest.mark.parametrize(
    "question",
    [
        "Patients with gout. How many of the others had asthma?",  # whom it is about
        "For those with gout, so to speak, how many had asthma?",
        "There was a rise in 2104. How many patients had asthma?",  # when
        "There were many women. How many patients had asthma?",
        "There is gout in the family. How many had it?",
        "There is gout in the family. How many were there?",  # names nothing
    ],
)
def test_what_limits_a_question_is_never_told_first(question: str) -> None:
    assert [*told_first(question, _topics)] == []


def test_a_topic_that_the_question_does_not_name_is_told() -> None:
    assert find_talk("I'm reading up on asthma. Who was on warfarin?", _topics).passed == ("asthma",)
    assert find_talk("I'm reading up on asthma. Who had asthma?", _topics).passed == ()


def test_a_question_is_read_as_if_its_introduction_were_not_there(planner: OfflinePlanner) -> None:
    plain = planner.propose("how many patients were given aspirin?", [])
    told = planner.propose("My boss should know this by heart, so how many patients were given aspirin?", [])
    assert plain.logic
    assert told.logic == plain.logic
    assert told.confidence == plain.confidence
    assert told.question.startswith("My boss")


def test_the_words_of_a_question_are_where_they_were_typed(planner: OfflinePlanner) -> None:
    typed = "My boss should know this by heart, so how many patients were given aspirin?"
    assert {typed[link.start : link.end] for link in planner.propose(typed, []).links} >= {"aspirin"}


def test_advice_behind_an_introduction_is_advice(planner: OfflinePlanner) -> None:
    refused = planner.propose("I just took over a ward. Which dose of aspirin should I give?", [])
    assert refused.refusal is not None
    assert refused.refusal.kind == "advice"


def test_a_code_with_what_it_is_called_is_that_code(planner: OfflinePlanner) -> None:
    coded = planner.propose("how many patients with 428.0", [])
    titled = planner.propose("how many patients with weakness of the pump without more (428.0)", [])
    assert titled.logic == coded.logic == 'count of (patients with diagnosis code "428.0")'


def test_a_code_is_no_answer_of_the_conversation(planner: OfflinePlanner) -> None:
    assert "answer A41" not in planner.propose("how many patients had A41.9?", []).reason
    assert "answer A41" in planner.propose("how many of A41 died?", []).reason
