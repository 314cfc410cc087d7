"""Work that the user may stop, beside the turns: one at a time, and none while a plan runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError, QueryCancelled
from ehrtui.tui.jobs import Job
from ehrtui.tui.work import Outcome, in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk


class OneJob:
    """Starts the desk's job, and shows how long it takes."""

    def __init__(self, screen: Screen[None], desk: Desk, showing: Showing) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing

    def start(
        self,
        what: str,
        work: Callable[[Job], Outcome],
        then: Callable[[Outcome], object],
        stopped: Callable[[], object] = lambda: None,
    ) -> None:
        """Do what `what` says in a word, unless anything runs already: `work` in a thread, `then` with what came of it,
        or `stopped` where it was. `work` may raise EhrtuiError, which is said."""
        if self._desk.busy:
            self._showing.busy()
            return
        job = self._desk.job = Job(what)

        def stoppable() -> Outcome:
            outcome = work(job)
            if job.stopped.is_set():
                raise QueryCancelled("It was stopped.")
            return outcome

        def ended(outcome: Outcome) -> None:
            self._ended()
            then(outcome)

        def failed(error: EhrtuiError) -> None:
            self._ended()
            self._showing.trouble(error)
            if isinstance(error, QueryCancelled):
                stopped()

        in_thread(self._screen, stoppable, ended, failed, group="job")
        self._showing.began()

    def _ended(self) -> None:
        self._desk.job = None
        self._showing.ended()
        self._showing.tick()
        self._screen.refresh_bindings()
