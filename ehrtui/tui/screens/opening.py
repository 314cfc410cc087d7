"""While the database is opened: the prompt takes text already, which goes on into the explorer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from ehrtui.tui.keys import EVERYWHERE, bindings
from ehrtui.tui.layout import TOO_SMALL, is_too_small
from ehrtui.tui.widgets.header_line import HeaderLine
from ehrtui.tui.widgets.hint_line import HintLine
from ehrtui.tui.widgets.key_line import KeyLine
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.welcome import Welcome


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
        self._label = label
        self._hints = hints

    def compose(self) -> ComposeResult:
        """Header, welcome, prompt and footer."""
        yield Static(TOO_SMALL, id="too-small")
        yield HeaderLine(id="header")
        yield Welcome(id="welcome")
        yield HintLine(*self._hints, id="hint")
        yield Prompt(id="prompt")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Say what is opened; nothing is, before that can be read."""
        self.query_one(HeaderLine).say(self._label, "opening …")
        self.call_after_refresh(self.post_message, self.Drawn())

    def on_resize(self) -> None:
        """Nothing useful can be shown in too small a terminal."""
        self.set_class(is_too_small(*self.app.size), "-tiny")

    def on_screen_resume(self) -> None:
        """Tell the app."""
        self.post_message(self.Uncovered())

    @property
    def hints(self) -> tuple[str, ...]:
        """Those that nobody has dismissed."""
        return self.query_one(HintLine).hints

    def on_prompt_asked(self) -> None:
        """There is nobody to ask yet."""
        self.notify("The database is still being opened.", severity="warning")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Panels come with the database."""
        if action == "back":
            return self.is_mounted and bool(self.hints)
        return action == "help" or action.startswith("app.")

    def action_back(self) -> None:
        """The hint was read."""
        self.query_one(HintLine).say()

    def action_help(self) -> None:
        """What the prompt does, and every key."""
        from ehrtui.tui.screens.help import Help

        self.app.push_screen(Help("prompt"))
