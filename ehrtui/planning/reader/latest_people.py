"""The first or the last few of people, by when they came to what is said of them: "the last three patients admitted",
"the five most recent patients with sepsis", "who died first", "the last person to get warfarin"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Aggregate,
    Condition,
    Has,
    Not,
    Of,
    Order,
    Own,
    Rows,
    Set,
    Statement,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.meanings import parts_of
from ehrtui.planning.reader.numbers import number
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.sets import named_one_by_one
from ehrtui.planning.reader.world import World

_LATE = {
    **dict.fromkeys(("first", "earliest"), False),
    **dict.fromkeys(("last", "latest", "most recent", "newest", "most recently"), True),
}
_PICK = "|".join(_LATE)
_PEOPLE = r"(?:patient|person|pt|individual|subject|woman|man)s?|people|women|men"
_LEAD = (
    r"^\W*(?:(?:please|show|give|list|name|tell|get|me|us)\s+)*(?:(?:who|what|which)(?:'s|\s+(?:is|are|was|were))?\s+)?"
    r"(?P<asked>(?:(?:the\s+)?(?:[a-z]+(?:, | and )){0,3}(?:the\s+)?[a-z]+\s+(?:of|for)\s+)?)(?:our\s+|the\s+)?"
)
_AHEAD = re.compile(
    rf"{_LEAD}(?:(?P<few>\w+)\s+)?(?P<pick>{_PICK})(?:\s+(?P<count>(?!\w+ed\b)\w+))?"
    rf"\s+(?:(?P<done>[a-z]+ed)\s+)?(?P<people>{_PEOPLE}|deaths?)\b(?P<rest>.*?)[\s?.!]*$"
)
_BEHIND = re.compile(
    rf"^\W*(?:who|(?:which|what)(?:\s+(?P<count>\w+))?\s+(?P<people>{_PEOPLE}))\s+(?P<rest>[^,;]+?)"
    rf"\s+(?P<pick>{_PICK})(?P<then>\s+(?:in|during|on|this)\s[^,;]+?)?[\s?.!]*$"
)
_LEFT = re.compile(r"\bdischarged\b")
_LEFT_ALONE = re.compile(r"\s*(?:(?:who|that)\s+)?(?:(?:was|were)\s+)?\bdischarged\s*$")
_THEIR_OWN = re.compile(r"\b(?:each|every|per|by|when|how|average|mean|number|count)\b")
"""Words of a question that asks for something else than who they were."""
_SAVED = -0.7
"""What it saves that the first or last of people are told, and not the first or last record of each of them."""


def latest_people(text: Text, world: World, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question for the first or last of people; `read` reads the question for all of them."""
    said = _AHEAD.match(text.lower) or _BEHIND.match(text.lower)
    if said is None or _THEIR_OWN.search(text.lower):
        return []
    parts = said.groupdict()
    counted = [word for word in (parts["count"], parts.get("few")) if word]
    counts = [value for word in counted if (value := number(word)) is not None]
    if len(counts) != len(counted) or len(counts) > 1 or any(one != int(one) or one < 1 for one in counts):
        return []
    late, first = _LATE[said["pick"]], int(counts[0]) if counts else 1
    done = " ".join(parts.get(name) or "" for name in ("done", "rest", "then"))
    moment = "discharge time" if _LEFT.search(done) else "admission time"
    told = f"{parts.get('asked') or ''}{parts['people'] or 'patients'} {_LEFT_ALONE.sub('', done)}"
    found = []
    for one in read(words_read(told))[:1]:
        if (latest := _latest(one.statement, world, late, first, moment)) is not None:
            found.append(replace(one, statement=latest, price=one.price + _SAVED))
    return found


def _latest(statement: Statement, world: World, late: bool, first: int, moment: str) -> Statement | None:
    """The first or last so many of patients, or of stays by that moment of theirs; None for what is neither."""
    match statement:
        case Rows(of=Set(unit="patient", pick=None) as of, columns=(Own("id"), *_) as columns, order=None):
            dated = None if named_one_by_one(of) else _came_by(of.where, world)
            if dated is None:
                return None
            which: Literal["maximum", "minimum"] = "maximum" if late else "minimum"
            when = Aggregate(which, dated, Own(_moment(dated, moment)))
            return Rows(of, (*columns, when), order=Order(when, late, first))
        case Rows(of=Set(pick=None) as of, columns=columns, order=None) if of.unit in (HOSPITAL, ICU):
            at = Own(_moment(of, moment))
            told = (*(column for column in columns if column != at), at)
            return Rows(_those_stays(of), told, order=Order(at, late, first))
    return None


def _moment(of: Set, moment: str) -> str:
    """What tells when such stays or records were."""
    if of.unit == HOSPITAL:
        return moment
    return "end time" if of.unit == ICU and moment == "discharge time" else "time"


def _those_stays(of: Set) -> Set:
    """The very stays by which the people of all these stays are described, where they are."""
    match of.where:
        case Of(Set(unit="patient", where=Has(Set(items=(), pick=None) as those, times=None))) if those.unit == of.unit:
            return those
    return of


def _came_by(where: Condition | None, world: World) -> Set | None:
    """What the people of such a condition came by, which has a time; their stays where nothing of theirs is named, None
    where several things are, or none that can be told apart."""
    if any(isinstance(one, Not) for one in walk(where)):
        return None
    had = [part.of for part in parts_of(where) if isinstance(part, Has) and part.times is None]
    deaths = [of for of in had if of.unit == "death"]
    stays = [of for of in had if of.unit in (HOSPITAL, ICU)]
    if deaths or stays:
        return (deaths or stays)[0]
    if had:
        return had[0] if len(had) == 1 else None
    return world.admissions
