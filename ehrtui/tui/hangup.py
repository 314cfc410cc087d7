"""The terminal goes away: its window is closed, its line is dropped. Nobody sees or types anything any more.

Textual's input thread reads a dead terminal without end, and what draws fails in a thread of its own. So nothing of the
screen is asked to end: what is open is closed beside it, and the process ends.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Callable

GRACE = 1.5
"""Seconds that closing may take; then the process ends all the same."""
EXIT_CODE = 128 + 1
"""What shells say of a process that a hangup ended."""


def end_with_terminal(terminal: int, close: Callable[[], object]) -> None:
    """From now on, end the process when the terminal of file descriptor `terminal` is gone, or when it is told so by a
    signal: `close` is called, in a thread, before that. Only from the main thread; nothing on Windows."""
    if not hasattr(signal, "SIGHUP") or not hasattr(select, "poll"):
        return
    leaving = threading.Lock()

    def leave() -> None:
        if leaving.acquire(blocking=False):
            threading.Timer(GRACE, os._exit, (EXIT_CODE,)).start()
            try:
                close()
            finally:
                os._exit(EXIT_CODE)

    def wait() -> None:
        poll = select.poll()
        poll.register(terminal, 0)  # a hangup is told without being asked for; keys are not
        if any(told & select.POLLHUP for _, told in poll.poll()):
            leave()

    signal.signal(signal.SIGHUP, lambda *_: threading.Thread(target=leave).start())
    threading.Thread(target=wait, name="terminal", daemon=True).start()
