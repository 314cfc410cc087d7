"""One run of a plan, from its start to the turn that came of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ehrtui.tui.formatting import duration, so_far

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.session.draft import Draft
    from ehrtui.session.events import RowsArriving, RowsReady
    from ehrtui.session.turn import Turn
    from ehrtui.tui.stepping import Stepper


class PlanRun:
    """Runs `draft` as turn `number`: `again` where there is one of that number, in its place. It halts where `stepper`
    says; `from_line` is the line of the plan that it goes on from, None where it runs from the first. `arriving` are
    the rows that are there before it is over; `stopping` says that the user wants it to stop."""

    def __init__(
        self, draft: Draft, number: int, stepper: Stepper, *, again: bool = False, from_line: int | None = None
    ) -> None:
        self.draft = draft
        self.number = number
        self.stepper = stepper
        self.again = again
        self.from_line = from_line
        self.stopping = False
        self.arriving: RowsArriving | RowsReady | None = None
        self._began = time.monotonic()

    @property
    def elapsed(self) -> str:
        """How long it has taken."""
        return duration((time.monotonic() - self._began) * 1_000)

    @property
    def so_far(self) -> str:
        """The same in whole seconds."""
        return so_far((time.monotonic() - self._began) * 1_000)

    @property
    def halted(self) -> int | None:
        """The step that the plan waits before, None where it runs."""
        return self.stepper.at

    def turn(self, conversation: Conversation) -> Turn:
        """What came of it; takes as long as the plan does. Raises EhrtuiError where the run could not begin."""
        from ehrtui.plans.reports import Course

        course = Course(self.stepper.may_begin, self.from_line, inspect=True)
        if self.again:
            turn = conversation.rerun(self.number, self.draft, course)
        else:
            turn = conversation.run(self.draft, course)
        conversation.approvals.learn(turn, self.draft)
        return turn
