"""The answers that other readings of a question would have had, to be held against the one that was given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ehrtui.conversation.fingerprint import fingerprint
from ehrtui.conversation.tokens import expand
from ehrtui.conversation.turn import Turn
from ehrtui.engines.engine import Engine, Limits, Scalar
from ehrtui.errors import EhrtuiError
from ehrtui.planning.planner import Planner, Reading

MOST = 2
CHEAP = Limits(seconds=1.0, rows=2_000, bytes=50_000_000)
"""What looking at one other reading may use."""


@dataclass(frozen=True)
class Rival:
    """What the reading `logic` would have answered: `row_count` rows, and the `value` where it is one single value;
    `same` says that these are the rows of the answer that was given."""

    logic: str
    row_count: int
    value: tuple[Scalar] | None
    same: bool


def rivals_of(
    turn: Turn, readings: Sequence[Reading], planner: Planner, engine: Engine, now: str, stopped: Callable[[], bool]
) -> tuple[Rival, ...]:
    """What the best of the other `readings` of a turn's question would have answered; their rows are not kept. Without
    those that do not tell it cheaply: they take long, have many rows, or build on earlier turns. None at all for a turn
    without logic and rows of its own. `stopped` is asked, in this thread, whether anybody waits for the engine."""
    if not turn.proposal.logic or turn.depends_on or not turn.fingerprint:
        return ()
    others = [reading.logic for reading in readings if reading.logic != turn.proposal.logic]
    found = (_rival(turn, logic, planner, engine, now, stopped) for logic in others[:MOST])
    return tuple(rival for rival in found if rival is not None)


def _rival(
    turn: Turn, logic: str, planner: Planner, engine: Engine, now: str, stopped: Callable[[], bool]
) -> Rival | None:
    name = f"{turn.result}_rival"
    try:
        proposal = planner.propose_logic(logic, ())
        if proposal.sql is None:
            return None
        statement = expand(proposal.sql, {}, now=now, dialect=engine.dialect)
        result = engine.run(statement.run, name, CHEAP, stopped)
        try:
            rows = engine.page(name, 0, result.row_count)
        finally:
            engine.drop(name)
    except EhrtuiError:  # the answer stands without it
        return None
    alone = (rows[0][0],) if len(rows) == 1 and len(rows[0]) == 1 else None
    return Rival(logic, len(rows), alone, fingerprint([rows]) == turn.fingerprint)
