"""What is asked of the stays of one patient beside the one that was told: how long till the next, and how long the one
has lasted that goes on ("he's in the unit again. How long by now?")."""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Interval,
    Is,
    Neighbour,
    Of,
    Own,
    Rows,
    Set,
    Statement,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import Subject, names_one, person_in, subject_of
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited
from ehrtui.planning.reader.numbers import unit_said

_ASKING = {"how", "long", "many", "days", "hours", "weeks", "number", "it", "take", "took", "did", "until", "till"}
_BETWEEN = _ASKING | {"between", "from", "discharge", "hospital", "next", "admission", "that", "this", "his", "her",
                      "their", "readmission", "after", "passed", "following", "stay", "time", "lie", "lay",
                      "were"}  # fmt: skip
_NOW = {"now", "far", "again", "still", "currently", "been", "today"}
_THERE = {"unit", "icu", "hospital", "here", "stay", "admission", "ward"}
_SO_FAR = _ASKING | _NOW | _THERE | {"he's", "she's", "he", "she", "is", "has", "back", "by", "so", "as", "at", "there",
                                     "moment", "this", "patient", "current", "right", "they", "already",
                                     "on"}  # fmt: skip


def till_next_stay(one: Lexed, statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    """The time from the end of the one hospital stay of a patient that was spoken of to their next one."""
    words = {*one.words}
    if not {"discharge", "next"} <= words or words.isdisjoint({"admission", "readmission"}):
        return None
    unit = unit_said(one.words)
    if not covers(one, _BETWEEN, ()) or words.isdisjoint({"long", "many"}):
        return None
    whole = alone_if_near(statement, earlier) or statement
    stays = {node for node in walk(whole) if isinstance(node, Set) and node.unit == HOSPITAL and node.pick is not None}
    if len(stays) != 1:
        return None
    [stay] = stays
    about = rows_about(whole)
    person = person_in(stay) or (person_in(about) if about is not None else None)
    if person is None or (stay.pick is not None and stay.pick.through):
        return None
    of = stay if person_in(stay) is not None else limited(stay, Of(person))
    return Rows(of, (Interval(unit or "day", Own("discharge time"), Neighbour("next", Own("admission time"))),))


def lasting_so_far(one: Lexed, earlier: Mapping[int, Statement]) -> Statement | None:
    """How long the stay of the patient has been that goes on."""
    words = {*one.words}
    if words.isdisjoint(_NOW - {"again"}) or words.isdisjoint(_THERE) or words.isdisjoint({"long", "many"}):
        return None
    unit = unit_said(one.words)
    if not covers(one, _SO_FAR, ()) or ("many" in words and unit is None):
        return None
    person = _person(earlier)
    if person is None:
        return None
    kind = ICU if words & {"unit", "icu"} else HOSPITAL
    stays = Set(kind, (), Is(Own("end time"), "missing"))
    return Rows(limited(stays, Of(person)), (Interval(unit or "day", Own("time"), Own("now")),))


def _person(earlier: Mapping[int, Statement]) -> Set | None:
    """The one patient who was named last."""
    for turn in sorted(earlier, reverse=True):
        subject: Subject | None = subject_of(turn, earlier[turn])
        person = subject.person if subject is not None else None
        if person is not None:
            return person if names_one(person) else None
    return None
