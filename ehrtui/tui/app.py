"""The full-screen app: themes, the explorer, the ways out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App, SystemCommand
from textual.screen import Screen

from ehrtui.errors import EhrtuiError
from ehrtui.shipped import shipped
from ehrtui.tui.keys import EVERYWHERE, KEYS, PLACES, Key
from ehrtui.tui.messages import Opened, OpeningFailed
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.themes import DEFAULT, choose_theme, chosen_theme, load_themes

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation

HINT = "First time here? F1 shows what each panel does and every key. Esc closes this line, and it will not come again."


class EhrtuiApp(App[int]):
    """Explores one database.

    `open_conversation` is called in a thread, so that the first frame is there at once; what it raises is shown,
    kept in `failure`, and makes the exit code 1. `state` and `config` are the user's directories, for the mark that
    the first hint was shown and for themes; None where the platform has them.
    """

    TITLE = "ehrtui"
    CSS_PATH = "screens/explorer.tcss"  # Textual does not load the style of a default screen

    def __init__(
        self,
        open_conversation: Callable[[], Conversation],
        *,
        label: str,
        state: Path | None = None,
        config: Path | None = None,
    ) -> None:
        super().__init__()
        self.failure: EhrtuiError | None = None
        self._conversation: Conversation | None = None
        self._label = label
        self._open = open_conversation
        self._state = state or _platform_directory("state")
        themes, self._notices = load_themes(shipped("themes"), (config or _platform_directory("config")) / "themes")
        for theme in themes:
            self.register_theme(theme)
        chosen = chosen_theme(self._state)
        self.theme = next(name for name in (chosen, DEFAULT, self.theme) if name in self.available_themes)

    def get_default_screen(self) -> Screen[None]:
        """The explorer is the first screen."""
        return Explorer(self._label, self._open, HINT if _first_time(self._state) else "")

    def on_mount(self) -> None:
        """Say which theme files were left out."""
        for notice in self._notices:
            self.notify(notice, severity="warning", markup=False)

    def watch_theme(self, theme: str) -> None:
        """Start with the same theme the next time."""
        if self.is_running and theme != (chosen_theme(self._state) or DEFAULT):
            choose_theme(self._state, theme)

    def on_opened(self, message: Opened) -> None:
        """Keep the conversation, to close it in the end."""
        self._conversation = message.conversation

    def on_opening_failed(self, message: OpeningFailed) -> None:
        """Show why there is nothing to explore."""
        from ehrtui.tui.screens.failure import Failure

        self.failure = message.error
        self.push_screen(Failure(self._label, message.error))

    @property
    def explorer(self) -> Explorer:
        """The screen under all others."""
        screen = self.screen_stack[0]
        assert isinstance(screen, Explorer)
        return screen

    async def action_quit(self) -> None:
        """Leave; what runs is stopped."""
        self.exit(1 if self.failure else 0, return_code=1 if self.failure else 0)

    async def on_unmount(self) -> None:
        """Close the database, whatever the way out."""
        if self._conversation is not None:
            await asyncio.to_thread(self._conversation.close)

    def action_picture(self) -> None:
        """Save the screen as SVG in the current directory, readable by the user alone."""
        path = next(path for number in range(1, 10_000) if not (path := Path(f"ehrtui-{number}.svg")).exists())
        try:
            path.touch(mode=0o600)
            path.write_text(_without_web_fonts(self.export_screenshot(title="")), encoding="utf-8")
        except OSError as error:
            self.notify(f"The picture could not be saved: {error.strerror}.", severity="error", markup=False)
            return
        self.notify(f"Saved {path}. It shows patient data if the screen did.", markup=False)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The command palette: every key of the registry that makes sense by name."""
        for key in KEYS:
            if key.palette:
                yield SystemCommand(f"{PLACES[key.place]}: {key.help}", key.keys, partial(self._do, key))

    async def _do(self, key: Key) -> None:
        node = self.explorer if key.place == EVERYWHERE else self.explorer.query_one(f"#{key.place}")
        await self.run_action(key.action, default_namespace=node)


def _without_web_fonts(svg: str) -> str:
    """The picture with the fonts of whoever looks at it: one that shows patient data fetches nothing from the web."""
    return re.sub(r"@font-face\s*\{[^}]*\}", "", svg)


def _platform_directory(kind: str) -> Path:
    from platformdirs import user_config_path, user_state_path

    return user_state_path("ehrtui") if kind == "state" else user_config_path("ehrtui")


def _first_time(state: Path) -> bool:
    """True once: the first time that this state directory is used."""
    mark = state / "welcomed"
    try:
        if mark.exists():
            return False
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        mark.touch()
    except OSError:
        return False
    return True
