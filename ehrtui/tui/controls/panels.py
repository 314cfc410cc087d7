"""Which panels are on the screen, and the way to each of them. What they show is not decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.tui.layout import LOW, PANELS, SWITCHED, layout
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.confidence import ConfidencePanel
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from ehrtui.tui.widgets.tab_line import TabLine
from ehrtui.tui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.tui.desk import Desk

TABS = {"answer": "F4 Answer", "plan": "F6 Plan", "duck": "F7 Duck", "confidence": "F8 Confidence"}


class Panels:
    """`front` is the panel that a narrow screen shows, `zoomed` the one that has the screen for itself; before the
    first question a welcome stands for the conversation and the answer."""

    def __init__(self, screen: Screen[None], desk: Desk) -> None:
        self.front = "answer"
        self.zoomed: str | None = None
        self._screen = screen
        self._desk = desk
        self._with_schema: bool | None = None

    def arrange(self) -> None:
        """Show the panels that are wanted, as far as there is room; one that goes leaves the focus to the prompt."""
        screen = self._screen
        now = layout(
            *screen.app.size,
            front=self.front,
            zoomed=self.zoomed,
            schema=self._with_schema,
            empty=self._desk.empty,
            explains=screen.query_one(DuckPanel).explains,
        )
        for name in (*PANELS, "welcome"):
            screen.query_one(f"#{name}").display = name in now.shown
        screen.query_one("#middle").display = bool(now.shown & {"answer", "welcome"})
        right = screen.query_one("#right")
        right.display = now.tabs or bool(now.shown & {"conversation", "plan", "duck", "confidence"})
        right.set_class(self.front != "answer", "-wanted")
        right.set_class("duck" in now.shown or self.front == "confidence", "-why")
        chosen_from = now.tabs and not ("welcome" in now.shown and self.front == "answer")
        screen.query_one("#panel-tabs").set_class(chosen_from, "-shown")
        screen.query_one("#panel-tabs", TabLine).choose(self.front)
        screen.set_class(now.mode == "tiny", "-tiny")
        screen.set_class(now.mode == "narrow", "-narrow")
        screen.set_class(screen.app.size.height < LOW, "-low")
        screen.set_class(self.zoomed is not None, "-zoomed")
        screen.set_class(now.tabs and self.front != "answer", "-switched-away")
        brief = now.mode == "wide" and self.zoomed is None and self.front != "confidence"
        screen.query_one(ConfidencePanel).set_class(brief, "-brief")
        screen.query_one(AnswerPanel).tell_confidence("confidence" not in now.shown)
        if (place := self.place()) != "prompt" and place not in now.shown:
            screen.query_one(Prompt).take_focus()  # nobody types into what is not there

    def place(self) -> str | None:
        """The panel that has the focus."""
        focused = self._screen.focused
        for node in focused.ancestors_with_self if focused is not None else ():
            if node.id in (*PANELS, "prompt", "welcome"):
                return node.id
        return None

    def jump(self, panel: str) -> None:
        """Go to a panel, showing it if needed. Again on the schema: hide it; on the plan: its next view."""
        screen, here = self._screen, self.place() == panel
        if panel == "schema":
            self._with_schema = not here
            if here:
                self.zoomed = None
        elif panel in SWITCHED:
            self.front = panel
        if self.zoomed is not None:
            self.zoomed = panel
        self.arrange()
        if panel == "schema" and here:
            screen.query_one(Prompt).take_focus()
        elif panel == "plan" and here:
            screen.query_one(PlanPanel).choose_next()
        elif panel in ("conversation", "answer") and self._desk.empty:
            screen.query_one(Welcome).take_focus()
        else:
            target = screen.query_one(f"#{panel}")
            take_focus = getattr(target, "take_focus", lambda: screen.set_focus(target))
            take_focus()  # at once: the next key may be on its way

    def zoom(self) -> None:
        """The focused panel (from the prompt: the answer) takes the whole screen, or gives it back."""
        place = self.place()
        self.zoomed = None if self.zoomed else place if place in PANELS else "answer"
        self.arrange()
