"""Words for what two or three earlier answers have in common: "both", "either", "neither of them", "all three"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from ehrtui.logic.algebra.model import PATIENT, UNITS, All, AnyOf, Condition, Not, Set
from ehrtui.planning.follow.subject import Subject, as_patients
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import People, Stays, every, maybe, parts_of

TOGETHER = "together"
"""What a node was paid for that means several earlier answers at once."""
_TWO = {"both": "and", "either": "or", "neither": "nor"}
_THREE = {"all": "and", "any": "or", "none": "nor"}
_NUMBERS = {"two": 2, "2": 2, "three": 3, "3": 3}
_COST = -0.3
_REACH = 6
"""Answers: two of so many before one may be what that has in common."""
_FILL = {"of", "the", "these", "those", "them", "in", "at", "least", "one"}
_ONES = {"one", "ones", "groups", "group", "drugs", "conditions", "diagnoses", "lists", "answers", "sets", "codes",
         "tests", "bugs", "organisms", "medications", "meds", "procedures", "findings", "diseases"}  # fmt: skip


def together_nodes(words: Sequence[str], subjects: Mapping[int, Subject]) -> list[Node]:
    """The nodes of such words: who is in both of the two latest answers that stand beside each other, in either, in
    neither; none where there are no two such."""
    return [
        node
        for at in range(len(words))
        for operator, count, end in _said(words, at)
        if len(meant := beside(subjects, count)) == count
        and (of := combined([one.of for one in meant], operator)) is not None
        for node in _nodes(of, at, end)
    ]


def beside(subjects: Mapping[int, Subject], count: int) -> list[Subject]:
    """The `count` latest subjects that stand beside each other, the latest first: none is about some of another, or
    about those whom two others have in common ("either?", right after "both?")."""
    found: list[Subject] = []
    for turn in sorted(subjects, reverse=True):
        one = subjects[turn]
        before = [subjects[other] for other in sorted(subjects) if other < turn][-_REACH:]
        if len(found) < count and all(_apart(one.of, other.of) for other in found) and not _is_of_two(one, before):
            found.append(one)
    return found


def _is_of_two(subject: Subject, before: Sequence[Subject]) -> bool:
    """True for those who are in both of two answers before, in either, in neither, or in one of them alone."""
    told = {*parts_of(subject.of.where)}
    for one, other in combinations(before, 2):
        if not _apart(one.of, other.of):
            continue
        for pair in ((one.of, other.of), (other.of, one.of)):
            if (made := without_other(*pair)) is not None and {*parts_of(made.where)} == told:
                return True
            for operator in _TWO.values():
                made = combined(pair, operator)
                if made is not None and made.unit == subject.of.unit and {*parts_of(made.where)} == told:
                    return True
    return False


def combined(sets: Sequence[Set], operator: str) -> Set | None:
    """Who is in all of the sets ("and"), in at least one ("or") or in none ("nor"), of those whom they have in common;
    None where the patients of one are all among those of another."""
    unit = sets[0].unit if len({one.unit for one in sets}) == 1 and sets[0].unit in UNITS else PATIENT
    parts = [list(parts_of((one if one.unit == unit else as_patients(one)).where)) for one in sets]
    common = [part for part in parts[0] if all(part in others for others in parts[1:])]
    alone = [[part for part in one if part not in common] for one in parts]
    if not all(alone):
        return None
    own = [every(one) for one in alone]
    if operator == "and":
        return Set(unit, where=every([*common, *_flat(own)]))
    if operator == "or":
        return Set(unit, where=every([*common, AnyOf(tuple(own))]))
    return Set(unit, where=every([*common, *map(Not, own)]))


def without_other(one: Set, other: Set) -> Set | None:
    """Who is in one of two sets of the same unit and not in the other; None where one is all within the other."""
    if one.unit != other.unit or one.unit not in UNITS or one.items or one.pick is not None or other.pick is not None:
        return None
    parts, others = list(parts_of(one.where)), list(parts_of(other.where))
    common = [part for part in parts if part in others]
    mine, theirs = ([part for part in some if part not in common] for some in (parts, others))
    return Set(one.unit, (), every([*common, *mine, Not(every(theirs))])) if mine and theirs else None


def says_no_more(words: Sequence[str]) -> bool:
    """True for "either?", "and neither of the two": what is asked of them is what was asked before."""
    said = [word for word in words if word[0].isalnum()]
    return not {*said}.isdisjoint(_TWO) and {*said} <= {*_TWO, *_FILL, *_ONES, *_NUMBERS, "and", "or", "with", "has"}


def in_common(subjects: Mapping[int, Subject]) -> Set | None:
    """Those of whom the two latest answers beside each other tell: "of them" in "who of them got none of both"."""
    pair = beside(subjects, 2)
    if len(pair) < 2 or pair[0].unit != pair[1].unit:
        return None
    shared = [part for part in parts_of(pair[1].of.where) if part in parts_of(pair[0].of.where)]
    return Set(pair[0].unit, pair[0].of.items, maybe(shared))


def _said(words: Sequence[str], at: int) -> Iterator[tuple[str, int, int]]:
    """The operator, the number of answers, and the place behind what is said from `at` on."""
    word = words[at]
    behind = at + 1
    while behind < len(words) and words[behind] in _FILL:
        behind += 1
    number = _NUMBERS.get(words[behind]) if behind < len(words) else None
    if word in _TWO:
        yield _TWO[word], 2, _end(words, at + 1)
    elif word in _THREE and number is not None:
        yield _THREE[word], number, _end(words, behind + 1)
    elif word == "least" and tuple(words[at + 1 : at + 3]) == ("one", "of"):
        yield "or", number or 2, _end(words, behind + (number is not None))
    elif tuple(words[at : at + 3]) == ("at", "least", "one") and tuple(words[at + 3 :]) in ((), ("?",)):
        yield "or", 2, at + 3
    elif tuple(words[at : at + 4]) == ("one", "or", "the", "other"):
        yield "or", 2, at + 4
    elif word in ("overlap", "overlaps"):
        yield "and", 2, at + 1


def _end(words: Sequence[str], at: int) -> int:
    """The place behind "of them", "of the two drugs", "groups", where such words follow."""
    end = at
    while end < len(words) and (words[end] in _FILL | _ONES or words[end] in _NUMBERS):
        end += 1
    while end > at and words[end - 1] in _FILL - {"them", "these", "those", "one"}:
        end -= 1
    return end


def _nodes(of: Set, start: int, end: int) -> Iterator[Node]:
    why = "points", TOGETHER
    if of.unit == PATIENT:
        yield Node("people", People(of), start, end, _COST, why)
    else:
        yield Node("stays", Stays(of), start, end, _COST, why)


def _apart(one: Set, other: Set) -> bool:
    """True for rows that are not all among the others, as far as their conditions say, nor the others among them."""
    left, right = {*parts_of(one.where)}, {*parts_of(other.where)}
    if (one.unit, one.items) != (other.unit, other.items):
        return one.unit not in UNITS or other.unit not in UNITS or one.unit != other.unit
    return bool(left - right) and bool(right - left)


def _flat(conditions: Sequence[Condition]) -> list[Condition]:
    return [part for one in conditions for part in (one.of if isinstance(one, All) else (one,))]
