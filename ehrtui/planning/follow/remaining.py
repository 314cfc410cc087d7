"""Words for those whom the latest answer leaves out: "the rest", "the others", "everyone else"; "the survivors", after
those who died."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    UNITS,
    Condition,
    Has,
    Is,
    Not,
    Own,
    Set,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.follow.pointing import OF_TURN, STAY_NOUNS
from ehrtui.planning.follow.recounting import taken_from, within
from ehrtui.planning.follow.subject import Subject, as_stays
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import People, Stays, limited, parts_of

REMAINING = "remaining"
"""What a node was paid for that means those whom an answer leaves out of the rows it was taken from."""
_REST = {"rest", "others", "remainder"}
_OTHER = {"other", "remaining"}
_ELSE = {"everyone", "everybody", "anyone", "all"}
_PEOPLE = {"patients", "pts", "people", "ones", "women", "men"}
_WHO = {"who", "those", "ones", "which"}
_AUXILIARY = {"is", "are", "was", "were", "did", "does", "do", "has", "have", "had", "could", "can"}
_DENYING = {f"{word}n't" for word in _AUXILIARY} | {"can't", "cannot"}
_COST = -0.2
_SURVIVORS = {"survivor", "survivors"}
_LIVED = {"survived", "lived"}
_DIED_THERE = Test(Own("hospital death"), "=", Value(1))
_DEATHS = (_DIED_THERE, Has(Set(HOSPITAL, (), _DIED_THERE)))
_DATED = Is(Own("time"), "present")


def remaining_nodes(words: Sequence[str], earlier: Mapping[int, Statement], latest: int) -> list[Node]:
    """The nodes of such words; none where the latest answer is of all rows that there are."""
    of = rows_about(earlier[latest])
    said = [*_said(words), *_of_survivors(words)]
    if not said or of is None or of.unit not in UNITS or of.pick is not None:
        return []
    before = {turn: rows_about(one) for turn, one in earlier.items() if turn < latest}
    base = taken_from(of, {turn: Subject(turn, one) for turn, one in before.items() if one is not None})
    inside = within(of, base)
    if inside is None or base.where is None:
        return []
    if not _is_death(inside):
        said = [*_said(words)]
    of = limited(base, Not(inside))
    why = "points", f"{OF_TURN}{latest}", REMAINING
    return [_node(of, noun, start, end, why) for start, end, noun in said]


def _said(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Where such words begin and end, and the noun that they are said of."""
    for at, word in enumerate(words):
        start = at - 1 if at and words[at - 1] in ("the", "all") else at
        behind = words[at + 1] if at + 1 < len(words) else ""
        if word in _REST and start < at:
            of_them = words[at + 1 : at + 3] in (("of", "them"), ("of", "these"), ("of", "those"))
            yield start, at + (3 if of_them else 1), ""
        elif word in _WHO and (end := _end_of_denial(words, at)) is not None:
            yield at, end, ""
        elif (word in _OTHER and behind in _PEOPLE | STAY_NOUNS) or (word in _ELSE and behind == "else"):
            yield start, at + 2, behind


def _is_death(inside: Condition) -> bool:
    """True for having died, at all or in the hospital."""
    if isinstance(inside, Has) and inside.of.unit == "death":
        return inside.times is None and set(parts_of(inside.of.where)) <= {_DATED}
    return inside in _DEATHS


def _of_survivors(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Where "the survivors", "those who survived" begin and end."""
    for at, word in enumerate(words):
        if word in _SURVIVORS:
            yield at - (at > 0 and words[at - 1] == "the"), at + 1, ""
        elif word in _LIVED and words[at - 1 : at] in (["who"], ("who",)) and at > 1 and words[at - 2] in _WHO:
            yield at - 2 - (at > 2 and words[at - 3] == "the"), at + 1, ""


def _end_of_denial(words: Sequence[str], at: int) -> int | None:
    """The place behind "who didn't", "those who were not", where the question ends there."""
    behind = [word for word in words[at + 1 :] if word[0].isalnum() or word[0] == "'"]
    behind = behind[1:] if behind[:1] == ["who"] else behind
    denied = (
        (len(behind) == 1 and behind[0] in _DENYING)
        or (len(behind) == 2 and behind[0] in _AUXILIARY and behind[1] in ("not", "n't", "t", "'t"))
        or (len(behind) == 1 and behind[0].endswith("n't"))
    )
    return len(words) - sum(not word[0].isalnum() for word in words[-1:]) if denied else None


def _node(of: Set, noun: str, start: int, end: int, why: tuple[str, ...]) -> Node:
    if of.unit == PATIENT and noun not in STAY_NOUNS:
        return Node("people", People(of), start, end, _COST, why)
    return Node("stays", Stays(as_stays(of, HOSPITAL) if of.unit == PATIENT else of), start, end, _COST, why)
