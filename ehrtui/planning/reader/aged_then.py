"""Ages that are asked for at something that happened ("their age when it was diagnosed", "at what age did she break her
hip"): those then, and not now or at a stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    UNITS,
    Age,
    Aggregate,
    Band,
    Condition,
    Groups,
    Has,
    Measure,
    Of,
    Own,
    Pick,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, maybe, parts_of
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of

_THEN = re.compile(
    r"\b(?:ages?|old|older|younger|oldest|youngest|(?:under|over|above|below) \d+)\b"
    r"(?: \S+){0,8}? (?:at|when|upon|on|by)(?: \S+){0,6}? "
    r"(?:diagnos(?:is|ed|es)|onset|happened|occurred|began|started|appeared|then|time|given|performed|done|event|it"
    r"|had|got|suffered|underwent|developed|received|exposure|initiation|prescription|vaccination|immuni[sz]ation"
    r"|procedure|measurement)(?!\S)"
    r"|\b(?:ages?|old|older|younger)\b(?: \S+){0,6}? (?:at|on|upon)(?: \S+){0,3}? (?:first|initial|earliest)(?!\S)"
    r"|\bat (?:what|which) age\b|\bages? of (?:first )?(?:onset|diagnosis)\b|\b(?:diagnosis|onset) ages?\b"
)
_AT_ANOTHER = re.compile(
    r"\b(?:die|died|death|dead|deceased|admission|admitted|visit|visits|encounter|arrival|discharged?|discharge)\b"
)
_AT_PICKED = re.compile(
    r"\bat (?:(?:the|their|his|her) )?(?:very )?(?:first|last|latest|initial)(?: \S+){0,3} "
    r"(?:visit|encounter|admission)s?\b"
)
_WHEN_ADMITTED = re.compile(
    r"\b(?:over|under|above|below|older|younger|aged?|old|least|most)\b(?: \S+){1,5}? "
    r"(?:at|on|upon|when)(?: \S+){0,3}? "
    r"(?:admission|admitted|hospitali[sz]ed)(?!\S)"
)
_AGES = {"age", "ages", "old"}
_OF_AGE = {"age", "ages", "old", "older", "younger", "oldest", "youngest"}
_OPENING = {"and", "so", "what", "what's", "is", "was", "tell", "me", "show", "give"}
_ARTICLES = {"the", "their", "his", "her", "a", "an"}
_CHILDREN = {"children", "child", "kids", "teenagers", "adolescents", "infants", "toddlers", "babies", "minors"}
_BEFELL = {"had", "got", "received", "caught", "suffered", "developed", "underwent", "took"}
_NEAR = 5
"""Words: so far behind the age stands the record at which it was."""


def aged_then(statement: Statement, one: Lexed, world: World) -> Statement:
    """The statement with the ages then, where the question asks for them and the people have one kind of record."""
    text = " ".join(one.words)
    said = _THEN.search(text) or _beside_a_record(one) or _as_children(one)
    if not said or (_AT_ANOTHER.search(text) and not _AT_PICKED.search(text)) or not world.knows("birth date"):
        return statement
    if isinstance(statement, Single):
        return replace(statement, columns=tuple(_counted(column, world) for column in statement.columns))
    if not isinstance(statement, Rows | Groups) or (then := _age_then(statement.of, world)) is None:
        return statement
    of = _records_then(replace(statement.of, where=_limited_then(statement.of.where, world, then)), world, then)
    if isinstance(statement, Rows):
        return replace(statement, of=of, columns=tuple(_told(column, world, then) for column in statement.columns))
    columns = [replace(column, measure=_told(column.measure, world, then)) for column in statement.columns]
    return replace(statement, of=of, by=tuple(_told(key, world, then) for key in statement.by), columns=tuple(columns))


def aged_when_admitted(statement: Statement, one: Lexed, world: World) -> Statement:
    """ "Over 80 when they were admitted", of patients whose own age is that of today: those who had a stay
    at which they were so old."""
    said = _WHEN_ADMITTED.search(" ".join(one.words))
    if not said or world.age_of_patients != Own("age") or not world.holds(HOSPITAL, "age"):
        return statement

    def then(part: object) -> object:
        if not isinstance(part, Set) or part.unit != PATIENT:
            return part
        parts = parts_of(part.where)
        aged = [each for each in parts if isinstance(each, Test) and each.left == Own("age")]
        rest = [each for each in parts if each not in (*aged, Has(Set(HOSPITAL)))]
        return replace(part, where=every([*rest, Has(Set(HOSPITAL, where=every(aged)))])) if aged else part

    return mapped(statement, then)


def asks_age(words: Sequence[str]) -> bool:
    """True where a question begins by asking for the age of somebody: "how old was…", "age of the patient with…"."""
    said = [word for word in words if word not in _ARTICLES and word not in _OPENING]
    return said[:2] in (["how", "old"], ["age", "of"], ["ages", "of"])


def tells_age(statement: Statement) -> bool:
    """True for a statement that tells, or reckons with, ages."""
    return any(isinstance(part, Age) or part == Own("age") for part in walk(statement))


def asks_then(one: Lexed, world: World) -> bool:
    """True where the ages are asked for at something that happened to people, and at no stay."""
    if _OF_AGE.isdisjoint(one.words):
        return False
    text = " ".join(one.words)
    return bool(_THEN.search(text)) and not _AT_ANOTHER.search(text) and world.knows("birth date")


def _as_children(one: Lexed) -> bool:
    """ "How many children had an ear infection", "kids who got a tonsillectomy": they were children then, whatever they
    are now."""
    child = next((at for at, word in enumerate(one.words) if word in _CHILDREN), None)
    return child is not None and not _BEFELL.isdisjoint(one.words[child + 1 :])


def _beside_a_record(one: Lexed) -> bool:
    """ "Age at the operation", "how old was patient 7 at her operation"."""
    named = {node.start for node in one.nodes if node.kind == "event" and "link" in node.why}
    for at, word in enumerate(one.words):
        if word == "at" and _AGES & set(one.words[max(0, at - _NEAR) : at]):
            begin = at + 2 if one.words[at + 1 : at + 2] and one.words[at + 1] in _ARTICLES else at + 1
            if begin in named:
                return True
    return False


def _limited_then(where: Condition | None, world: World, then: Measure) -> Condition | None:
    """ "Older than 50 when they had it"."""
    parts = [
        replace(part, left=_told(part.left, world, then)) if isinstance(part, Test) else part
        for part in parts_of(where)
    ]
    return maybe(parts)


def _records_then(of: Set, world: World, then: Measure) -> Set:
    """ "Drugs of people over 50 at exposure": the records at which they were so old."""
    if of.unit in UNITS:
        return of
    parts: list[Condition] = []
    for part in parts_of(of.where):
        if isinstance(part, Of) and part.of.unit == PATIENT and part.of.pick is None:
            theirs = parts_of(part.of.where)
            aged = [one for one in theirs if isinstance(one, Test) and one.left in (Own("age"), world.age_of_patients)]
            rest = [one for one in theirs if one not in aged and one != Has(Set(of.unit))]
            parts += [replace(one, left=then) for one in aged]
            parts += [Of(replace(part.of, where=maybe(rest)))] if rest else []
        else:
            parts.append(part)
    return replace(of, where=maybe(parts))


def _age_then(of: Set, world: World) -> Measure | None:
    """The age at a record of a set, or at the first record that people have been chosen by; None without one."""
    if of.unit not in UNITS:
        return Age(Own("time")) if world.holds(of.unit, "time") else None
    had = [one for one in _had(of) if one.of.pick or (one.of.unit not in UNITS and (one.of.items or one.of.where))]
    diagnosed = [one for one in had if kind_of(one.of.unit.replace(" ", "_")).coded]
    had = diagnosed if len(diagnosed) == 1 else had
    if of.unit != PATIENT or len(had) != 1 or not world.holds(had[0].of.unit, "time"):
        return None
    return Age(Picked(Own("time"), replace(had[0].of, pick=had[0].of.pick or Pick())))


def _had(of: Set) -> Iterator[Has]:
    for part in parts_of(of.where):
        if isinstance(part, Has) and part.times is None:
            yield part
        elif isinstance(part, Of) and part.of.unit == PATIENT:
            yield from _had(part.of)


def _told(measure: Any, world: World, then: Measure) -> Any:
    """A measure (or the condition of a share), with the age then in place of an age."""
    if measure in (Own("age"), world.age_of_patients):
        return then
    return replace(measure, measure=_told(measure.measure, world, then)) if isinstance(measure, Band) else measure


def _counted(measure: Measure, world: World) -> Measure:
    """A number over a set: of the ages then, or of those who were so old then."""
    if not (isinstance(measure, Aggregate) and isinstance(measure.of, Set)):
        return measure
    if (then := _age_then(measure.of, world)) is None:
        return measure
    of = replace(measure.of, where=_limited_then(measure.of.where, world, then))
    return replace(measure, of=of, measure=_told(measure.measure, world, then))
