"""Numbers of some beside the same numbers of everybody else: "compared with the others", "than those without"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Measure,
    Not,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.model import Window
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import every, limited, maybe, parts_of

_COMPARED = -0.3
"""What it saves that the words set some against the rest."""


def beside_the_rest(statement: Statement, frame: Frame) -> Statement:
    """A statement's numbers, each beside that of those who are left, where the question compares with them."""
    said = frame.pieces.of("others")
    if len(said) == 1 and isinstance(statement, Rows) and Own("length") in statement.columns:
        statement = Single((Aggregate("mean", statement.of, Own("length")),))  # of all those stays one figure
    if len(said) != 1 or not isinstance(statement, Single):
        return statement
    columns: list[Measure] = []
    for one in statement.columns:
        of = one.of if isinstance(one, Aggregate) else None
        rest = _rest(of, said[0].sense) if isinstance(of, Set) else None
        if not isinstance(one, Aggregate) or rest is None:
            return statement
        columns += [one, replace(one, of=rest)]
    frame.pieces.use(*said)
    frame.pay(_COMPARED, "")
    return Single(tuple(columns))


def _rest(of: Set, which: str) -> Set | None:
    """Those who are not in a set: that meet none of its conditions together ("else"), or lack the last ("without"). Of
    the stays of people, where these had what they are meant by, those of the others."""
    parts = parts_of(of.where)
    whose = [part for part in parts if isinstance(part, Of) and part.of.unit == PATIENT]
    had = parts_of(whose[0].of.where) if len(whose) == 1 and of.unit in UNITS else ()
    parts = tuple(part for part in parts if part not in had)
    telling: list[Condition] = [part for part in parts if not isinstance(part, Window)]
    if not telling or of.pick is not None:
        return None
    lacking = telling[-1:] if which == "without" else telling
    kept = [part for part in parts if part not in lacking]
    return limited(replace(of, where=maybe(kept)), Not(every(lacking)))
