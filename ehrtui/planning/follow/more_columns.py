"""One more column of a table that was told: "add the number of stays", "add their sex", "include the median too"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    UNITS,
    Aggregate,
    Function,
    Groups,
    Measure,
    Of,
    Own,
    Pick,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.follow.each_of import named_figure, of_groups, without_closing
from ehrtui.planning.follow.recounting import is_count
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import maybe, parts_of

_OPENING = {"and", "now", "please", "pls", "ok", "okay", "also", "can", "could", "you", "then", "just"}
_ADDING = {"add", "include", "append", "adding", "including"}
_TABLE = (("to", "the", "table"), ("to", "that", "table"), ("to", "this", "table"), ("to", "that"), ("to", "this"),
          ("to", "it"), ("to", "the", "list"), ("in", "the", "table"), ("as", "a", "column"),
          ("in", "another", "column"), ("as", "another", "column"), ("for", "each"))  # fmt: skip
_COLUMN = (("a", "column", "with"), ("a", "column", "for"), ("another", "column", "with"), ("columns", "for"),
           ("a", "column", "of"))  # fmt: skip
FUNCTION_WORDS: dict[str, Function] = {
    "median": "median",
    "mean": "mean",
    "average": "mean",
    "maximum": "maximum",
    "max": "maximum",
    "minimum": "minimum",
    "min": "minimum",
    "sd": "sd",
    "iqr": "iqr",
    "total": "sum",
    "sum": "sum",
}
_WHOSE = (Own("id"), Own(PATIENT))
_FEWEST, _LONGEST = 1, 9


def with_more(
    one: Lexed,
    statement: Statement,
    asked: Callable[[str, Statement], Statement | None],
    alone: Callable[[str], Statement | None],
) -> Statement | None:
    """The table with one more column, which is `asked` of each of those it tells of, or read `alone` as a figure."""
    wanted = _wanted(one)
    if not wanted:
        return None
    if isinstance(statement, Groups):
        return _groups_with(statement, wanted, alone)
    table = _table(statement)
    if table is None:
        return None
    whose, bare = Single((Aggregate("count", table.of),)), _bare(wanted)
    if bare in (("age",), ("ages",)):
        column = Picked(Own("age"), Set(HOSPITAL, pick=Pick(1, None, True, PATIENT)))
        return None if column in table.columns else replace(table, columns=(*table.columns, column))
    said = [f"for each of them: {' '.join(wanted)}", f"list them with their {' '.join(bare)}"]
    if bare[:2] in (("number", "of"), ("count", "of")):
        said = [f"how many {' '.join(bare[2:])} each"]
    for text in said:
        further = _table(asked(text, whose))
        if further is None or further.of != table.of:
            continue
        more = [column for column in further.columns if column not in table.columns]
        return replace(table, columns=(*table.columns, *more)) if more else None
    return None


def _wanted(one: Lexed) -> tuple[str, ...]:
    """What is to be added; nothing where the words ask for something else."""
    words = [word for word in one.words if word[0].isalnum()]
    while words and words[0] in _OPENING:
        words = words[1:]
    if not words or words[0] not in _ADDING:
        return ()
    rest = without_closing(words[1:])
    for tail in _TABLE:
        rest = rest[: -len(tail)] if rest[-len(tail) :] == tail else rest
    for head in _COLUMN:
        rest = rest[len(head) :] if rest[: len(head)] == head else rest
    fits = _FEWEST <= len(rest) <= _LONGEST and rest[0] not in ("a", "an", "on")  # "add a potassium" is an order
    return rest if fits else ()


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    return words[1:] if words[0] in ("their", "the", "its", "his", "her", "each") else words


def _groups_with(before: Groups, words: tuple[str, ...], alone: Callable[[str], Statement | None]) -> Statement | None:
    """The groups with one more number."""
    words = words[1:] if words[0] in ("the", "their", "its") else words
    functions = [FUNCTION_WORDS[word] for word in words if word in FUNCTION_WORDS]
    measures = {column.measure for column in before.columns if column.measure is not None}
    if len(words) == len(functions) == len(measures) == 1 and before.asked != "numbers":
        more = [Aggregate(functions[0], None, measure) for measure in measures]  # "the median too"
        return replace(before, columns=(*before.columns, *more)) if more[0] not in before.columns else None
    figure = named_figure(before, words, alone)
    if figure is None:
        count = alone(" ".join(words))
        figure = of_groups(before, count) if count is not None and is_count(count) else None
    if figure is None or before.asked == "numbers":
        return None
    more = [column for column in figure.columns if column not in before.columns]
    return replace(before, columns=(*before.columns, *more), asked="all") if more else None


def _table(statement: Statement | None) -> Rows | None:
    """What is told of patients one by one, as a table with one row for each; None for any other statement."""
    match statement:
        case Rows(of=Set(unit="patient"), columns=columns, distinct=False) if Own("id") in columns:
            return statement
        case Rows(of=Set(pick=pick) as of, columns=columns, order=order) if pick is not None and pick.per == PATIENT:
            whom = [part.of for part in parts_of(of.where) if isinstance(part, Of) and part.of.unit == PATIENT]
            if of.unit in UNITS or len(whom) != 1:
                return None
            picked = replace(of, where=maybe([part for part in parts_of(of.where) if not isinstance(part, Of)]))
            told = tuple(_of_row(column, picked) for column in columns if column not in _WHOSE)
            if order is not None and not isinstance(order.by, Own):
                return None
            by = None if order is None else replace(order, by=_of_row(cast(Own, order.by), picked))
            return Rows(whom[0], (Own("id"), *told), order=by)
    return None


def _of_row(column: Measure, picked: Set) -> Measure:
    return Picked(column, picked)
