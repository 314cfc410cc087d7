"""The answer of a plan as rows: a scalar is one row of one column, a list one column, a list of tuples its rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from ehrtui.engines.engine import Row, Scalar
from ehrtui.errors import PlanError

_LARGEST = 2**63


def to_rows(value: object) -> tuple[tuple[str, ...], list[Row]]:
    """Columns and rows of a Python value that a plan gave as its answer; a dict gives its keys and values, a list of
    dicts with the same keys a column for each. Raises PlanError for what has no rows, such as a function."""
    if isinstance(value, dict):
        return ("key", "value"), [(_scalar(key), _scalar(each)) for key, each in value.items()]
    if isinstance(value, tuple):
        return _table([value])
    if not isinstance(value, list | set | frozenset):
        return ("answer",), [(_scalar(value),)]
    items = list(value)
    if items and all(isinstance(item, list | tuple) for item in items):
        return _table(items)
    if items and all(isinstance(item, dict) and item.keys() == items[0].keys() for item in items):
        columns = tuple(str(key) for key in items[0])
        return columns, [tuple(_scalar(each) for each in item.values()) for item in items]
    return ("answer",), [(_scalar(item),) for item in items]


def _table(items: Sequence[Sequence[object]]) -> tuple[tuple[str, ...], list[Row]]:
    widths = {len(item) for item in items}
    if len(widths) > 1 or widths == {0}:
        raise _unusable("Its rows have different lengths, or none.")
    width = widths.pop()
    columns = ("answer",) if width == 1 else tuple(f"answer_{number}" for number in range(1, width + 1))
    return columns, [tuple(_scalar(each) for each in item) for item in items]


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
    raise _unusable(f"It is a {type(value).__name__}.")


def _unusable(why: str) -> PlanError:
    return PlanError(
        "The plan's answer cannot be shown as rows.",
        why=why,
        next_step="Set `answer` to a value, a list, a list of tuples, or a table.",
        kind="AnswerError",
    )
