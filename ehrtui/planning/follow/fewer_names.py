"""One name in the place of a whole family: "and codeine?", after everybody with an allergy that is called as latex."""

from __future__ import annotations

from ehrtui.logic.algebra.model import UNITS, Item, Set, Statement
from ehrtui.logic.nodes import walk


def takes_fewer_names(marked: Statement, charted: Statement, before: Statement) -> bool:
    """True where records that the answer `before` told by several names are told by one alone in the marks' reading,
    and by this and others like it in the chart's."""
    several = {unit for unit, items in _named(before) if len(items) > 1}
    alone = {(unit, items) for unit, items in _named(marked) if unit in several and len(items) == 1}
    return any(unit == other and items < more for unit, items in alone for other, more in _named(charted))


def _named(statement: Statement) -> set[tuple[str, frozenset[Item]]]:
    """The kinds of records in a statement that are told by names, with these."""
    sets = (part for part in walk(statement) if isinstance(part, Set) and part.items and part.unit not in UNITS)
    return {(part.unit, frozenset(part.items)) for part in sets}
