"""Questions about two earlier answers: their difference, which is larger, what is in both, in either, in one alone."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import Literal

from ehrtui.logic.model import Combined, Count, Exists, Field, Logic, Query, Rows, Source
from ehrtui.planning.offline.conversation_words import Heard
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.edits import unfolded
from ehrtui.planning.offline.parts import Parts
from ehrtui.planning.offline.pointing import lists_patients
from ehrtui.schema.profile import Profile

Operator = Literal["-", ">", "<", "=", "except", "and", "or"]
_EXCEPT = re.compile(r"\b(?:but\s+not|and\s+not|not\s+in|except|minus|without|lacks?|missing\s+from|other\s+than)\b")
_EQUAL = re.compile(r"\b(?:equal|equals|the\s+same|identical|as\s+(?:high|large|many|much)\s+as)\b|=")
_SUBTRACTED = re.compile(r"\bsubtract|\bminus\b|\s-\s|\b(?:taken|take)\s+away\b")
_FROM = re.compile(r"\bsubtract\w*\b.*\bfrom\b|\bfrom\b.*\bto\b")
_EITHER = re.compile(r"\b(?:or|either|union|together|combined|combine|merge[ds]?|any\s+of)\b")
_BETWEEN_THEM = re.compile(r"\bbetween\s+(?:them|these|those)\b")
_BOTH = re.compile(r"\b(?:both|and|as\s+well\s+as|overlap|common|intersection|also)\b")


def two_turns(parts: Parts) -> Logic | None:
    """What is asked of two earlier answers that are named; None where the question is another."""
    named = [mark.value for mark in parts.marks.of("turn")]
    if len(named) != 2 or named[0] == named[1] or min(named) < 1:
        return None
    first, second = (Rows(number) for number in named)
    operator = _operator(parts)
    if operator is None:
        return None
    if operator == "-" and _FROM.search(parts.text.lower):
        first, second = second, first
    return Combined(first, operator, second)


def _operator(parts: Parts) -> Operator | None:
    lower = parts.text.lower
    first, second = (mark for mark in parts.marks.of("turn"))
    between = lower[first.end : second.start]
    comparison: Operator | None = parts.marks.first("comparison")
    if comparison is not None:
        return comparison
    if parts.marks.of("difference") or _SUBTRACTED.search(lower) or " - " in between:
        return "-"
    if _EQUAL.search(lower):
        return "="
    if _EXCEPT.search(between) or parts.marks.of("new"):
        return "except"
    if _EITHER.search(lower):
        return "or"
    return "and" if _BOTH.search(lower) else None


def two_latest(heard: Heard, parts: Parts, turns: Turns) -> tuple[Logic, int] | None:
    """ "The difference between the two": of the last two answers, the earlier one minus the later one."""
    numbers = tuple(islice(turns.newest_first, 2))
    if len(numbers) < 2 or not (heard.two or _BETWEEN_THEM.search(parts.text.lower)):
        return None
    operator: Operator | None = "-" if parts.marks.of("difference") else parts.marks.first("comparison")
    if operator is None or parts.events:
        return None
    return Combined(Rows(numbers[1]), operator, Rows(numbers[0])), numbers[0]


def paired(joint: Literal["and", "or", "neither"], turns: Turns) -> tuple[Logic, int] | None:
    """ "Both?", "either of the two?": the last two questions, which differ in one condition or one name, as one; with
    the turn that it continues."""
    numbers = tuple(islice(turns.newest_first, 2))
    if len(numbers) < 2:
        return None
    latest, before = (unfolded(turns[number].logic, turns) for number in numbers)
    if not (isinstance(latest, Query) and isinstance(before, Query)):
        return None
    logic = _joined_conditions(joint, before, latest) if latest.of_patients else _joined_names(joint, before, latest)
    return (logic, numbers[0]) if logic is not None else None


def the_rest(turns: Turns, profile: Profile) -> tuple[Logic, int] | None:
    """ "The others": the patients of the group that the last answer was taken from who are not in it."""
    latest = turns.latest
    logic = turns[latest].logic
    group = logic.patients.turn if isinstance(logic, Query) else None
    if group is None or group not in turns:
        return None
    both = (turns[group], turns[latest])
    if all(lists_patients(turn, profile) and len(turn.columns) == 1 for turn in both):
        return Combined(Rows(group), "except", Rows(latest)), latest
    return None


def _joined_conditions(joint: str, before: Query, latest: Query) -> Logic | None:
    """Two questions about patients who differ in their last condition."""
    ours, theirs = latest.patients.conditions, before.patients.conditions
    same = replace(latest, patients=replace(latest.patients, conditions=())) == replace(
        before, patients=replace(before.patients, conditions=())
    )
    if not (same and ours and theirs and ours[:-1] == theirs[:-1]):
        return None
    if joint == "or":
        left, right = theirs[-1].source, ours[-1].source
        if left.role != right.role or replace(theirs[-1], source=right) != ours[-1]:
            return None
        merged = Source(left.role, (*left.names, *right.names), None, left.filters)
        both = (*ours[:-1], replace(ours[-1], source=merged))
    else:
        both = (*theirs, ours[-1])
        if joint == "neither":
            both = (*theirs[:-1], replace(theirs[-1], negated=True), replace(ours[-1], negated=True))
    return replace(latest, patients=replace(latest.patients, conditions=both))


def _joined_names(joint: str, before: Query, latest: Query) -> Logic | None:
    """Two questions about records that differ in their names."""
    left, right = before.source, latest.source
    if joint != "or" or left.role != right.role or replace(before, source=right) != latest:
        return None
    if isinstance(latest.want, Field | Count | Exists) and left.names and right.names:
        return replace(latest, source=replace(right, names=(*left.names, *right.names)))
    return None
