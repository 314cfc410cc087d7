"""The answers that other readings of a question have, to be held against the one that was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ehrtui.engines.engine import Engine, Limits, Row, Scalar
from ehrtui.errors import EhrtuiError
from ehrtui.planning.proposal import Planner, Reading
from ehrtui.schema.identifiers import identifies
from ehrtui.session.dependencies import named_turns
from ehrtui.session.draft import Draft
from ehrtui.session.fingerprint import fingerprint
from ehrtui.session.turn import Turn
from ehrtui.tokens.prev import expand

MOST = 2
_FEW = 12
"""Rows of an answer that are looked at, to tell whether another one says the same."""
_SEVERAL = 2
"""Figures that stand beside each other; and the columns of one that stands below others, behind what it is of."""
CHEAP = Limits(seconds=1.0, rows=2_000, bytes=50_000_000)
"""What looking at one other reading may use."""


@dataclass(frozen=True)
class Rival:
    """What the reading `logic`, which asks what `in_words` says, would have answered: `row_count` rows, and the `value`
    where it is one single value that identifies nobody; `same` says that these are the rows of the answer that was
    given, or tell the same."""

    logic: str
    in_words: str
    row_count: int
    value: tuple[Scalar] | None
    same: bool

    @property
    def finds(self) -> bool:
        """True where there is more than no rows, a count of 0 or a missing value."""
        return self.row_count > 0 and (self.value is None or self.value[0] not in (0, None))


@dataclass(frozen=True)
class Contest:
    """The two best readings of a question that find different answers, the likelier first; `share` in [0, 1] is how
    likely that one is of the two, by their scores."""

    readings: tuple[str, str]
    share: float


def rivals_of(
    turn: Turn, readings: Sequence[Reading], planner: Planner, engine: Engine, now: str, stopped: Callable[[], bool]
) -> tuple[Rival, ...]:
    """What the best of the other `readings` of a turn's question would have answered; their rows are not kept. Without
    those that do not tell it cheaply: they take long, have many rows, or build on earlier turns. None at all for a turn
    without logic and rows of its own, nor for one in which the user wrote what no reading says. `stopped` is asked, in
    this thread, whether anybody waits for the engine."""
    if not turn.proposal.logic or named_turns(turn.plan) or not turn.fingerprint:
        return ()
    if turn.edited and turn.proposal.logic not in {reading.logic for reading in readings}:
        return ()
    others = [reading.logic for reading in readings if reading.logic != turn.proposal.logic]
    given = _Given(turn.fingerprint, _few(engine, turn.result))
    return tuple(_rivals(others, given, f"{turn.result}_rival", planner, engine, now, stopped))


def may_be_contested(draft: Draft, *, empty: bool = False) -> bool:
    """True where a question has several readings, and neither the user nor a case of memory has decided. A case has not
    where the answer is `empty`: what was right for one name may be wrong for another."""
    several = len(draft.proposal.readings) > 1 and not draft.in_own_words
    return several and (draft.proposal.case is None or empty)


def contest_of(
    draft: Draft,
    result: str,
    found: str,
    planner: Planner,
    engine: Engine,
    now: str,
    stopped: Callable[[], bool],
) -> Contest | None:
    """The contest between the reading that ran as `draft`, whose rows in `result` have the fingerprint `found`, and the
    next best one that finds anything else; None where no reading that is cheap to look at does. One that leaves out a
    field that the question names ("route") is no rival: it answers another question."""
    first, *others = draft.proposal.readings
    if not found or first.logic != draft.proposal.logic:
        return None
    fields = [link.value for link in draft.proposal.links if link.kind == "field" and link.value in first.logic]
    scores = {other.logic: other.score for other in others if all(field in other.logic for field in fields)}
    if not scores:
        return None
    given = _Given(found, _few(engine, result))
    for rival in _rivals(list(scores), given, f"{result}_rival", planner, engine, now, stopped):
        if rival.finds and not rival.same:
            share = first.score / (first.score + scores[rival.logic])
            return Contest((first.logic, rival.logic), round(share, 4))
    return None


@dataclass(frozen=True)
class _Given:
    """The answer that was given: its fingerprint, and its rows where these are few."""

    fingerprint: str
    rows: Sequence[Row]

    def is_told_by(self, rows: Sequence[Row]) -> bool:
        """True where other rows tell the same: these, or its figures beside each other instead of below each other."""
        return fingerprint(rows) == self.fingerprint or beside(rows, self.rows) or beside(self.rows, rows)


def beside(one: Sequence[Row], other: Sequence[Row]) -> bool:
    """True where one row tells figures beside each other, of which other rows tell one each, behind what it is of."""
    if (
        len(one) != 1
        or len(other) < _SEVERAL
        or len(one[0]) != len(other)
        or any(len(row) != _SEVERAL for row in other)
    ):
        return False
    return Counter(one[0]) == Counter(figure for _, figure in other)


def _few(engine: Engine, name: str | None) -> Sequence[Row]:
    """The rows of a result; none where there are more than a few, or they are gone."""
    try:
        rows = engine.page(name, 0, _FEW + 1) if name else []
    except EhrtuiError:  # closed meanwhile: the answer stands without them
        return ()
    return rows if len(rows) <= _FEW else ()


def _rivals(
    logics: Sequence[str],
    given: _Given,
    name: str,
    planner: Planner,
    engine: Engine,
    now: str,
    stopped: Callable[[], bool],
) -> Iterator[Rival]:
    """The first of these as rivals of the answer that was `given`; their rows are kept as `name` for the moment."""
    for logic in logics[:MOST]:
        if stopped():  # a quick query would not ask
            return
        rival = _rival(logic, given, name, planner, engine, now, stopped)
        if rival is not None:
            yield rival


def _rival(
    logic: str, given: _Given, name: str, planner: Planner, engine: Engine, now: str, stopped: Callable[[], bool]
) -> Rival | None:
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
    alone = (rows[0][0],) if len(rows) == 1 and len(rows[0]) == 1 and not identifies(result.columns[0]) else None
    return Rival(logic, proposal.in_words(logic), len(rows), alone, given.is_told_by(rows))
