"""A condition names a value that is not stored: written in another case, misspelt, or a value of something else."""

from __future__ import annotations

import ast
import re

from ehrtui.plans.absence import ALIKE, AbsentValue, Wanted
from ehrtui.plans.causes.through import through
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.editing import edited, source, span
from ehrtui.plans.evidence import Case
from ehrtui.plans.literals import conditions_of
from ehrtui.plans.sql_words import likeness
from ehrtui.plans.stored import Place, tie


def wrong_case(case: Case) -> Diagnosis | None:
    """The same letters are stored in another case."""
    absent = case.absent
    same = [near for near in absent.near if near.lower() == absent.wanted.value.lower()] if absent else []
    if not absent or not same:
        return None
    return Diagnosis(
        "wrong case",
        f"{absent.wanted.column} holds {same[0]!r}; the plan writes {absent.wanted.value!r}.",
        case.line,
        with_value(case, absent.wanted, same[0]),
        0.97,
        same_first(same[0], absent.near),
        quotes_rows=True,
    )


def misspelt_value(case: Case) -> Diagnosis | None:
    """One stored value is much like the one that is asked for."""
    absent = case.absent
    if not absent or not absent.near:
        return None
    best, *others = absent.near
    alike = likeness(best, absent.wanted.value)
    if alike < ALIKE or (absent.places and alike < 90):
        return None
    margin = alike - (likeness(others[0], absent.wanted.value) if others else 0)
    return Diagnosis(
        "misspelt value",
        f"No {absent.wanted.column} is {absent.wanted.value!r}; the nearest stored one is {best!r}.",
        case.line,
        with_value(case, absent.wanted, best),
        0.85 if margin >= 8 else 0.55,
        absent.near,
        changes_value=True,
        quotes_rows=True,
    )


def other_column(case: Case) -> Diagnosis | None:
    """Another column of the same table holds the value."""
    absent = case.absent
    here = [place for place in absent.places if place.table == absent.table.name] if absent else []
    if not absent or not here:
        return None
    columns = tuple(place.column for place in here)
    identifier = bool(case.schema.table(here[0].table)) and _is_number(absent, here[0].column)
    return Diagnosis(
        "wrong identifier" if identifier else "value of another column",
        f"{absent.wanted.value!r} is no {absent.wanted.column}: it is stored as {', '.join(columns)}.",
        case.line,
        _with_column(case, absent.wanted, here[0]),
        0.9 if len(here) == 1 else 0.6,
        columns,
        changes_value=True,
        quotes_rows=True,
    )


def missing_dictionary_join(case: Case) -> Diagnosis | None:
    """The name of an item stands where its key is stored."""
    absent = case.absent
    linked = _linked(case, absent)
    if not absent or linked is None or _is_number(absent, absent.wanted.column):
        return None
    place, key = linked
    return Diagnosis(
        "missing dictionary join",
        f"{absent.table.name} holds the key {absent.wanted.column}; {absent.wanted.value!r} is a {place.column} of "
        f"{place.table}, which gives the key.",
        case.line,
        through(case, absent.wanted.index, absent.table, place, key),
        0.85,
        (f"{place.table}.{place.column}",),
        quotes_rows=True,
    )


def other_identifier(case: Case) -> Diagnosis | None:
    """A number identifies something else, and another table says what belongs to it."""
    absent = case.absent
    column = absent.table.column(absent.wanted.column) if absent else None
    if not absent or column is None or not column.is_number or not absent.places:
        return None
    place = absent.places[0]
    if place.column.lower() == absent.wanted.column.lower():
        return Diagnosis(
            "value of another table",
            f"{absent.wanted.value} is a {place.column} of {place.table}, and {absent.table.name} never holds it.",
            case.line,
            None,
            0.7,
            tuple(dict.fromkeys(f"{each.table}.{each.column}" for each in absent.places)),
            changes_value=True,
            quotes_rows=True,
        )
    both = [each for each in absent.places if case.schema.has(each.table, absent.wanted.column, each.column)]
    return Diagnosis(
        "wrong identifier",
        f"{absent.wanted.value} is no {column.name}: it is a {place.column}.",
        case.line,
        through(case, absent.wanted.index, absent.table, both[0], column.name) if both else None,
        0.85 if both else 0.6,
        (place.column,),
        changes_value=True,
        quotes_rows=True,
    )


