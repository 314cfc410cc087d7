"""The terminal goes away: its window is closed, its line is dropped. Nobody sees or types anything any more.

A signal tells it only to who leads the terminal's session, and `make`, where that leads it, passes none on. So the
terminal itself is watched.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable

GRACE = 1.5
"""Seconds that closing may take; then the process ends all the same."""
EXIT_CODE = 128 + 1
"""What shells say of a process that a hangup ended."""


def end_with_terminal(terminal: int, close: Callable[[], object]) -> None:
    """From now on, end the process when the terminal of file descriptor `terminal` is gone, or when it is told so by a
    signal: `close` is called, in a thread, before that. Only from the main thread; nothing on Windows.

    Textual's input thread reads a dead terminal without end, and what draws fails in a thread of its own. So nothing of
    the screen is asked to end: what is open is closed beside it."""

    def leave() -> None:
        try:
            close()
        finally:
            os._exit(EXIT_CODE)

    _watch(terminal, leave)


def interrupt_with_terminal() -> None:
    """The same for a command that writes to a terminal: it is stopped as by Ctrl-C. Nothing where its output goes
    somewhere else, or where it is to outlive the terminal (nohup)."""
    if hasattr(signal, "SIGHUP") and sys.stdout.isatty() and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        _watch(sys.stdout.fileno(), lambda: os.kill(os.getpid(), signal.SIGINT))


def _watch(terminal: int, leave: Callable[[], object]) -> None:
    """Call `leave`, once and in a thread, when the terminal is gone."""
    if not hasattr(signal, "SIGHUP") or not hasattr(select, "poll"):
        return
    leaving = threading.Lock()

    def gone() -> None:
        if leaving.acquire(blocking=False):
            ending = threading.Timer(GRACE, os._exit, (EXIT_CODE,))
            ending.daemon = True  # who is done before that need not wait for it
            ending.start()
            leave()

    def wait() -> None:
        poll = select.poll()
        poll.register(terminal, 0)  # a hangup is told without being asked for; keys are not
        if any(told & select.POLLHUP for _, told in poll.poll()):
            gone()

    signal.signal(signal.SIGHUP, lambda *_: threading.Thread(target=gone).start())
    threading.Thread(target=wait, name="terminal", daemon=True).start()
