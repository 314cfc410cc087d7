"""Which panels are on the screen, and the way to each of them. What they show is not decided here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.tui.layout import HIDDEN_BY_KEY, LOW, PANELS, SWITCHED, WIDE, WITH_SCHEMA, layout
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.confidence import ConfidencePanel
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from ehrtui.tui.widgets.tab_line import TabLine
from ehrtui.tui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.tui.controls.borders import Borders
    from ehrtui.tui.desk import Desk

TABS = {"answer": "F4 Answer", "plan": "F6 Plan", "duck": "F7 Duck", "confidence": "F8 Confidence"}


class Panels:
    """`front` is the panel that a narrow screen shows, `zoomed` the one that has the screen for itself; before the
    first question a welcome stands for the conversation and the answer. The `borders` know what the user gave each, and
    what is hidden."""

    def __init__(self, screen: Screen[None], desk: Desk, borders: Borders) -> None:
        self.front = "answer"
        self.zoomed: str | None = None
        self._screen = screen
        self._desk = desk
        self._borders = borders
        self._with_schema = self._schema_of_itself
        self._left: str | None = None
        """The panel that had the focus before the screen was too small for any."""

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
            hidden=self._hidden,
        )
        for name in (*PANELS, "welcome"):
            screen.query_one(f"#{name}").display = name in now.shown
        screen.query_one("#middle").display = bool(now.shown & {"answer", "welcome"})
        right = screen.query_one("#right")
        right.display = now.tabs or bool(now.shown & {"conversation", "plan", "duck", "confidence"})
        side_by_side = now.mode == "wide" and self.zoomed is None
        right.set_class(side_by_side and self.front != "answer", "-wanted")
        right.set_class("duck" in now.shown or self.front == "confidence", "-why")
        chosen_from = now.tabs and not ("welcome" in now.shown and self.front == "answer")
        screen.query_one("#panel-tabs").set_class(chosen_from, "-shown")
        screen.query_one("#panel-tabs", TabLine).choose(self.front)
        screen.set_class(now.mode == "tiny", "-tiny")
        screen.set_class(now.mode == "narrow", "-narrow")
        screen.set_class(screen.app.size.height < LOW, "-low")
        screen.set_class(self.zoomed is not None, "-zoomed")
        screen.set_class(now.tabs and self.front != "answer", "-switched-away")
        self._borders.put(wide=side_by_side, wanted=self.front != "answer")
        brief = side_by_side and self.front != "confidence"
        screen.query_one(ConfidencePanel).set_class(brief, "-brief")
        screen.query_one(AnswerPanel).tell_confidence("confidence" not in now.shown)
        place, left = self.place(), self._left
        self._left = (left or place) if now.mode == "tiny" else None
        if place != "prompt" and place not in now.shown:
            screen.query_one(Prompt).take_focus()  # nobody types into what is not there
        if left in now.shown:
            self._focus(left)

    @property
    def _schema_of_itself(self) -> bool | None:
        """Whether the schema is wanted where nobody called it: where there is room, unless the user hid it."""
        return None if self._borders.sizes.with_schema else False

    def schema_left(self) -> None:
        """The focus is elsewhere: on a narrow screen, where the schema was called for a moment, it goes."""
        called = self._with_schema and self._screen.app.size.width < WIDE
        if called and self.place() not in ("schema", None):
            self._with_schema = self._schema_of_itself
            self.arrange()

    @property
    def _hidden(self) -> frozenset[str]:
        sizes = self._borders.sizes
        wanted = {"conversation": sizes.with_turns, "plan": sizes.with_plan}
        return frozenset(name for name, shown in wanted.items() if not shown)

    def resize(self, by: int) -> None:
        """Move a border by so many columns to the right: that of the schema where it has the focus, else the one
        between the answer and what stands beside it. Nothing where the panels do not stand side by side."""
        self._borders.move("schema" if self.place() == "schema" else "side", by)
        self.arrange()

    def resize_turns(self, by: int) -> None:
        """Move the border between the turns and the plan by so many lines down."""
        self._borders.move("turns", by)
        self.arrange()

    def can_hide(self) -> bool:
        """Whether the focus is in a panel that can be hidden."""
        return self.place() in HIDDEN_BY_KEY and not self._desk.empty

    def hide(self) -> None:
        """Hide the panel that has the focus, until it is gone to."""
        place, sizes = self.place(), self._borders.sizes
        if place == "schema":
            self.jump("schema")  # which is there: that hides it
            return
        self.zoomed = None
        if place == "conversation":
            self._borders.remember(replace(sizes, with_turns=False))
        elif place == "plan":
            self.front = "answer"
            if self._screen.app.size.width >= WIDE:  # on a narrow screen it is one of those that share a place
                self._borders.remember(replace(sizes, with_plan=False))
        self.arrange()

    def _bring(self, panel: str) -> None:
        """Show a panel that was hidden."""
        if panel in self._hidden:
            shown = {"with_turns": True} if panel == "conversation" else {"with_plan": True}
            self._borders.remember(replace(self._borders.sizes, **shown))

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
        self._bring(panel)
        if panel == "schema":
            self._with_schema = not here
            if screen.app.size.width >= WITH_SCHEMA:
                self._borders.remember(replace(self._borders.sizes, with_schema=not here))
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
            self._focus(panel)

    def _focus(self, panel: str) -> None:
        """Give a panel the focus, at once: the next key may be on its way."""
        target = self._screen.query_one(f"#{panel}")
        take_focus = getattr(target, "take_focus", lambda: self._screen.set_focus(target))
        take_focus()

    def zoom(self) -> None:
        """The focused panel (from the prompt: the answer) takes the whole screen, or gives it back."""
        place = self.place()
        self.zoomed = None if self.zoomed else place if place in PANELS else "answer"
        self.arrange()