def other_table(case: Case) -> Diagnosis | None:
    """A table of other records holds the value."""
    absent = case.absent
    if not absent or not absent.places:
        return None
    place = absent.places[0]
    return Diagnosis(
        "value of another table",
        f"No {absent.wanted.column} of {absent.table.name} is {absent.wanted.value!r}; it is a {place.column} of "
        f"{place.table}.",
        case.line,
        _in_other_table(case, absent),
        0.6,
        tuple(dict.fromkeys(f"{each.table}.{each.column}" for each in absent.places)),
        changes_value=True,
        quotes_rows=True,
    )


def unknown_value(case: Case) -> Diagnosis | None:
    """Nothing that is stored is like the value."""
    absent = case.absent
    if not absent:
        return None
    return Diagnosis(
        "absent value",
        f"No {absent.wanted.column} of {absent.table.name} is {absent.wanted.value!r}, and nothing is spelt like it.",
        case.line,
        None,
        0.6,
        absent.near,
        quotes_rows=True,
    )


def with_value(case: Case, wanted: Wanted, value: str) -> str | None:
    """The plan that asks for `value` instead: in the condition itself, or where the plan spells it elsewhere."""
    found = conditions_of(case)
    spelt = value.replace("'", "\\'") if "||" in value else value
    if found and wanted.value in found[1].pieces[wanted.index]:
        _, literal, _ = found
        head, _, tail = literal.pieces[wanted.index].rpartition(wanted.value)
        if literal.quote[0] in spelt and len(literal.quote) == 1:
            return None
        return literal.with_piece(wanted.index, f"{head}{spelt}{tail}")
    spelled = [node for node in case.nodes(ast.Constant) if node.value == wanted.value]
    return edited(case.plan, [(*span(case.plan, node), repr(value)) for node in spelled]) if spelled else None


def same_first(first: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """`first`, then the others."""
    return tuple(dict.fromkeys((first, *others)))


def _is_number(absent: AbsentValue, column: str) -> bool:
    found = absent.table.column(column)
    return found is not None and found.is_number


def _with_column(case: Case, wanted: Wanted, place: Place) -> str | None:
    found = conditions_of(case)
    if not found:
        return None
    _, literal, _ = found
    piece = literal.pieces[wanted.index]
    renamed = re.sub(re.escape(wanted.column), place.column.lower(), piece, count=1, flags=re.IGNORECASE)
    if place.value != wanted.value:
        renamed = renamed.replace(wanted.value, place.value)
    return literal.with_piece(wanted.index, renamed)


def _linked(case: Case, absent: AbsentValue | None) -> tuple[Place, str] | None:
    """The place that holds the value in a table which gives keys for the column, and the key."""
    for place in absent.places if absent else ():
        other = case.schema.table(place.table)
        if absent is None or other is None or other is absent.table:
            continue
        link = tie(case.facts.engine, absent.table, other)
        if link and link.column.lower() == absent.wanted.column.lower():
            return place, link.column
    return None


def _in_other_table(case: Case, absent: AbsentValue) -> str | None:
    """The plan that filters a table which has all columns that the conditions and the rest of the plan name."""
    found = conditions_of(case)
    if not found:
        return None
    call, _, _ = found
    loaded = case.definition(call.args[0])
    if not (isinstance(loaded, ast.Call) and source(case.plan, loaded).startswith("LoadDB(")):
        return None
    named = {column.name.lower() for column in absent.table.columns}
    used = {word for word in re.findall(r"\w+", case.plan.lower()) if word in named}
    for place in absent.places:
        other = case.schema.table(place.table)
        if (
            other
            and all(other.column(column) for column in used)
            and place.column.lower() == absent.wanted.column.lower()
        ):
            return edited(case.plan, [(*span(case.plan, loaded.args[0]), f'"{place.table.lower()}"')])
    return None
