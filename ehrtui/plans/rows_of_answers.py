"""The answer of a plan as rows: a scalar is one row of one column, a list one column, a list of lists its rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from ehrtui.engines.engine import Row, Scalar
from ehrtui.errors import PlanError

_LARGEST = 2**63


def to_rows(value: object) -> tuple[tuple[str, ...], list[Row]]:
    """Columns and rows of a Python value that a plan gave as its answer: a tuple is one row, and lists or tuples within
    a list, or within a tuple of nothing else, are rows. A dict gives its keys and values, a list of dicts with the same
    keys a column for each. A tuple within a row, and a list or tuple of a dict, is spread over the columns. Raises
    PlanError for rows of different lengths, and for what has no rows, such as a function."""
    if isinstance(value, dict):
        return _table([(key, *value) if _is_many(value) else (key, value) for key, value in value.items()], "key")
    if isinstance(value, tuple) and not (value and all(map(_is_many, value))):
        return _table([value])
    if not isinstance(value, list | tuple | set | frozenset):
        return ("answer",), [(_scalar(value),)]
    items = list(value)
    if items and all(map(_is_many, items)):
        return _table(items)
    if items and all(isinstance(item, dict) and item.keys() == items[0].keys() for item in items):
        columns = tuple(str(key) for key in items[0])
        return columns, [tuple(_scalar(each) for each in item.values()) for item in items]
    if any(map(_is_many, items)):
        raise _unusable("Some of its items are rows, and others are single values.")
    return ("answer",), [(_scalar(item),) for item in items]


def _is_many(value: object) -> bool:
    return isinstance(value, list | tuple)


def _table(items: Sequence[Sequence[object]], first: str = "") -> tuple[tuple[str, ...], list[Row]]:
    """Rows that must be of one length; a pair whose `first` column has a name calls the other one `value`."""
    rows = [tuple(map(_scalar, _spread(item))) for item in items]
    width = len(rows[0]) if rows else 2
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise _unusable(f"Row 1 has {_values(width)}, row {number} has {_values(len(row))}.")
    if width == 0:
        raise _unusable("Its rows are empty.")
    if first and width == 2:
        return (first, "value"), rows
    return ("answer",) if width == 1 else tuple(f"answer_{number}" for number in range(1, width + 1)), rows


def _spread(row: Sequence[object]) -> Iterator[object]:
    """The values of a row, those of tuples in it (keys of several parts) beside the others."""
    for value in row:
        if isinstance(value, tuple):
            yield from _spread(value)
        else:
            yield value


def _values(count: int) -> str:
    return f"{count:,} value{'' if count == 1 else 's'}"


def _scalar(value: object) -> Scalar:
    """A value as the engine can keep it."""
    match value:
        case bool():
            return int(value)
        case int():
            if value.bit_length() > 1000:
                raise _unusable("It is a whole number of more than 300 digits.")
            return value if -_LARGEST <= value < _LARGEST else float(value)
        case float():
            return None if math.isnan(value) else value
        case str() | bytes() | None:
            return value
        case datetime():
            return value.isoformat(" ", "seconds")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return value / timedelta(days=1)
        case Decimal():
            return float(value)
        case list() | tuple() | dict() | set() | frozenset():
            raise _unusable("It has lists within its rows.")
    name = type(value).__name__
    raise _unusable("It is an object of the plan's own." if name.startswith("Monty") else f"It is of type {name}.")


def _unusable(why: str) -> PlanError:
    return PlanError(
        "The plan's answer cannot be shown as rows.",
        why=why,
        next_step="Set `answer` to a value, a list, a list of rows of one length, or a table.",
        kind="AnswerError",
    )
