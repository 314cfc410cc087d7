"""Approving turns: what was right, or was chosen, becomes a case of the memory, and may be taken back."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

from ehrtui.errors import CaseError, MaskingError
from ehrtui.memory.case import APPROVED, Case, Source, coarse
from ehrtui.memory.recall import Memory
from ehrtui.planning.proposal import Planner
from ehrtui.session.draft import Draft
from ehrtui.session.failure import CANCELLED
from ehrtui.session.turn import Turn


class Approvals:
    """The turns of one conversation that the user approved. `memory` is None where there is none; `planner` tells the
    values in a question; `session` names the conversation ("" for one that is not saved)."""

    def __init__(self, memory: Memory | None, planner: Planner, session: str) -> None:
        self._memory = memory
        self._planner = planner
        self._source = APPROVED + (f"session {session}" if session else "a session that was not saved")
        self._cases: dict[int, Case] = {}
        self._chosen: dict[int, Turn] = {}
        self._accepted: set[int] = set()

    def accepts(self, turn: Turn) -> bool:
        """True where the user said of this run of the turn that it is right, whether or not it has a case."""
        return turn.order in self._accepted

    def has(self, turn: Turn) -> bool:
        """True where this run of the turn is approved."""
        return turn.order in self._cases

    def taught(self, turn: Turn) -> bool:
        """True where this run of the turn is approved since the user chose its reading."""
        chosen = self._chosen.get(turn.number)
        return self.has(turn) and chosen is not None and chosen.order == turn.order

    def approve(self, turn: Turn, draft: Draft) -> Case:
        """Accept a turn, which ran as `draft`, and keep its case. Raises CaseError, or MaskingError where it has no
        case: then it is accepted all the same."""
        self._accepted.add(turn.order)
        memory = self._open()
        case = case_of(turn, draft, self._planner)
        memory.store.add(memory.family, [(case, Source(self._source, date.today().isoformat()))])
        self._cases[turn.order] = case
        return case

    def withdraw(self, turn: Turn) -> Case:
        """Forget what was approved, unless another turn was approved for the same case. Raises CaseError."""
        memory = self._open()
        case = self._cases.pop(turn.order)
        self._accepted.discard(turn.order)
        if case not in self._cases.values():
            memory.store.withdraw(memory.family, case, self._source)
        return case

    def learn(self, turn: Turn, draft: Draft) -> Case | None:
        """Approve a turn that was answered with the reading that the user chose, in place of earlier choices for this
        turn and for questions of its form; a turn that ran again otherwise is approved no longer. Gives the case, None
        where there is nothing new, or nothing that memory can keep."""
        if self._memory is None or (turn.error is not None and turn.error.type == CANCELLED):
            return None
        chosen = turn.decision == "answered" and draft.chosen is not None and draft.chosen == turn.proposal.logic
        before = self._chosen.pop(turn.number, None)
        again = chosen and before is not None and before.proposal.logic == turn.proposal.logic
        if chosen:
            self._chosen[turn.number] = turn
        if again and before is not None and not self.has(before):
            return None  # it was taken back
        case = None
        with suppress(CaseError):
            case = self.approve(turn, draft) if chosen else None
        with suppress(CaseError):
            for other in self._others(turn, case):
                self.withdraw(other)
            if before is not None and self.has(before):
                self.withdraw(before)
        return None if again else case

    def _others(self, turn: Turn, case: Case | None) -> list[Turn]:
        """Other turns that were chosen for questions of the form of the case of `turn`."""
        others = [other for other in self._chosen.values() if other is not turn and self.has(other)]
        return [
            other for other in others if case and coarse(self._cases[other.order].question) == coarse(case.question)
        ]

    def _open(self) -> Memory:
        if self._memory is None:
            raise CaseError(
                "There is no memory in this session.",
                why="It was started without.",
                next_step="Start ehrtui without --no-memory to keep and use approved cases.",
            )
        return self._memory


def case_of(turn: Turn, draft: Draft, planner: Planner) -> Case:
    """The case of a turn that ran as `draft`: its question with the logic that ran, or with the SQL where there is no
    logic. Raises MaskingError, also where either says more than the question alone does."""
    from ehrtui.memory.approval import check_words
    from ehrtui.memory.masking import masked_with_logic, masked_with_sql  # all of query logic

    first = draft.first or draft.proposal
    if first.slots is None:
        first = planner.propose(turn.question, ())  # perhaps it stands alone, and was only read as a follow-up
    logic, sql = turn.proposal.logic, turn.proposal.sql
    if turn.kind != "question" or turn.result is None or not (logic or sql):
        raise MaskingError(
            f"A{turn.number} is not a question in words with an answer of one query.",
            next_step="Approve a turn that was asked in words; its logic or SQL may be edited.",
        )
    if turn.depends_on or first.slots is None:
        raise MaskingError(
            f"A{turn.number} leans on an earlier turn.", why="A case is a question that stands on its own."
        )
    check_words(turn.question, first.unexplained)
    if logic:
        return masked_with_logic(turn.question, first.slots, logic)
    return masked_with_sql(turn.question, first.slots, sql or "")
