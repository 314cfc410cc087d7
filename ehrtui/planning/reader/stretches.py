"""Stretches of a question, each read as a question of its own: the cohort, measure or criterion that it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    Condition,
    Groups,
    Has,
    Measure,
    Named,
    Of,
    Own,
    Pick,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.offline.words import Text, words_of
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexicon import tokens
from ehrtui.planning.reader.meanings import every, limited, parts_of
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.world import World

Reading: TypeAlias = Callable[[Text], Sequence[Read]]
"""How a stretch of a question is read, whose other words are blank."""
Measures: TypeAlias = "Mapping[tuple[str, ...], tuple[str, str]]"
"""Measures with a name, by the words of what they are called: the name, and the unit that has it."""
Places: TypeAlias = tuple[tuple[int, int], ...]
"""Stretches [start, end) in letters."""


_DEFINED = re.compile(r"\(([^()]*\d[^()]*)\)")
_HIGHEST = frozenset(("the", "highest", "worst", "maximum", "max", "peak", "their"))
_PLAIN = 1.5
"""What a definition costs at most."""


@dataclass(frozen=True)
class Part:
    """What a stretch was read as: the patients or stays `of` whom it tells, of a measure the `measure` of each, which
    is taken of `records` (None: of no records)."""

    of: Set
    read: Read | None
    measure: Measure | None = None
    records: Set | None = None

    @property
    def price(self) -> float:
        """What the reading costs; one that is better than usual is no reason to read what is beside it otherwise."""
        return max(self.read.price, 0.0) if self.read is not None else 0.0


class Stretches:
    """The stretches of one question. `read` reads one; the same is read once."""

    def __init__(self, text: Text, read: Reading, world: World) -> None:
        self.text = text
        self.world = world
        self._read = cache(lambda start, end, without: tuple(read(self._only(start, end, without))))

    def readings(self, start: int, end: int, without: Places) -> Sequence[Read]:
        """The readings of a stretch without what is taken out of it."""
        found: Sequence[Read] = self._read(start, end, without)
        return found

    def cohort(self, start: int, end: int, without: Places = ()) -> Part | None:
        """The patients that a stretch names, at the least price; None where it names none. What a name is defined by,
        in parentheses behind it, goes before the name."""
        for one in _DEFINED.finditer(self.text.lower, start, end):
            meant = self.cohort(one.start(1), one.end(1), without)
            if meant is not None and meant.of.where is not None and meant.price <= _PLAIN:
                return meant
        found = [
            Part(_people(of), one)
            for one in self.readings(start, end, without)
            if (of := rows_about(one.statement)) is not None
            and not _several(one.statement)
            and not (isinstance(one.statement, Groups) and one.statement.order is None)  # "by ward" names nobody
            and not _bare_attribute(one.statement)
        ]
        return min(found, key=lambda one: one.price, default=None)

    def stays(self, start: int, end: int, without: Places = ()) -> Set | None:
        """The stays that a stretch names, where it names nothing else of them; None where it does not."""
        for one in self.readings(start, end, without)[:1]:
            statement = one.statement
            if isinstance(statement, Rows) and statement.of.unit in (HOSPITAL, ICU) and statement.of.where is None:
                return statement.of
        return None

    def measure(self, start: int, end: int, cohort: Set, without: Places, within: Set | None) -> Part | None:
        """What a stretch measures of each patient of a cohort, `within` these stays; None where it measures nothing."""
        said = self._only(start, end, without).lower.split()
        if {"age", "ages"} & set(said):
            return Part(cohort, None, self.world.age_of_patients)
        named = self.world.measures.get(tuple(one for one in tokens(" ".join(said)) if one not in _HIGHEST))
        if named is not None:
            return Part(cohort, None, Aggregate("maximum", within or Set(named[1]), Named(named[0])))
        for one in self.readings(start, end, without):
            of = one.statement.of if isinstance(one.statement, Rows | Groups) else None
            if of is None or of.unit == PATIENT:
                continue
            of = limited(of, Of(within)) if within is not None else of
            records = replace(of, pick=None)
            if of.unit not in (HOSPITAL, ICU):
                return Part(cohort, one, _taken_of(of, records), records)
            if Own("length") in one.statement.columns:  # type: ignore[union-attr]
                return Part(cohort, one, Aggregate("sum", records, Own("length")), records)
        return None

    def groups(self, start: int, end: int, without: Places) -> tuple[tuple[Measure, ...], Part] | None:
        """What a stretch that begins with "by" or "per" makes groups by; None where it makes none."""
        for one in self.readings(start, end, without):
            if isinstance(one.statement, Groups):
                return one.statement.by, Part(one.statement.of, one)
        return None

    def _only(self, start: int, end: int, without: Places) -> Text:
        """The question with blanks for all but a stretch, and for what is taken out of that."""

        def blank(said: str) -> str:
            kept = [letter if start <= at < end else " " for at, letter in enumerate(said)]
            for first, last in without:
                kept[first:last] = " " * (last - first)
            return "".join(kept)

        lower = blank(self.text.lower)
        return Text(blank(self.text.typed), lower, words_of(lower))


def _bare_attribute(statement: Statement) -> bool:
    """True for all values of an attribute, or their number, which are nobody: "insurance", "each ward"."""
    match statement:
        case Single(columns=(Aggregate(function="distinct", of=Set() as of, measure=Own(field)),)):
            return of == Set(of.unit) and field not in (PATIENT, "id")
        case Rows(of=of, columns=(Own(),), distinct=True):
            return of == Set(of.unit)
    return False


def _several(statement: Statement) -> bool:
    """True for several numbers: they are of several sets."""
    return isinstance(statement, Single) and len(statement.columns) > 1


def _people(of: Set) -> Set:
    """The patients whose rows these are."""
    return of if of.unit == PATIENT else Set(PATIENT, where=Has(replace(of, pick=None)))


def stays_of(cohort: Set) -> Set | None:
    """The hospital stays in which the patients of a cohort had what makes them one; None where nothing does."""
    had = [of_stay(one) for one in parts_of(cohort.where) if isinstance(one, Has)]
    conditions = [one for one in had if one is not None]
    return Set(HOSPITAL, where=every(conditions)) if conditions else None


def of_stay(condition: Condition) -> Condition | None:
    """A condition on patients as one on a stay: what they had in a stay of theirs, the stay has; None for nothing."""
    match condition:
        case Has(of=Set(unit="hospital stay", where=where), times=None):
            return where
    return condition


def _taken_of(of: Set, records: Set) -> Measure:
    """The value that a pick means of a patient's records: the highest, the last; the first where none is said."""
    pick = of.pick
    if pick is not None and pick.by is not None:
        return Aggregate("maximum" if pick.descending else "minimum", records, Own("value"))
    return Picked(Own("value"), replace(records, pick=Pick(descending=pick.descending if pick is not None else False)))
