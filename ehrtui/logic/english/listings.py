"""Questions for rows and what they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, UNITS, Interval, Measure, Order, Own, Rows, Set
from ehrtui.logic.english.clauses import At, noun, the
from ehrtui.logic.english.measures import kind_name, names_of
from ehrtui.logic.english.numbers import asked, of_number, present
from ehrtui.logic.english.orders import extreme, sorted_by, ties
from ehrtui.logic.english.things import Thing, measured, patients_of, thing, without
from ehrtui.logic.english.words import listed, plural, spoken


def of_rows(statement: Rows, at: At) -> str:
    """The question for rows."""
    columns, order = statement.columns, statement.order
    spans = [one for one in columns if isinstance(one, Interval)]
    of = without(statement.of, [*columns, *(end for one in spans for end in (one.start, one.end))])
    rows = thing(of, at)
    own = at.about(of.unit)
    first = order.first if order is not None else None
    if order is not None and first is not None:
        ranked = _ranked(rows, order, own)
        asked = [one for one in _told(columns) if one != order.by]
        tail = "" if columns == (Own("id"),) else ", and what is it" if order.by in columns else ""
        tail += f", and what {_are(asked)} {_columns(asked, own)}" if asked and columns != (Own("id"),) else ""
        return f"which {ranked}{_distinct(statement)}{tail}"
    sort = sorted_by(order, own)
    if columns == (Own("id"),):
        return f"{_which(rows, of)}{_distinct(statement)}{sort}"
    if columns == (Own("name"),) and of.unit not in UNITS:
        return _names(rows, of, statement.distinct, at) + sort
    if statement.distinct and columns == (Own(PATIENT),) and of.pick is None:
        patients = patients_of(of)
        return f"{_which(thing(patients, at), patients)}{sort}"
    if statement.distinct and not rows.single:
        what = plural(noun(columns[0], own))
        if len(columns) > 1:
            what = f"combinations of {listed([noun(one, own) for one in columns])}"
        return f"what different {what} are there among {rows.many()}{sort}"
    if columns == (Own("value"),) and (named := measured(of)) is not None:
        alone = thing(of, at, head=named)
        return f"what {'is' if alone.single else 'are'} the {alone.bare(one=alone.single)}{sort}"
    if columns == (Own("time"),) and rows.single:
        return f"when was {rows.one()}{sort}"
    told = _told(columns)
    if all(isinstance(one, Own) for one in columns):
        preposition = "at" if told == [Own("age")] and of.unit in (HOSPITAL, ICU) else "of"
        return f"what {_are(told)} {_columns(told, own)} {preposition} {rows.each()}{sort}"
    if len(told) == 1:
        return f"for {rows.each()}, {of_number(told[0], own)}{sort}"
    return f"for {rows.each()}, what {_are(told)} {_columns(told, own)}{sort}"


def _told(columns: Sequence[Measure]) -> list[Measure]:
    """The columns but for the identifier that comes first: it is shown anyway."""
    return list(columns[1:]) if columns[0] == Own("id") and len(columns) > 1 else list(columns)


def _columns(columns: Sequence[Measure], own: At) -> str:
    said = [noun(one, own) for one in columns]
    if all(isinstance(one, Own) for one in columns):
        return f"the {listed(said)}"
    return listed([the(one, own) for one in columns])


def _are(columns: Sequence[Measure]) -> str:
    return "are" if len(columns) > 1 else "is"


def _which(rows: Thing, of: Set) -> str:
    if rows.picked:
        return f"which {'are' if rows.several else 'is'} the {rows.bare()}"
    if rows.named:
        return f"which {plural(spoken(of.unit))} are there among {rows.many()}"
    if of.unit not in UNITS or not rows.verbs:
        return f"which {present(rows, 'are there')}"
    return asked("which", rows)


def _names(rows: Thing, of: Set, distinct: bool, at: At) -> str:
    called, different = names_of(of.unit), "different " if distinct else ""
    if rows.picked:
        name = "" if rows.heads == called else f"the {kind_name(of.unit) if rows.single else called} of "
        return f"{'what is' if rows.single else 'which are'} {name}{rows.some()}"
    if not of.items and not rows.before:
        later = tuple(f"for {one[3:]}" if one.startswith("of ") else one for one in rows.later)
        return f"which {different}{present(replace(rows, heads=called, later=later), 'are recorded')}"
    return f"which {different}{called} are named in {rows.many()}"


def _distinct(statement: Rows) -> str:
    return ", each once" if statement.distinct else ""


def _ranked(rows: Thing, order: Order, own: At) -> str:
    assert order.first is not None
    size = f"{order.first} " if order.first != 1 else ""
    noun_of = rows.bare(one=order.first == 1)
    verb = "have" if order.first != 1 else "has"
    return f"{size}{noun_of} {verb} the {extreme(order, own)}{ties(order)}"
