"""Going on with a saved session: the last one of this database is offered, never taken uninvited."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ehrtui.tui.boxes import open_over
from ehrtui.tui.formatting import count
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.welcome import Welcome
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.errors import EhrtuiError
    from ehrtui.session.saved import SavedSession
    from ehrtui.session.turn import Turn
    from ehrtui.tui.controls.one_job import OneJob
    from ehrtui.tui.controls.second_looks import SecondLooks
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.jobs import Job

HOW = "A short name in plain letters; nothing takes it away"
LOOKED_AT = 20
"""The latest turns of a session whose values are looked up again."""


class Sessions:
    """`last` finds the last session of the database."""

    def __init__(
        self,
        screen: Screen[None],
        desk: Desk,
        showing: Showing,
        job: OneJob,
        second_looks: SecondLooks,
        last: Callable[[], SavedSession | None],
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing
        self._job = job
        self._second_looks = second_looks
        self._last = last
        self._offered: SavedSession | None = None

    def name(self) -> None:
        """Ask for the name of this session, and keep it."""
        from ehrtui.tui.screens.reason_box import ReasonBox

        name = self._desk.conversation.name

        def given(text: str | None) -> None:
            if text is not None:
                in_thread(self._screen, lambda: name.give(text), lambda _: self._named(), self._unnamed, group="name")

        about = "A name stands for the session in every command: ehrtui DB --session NAME goes on with it."
        open_over(self._screen, ReasonBox("A name for this session", about, HOW, name.text), given)

    def _named(self) -> None:
        self._showing.tick()

    def _unnamed(self, error: EhrtuiError) -> None:
        self._screen.notify(str(error), severity="error", markup=False)

    def offer(self) -> None:
        """Look for the last session, and say how to go on with it."""
        in_thread(self._screen, self._last, self._found, lambda _: None, group="last session")

    def _found(self, saved: SavedSession | None) -> None:
        if saved is not None and self._desk.empty:
            self._offered = saved
            self._screen.query_one(Welcome).offer_session(_about(saved), saved.turns[-1].asked.text)
            self._allow(True)

    def _allow(self, allowed: bool) -> None:
        self._screen.query_one(Prompt).input.has_session = allowed
        self._screen.refresh_bindings()

    def resume_offered(self) -> None:
        """Go on with the session that is offered."""
        if self._offered is not None and self._desk.empty:
            self.resume(self._offered)

    def resume(self, saved: SavedSession) -> None:
        """Run its turns again, and show the last one."""

        def work(job: Job) -> list[Turn]:
            from ehrtui.conversation.resuming import resumed

            return list(resumed(saved, self._desk.conversation, job.stopped.is_set))

        self._allow(False)
        self._job.start(f"going on with {count(len(saved.turns), 'turn')}", work, self._resumed, self._stopped)

    def _resumed(self, turns: list[Turn]) -> None:
        desk, prompt = self._desk, self._screen.query_one(Prompt)
        for turn in turns:
            if desk.conversation.draft_of(turn.number).opened_from is None:
                prompt.input.recall(turn.question)
        desk.shown = len(desk.conversation.turns) or None
        self._showing.show()
        for turn in turns[-LOOKED_AT:]:
            self._second_looks.look(turn)

    def _stopped(self) -> None:
        """It was stopped: those turns are there that had run by then."""
        self._resumed(list(self._desk.conversation.turns))


def _about(saved: SavedSession) -> str:
    """`heart failure, of 2026-11-03 14:15 (τ 0.70)`."""
    named = f"{saved.name}, " if saved.name else ""
    return f"{named}of {saved.began}" + (f" (τ {saved.thresholds})" if saved.thresholds else "")
