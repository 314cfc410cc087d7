"""`ehrtui demo`: build the demo database once, with a progress bar, and open it."""

from __future__ import annotations

import os
import select
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ehrtui.errors import Cancelled

INTERRUPTED = 130
_ESCAPE = b"\x1b"


def run(args: Namespace) -> int:
    """Build the demo unless it is cached, then open the explorer on it, or print its path with `--no-open`.

    `args` has `patients`, `seed`, `rebuild`, `no_open`, `state` and the explorer's options. Raises UsageError or
    DatabaseError; the value is the exit code, `INTERRUPTED` when Esc or Ctrl-C stopped the build.
    """
    try:
        path = _build(args)
    except (Cancelled, KeyboardInterrupt):
        print("Cancelled: no demo database was built, and nothing was left behind.", file=sys.stderr)
        return INTERRUPTED
    if args.no_open:
        print(path)
        return 0
    from ehrtui.commands.explore import explore

    return explore(str(path), args)


def _build(args: Namespace) -> Path:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from ehrtui.demo.build import cached

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
        _termination_interrupts(),
        _escape_pressed() as cancelled,
    ):
        task = bar.add_task("", total=1.0, start=False, visible=False)

        def show(doing: str, share: float) -> None:
            bar.start_task(task)
            bar.update(task, description=f"{doing} (Esc cancels)", completed=share, visible=True)

        return cached(
            args.patients,
            seed=args.seed,
            rebuild=args.rebuild,
            state=args.state,
            progress=show,
            cancelled=cancelled,
        )


@contextmanager
def _termination_interrupts() -> Iterator[None]:
    """SIGTERM ends the build as Ctrl-C does: the unfinished file is removed and the terminal restored."""
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
