"""When an answer is right: as a set of rows, as people see it, and by the patients that it finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

Rows: TypeAlias = tuple[tuple[Any, ...], ...]
_Column: TypeAlias = tuple[Any, ...]


def same_answer(rows: Iterable[Sequence[Any]], gold: Iterable[Sequence[Any]]) -> bool:
    """EX: the same set of rows, whatever their order; numbers agree to three digits, text without regard to case."""
    return {tuple(map(_comparable, row)) for row in rows} == {tuple(map(_comparable, row)) for row in gold}


def shows_answer(rows: Sequence[Sequence[Any]], gold: Sequence[Sequence[Any]]) -> bool:
    """People's EX: every gold column is a column of its own among those shown, in any order and beside others, and in
    these columns stand the gold rows and no other, each of them once or as often as in the gold."""
    wanted = Counter(tuple(map(_comparable, row)) for row in gold)
    if not rows or not len(wanted) <= len(rows) <= len(gold):
        return not rows and not gold
    shown = list(zip(*(map(_comparable, row) for row in rows), strict=True))
    return any(
        found.keys() == wanted.keys() and all(found[row] in (1, times) for row, times in wanted.items())
        for columns in _column_choices(shown, list(zip(*wanted, strict=True)))
        if (found := Counter(zip(*columns, strict=True)))
    )


def is_nothing(rows: Sequence[Sequence[Any]]) -> bool:
    """No rows, or the one figure 0 (or false)."""
    return not rows or (len(rows) == 1 and len(rows[0]) == 1 and rows[0][0] == 0)


def patients_f1(found: Iterable[Any], cohorts: Sequence[Iterable[Any]]) -> float:
    """F1 of the patients found, in [0, 1], beside that of several right cohorts (at least one) which is nearest."""
    patients = set(map(_comparable, found))
    return max(_f1(patients, set(map(_comparable, cohort))) for cohort in cohorts)


def _f1(found: Collection[Any], wanted: Collection[Any]) -> float:
    both = len(found) + len(wanted)
    return 2 * len(set(found) & set(wanted)) / both if both else 1.0


def _column_choices(shown: Sequence[_Column], gold: Sequence[_Column]) -> Iterator[list[_Column]]:
    """The ways to take a different shown column for every gold one, so that the rows of these are those of the gold, as
    sets; shown columns that are alike are taken in one order only.

    Column after column, a choice goes on only while the rows so far are those of the gold so far.
    """
    alike = Counter(shown)
    values = {column: set(column) for column in alike}
    candidates = [[column for column in alike if values[column] == set(wanted)] for wanted in gold]
    order = sorted(range(len(gold)), key=lambda at: len(candidates[at]))
    chosen: dict[int, _Column] = {}

    def choices(depth: int) -> Iterator[list[_Column]]:
        if depth == len(order):
            yield [chosen[at] for at in range(len(gold))]
            return
        at = order[depth]
        before = [gold[earlier] for earlier in order[:depth]]
        wanted = set(zip(*before, gold[at], strict=True))
        for column in candidates[at]:
            if not alike[column]:
                continue
            if set(zip(*(chosen[earlier] for earlier in order[:depth]), column, strict=True)) == wanted:
                alike[column] -= 1
                chosen[at] = column
                yield from choices(depth + 1)
                alike[column] += 1

    return choices(0)


def _comparable(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 3)
    return value.lower() if isinstance(value, str) else value
