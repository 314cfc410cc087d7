"""A planner that is made when it is first asked: to load what it reads questions with takes longer than to open a
database, and only then is there anything to ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.retrieval import Shortlist
from ehrtui.planning.mentions import Choice, Members
from ehrtui.planning.proposal import PastTurn, Planner, Proposal, Scope
from ehrtui.schema.value_index import Entry


class LaterPlanner:
    """The planner called `name` that `make` gives. From any thread."""

    def __init__(self, name: str, make: Callable[[], Planner]) -> None:
        self.name = name
        self._make = make
        self._making = Lock()

    @cached_property
    def _made(self) -> Planner:
        return self._make()

    def _planner(self) -> Planner:
        with self._making:
            return self._made

    def prepare(self) -> None:
        """See `Planner.prepare`."""
        self._planner().prepare()

    def propose(self, question: str, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.propose`."""
        return self._planner().propose(question, history)

    def propose_logic(self, logic: str, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.propose_logic`."""
        return self._planner().propose_logic(logic, history)

    def choose(self, proposal: Proposal, choice: Choice, history: Sequence[PastTurn]) -> Proposal:
        """See `Planner.choose`."""
        return self._planner().choose(proposal, choice, history)

    def members(self, meaning: Candidate, without: tuple[str, ...]) -> Members:
        """See `Planner.members`."""
        return self._planner().members(meaning, without)

    def shortlists(self, text: str) -> tuple[Shortlist, ...]:
        """See `Planner.shortlists`."""
        return self._planner().shortlists(text)

    def text_of(self, meaning: Candidate, without: tuple[str, ...]) -> str:
        """See `Planner.text_of`."""
        return self._planner().text_of(meaning, without)

    def scope(self, turn: PastTurn, logic: str) -> Scope | None:
        """See `Planner.scope`."""
        return self._planner().scope(turn, logic)

    def names(self, text: str, count: int) -> tuple[Entry, ...]:
        """See `Planner.names`."""
        return self._planner().names(text, count)

    def examples(self, count: int) -> tuple[str, ...]:
        """See `Planner.examples`."""
        return self._planner().examples(count)
