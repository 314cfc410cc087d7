"""A planner that is made when it is first asked: to load what it reads questions with takes longer than to open a
database, and only then is there anything to ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock

from ehrtui.planning.proposal import PastTurn, Planner, Proposal
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

    def names(self, text: str, count: int) -> tuple[Entry, ...]:
        """See `Planner.names`."""
        return self._planner().names(text, count)

    def examples(self, count: int) -> tuple[str, ...]:
        """See `Planner.examples`."""
        return self._planner().examples(count)
