"""Turns of daily work, each in several wordings: the others of a kind, where they are, when a figure was highest, whose
stay was the longest, when it was, and in what else it grew."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.settings import DEFAULTS
from tests.planning.test_acts_of_a_conversation import conversation, misread

ASPIRIN = 'prescription "aspirin"'
THERE = "patients with (hospital stays where end time is missing)"
COLI = 'culture "urine" where organism = "escherichia coli"'

ASKED: list[tuple[list[str], str, list[str]]] = [
    (
        [f"whether (with ({ASPIRIN} for patient 101))"],
        f"distinct name of prescriptions where not (among {ASPIRIN}) for patient 101",
        ["what else was she on?", "what else did he get", "and what else was he given?", "what else did they take?"],
    ),
    (
        [f"count of (patients with {ASPIRIN})"],
        f"distinct name of prescriptions where not (among {ASPIRIN}) for (patients with {ASPIRIN})",
        ["what else are they on?", "anything else they were given?"],
    ),
    (
        ["count of (hospital stays in 2104)"],
        "count of (hospital stays in 2104) by month of admission time ordered by count descending first 1 with ties",
        ["which month was the busiest?", "which month had the most?"],
    ),
    (
        ["sum value of (costs in 2104)"],
        "sum value of (costs in 2104) by month of time ordered by sum value descending first 1 with ties",
        ["which month was the most expensive?", "what was the most expensive month?", "which month cost us the most"],
    ),
    (
        ["count of icu stays by first care unit"],
        "patient, id, length, first care unit of highest (length) icu stay per all",
        ["who had the very longest, and on which unit", "whose was the longest and on which unit?"],
    ),
    (
        [f"count of (patients with ({COLI}))"],
        f"distinct patient, time of {COLI} for (patients with ({COLI}))",
        ["who, and when was the sample taken", "who, and when?", "who and on which date"],
    ),
    (
        ['count of (patients with (culture where organism = "escherichia coli"))'],
        'count patients of culture where organism = "escherichia coli" by name',
        ["by site?", "per source", "by specimen"],
    ),
    (
        [THERE],
        "patient, ward, name of transfers where end time is missing during (hospital stays where end time is missing) "
        f"for ({THERE})",
        ["which ward is each of them on?", "where are they now?", "what ward are they on at the moment?"],
    ),
    (
        [f"count of (patients with {ASPIRIN})"],
        f"distinct patient, age, gender of hospital stays with {ASPIRIN}",
        ["list them with age and sex", "list them with their ages and sex", "list their age and sex"],
    ),
    (
        [f"count of (patients with {ASPIRIN})"],
        f'patients with {ASPIRIN} where gender = "male"',
        [
            "list the male ones",
            "show me the male ones",
            "Now list the men",
            "list the male patients",
            "who are the male ones?",
        ],
    ),
    (
        [f"count of (patients with {ASPIRIN})"],
        f"distinct patient, age of hospital stays with {ASPIRIN}",
        ["what are their ages?", "show me their ages"],
    ),
    (
        [f"count of (patients with {ASPIRIN})"],
        f"count of (patients with {ASPIRIN} with death)",
        ["Now how many of them died?", "ok, now how many of those died?"],
    ),
]


@pytest.mark.parametrize(("earlier", "logic", "wordings"), ASKED, ids=[wordings[0] for _, _, wordings in ASKED])
def test_a_turn_goes_on(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], logic: str, wordings: list[str]
) -> None:
    assert not misread(planner, ehr, earlier, logic, wordings)


def test_what_else_is_no_question_of_who_somebody_is(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, ["name of diagnosis for patient 101"])
    proposal = planner.propose("what else did she have?", turns)
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic


def test_that_time_is_the_stay_of_the_answer_before(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, ["name of procedure for patient 101 during last hospital stay"])
    proposal = planner.propose("which drugs did he get then?", turns)
    assert "last hospital stay" in (proposal.logic or "") or "during" in (proposal.logic or ""), proposal.logic
