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
    """What long work reports to, and what it asks whether Esc was pressed. Ctrl-C and SIGTERM raise
    KeyboardInterrupt. Without a terminal nothing is shown."""
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with (
        Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
        _termination_interrupts(),
        _escape_pressed() as cancelled,
    ):
        task = bar.add_task("", total=1.0, start=False, visible=False)

        def show(doing: str, share: float) -> None:
            bar.start_task(task)
            bar.update(task, description=f"{doing} (Esc cancels)", completed=share, visible=True)

        yield show, cancelled


@contextmanager
def _termination_interrupts() -> Iterator[None]:
    """SIGTERM ends the work as Ctrl-C does: the unfinished file is removed and the terminal restored."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _escape_pressed() -> Iterator[Callable[[], bool]]:
    """Says whether Esc was pressed since; always False where no keys can be read. Restores the terminal."""
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
