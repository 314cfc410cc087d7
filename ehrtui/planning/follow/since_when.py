"""Since when those of an answer have what they are told by: "since when?", "when was it first diagnosed in each?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, UNITS, Has, Of, Own, Pick, Rows, Set, Single, Statement, Whether
from ehrtui.planning.follow.offers import records_had, spelled_in_full
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import person_in, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited

_BEGUN = {"since", "first"}
_BESIDE = {"when", "first", "did", "have", "has", "had", "been", "do", "does", "he", "she", "exactly", "diagnosed",
           "started", "start", "begin", "begun", "seen", "recorded", "noted", "given", "documented", "patient", "every",
           "date", "time"}  # fmt: skip


def since_when(one: Lexed, statement: Statement, *, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """The first of those records of each of them; of the one of whom a yes or no was asked, its time alone."""
    said = {*one.words}
    if "when" not in said or said.isdisjoint(_BEGUN) or not covers(one, _BEGUN | _BESIDE, ()):
        return None
    match statement:
        case Single(columns=(Whether(condition=Has(of=had, times=None)),)) if had.unit not in UNITS:
            return None if had.pick is not None or person_in(had) is None else Rows(_first(had), (Own("time"),))
    subject = subject_of(latest, statement)
    if subject is None or subject.unit != PATIENT:
        return None
    of = statement.of if isinstance(statement, Rows) and statement.of.unit == PATIENT else subject.of
    records = [each for each in records_had(spelled_in_full(of, earlier)) if each.pick is None]
    if len(records) != 1:
        return None
    return Rows(_first(limited(records[0], Of(subject.of))), (Own(PATIENT), Own("time")))


def _first(records: Set) -> Set:
    return replace(records, pick=Pick(1, Own("time"), False, PATIENT))
