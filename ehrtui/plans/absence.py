"""No rows because a condition names a value that its column does not hold at all: refused, with what may be meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ehrtui.engines.engine import Engine
from ehrtui.errors import ToolError
from ehrtui.plans.links import is_dictionary, links_of
from ehrtui.plans.sql_words import likeness
from ehrtui.plans.stored import Place, is_known, is_stored, nearest_stored, places_of
from ehrtui.schema.model import Table

ALIKE = 75
"""From this likeness on (0 to 100), a stored value may be a misspelt one."""
_SHOWN = 4


@dataclass(frozen=True)
class Wanted:
    """The value that one condition of a FilterDB asks for: `index` is its place among the `conditions`, which is the
    whole text."""

    conditions: str
    index: int
    column: str
    value: str


class AbsentValue(ToolError):
    """A condition names a value that its column does not hold. `near` are the stored values most like it, best first;
    `places` are the columns that do hold it."""

    def __init__(self, table: Table, wanted: Wanted, near: tuple[str, ...], places: tuple[Place, ...]) -> None:
        elsewhere = tuple(dict.fromkeys(f"{place.table}.{place.column}" for place in places))
        more = ", and elsewhere" if len(elsewhere) > _SHOWN else ""
        why = [f"{wanted.value!r} is stored in {', '.join(elsewhere[:_SHOWN])}{more}."] if elsewhere else []
        why += [f"The nearest of its values: {', '.join(near)}."] if near else []
        if near and near[0].lower() == wanted.value.lower():
            next_step = f"Write it as it is stored: {near[0]}."
        elif near and (not places or likeness(near[0], wanted.value) >= ALIKE):
            next_step = f"Did you mean {' or '.join(near[:3])}?"
        elif places:
            next_step = f"Filter {places[0].table} by {places[0].column} first."
        else:
            next_step = "Look at the values of the column."
        super().__init__(
            f"No {wanted.column} of {table.name} is {wanted.value[:80]!r}.",
            why=" ".join(why),
            next_step=next_step,
            kind="ToolError",
            suggestions=near,
        )
        self.table = table
        self.wanted = wanted
        self.near = near
        self.places = places


def refuse_absent(engine: Engine, table: Table, wanted: Iterable[Wanted]) -> None:
    """Raises AbsentValue for the first value that explains why no rows were found.

    A text must stand in its column, or, where the column holds codes of a dictionary, in that dictionary. A number is
    refused only where it is no identifier of this kind, but is one of another: a patient's number for a stay's.
    """
    schema = engine.schema()
    for each in wanted:
        found = table.column(each.column)
        if found is None or found.is_time or is_stored(engine, table, each.column, each.value) is not False:
            continue
        linked = links_of(schema, table, each.column)
        if is_known(engine, table, each.column, each.value) or (found.is_number and not linked):
            continue
        places = places_of(engine, each.value, links_only=found.is_number, number=found.is_number)
        places = tuple(place for place in places if (place.table, place.column) != (table.name, found.name))
        if found.is_number:
            if places:
                raise AbsentValue(table, each, (), places)
            continue
        # Never the identifiers of other patients: one that is spelt alike is somebody else.
        codes = not linked or is_dictionary(table) or any(is_dictionary(link.other) for link in linked)
        near = nearest_stored(engine, table, each.column, each.value) if codes else ()
        raise AbsentValue(table, each, near, places)
