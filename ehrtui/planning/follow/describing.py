"""Words that describe those of an earlier answer anew: "the warfarin group", "these medicare stays", "the deaths"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Among,
    Condition,
    Has,
    InAnswer,
    Not,
    Own,
    Rows,
    Set,
    Statement,
    Test,
    Value,
)
from ehrtui.logic.model import Calendar, Window
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.groups_told import ONE_OF_GROUPS, told_in_groups
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.pointing import OF_TURN, STAY_NOUNS
from ehrtui.planning.follow.scoping import whole_of_share
from ehrtui.planning.follow.subject import Subject, as_patients, as_stays, subject_of
from ehrtui.planning.offline.date_ranges import MONTHS
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import People, Stays, unit_of, values_of

DESCRIBED = "described"
"""What a node was paid for that says in other words of which earlier answer it is."""
_OPENING = {"the", "these", "those", "that", "all", "this"}
_PEOPLE = {"patients", "patient", "pts", "people", "women", "men", "stayers", "stayer"}
_ANYBODY = {"ones", "group", "cohort", "arm", "list", "lot", "folks"}
_SO_CALLED = {"allergic", "positive", "negative", "resistant", "sensitive", "treated", "exposed", "dependent"}
"""What people are called by what they have: "the penicillin-allergic"."""
_DEAD = {"deaths", "dead"}
_FILL = {"the", "of", "on", "with", "all", "and", "or", "/", "-", "hospital", "icu"}
_HIGH = {"high", "higher", "raised", "elevated", "long", "longer", "older"}
_LOW = {"low", "lower", "short", "shorter", "younger"}
_MOST_WORDS = 4
"""Words between "the" and the noun: what is longer says something of its own."""
_LEAST_LETTERS = 4
"""Letters of a word that is told to be part of a stored name."""
_MOST_TURNS = 40
"""Turns: who was told of longer ago is not described by a word or two."""
_COST = -0.3
_LISTING = {"who", "which", "list", "show", "whom", "ids", "give", "name", "what"}
_LETTERS = re.compile(r"[a-z0-9]+")


def described_nodes(one: Lexed, subjects: Mapping[int, Subject], earlier: Mapping[int, Statement]) -> list[Node]:
    """The nodes of the nouns that tell again what an earlier answer was limited by: each means the rows of the first
    answer that was, since the later ones were narrowed further."""
    nouns = list(_nouns(one.words))
    if not nouns:
        return []
    near = [subjects[turn] for turn in sorted(subjects)[-_MOST_TURNS:]]
    whole = (subject_of(one.turn, whole_of_share(earlier[one.turn])) for one in near)
    known = [*near, *(one for one in whole if one is not None and one not in near), *told_in_groups(earlier)]
    spelled = [(one, of) for one in known if (of := _spelled(one, earlier)) is not None]
    return [
        node
        for start, at in nouns
        if (subject := _first(one, start, at, spelled)) is not None
        for node in _meant(subject, one.words[at], start, at + 1)
    ]


def lists_again(statement: Statement, why: Sequence[str], words: Sequence[str]) -> bool:
    """True for a reading that lists those of an earlier answer who were but described anew, which is not asked."""
    told = {DESCRIBED, ONE_OF_GROUPS}
    if told.isdisjoint(why) or not isinstance(statement, Rows) or statement.columns != (Own("id"),):
        return False
    return _LISTING.isdisjoint(words) and (
        isinstance(statement.of.where, InAnswer) or ("trait" not in why and "with" not in why)
    )


def _spelled(subject: Subject, earlier: Mapping[int, Statement]) -> Set | None:
    """The rows of a subject by what they are limited by, with no answer named; None where they are not limited, or are
    the one that was picked of them all: "the MICU patients" are more than who was there longest."""
    of = alone_if_near(subject.of, {turn: one for turn, one in earlier.items() if turn <= subject.turn})
    picked = of is not None and of.pick is not None and of.pick.per == "all" and of.pick.nth == 1
    return of if of is not None and not picked and (of.where is not None or of.items) else None


def _nouns(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The places where such a noun phrase begins, and where its noun is."""
    for at, word in enumerate(words):
        if word in _DEAD and at and words[at - 1] in ("the", "these", "those"):
            yield at - 1, at
        so_called = word in _SO_CALLED and words[at - 1 : at] in (("-",), ["-"]) and not _names_people(words, at + 1)
        if word not in _PEOPLE | _ANYBODY | STAY_NOUNS | _DEAD and not so_called:
            continue
        for start in range(at - 2, max(-1, at - 2 - _MOST_WORDS), -1):
            if words[start] in _OPENING:
                yield (
                    (start - 1 if start and words[start - 1] in ("all", "of") and words[start] == "the" else start),
                    at,
                )
                break


