"""Who goes on the tour: which step it is at, and whether that was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.tui.tour import STEPS, Scene, step_content
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.tour_line import TourLine

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.tui.controls.panels import Panels
    from ehrtui.tui.desk import Desk

LOOK = 0.1
"""Seconds between two looks whether a step was done."""


class Touring:
    """At a step of the tour, or on none (`at` is None). It only looks: all that is done, the user does."""

    def __init__(self, screen: Screen[None], desk: Desk, panels: Panels) -> None:
        self.at: int | None = None
        self._screen = screen
        self._desk = desk
        self._panels = panels
        self._clock = screen.set_interval(LOOK, self.look, pause=True)
        self._boxes: frozenset[str] = frozenset()
        self._before: Scene | None = None

    def go_on(self) -> None:
        """Begin it in the prompt; or leave out the step that it is at. After the last it ends."""
        if self.at is None:
            self._screen.query_one(Prompt).take_focus()
            self._clock.resume()
        self._show(0 if self.at is None else self.at + 1)

    def end(self) -> None:
        """Leave it, wherever it is."""
        self.at = None
        self._clock.pause()
        self._screen.query_one(TourLine).say(None)

    def look(self) -> None:
        """Go on to the next step where this one was done, and can be seen to be: nothing runs, and no box is open."""
        if self.at is None or self._before is None:
            return
        over = self._screen.app.screen
        if over is not self._screen:
            self._boxes |= {type(over).__name__}
        elif not self._desk.busy and STEPS[self.at].done(self._before, self._scene()):
            self._show(self.at + 1)

    def _show(self, at: int) -> None:
        if at == len(STEPS):
            self.end()
            return
        self.at, self._boxes = at, frozenset()
        self._before = self._scene()
        self._screen.query_one(TourLine).say(step_content(at, getattr(self._screen.app, "own_keys", {})))

    def _scene(self) -> Scene:
        desk, turn = self._desk, self._desk.turn()
        turns = desk.conversation.turns
        return Scene(
            runs=max((each.order for each in turns), default=0),
            answered=sum(each.decision == "answered" for each in turns),
            depth=len(desk.trail.to(turn.number)) if turn is not None else 0,
            place=self._panels.place(),
            view=self._screen.query_one(PlanPanel).chosen,
            chart=chart.kind if (chart := self._screen.query_one(AnswerPanel).charted) is not None else "",
            boxes=self._boxes,
        )
