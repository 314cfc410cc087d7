"""What speaks against an answer whose plan a language model wrote: its own uncertainty, other readings of the question
that give other rows, and what it says of the answer when it is told its shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ehrtui.conversation.agreement import MOST, agree, finds_nothing
from ehrtui.conversation.consulting import Consultant, is_believed
from ehrtui.engines.engine import Engine, Result, Row
from ehrtui.errors import EgressError, QueryCancelled
from ehrtui.planning.claude.answers import UNSTATED
from ehrtui.planning.claude.levels import Shape
from ehrtui.plans.reports import Outcome, Step
from ehrtui.session.draft import Draft
from ehrtui.trust.doubts import Doubt

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_UNKNOWN = 0.25
"""What is doubted, of 1, where the model does not say how sure it is."""
_SHOWN = 5
"""Rows that are told where nothing is hidden."""


@dataclass(frozen=True)
class _Opinion:
    """Another reading of the question, in query `logic`, by `who`; where it differs, that counts `weight` in [0, 1]."""

    who: str
    logic: str
    weight: float


@dataclass(frozen=True)
class Check:
    """Looks for doubts about the answer `outcome` to `draft`, of which there are some `before`. `run_logic` runs query
    logic and keeps its rows under a name that it gives, None where it cannot; `tell` is told what the user should know,
    `asking` is called before the model is asked, and `is_shown` says whether an answer with such doubts is."""

    draft: Draft
    outcome: Outcome
    consultant: Consultant
    engine: Engine
    before: tuple[Doubt, ...]
    run_logic: Callable[[str], Result | None]
    tell: Callable[[str], None]
    asking: Callable[[], None]
    is_shown: Callable[[Sequence[Doubt]], bool]

    def doubts(self) -> tuple[tuple[Doubt, ...], str | None]:
        """All doubts, and the query logic that gives the same rows, if any does: then there are none. The model is
        asked how sure it is where its word decides whether the answer is shown."""
        disputed, agreed = self._compared()
        if agreed is not None:
            return (), agreed
        doubts = (*self.before, *disputed)
        if self._finds_nothing() or not self._is_open(doubts):
            return doubts, None
        return (*doubts, *self._judged()), None

    def _is_open(self, doubts: Sequence[Doubt]) -> bool:
        return self.is_shown(doubts) and not self.is_shown((*doubts, Doubt("unjudged")))

    def _compared(self) -> tuple[tuple[Doubt, ...], str | None]:
        own = self._rows(self.outcome.name, self.outcome.row_count)
        doubts: list[Doubt] = []
        for one in _opinions(self.draft):
            result = self.run_logic(one.logic)
            if result is None:
                continue
            rows = self._rows(result.name, result.row_count)
            self.engine.drop(result.name)
            if agree(own, rows):
                return (), one.logic
            if rows and not finds_nothing(rows) and self._finds_nothing():
                self.tell(_offer(one, result.row_count))
            if one.weight:
                doubts.append(Doubt("disputed", one.weight, one.who))
        return tuple(doubts), None

    def _rows(self, name: str, row_count: int) -> Sequence[Row]:
        """The rows of an answer; none where they are too many to be compared."""
        return self.engine.page(name, 0, row_count) if 0 < row_count <= MOST else ()

    def _finds_nothing(self) -> bool:
        """True for no rows, no value and a number 0, which is not an answer as "no" is one."""
        first = self.engine.page(self.outcome.name, 0, 1) if self.outcome.row_count < 2 else ()
        says_no = self.draft.talk is not None and self.draft.talk.type == "yes/no" and first and first[0] == (0,)
        return self.outcome.row_count < 2 and finds_nothing(first) and not says_no

    def _judged(self) -> tuple[Doubt, ...]:
        """The doubt that the model itself has; where it cannot be asked, why is told."""
        if self.draft.talk is None or self.consultant.samples == 0:
            return ()
        self.asking()
        try:
            doubt = 1 - self.consultant.level(self.draft.talk, self._shape())
        except EgressError as error:
            self.tell(f"{error.what} How sure it is of the answer is not known.")
            doubt = _UNKNOWN
        except QueryCancelled:
            doubt = _UNKNOWN
        return (Doubt("unjudged", round(doubt, 4)),) if doubt else ()

    def _shape(self) -> Shape:
        """What may be told of the answer: its first rows where nothing is hidden, else none."""
        outcome = self.outcome
        first = self.engine.page(outcome.name, 0, _SHOWN)
        said = self.draft.talk.type if self.draft.talk is not None else ""
        holds = _holds(said, first if outcome.row_count <= _SHOWN else ())
        return Shape(outcome.row_count, said, holds, tuple(first) if self.consultant.sees_rows else ())


def _offer(opinion: _Opinion, row_count: int) -> str:
    """What is said of a reading that finds something where the answer finds nothing."""
    found = "one row" if row_count == 1 else f"{row_count:,} rows"
    return f"The language model's plan finds nothing, {opinion.who} finds {found}: ask for it with “{opinion.logic}”."


def _opinions(draft: Draft) -> tuple[_Opinion, ...]:
    """The other readings: the offline planner's, and the query logic that the model wrote beside its plan. One that
    nobody believes may agree, but disputes nothing."""
    found: list[_Opinion] = []
    offline, talk = draft.offline, draft.talk
    if offline is not None and offline.logic:
        weight = offline.confidence if is_believed(offline) else 0.0
        found.append(_Opinion("the offline planner's reading", offline.logic, weight))
    if talk is not None and talk.logic and talk.received:
        found.append(_Opinion("the model's own query logic", talk.logic, 0.0))
    return tuple(found)


def stated(steps: Sequence[Step]) -> tuple[Doubt, ...]:
    """The doubt of the weakest step of the plan that ran."""
    return unsteady(min((step.confidence for step in steps if step.confidence is not None), default=UNSTATED))


def unsteady(confidence: float) -> tuple[Doubt, ...]:
    """The doubt of a step with this stated confidence, in [0, 1]."""
    return (Doubt("unsteady", round(1 - confidence, 4)),) if confidence < 1 else ()


def _holds(said: str, rows: Sequence[Row]) -> bool:
    """True where these rows are of the type that is `said`: one value of it, for all but a list, which any rows are."""
    if said == "list":
        return True
    if len(rows) != 1 or len(rows[0]) != 1 or rows[0][0] is None:
        return False
    value = rows[0][0]
    match said:
        case "number":
            return isinstance(value, int | float)
        case "yes/no":
            return value in (0, 1) or str(value).lower() in ("yes", "no")
        case "time":
            return _DATE.match(str(value)) is not None
    return isinstance(value, str)