def _names_people(words: Sequence[str], at: int) -> bool:
    """True for the noun behind what people are called by."""
    return at < len(words) and words[at] in _PEOPLE | _ANYBODY | STAY_NOUNS


def _first(one: Lexed, start: int, at: int, spelled: Sequence[tuple[Subject, Set]]) -> Subject | None:
    """The least limited of those of answers that a phrase describes; None where it describes none of them."""
    found = [(subject, of) for subject, of in spelled if _describes(one, start, at, of)]
    return min(found, key=lambda told: (_limits(told[1]), told[0].turn), default=(None, None))[0]


def _limits(of: Set) -> int:
    """How many things rows are limited by."""
    return sum(isinstance(part, Test | Among | Has | Window) for part in walk(of))


def _describes(one: Lexed, start: int, at: int, of: Set) -> bool:
    """True where each word of a phrase that tells something tells what the rows of a set are limited by."""
    dead = one.words[at] in _DEAD
    if dead and not any(_is_death(part) for part in walk(of)):
        return False
    telling = [place for place in range(start, at) if one.words[place] not in _OPENING | _FILL]
    known = {place for place in telling if _is_told(one.words[place], of)}
    for node in one.nodes:
        if start <= node.start and node.end <= at and _is_meant(node, of):
            known |= {*range(node.start, node.end)}
    return (dead or bool(telling)) and known >= {*telling}


def _is_told(word: str, of: Set) -> bool:
    """True for a word of the names and values that rows are limited by, or for the side of a limit."""
    if word in _HIGH | _LOW:
        signs = (">", ">=") if word in _HIGH else ("<", "<=")
        return any(isinstance(part, Test) and part.relation in signs for part in walk(of))
    if word in MONTHS and any(_is_of_month(part, MONTHS.index(word) + 1) for part in walk(of)):
        return True
    return len(word) >= _LEAST_LETTERS and any(
        word in _LETTERS.findall(name) or (len(word) > _LEAST_LETTERS and name.startswith(word))
        for name in _names_of(of)
    )


def _is_of_month(part: object, month: int) -> bool:
    return isinstance(part, Window) and isinstance(part.when, Calendar) and part.when.month == month


def _names_of(of: Set) -> Iterator[str]:
    """The names and values that rows must have, in lower case."""
    for part in _demanded(of):
        match part:
            case Set(items=items):
                yield from (item.text.lower() for item in items)
            case Test(relation="=", right=Value(value=str(value))):
                yield value.lower()
            case Among(values=values):
                yield from (str(value).lower() for value in values)


def _demanded(node: object) -> Iterator[object]:
    """The parts of a set, but for what its rows must not have."""
    if isinstance(node, Not):
        return
    yield node
    if isinstance(node, Set | Has) or hasattr(node, "of") or hasattr(node, "where"):
        for name in ("of", "where"):
            inner = getattr(node, name, None)
            for one in inner if isinstance(inner, tuple) else (inner,):
                if one is not None:
                    yield from _demanded(one)


def _is_meant(node: Node, of: Set) -> bool:
    """True where a node of the words means what rows are limited by."""
    match node.kind:
        case "event" if not node.sense.noun:
            unit, items = unit_of(node.sense.role), {*node.sense.of.items}
            return any(
                isinstance(part, Set) and part.unit == unit and not items.isdisjoint(part.items)
                for part in _demanded(of)
            )
        case "window":
            return any(isinstance(part, Window) and part in node.sense for part in _demanded(of))
        case "trait":
            return any(
                part == node.sense.condition or _same_value(part, node.sense.condition) for part in _demanded(of)
            )
    return False


def _same_value(part: object, condition: Condition) -> bool:
    """True for a condition on the value of an attribute that another demands."""
    if not isinstance(part, Test | Among):
        return False
    values = {str(value).lower() for value in values_of(condition)}
    return bool(values) and not values.isdisjoint(str(value).lower() for value in values_of(part))


def _is_death(part: object) -> bool:
    if isinstance(part, Test):
        return part.left == Own("hospital death") and part.right == Value(1)
    return isinstance(part, Set) and part.unit == "death"


def _meant(subject: Subject, noun: str, start: int, end: int) -> Iterator[Node]:
    """The rows of a subject as what the noun says."""
    why = "points", f"{OF_TURN}{subject.turn}", DESCRIBED
    of = subject.of
    if noun in STAY_NOUNS:
        unit = ICU if of.unit == ICU else HOSPITAL
        yield Node("stays", Stays(as_stays(of, unit)), start, end, _COST, why)
    elif noun in _PEOPLE or of.unit not in UNITS or of.unit == PATIENT:
        yield Node("people", People(as_patients(of)), start, end, _COST, why)
    else:
        yield Node("stays", Stays(of), start, end, _COST, why)
        yield Node("people", People(as_patients(of)), start, end, _COST + 0.35, why)
