"""While the database is opened: the prompt takes text already, and a question, which go on into the explorer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from ehrtui.tui.boxes import open_over
from ehrtui.tui.keys import EVERYWHERE, bindings
from ehrtui.tui.layout import TOO_SMALL, layout
from ehrtui.tui.widgets.header_line import HeaderLine
from ehrtui.tui.widgets.hint_line import HintLine
from ehrtui.tui.widgets.key_line import KeyLine
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from ehrtui.schema.model import Schema


class Opening(Screen[None]):
    """Says what is opened, and how the explorer works."""

    BINDINGS = bindings(EVERYWHERE)
    AUTO_FOCUS = "#question"

    class Drawn(Message):
        """It has been drawn for the first time."""

    class Uncovered(Message):
        """Nothing lies over it any more."""

    def __init__(self, label: str, *hints: str) -> None:
        super().__init__()
        self.asked = ""
        """The question that was put already."""
        self._label = label
        self._hints = hints

    def compose(self) -> ComposeResult:
        """Header, welcome, prompt and footer; the tables come beside the welcome."""
        yield Static(TOO_SMALL, id="too-small")
        yield HeaderLine(id="header")
        with Horizontal(id="main"):
            yield Welcome(id="welcome")
        yield HintLine(*self._hints, id="hint")
        yield Prompt(id="prompt")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Say what is opened; nothing is, before that can be read."""
        self.query_one(HeaderLine).say(self._label, "opening …")
        self.call_after_refresh(self.post_message, self.Drawn())

    async def show_tables(self, schema: Schema) -> None:
        """Show the tables, where the explorer will have them; to work with them takes the explorer."""
        from ehrtui.tui.widgets.schema_tree import SchemaTree

        tree = SchemaTree(id="schema")
        tree.can_focus = False
        await self.query_one("#main").mount(tree, before="#welcome")
        tree.show(schema)
        self.on_resize()

    def on_resize(self) -> None:
        """Nothing useful can be shown in too small a terminal, and the tables only where there is room."""
        now = layout(*self.app.size, front="answer", zoomed=None, schema=None, empty=True)
        self.set_class(now.mode == "tiny", "-tiny")
        self.query("#schema").set(display="schema" in now.shown)

    def on_screen_resume(self) -> None:
        """Tell the app."""
        self.post_message(self.Uncovered())

    @property
    def hints(self) -> tuple[str, ...]:
        """Those that nobody has dismissed."""
        return tuple(hint for line in self.query(HintLine) for hint in line.hints)

    def on_prompt_asked(self, message: Prompt.Asked) -> None:
        """There is nobody to ask yet: the question waits."""
        self.asked = message.text
        if message.text.strip():
            self.query_one(HeaderLine).say(self._label, "opening …", "then your question is asked")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Panels come with the database."""
        if action == "back":
            return bool(self.hints)
        return action == "help" or action.startswith("app.")

    def action_back(self) -> None:
        """The hint was read."""
        self.query_one(HintLine).say()

    def action_help(self) -> None:
        """What the prompt does, and every key."""
        from ehrtui.tui.screens.help import Help

        open_over(self, Help("prompt"))
