"""Which panels are on the screen, and the way to each of them. What they show is not decided here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.tui.layout import LOW, PANELS, SWITCHED, WITH_SCHEMA, layout
from ehrtui.tui.panel_sizes import LEAST_SCHEMA, LEAST_SIDE, PanelSizes, within
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.confidence import ConfidencePanel
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from ehrtui.tui.widgets.tab_line import TabLine
from ehrtui.tui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget

    from ehrtui.tui.desk import Desk

TABS = {"answer": "F4 Answer", "plan": "F6 Plan", "duck": "F7 Duck", "confidence": "F8 Confidence"}


class Panels:
    """`front` is the panel that a narrow screen shows, `zoomed` the one that has the screen for itself; before the
    first question a welcome stands for the conversation and the answer. `sizes` are those that the user gave them, and
    `keep` is told of others."""

    def __init__(
        self, screen: Screen[None], desk: Desk, sizes: PanelSizes, keep: Callable[[PanelSizes], object]
    ) -> None:
        self.front = "answer"
        self.zoomed: str | None = None
        self._screen = screen
        self._desk = desk
        self._sizes = sizes
        self._keep = keep
        self._with_schema: bool | None = None if sizes.with_schema else False
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
        self._size(wide=now.mode == "wide" and self.zoomed is None)
        brief = now.mode == "wide" and self.zoomed is None and self.front != "confidence"
        screen.query_one(ConfidencePanel).set_class(brief, "-brief")
        screen.query_one(AnswerPanel).tell_confidence("confidence" not in now.shown)
        place, left = self.place(), self._left
        self._left = (left or place) if now.mode == "tiny" else None
        if place != "prompt" and place not in now.shown:
            screen.query_one(Prompt).take_focus()  # nobody types into what is not there
        if left in now.shown:
            self._focus(left)

    def _size(self, *, wide: bool) -> None:
        """Give the panels the user's widths, where they stand side by side; elsewhere the sheet says what they have."""
        screen, sizes = self._screen, self._sizes
        room = screen.app.size.width
        schema = within(sizes.schema, LEAST_SCHEMA, room) if wide and sizes.schema is not None else None
        side = within(sizes.side, LEAST_SIDE, room) if wide and sizes.side is not None else None
        if side is not None and self.front != "answer":
            side = max(side, room // 2)  # what was gone to has more room
        _widen(screen.query_one("#schema"), schema)
        _widen(screen.query_one("#right"), side)

    def resize(self, by: int) -> None:
        """Move a border by so many columns to the right: that of the schema where it has the focus, else the one
        between the answer and what stands beside it. Nothing where the panels do not stand side by side."""
        screen, room = self._screen, self._screen.app.size.width
        if screen.has_class("-narrow") or self.zoomed is not None:
            return
        schema, side = (_width(screen.query_one(panel)) for panel in ("#schema", "#right"))
        if self.place() == "schema" and schema:
            self._sizes = replace(self._sizes, schema=within(schema + by, LEAST_SCHEMA, room))
        elif self.place() != "schema" and side:
            self._sizes = replace(self._sizes, side=within(side - by, LEAST_SIDE, room))
        self._keep(self._sizes)
        self.arrange()

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
            if screen.app.size.width >= WITH_SCHEMA and self._sizes.with_schema == here:
                self._sizes = replace(self._sizes, with_schema=not here)
                self._keep(self._sizes)
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


def _width(panel: Widget) -> int:
    """The columns that a panel was given, or has; 0 where it is not on the screen yet."""
    given = panel.styles.inline.width
    return int(given.value) if given is not None and panel.display else panel.outer_size.width


def _widen(panel: Widget, width: int | None) -> None:
    """Give a panel this width, whatever the sheet says; None leaves it to the sheet."""
    if width is not None:
        panel.styles.width = panel.styles.min_width = panel.styles.max_width = width
        return
    given = [rule for rule in ("width", "min_width", "max_width") if panel.styles.inline.clear_rule(rule)]
    if given:
        panel.refresh(layout=True)
