"""A figure of those of an answer who have something, and of those who have it not: "average stay of those with a
catheter vs those without"."""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    UNITS,
    Aggregate,
    Condition,
    Function,
    Has,
    Measure,
    Not,
    Own,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.pointing import STAY_NOUNS
from ehrtui.planning.follow.saying import FILL, covers, outermost
from ehrtui.planning.follow.subject import as_stays
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import length_of, limited, maybe, parts_of
from ehrtui.planning.reader.numbers import unit_said
from ehrtui.planning.reader.traits import having

_AGAINST = {"vs", "versus", "v", "against", "compared", "and"}
_FUNCTIONS: dict[str, Function] = {"average": "mean", "mean": "mean", "avg": "mean", "median": "median"}
_LENGTHS = {"stay", "los", "length", "duration", "stays", "days"}
_WORDS = FILL | _AGAINST | STAY_NOUNS | _LENGTHS | {*_FUNCTIONS} | {
    *("without", "icu", "hospital", "unit", "age", "hours", "finished", "completed", "ended", "closed", "who", "had"),
    *("patients", "people", "ones", "both", "one", "any", "have", "got", "were", "given", "on", "not", "did"),
    "overall",
}  # fmt: skip


def with_or_without(one: Lexed, statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    """The figure of both, side by side; of all of whom it was spoken, where the answer told some of them by that."""
    words = one.words
    functions = {_FUNCTIONS[word] for word in words if word in _FUNCTIONS}
    if len(functions) != 1 or "without" not in words or _AGAINST.isdisjoint(words):
        return None
    cut = len(words) - 1 - words[::-1].index("without")
    had = outermost(
        node
        for node in one.nodes
        if node.kind == "event" and not node.sense.noun and node.end <= cut and node.sense.of.pick is None
    )
    behind = [word for word in words[cut + 1 :] if word[0].isalnum() and word not in _WORDS]
    if len(had) != 1 or behind or not covers(one, _WORDS, had):
        return None
    about = rows_about(statement)
    of = alone_if_near(about, earlier) if about is not None else None
    if of is None or of.unit not in UNITS or of.pick is not None:
        return None
    said = " ".join(words[had[0].start : had[0].end])
    of, condition = _whole(of, having(had[0].sense), said)
    measure: Measure
    if "age" in words:
        measure = Own("age")
    elif not _LENGTHS.isdisjoint(words):
        unit = unit_said(words)
        measure = length_of(unit or "day")
        of = as_stays(of, ICU if {"icu", "unit"} & {*words} or of.unit == ICU else HOSPITAL)
    else:
        return None
    function = functions.pop()
    return Single(tuple(Aggregate(function, limited(of, part), measure) for part in (condition, Not(condition))))


def _whole(of: Set, new: Condition, said: str) -> tuple[Set, Condition]:
    """The rows without what was demanded of the same records, or of others of their kind beside them; and the condition
    as it was said before."""
    if not isinstance(new, Has):
        return of, new
    parts = parts_of(of.where)
    kin = [part for part in parts if (had := _had(part)) is not None and had.of.unit == new.of.unit]
    same = [had for part in kin if (had := _had(part)) is not None and _is_same(had, new, said)]
    if not same:
        return of, new
    return Set(of.unit, of.items, maybe([part for part in parts if part not in kin]), of.pick), same[0]


def _had(part: Condition) -> Has | None:
    """The records that a condition demands, or denies."""
    inner = part.of if isinstance(part, Not) else part
    return inner if isinstance(inner, Has) and inner.of.unit not in UNITS and inner.times is None else None


def _is_same(had: Has, new: Has, said: str) -> bool:
    names = {item.text.lower() for item in had.of.items}
    return not {*had.of.items}.isdisjoint(new.of.items) or said in names
