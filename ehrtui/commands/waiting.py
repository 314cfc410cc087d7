"""Waiting for long work: a progress bar on standard error, and Esc, Ctrl-C or SIGTERM to cancel."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ehrtui.cache import Progress

INTERRUPTED = 130
"""The exit code of a command whose work was cancelled."""

_ESCAPE = b"\x1b"


@contextmanager
def progress_bar() -> Iterator[tuple[Progress, Callable[[], bool]]]:
    """What long work reports to, and what it asks whether the user wants it to stop: by Esc, Ctrl-C or SIGTERM.
    Without a terminal nothing is shown."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with (
        Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
        _stop_wanted() as cancelled,
    ):
        task = bar.add_task("", total=1.0, start=False, visible=False)

        def show(doing: str, share: float) -> None:
            bar.start_task(task)
            bar.update(task, description=f"{doing} (Esc cancels)", completed=share, visible=True)

        yield show, cancelled


@contextmanager
def _stop_wanted() -> Iterator[Callable[[], bool]]:
    """Signals are only noted, and the work asks: an exception in the middle of a callback from SQLite would be lost.
    A second Ctrl-C ends the process as ever."""
    noted: list[int] = []

    def note(number: int, _: object) -> None:
        noted.append(number)
        signal.signal(number, before[signal.Signals(number)])

    before = {number: signal.getsignal(number) or signal.SIG_DFL for number in (signal.SIGINT, signal.SIGTERM)}
    with _escape_pressed() as escape:

        def wanted() -> bool:
            if not noted and escape():
                noted.append(signal.SIGINT)
            return bool(noted)

        for number in before:
            signal.signal(number, note)
        try:
            yield wanted
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _escape_pressed() -> Iterator[Callable[[], bool]]:
    """Says whether Esc was pressed meanwhile; always False where no keys can be read. Restores the terminal."""
    if sys.platform == "win32" or not sys.stdin.isatty():
        yield lambda: False
        return
    import termios
    import tty

    keyboard = sys.stdin.fileno()

    def pressed() -> bool:
        ready, _, _ = select.select([keyboard], [], [], 0)
        # Arrow and function keys begin with Esc as well, but more follows.
        return bool(ready) and os.read(keyboard, 64).endswith(_ESCAPE)

    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard)
        yield pressed
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
