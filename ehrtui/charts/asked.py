"""What query logic says of the columns of an answer, for its chart: which are the answer, which name groups, in which
bands numbers lie, and of what the values are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ehrtui.errors import LogicError

if TYPE_CHECKING:
    from ehrtui.logic.algebra.model import Statement

COUNTING = ("count", "distinct")
NO_KEYS: tuple[int, bool, tuple[float | None, ...]] = (0, False, ())


@dataclass(frozen=True)
class Asked:
    """The first `columns` are the answer (None: all are), the first `keys` of these name its groups (0: the rows are no
    groups), and the first number behind those `counts` something or does not. `widths` are those of the bands that the
    keys are, None for a key that is none. The values that are asked for are of `of`, the
    columns in `units`, "" for one without."""

    columns: int | None = None
    keys: int = 0
    counts: bool = False
    widths: tuple[float | None, ...] = ()
    of: str = ""
    units: tuple[str, ...] = ()


def asked_of(logic: str, columns: int) -> Asked:
    """What a line of query logic says of an answer, the first `columns` of which are what it asks for."""
    from ehrtui.logic.written import statement_of

    try:
        statement = statement_of(logic) if logic else None
    except LogicError:  # a language model's own words for its plan
        statement = None
    if statement is None:
        return Asked(columns)
    keys, counts, widths = _keys(statement)
    return Asked(columns, keys, counts, widths, _of(statement), _units(statement))


def _keys(statement: Statement) -> tuple[int, bool, tuple[float | None, ...]]:
    from ehrtui.logic.algebra.model import Aggregate, Band, Groups, Rows

    match statement:
        case Groups(by=keys, columns=(number, *_), asked="all"):
            pass
        case Rows(distinct=True, columns=held) if isinstance(held[-1], Aggregate):
            keys = tuple(one for one in held if not isinstance(one, Aggregate))
            number = next(one for one in held if isinstance(one, Aggregate))
            if held.index(number) < len(keys):
                return NO_KEYS
        case _:
            return NO_KEYS
    return len(keys), number.function in COUNTING, tuple(one.width if isinstance(one, Band) else None for one in keys)


def _units(statement: Statement) -> tuple[str, ...]:
    """In which unit each column is that was asked."""
    from ehrtui.logic.algebra.model import Groups, Rows
    from ehrtui.logic.english.units import spelling_of

    match statement:
        case Rows(columns=columns):
            return tuple(spelling_of(one).unit for one in columns)
        case Groups(by=keys, columns=numbers, asked="all"):
            return tuple(spelling_of(one).unit for one in (*keys, *numbers))
    return ()


def _of(statement: Statement) -> str:
    """The one name whose values are asked for, or what a histogram is of; "" where there are none, or several."""
    from ehrtui.logic.algebra.model import Histogram, Own, Rows
    from ehrtui.logic.algebra.naming import title_of

    match statement:
        case Histogram(measure=measure):
            return title_of(measure).replace("_", " ")
        case Rows(of=of, columns=columns) if Own("value") in columns and len(of.items) == 1:
            return of.items[0].text
    return ""
