"""The twin of a conversation: the same turns in the same words, of which nothing is known that came of any.

What is told of earlier turns, what a question is read as for a language model, and whether the query logic that it
writes can be compiled come from here, so that none of them is a function of rows.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from ehrtui.conversation.rehearsal import Rehearsal
from ehrtui.errors import LogicError, PlaceholderError
from ehrtui.planning.proposal import PastTurn, Planner, Proposal
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.restoring import restored, restored_logic, restored_plan
from ehrtui.privacy.stand_ins import StandIns
from ehrtui.session.draft import Draft

_SEVERAL = 2
"""What counts as the number of rows of every earlier turn."""


@dataclass(frozen=True, eq=False)
class TwinTurn:
    """Turn `number`, which ran as `draft`. `reading` is what the offline planner makes of its question, `logic` the
    query logic of what ran (None for what a language model wrote, and for what has none), `columns` those of its answer
    as far as its text says them, and `told` the same as they are in a rehearsal: stand-ins for what is not told. `plan`
    is what stands for it there: the model's own with stand-ins, and of others an answer with these columns, so that no
    value in them takes part. `received` is the plan that a language model had written last."""

    number: int
    draft: Draft
    reading: Proposal
    logic: str | None
    columns: tuple[str, ...]
    told: tuple[str, ...]
    plan: str
    received: str

    @property
    def past(self) -> PastTurn:
        """What the offline planner may know of it."""
        text = "" if self.draft.opened else self.draft.text
        rows = _SEVERAL if self.columns else 0
        return PastTurn(self.number, text, self.logic, None, self.columns, rows, "answered")

    @property
    def rehearsed(self) -> PastTurn:
        """The same with its columns as they are in a rehearsal."""
        return replace(self.past, columns=self.told)


class Twin:
    """The twin of one conversation, read by `planner` and hidden by `mask` (None: nothing is hidden). From any
    thread."""

    def __init__(self, planner: Planner, mask: Mask | None, rehearsal: Callable[[], Rehearsal | None]) -> None:
        self._planner = planner
        self._mask = mask
        self._rehearsal = rehearsal
        self._lock = threading.Lock()
        self._known: list[TwinTurn] = []
        self._latest: tuple[object, Proposal] | None = None

    def turns(self, earlier: Mapping[int, Draft]) -> tuple[TwinTurn, ...]:
        """The turns that ran as `earlier`, in order; each is read once."""
        with self._lock:
            for at, (number, draft) in enumerate(sorted(earlier.items())):
                known = self._known[at] if at < len(self._known) else None
                if known is None or known.draft is not draft or known.received != _received(draft):
                    self._known[at:] = [self._turn(number, draft, tuple(self._known[:at]))]
            return tuple(self._known[: len(earlier)])

    def reading(self, draft: Draft, before: tuple[TwinTurn, ...]) -> Proposal:
        """What the offline planner makes of the question of a draft, after the turns `before`."""
        with self._lock:
            return self._reading(draft, before)

    def compiled(self, logic: str, before: Sequence[TwinTurn]) -> Proposal:
        """The plan of query logic after the turns `before`. Raises LogicError."""
        return self._planner.propose_logic(logic, tuple(one.past for one in before))

    def fault(self, logic: str, before: Sequence[TwinTurn]) -> str:
        """What is wrong with query logic in a rehearsal, "" where nothing is."""
        try:
            self._planner.propose_logic(logic, tuple(one.rehearsed for one in before))
        except LogicError as error:
            return " ".join(filter(None, (error.what, error.why, error.next_step)))
        return ""

    def _turn(self, number: int, draft: Draft, before: tuple[TwinTurn, ...]) -> TwinTurn:
        reading = self._reading(draft, before)
        logic, plan = self._ran(draft, reading, before)
        rehearsal = self._rehearsal()
        if rehearsal is None or not plan:
            return TwinTurn(number, draft, reading, logic, (), (), "", _received(draft))
        columns = rehearsal.columns(number, {**{one.number: one.plan for one in before}, number: plan})
        told = columns
        if not is_of_model(draft):
            told = tuple(self._named(column, number) for column in columns)
            plan = rehearsal.standing_for(told) if told else ""
        return TwinTurn(number, draft, reading, logic, columns, told, plan, _received(draft))

    def _reading(self, draft: Draft, before: tuple[TwinTurn, ...]) -> Proposal:
        if draft.kind != "question" or draft.opened:
            return Proposal(draft.text, "user")
        asked = (draft.text, draft.choices, draft.alone, before)
        if self._latest is None or self._latest[0] != asked:
            known = () if draft.alone else tuple(one.past for one in before)
            proposal = self._planner.propose(draft.text, known)
            for choice in draft.choices:
                with suppress(LogicError):
                    proposal = self._planner.choose(proposal, choice, known)
            self._latest = asked, proposal
        return self._latest[1]

    def _ran(self, draft: Draft, reading: Proposal, before: Sequence[TwinTurn]) -> tuple[str | None, str]:
        """The query logic and the plan of a draft; "" for what a value of an answer was put into."""
        if draft.opened:
            return None, ""
        if is_of_model(draft):
            return self._written(draft, before)
        last = draft.edits[-1] if draft.edits else None
        if last is None and draft.kind == "question":
            return reading.logic, reading.plan
        if (draft.kind if last is None else last.view) != "logic":
            return None, draft.plan
        with suppress(LogicError):
            made = self.compiled(draft.text if last is None else last.text, before)
            return (None if is_by_model(draft) else made.logic), made.plan
        return None, ""

    def _written(self, draft: Draft, before: Sequence[TwinTurn]) -> tuple[str | None, str]:
        """The query logic, where it wrote nothing else, and the plan that a language model wrote, with stand-ins."""
        talk = draft.talk
        if talk is None or self._mask is None:
            return (None if _received(draft) else draft.proposal.logic), draft.plan
        if talk.received:
            return None, restored_plan(talk.received, StandIns(self._mask.placeholders))
        with suppress(LogicError, PlaceholderError):
            rehearsed = restored_logic(talk.received_logic, StandIns(self._mask.placeholders, in_logic=True))
            return talk.logic, self._planner.propose_logic(rehearsed, tuple(one.rehearsed for one in before)).plan
        return talk.logic, ""

    def _named(self, column: str, number: int) -> str:
        """A column that somebody else named as a language model may name it, with stand-ins."""
        if self._mask is None:
            return column
        return restored(self._mask.words(column, number - 1), StandIns(self._mask.placeholders))


def is_by_model(draft: Draft) -> bool:
    """True for what a language model planned, also where the user changed it since."""
    return draft.talk is not None and (draft.first or draft.proposal).planner == "claude"


def is_of_model(draft: Draft) -> bool:
    """True for what a language model planned, as it planned it."""
    return is_by_model(draft) and not draft.edits


def _received(draft: Draft) -> str:
    """The plan that the model had written last, "" where it wrote query logic alone."""
    return draft.talk.received if draft.talk is not None else ""
