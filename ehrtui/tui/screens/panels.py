"""The panels of the explorer, and which of them are on the screen. What they show is not decided here."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from ehrtui.tui.layout import LEAST, PANELS, SWITCHED, layout
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.confidence import ConfidencePanel
from ehrtui.tui.widgets.duck import DuckPanel
from ehrtui.tui.widgets.header_line import HeaderLine
from ehrtui.tui.widgets.key_line import KeyLine
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.schema_tree import SchemaTree
from ehrtui.tui.widgets.tab_line import TabLine
from ehrtui.tui.widgets.turn_list import TurnList
from ehrtui.tui.widgets.welcome import Welcome

TABS = {"answer": "F4 Answer", "plan": "F6 Plan", "duck": "F7 Duck", "confidence": "F8 Confidence"}


class Panels(Screen[None]):
    """Header, panels, prompt and footer. `front` is the panel that a narrow screen shows, `zoomed` the one that has the
    screen for itself; while `is_empty`, a welcome stands for the conversation and the answer."""

    def __init__(self, hint: str) -> None:
        super().__init__()
        self.front = "answer"
        self.zoomed: str | None = None
        self._hints: tuple[str, ...] = (hint,) if hint else ()
        self._with_schema: bool | None = None

    def compose(self) -> ComposeResult:
        """Header, the panels, prompt and footer."""
        yield Static(f"The terminal is too small: ehrtui needs {LEAST[0]} × {LEAST[1]}.", id="too-small")
        yield HeaderLine(id="header")
        with Horizontal(id="main"):
            yield SchemaTree(id="schema")
            with Container(id="columns"):
                with Vertical(id="middle"):
                    yield TurnList(id="conversation")
                    yield Welcome(id="welcome")
                    yield TabLine(TABS, self.front, id="panel-tabs")
                    yield AnswerPanel(id="answer")
                with Vertical(id="right"):
                    yield PlanPanel(id="plan")
                    yield DuckPanel(id="duck")
                    yield ConfidencePanel(id="confidence")
        yield Static("\n".join(self._hints), id="hint", classes="-said" if self._hints else "", markup=False)
        yield Prompt(id="prompt")
        yield KeyLine(id="keys")

    @property
    def hinted(self) -> bool:
        """True while hints are shown."""
        return bool(self._hints)

    def hint(self, *hints: str) -> None:
        """Show these hints too, a line each, until they are dismissed."""
        self._show_hints((*self._hints, *hints))

    def dismiss_hints(self) -> None:
        """The user has seen them."""
        self._show_hints(())

    def _show_hints(self, hints: tuple[str, ...]) -> None:
        self._hints = hints
        line = self.query_one("#hint", Static)
        line.update("\n".join(self._hints))
        line.set_class(self.hinted, "-said")
        self.refresh_bindings()

    @property
    def is_empty(self) -> bool:
        """True before the first question."""
        return True

    def on_resize(self) -> None:
        """Arrange the panels for the new size; a panel that went away leaves the focus to the prompt."""
        self.arrange_panels()
        if self.focused is None:
            self.query_one(Prompt).take_focus()

    def arrange_panels(self) -> None:
        """Show the panels that are wanted, as far as there is room."""
        now = layout(
            *self.app.size, front=self.front, zoomed=self.zoomed, schema=self._with_schema, empty=self.is_empty
        )
        for name in (*PANELS, "welcome"):
            self.query_one(f"#{name}").display = name in now.shown
        self.query_one("#middle").display = bool(now.shown & {"conversation", "answer", "welcome"})
        self.query_one("#right").display = bool(now.shown & {"plan", "duck", "confidence"})
        self.query_one("#panel-tabs").set_class(now.tabs, "-shown")
        self.query_one("#panel-tabs", TabLine).choose(self.front)
        self.set_class(now.mode == "tiny", "-tiny")
        self.set_class(now.mode == "narrow", "-narrow")
        self.set_class(self.zoomed is not None, "-zoomed")
        self.set_class(now.tabs and self.front != "answer", "-switched-away")

    def place(self) -> str | None:
        """The panel that has the focus."""
        focused = self.focused
        for node in focused.ancestors_with_self if focused is not None else ():
            if node.id in (*PANELS, "prompt", "welcome"):
                return node.id
        return None

    def action_jump(self, panel: str) -> None:
        """Go to a panel, showing it if needed. Again on the schema: hide it; on the plan: its next view."""
        here = self.place() == panel
        if panel == "schema":
            self._with_schema = not here
            if here:
                self.zoomed = None
        elif panel in SWITCHED:
            self.front = panel
        if self.zoomed is not None:
            self.zoomed = panel
        self.arrange_panels()
        if panel == "schema" and here:
            self.query_one(Prompt).take_focus()
        elif panel == "plan" and here:
            self.query_one(PlanPanel).choose_next()
        elif panel in ("conversation", "answer") and self.is_empty:
            self.query_one(Welcome).take_focus()
        else:
            target = self.query_one(f"#{panel}")
            take_focus = getattr(target, "take_focus", lambda: self.set_focus(target))
            take_focus()  # at once: the next key may be on its way

    def action_zoom(self) -> None:
        """The focused panel (from the prompt: the answer) takes the whole screen, or gives it back."""
        place = self.place()
        self.zoomed = None if self.zoomed else place if place in PANELS else "answer"
        self.arrange_panels()

    def on_tab_line_chosen(self, message: TabLine.Chosen) -> None:
        """A click on a panel's name."""
        self.action_jump(message.name)
