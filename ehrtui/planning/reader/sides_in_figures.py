"""Several figures of sides that are set against each other: "emergency vs elective admissions: number, mean stay"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import Aggregate, Groups, Statement, Whether
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.comparing import COMPARED
from ehrtui.planning.reader.meanings import every, parts_of
from ehrtui.planning.reader.reader import Read

_SIDES = re.compile(r"^(?P<head>[^:;]*\b(?:vs\.?|versus)\s[^:;]*?)\s*[:;]\s*(?P<figures>[^:;]+)$")
_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|&|\+)\s+")
_MOST = 4
_DEAREST = 1.6
"""What one of the figures may cost by itself: what is dearer was hardly understood."""
_APART = 0.2


def sides_in_figures(said: Text, read: Callable[[Text], Sequence[Read]]) -> Iterator[Read]:
    """The reading of such a question as one table of all figures by what tells the sides apart, each figure `read` with
    the sides."""
    found = _SIDES.match(said.lower.rstrip(" ?.!"))
    figures = _AND.split(found["figures"]) if found is not None else []
    if found is None or not 1 < len(figures) <= _MOST:
        return
    made = [next(iter(read(words_read(f"{found['head']}: {figure}"))), None) for figure in figures]
    reads = [one for one in made if one is not None and one.price <= _DEAREST]
    first = reads[0].statement if reads else None
    if len(reads) < len(figures) or not isinstance(first, Groups):
        return
    columns = [_beside(first, one.statement) for one in reads]
    told = tuple(dict.fromkeys(column for column in columns if column is not None))
    if len(told) == len(figures):
        price = max(one.price for one in reads) + _APART
        yield Read(replace(first, columns=told), price, (COMPARED, *reads[0].why), (), (), ())


def figures_of_sides(lower: str) -> int:
    """How many figures are asked of two sides in a text in lower case; 0 where it sets none against each other."""
    found = _SIDES.match(lower.rstrip(" ?.!"))
    return len(_AND.split(found["figures"])) if found is not None else 0


def _beside(first: Groups, other: Statement) -> Aggregate | None:
    """The figure of another table in the same groups, of the rows of the first: a number of some of them is how many of
    them are such. None where it is of other rows."""
    if not isinstance(other, Groups) or len(other.columns) != 1 or other.order or first.order or other.by != first.by:
        return None
    column, rest = other.columns[0], [*parts_of(other.of.where)]
    if other.of == first.of:
        return column
    if not set(parts_of(first.of.where)) <= set(rest) or replace(other.of, where=first.of.where) != first.of:
        return None
    further = every([part for part in rest if part not in parts_of(first.of.where)])
    counts = isinstance(column, Aggregate) and column.function in ("count", "distinct")
    return Aggregate("sum", None, Whether(further)) if counts else None
