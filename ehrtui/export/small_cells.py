"""Small cells: counts of so few that somebody might be known by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ehrtui.logic.algebra.model import (
    Aggregate,
    Arms,
    Attrition,
    Characteristics,
    Groups,
    Histogram,
    Overlap,
    Own,
    Prevalence,
    Rows,
    Single,
    Summary,
    TimeTo,
)

if TYPE_CHECKING:
    from ehrtui.engines.engine import Row, Scalar
    from ehrtui.logic.algebra.model import Statement

_COUNTING = ("count", "distinct", "sum")
_SEXES = {"female", "male"}


def hidden(
    statement: Statement | None, columns: Sequence[str], rows: tuple[Row, ...], least: int
) -> tuple[tuple[Row, ...], int]:
    """The rows of what a statement counted, and in how many of them numbers were hidden. A count above 0 and below
    `least` is hidden, with what else was reckoned of the same people: in its row; in a summary, its percentage and the
    other sex. Rows of patients, stays or records are no counts. What is hidden may still follow from what is not (a
    total less the others); who publishes a table looks at that. Of the time to an event, where nearly every row is of
    one person, no numbers are hidden: rows of few are left out, and the next one counts their events too."""
    if least < 2:
        return rows, 0
    match statement:
        case TimeTo(of=cohorts):
            steps = _in_larger_steps(rows, len(cohorts) > 1, least)
            return steps, len(rows) - len(steps)
        case Summary():
            found = [_summary(columns, row, least) for row in rows]
        case Characteristics(of=cohorts):
            found = _table(rows, len(cohorts), least)
        case _:
            keys = _keys(statement)
            if keys is None:
                return rows, 0
            found = [_row(row, keys, least) for row in rows]
    return tuple(found), sum(new != old for new, old in zip(found, rows, strict=True))


def _keys(statement: Statement | None) -> int | None:
    """How many columns of what a statement counted name its rows; None where it counted nothing."""
    match statement:
        case Groups(by=by, columns=numbers) if any(one.function in _COUNTING for one in numbers):
            return len(by)
        case Rows(distinct=True, columns=held) if any(map(_is_count, held)):
            return sum(not isinstance(one, Aggregate) for one in held)
        case Single(columns=held) if any(map(_is_count, held)):
            return 0
        case Prevalence(by=by):
            return len(by)
        case Histogram() | Attrition():
            return 2
        case Arms() | Overlap():
            return 0
    return None


def _is_count(measure: Any) -> bool:
    return isinstance(measure, Aggregate) and measure.function in _COUNTING and not isinstance(measure.measure, Own)


def _row(row: Row, keys: int, least: int) -> Row:
    """A row whose numbers are hidden where one of its counts is small."""
    told = row[keys:]
    if not any(_is_small(value, least) for value in told):
        return row
    return (*row[:keys], *(_masked(value, least) for value in told))


def _in_larger_steps(rows: tuple[Row, ...], named: bool, least: int) -> tuple[Row, ...]:
    """The rows of curves at which at least so many are at risk and have had the event since the row before; the
    beginning of each curve, too. What is estimated for a row's time is the same as before."""
    kept: list[Row] = []
    since: dict[Scalar, int] = {}
    for row in rows:
        name = row[0] if named else None
        time, risk, events = row[named : named + 3]
        begins = name not in since and time == 0
        since[name] = since.get(name, 0) + int(events or 0)
        if int(risk or 0) >= least and (since[name] >= least or (begins and not events)):
            kept.append((*row[: named + 2], since[name], *row[named + 3 :]))
            since[name] = 0
    return tuple(kept)


def _summary(columns: Sequence[str], row: Row, least: int) -> Row:
    """The one row of a summary, the first column of which says how many there are."""
    if _is_small(row[0], least):
        return tuple(_masked(value, least) for value in row)
    few = _with_other_sex({title for title, value in zip(columns, row, strict=True) if _is_small(value, least)})
    return tuple(
        _masked(value, least) if title.removeprefix("percent_") in few else value
        for title, value in zip(columns, row, strict=True)
    )


def _table(rows: Sequence[Row], cohorts: int, least: int) -> list[Row]:
    """The rows of a table of cohorts, each of which is a figure: its name, then a column for each cohort."""
    few = {at: _few_in(rows, at, least) for at in range(1, cohorts + 1)}
    found = []
    for row in rows:
        what = str(row[0]).split(",")[0]
        hide = {at for at in few if few[at] is None or what in (few[at] or ())}
        apart = hide and set(range(cohorts + 1, 2 * cohorts))
        found.append(
            tuple(_masked(value, least) if at in hide | (apart or set()) else value for at, value in enumerate(row))
        )
    return found


def _few_in(rows: Sequence[Row], at: int, least: int) -> set[str] | None:
    """The figures of a cohort that are of few; None where the cohort is."""
    if rows and _is_small(rows[0][at], least):
        return None
    counts = {str(row[0]) for row in rows if "," not in str(row[0]) and _is_small(row[at], least)}
    return _with_other_sex(counts)


def _with_other_sex(few: set[str]) -> set[str]:
    return few | _SEXES if few & _SEXES else few


def _masked(value: Any, least: int) -> Any:
    if _is_small(value, least):
        return f"<{least}"
    return None if isinstance(value, int | float) and value != 0 else value


def _is_small(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < least
