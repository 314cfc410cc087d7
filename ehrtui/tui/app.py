"""The full-screen app: themes, the explorer, the ways out."""

from __future__ import annotations

import asyncio
import gc
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from textual.app import App

from ehrtui.errors import EhrtuiError
from ehrtui.shipped import shipped
from ehrtui.terminal import printable
from ehrtui.tui.key_map import FILE, load_key_map
from ehrtui.tui.layout import BENEATH
from ehrtui.tui.screens.opening import Opening
from ehrtui.tui.themes import DEFAULT, choose_theme, chosen_theme, load_theme, load_themes, stamp
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.driver import Driver

    from ehrtui.conversation.conversation import Conversation
    from ehrtui.schema.model import Schema
    from ehrtui.session.saved import SavedSession

HINT = "First time here? F1 shows what each panel does and every key. Esc closes this line, and it will not come again."
THEME_SECONDS = 1.0
"""Seconds between two looks whether a theme of the user's has changed."""
MOMENT = 0.2
"""Seconds that the work behind the first screen makes way for what is drawn on it, at the most."""


def _commands() -> type[Provider]:
    """Those of the palette; not before it is called."""
    from ehrtui.tui.palette import Commands

    return Commands


class EhrtuiApp(App[int]):
    """Explores one database.

    `open_conversation` is called in a thread, so that the first frame is there at once; what it raises is shown,
    kept in `failure`, and makes the exit code 1. `resume` gives the session to go on with, if any, and may raise, too.
    `notices` are to be known before all else.
    `state` and `config` are the user's directories, for sessions, the mark that the first hint was shown, and themes;
    None where the platform has them.
    """

    TITLE = "ehrtui"
    CSS_PATH = "screens/explorer.tcss"
    COMMANDS = {_commands}  # noqa: RUF012 - as Textual declares it

    def __init__(
        self,
        open_conversation: Callable[[], Conversation],
        *,
        label: str,
        state: Path | None = None,
        config: Path | None = None,
        resume: Callable[[Conversation], SavedSession | None] = lambda _: None,
        notices: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        self.failure: EhrtuiError | None = None
        self._drawn = self._explored = False
        self._opened: tuple[Conversation, Schema] | None = None
        self._resume = resume
        self._resumed: SavedSession | None = None
        self._label = label
        self._open = open_conversation
        self._state = state or _platform_directory("state")
        self._hints = (*map(printable, notices), *((HINT,) if _first_time(self._state) else ()))
        self._themes = (config or _platform_directory("config")) / "themes"
        self._themes_stamp: object = None
        keys, self._notices = load_key_map((config or _platform_directory("config")) / FILE)
        self.own_keys: dict[str, str] = keys
        if keys:
            self.set_keymap(keys)
        self._wear_chosen()

    def _wear_chosen(self) -> None:
        """The theme for the first frame; the others are read behind that."""
        chosen = chosen_theme(self._state) or DEFAULT
        for name in (DEFAULT, chosen):
            if (theme := load_theme(name, shipped("themes"), self._themes)) is not None:
                self.register_theme(theme)
        self.theme = next(name for name in (chosen, DEFAULT, self.theme) if name in self.available_themes)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_driver_class(self) -> type[Driver]:
        """Textual's, but where it would read a Unix terminal."""
        chosen = super().get_driver_class()
        if chosen.__name__ != "LinuxDriver":
            return chosen
        from ehrtui.tui.driver import TerminalDriver

        return TerminalDriver

    def get_default_screen(self) -> Opening:
        """The one that shows that the database is being opened."""
        return Opening(self._label, *self._hints)

    def refresh_css(self, animate: bool = True) -> None:
        """Textual's; but the theme that is there from the start asks for it too, where every style has its colours."""
        if self._drawn:
            super().refresh_css(animate)

    def on_mount(self) -> None:
        """Say which lines of the user's keys mean nothing."""
        for notice in self._notices:
            self.notify(notice, severity="warning", markup=False)
        self.set_interval(THEME_SECONDS, self.reread_themes)

    def reread_themes(self) -> None:
        """Take the themes as they are now; the first time, or where one of the user's files has changed."""
        if (now := stamp(self._themes)) == self._themes_stamp:
            return
        self._themes_stamp = now
        themes, notices = load_themes(shipped("themes"), self._themes)
        worn = self.current_theme
        for theme in themes:
            self.register_theme(theme)
        if self.current_theme != worn:
            self.mutate_reactive(App.theme)
        for notice in notices:
            self.notify(notice, severity="warning", markup=False)

    def on_opening_drawn(self) -> None:
        """Open the database; what waited for the first frame goes on."""
        gc.enable()
        self._drawn = True

        def work() -> tuple[Conversation, Schema]:
            conversation = self._open()
            try:
                self._resumed = self._resume(conversation)
            except EhrtuiError:
                conversation.close()
                raise
            return conversation, conversation.engine.schema()

        in_thread(self, work, self._explore, self._not_opened, group="open")

    def show_tables(self, schema: Schema) -> None:
        """Show what is in the database while the rest is being opened; from a thread, which waits until it can be seen,
        or a moment."""
        drawn = Event()
        self.call_later(self._show_tables, schema, drawn)
        drawn.wait(MOMENT)

    async def _show_tables(self, schema: Schema, drawn: Event) -> None:
        opening = next((screen for screen in self.screen_stack if isinstance(screen, Opening)), None)
        if opening is not None:
            await opening.show_tables(schema)
            opening.call_after_refresh(drawn.set)

    async def _explore(self, opened: tuple[Conversation, Schema]) -> None:
        """The database is open."""
        self._opened = opened
        await self.on_opening_uncovered()

    async def on_opening_uncovered(self) -> None:
        """Go on to the explorer, with what was typed so far; as soon as nothing else is looked at."""
        opening = self.screen
        if self._opened is None or not isinstance(opening, Opening):
            return
        from ehrtui.tui.panel_sizes import keep_sizes, kept_sizes
        from ehrtui.tui.screens.explorer import Explorer  # not before the first frame: it knows every panel

        conversation, schema = self._opened
        typed, hints = opening.query_one(Prompt).input, (*opening.hints, *conversation.notices)
        # Keys wait for the app, and the old prompt has all that were meant for it once its screen is gone.
        last = partial(self._last_session, conversation)
        earlier = partial(self._earlier_questions, conversation)
        explorer = Explorer(
            conversation,
            schema,
            hints,
            last,
            earlier,
            self._resumed,
            sizes=kept_sizes(self._state),
            keep_sizes=partial(keep_sizes, self._state),
        )
        with self.batch_update():  # over the opening, which is left blank: the first screen cannot be switched away
            await self.push_screen(explorer)
            self._explored = True
            await opening.remove_children()
        self.reread_themes()
        explorer.query_one(Prompt).take_over(typed)
        if opening.asked.strip() and opening.asked == typed.question:
            explorer.questions.put(opening.asked)

    def _last_session(self, conversation: Conversation) -> SavedSession | None:
        """The last session of this database; in a thread."""
        from ehrtui.session.saved import last_session

        return last_session(conversation.engine.fingerprint(), self._state)

    def _earlier_questions(self, conversation: Conversation) -> tuple[tuple[str, str], ...]:
        """What was asked of this database in saved sessions; in a thread."""
        from ehrtui.session.saved import questions_of

        return questions_of(conversation.engine.fingerprint(), self._state)

    def _not_opened(self, error: EhrtuiError) -> None:
        """Show why there is nothing to explore."""
        from ehrtui.tui.screens.failure import Failure

        self.failure = error
        self.push_screen(Failure(self._label, error))

    def watch_theme(self, theme: str) -> None:
        """Start with the same theme the next time."""
        if self.is_running and theme != (chosen_theme(self._state) or DEFAULT):
            choose_theme(self._state, theme)

    def action_command_palette(self) -> None:
        """Textual's, over no other box: its commands work on the panels."""
        if not self.screen.is_modal:
            super().action_command_palette()

    def action_change_theme(self) -> None:
        """Textual's, over no other box."""
        if not self.screen.is_modal:
            super().action_change_theme()

    async def action_quit(self) -> None:
        """Leave; what runs is stopped."""
        self.exit(1 if self.failure else 0, return_code=1 if self.failure else 0)

    def action_help_quit(self) -> None:
        """Ctrl-C, where there is nothing to be copied: stop what runs, as Esc does. Where nothing runs, or it is being
        stopped already, say how one leaves."""
        explorer = self.screen_stack[BENEATH] if self._explored else None
        if explorer is None or not explorer.stop():  # type: ignore[attr-defined]  # loaded behind the first frame
            super().action_help_quit()

    async def on_unmount(self) -> None:
        """Close the database, whatever the way out."""
        await asyncio.to_thread(self.close_conversation)

    def close_conversation(self) -> None:
        """Save the session and release the results, if the database is open; from any thread."""
        if self._opened is not None:
            conversation, _ = self._opened
            conversation.close()

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
