"""Query logic that people write: the forms of the offline planner and the whole algebra are one language."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, get_args

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.concepts import NO_CONCEPTS, Concepts
from ehrtui.logic.compile import steps_of
from ehrtui.logic.nodes import walk
from ehrtui.logic.parse import parse
from ehrtui.logic.render import render
from ehrtui.logic.steps import EarlierTurn, SqlStep
from ehrtui.logic.words import ORDINALS
from ehrtui.schema.profile import Profile

if TYPE_CHECKING:
    from ehrtui.logic.algebra.model import Statement


@dataclass(frozen=True)
class Written:
    """What a line of query logic means: its canonical `text`, the `steps` that answer it, the last one "answer", and
    those that also give people its context (`shown`), and what it asks as an English `sentence`."""

    text: str
    steps: tuple[SqlStep, ...]
    shown: tuple[SqlStep, ...]
    sentence: str


def written(
    text: str, profile: Profile, *, now: str, turns: Mapping[int, EarlierTurn], concepts: Concepts = NO_CONCEPTS
) -> Written:
    """A line of query logic read and compiled. Raises LogicError: of what could be read but not compiled, else of the
    reading that came farther."""
    from ehrtui.logic.algebra.lower import lowered  # sqlglot: too heavy for a start-up path
    from ehrtui.logic.algebra.parse import read_statement
    from ehrtui.logic.algebra.render import render_statement
    from ehrtui.logic.algebra.stayless import with_own_ages
    from ehrtui.logic.english.sentence import sentence

    try:
        logic = parse(text)
        meant = with_own_ages(lowered(logic), profile)
        steps, shown = steps_of(meant, profile, now=now, turns=turns, concepts=concepts)
        return Written(render(logic), steps, shown, sentence(logic, profile))
    except LogicError as error:
        as_form = error
    try:
        statement, places = read_statement(text)
    except LogicError as error:
        raise (as_form if _reach(as_form) >= _reach(error) else error) from None
    steps, shown = steps_of(statement, profile, now=now, turns=turns, places=places, concepts=concepts)
    return Written(render_statement(statement), steps, shown, sentence(statement, profile))


_BEFORE_UNITS = {"of", "last", "highest", "lowest", *ORDINALS}
"""Words of the algebra that stand before what a set is of, and are no part of a kind's name."""


@lru_cache(maxsize=4096)  # the turns of a long conversation are read again with each question
def statement_of(text: str) -> Statement:
    """The statement of a line of query logic, whichever way it is written. Raises LogicError."""
    from ehrtui.logic.algebra.lower import lowered
    from ehrtui.logic.algebra.parse import parse_statement
    from ehrtui.logic.algebra.render import plural

    try:
        form = lowered(parse(text))
    except LogicError:
        return parse_statement(text)
    # Forms name kinds of records and fields by any words, so that they take the algebra's plurals for kinds of their
    # own, and its picks, orders, parts of times and "distinct" for parts of names.
    units = _units(form)
    several = {unit for unit in units if unit.endswith("s")}
    picked = any(unit.partition(" ")[0] in _BEFORE_UNITS and unit.count(" ") for unit in units)
    misread = picked or any(map(_is_no_field, _fields(form)))
    if not (several or misread):
        return form
    try:
        statement = parse_statement(text)
    except LogicError:
        return form
    return statement if misread or several & {plural(unit) for unit in _units(statement)} else form


def _is_no_field(name: str) -> bool:
    """True for what the algebra has words of its own for, beside the name of a field."""
    from ehrtui.logic.algebra.model import Part

    return (
        " ordered by " in name
        or name.startswith("distinct ")
        or any(name.startswith(f"{part} of ") for part in get_args(Part))
    )


def _fields(part: object) -> set[str]:
    """The fields that are named in a part of a statement."""
    from ehrtui.logic.algebra.model import Own

    return {one.field for one in walk(part) if isinstance(one, Own)}


def _units(part: object) -> set[str]:
    """The units of all sets in a part of a statement."""
    from ehrtui.logic.algebra.model import Set

    return {one.unit for one in walk(part) if isinstance(one, Set)}


def _reach(error: LogicError) -> float:
    """How far a text was read: beyond its end, where only the compiler had something to say."""
    return math.inf if error.position is None else error.position
