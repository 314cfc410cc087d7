"""Ctrl-C, heard where it can be acted on: an exception in the middle of a callback from SQLite would be lost."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_LISTEN_S = 0.05
_pending: list[int] = []


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Inside, Ctrl-C is only noted: it is raised by `heard` work, while `interruptible`, or at the end. A second one
    is raised at once."""
    before = signal.getsignal(signal.SIGINT)
    if before is not _note:
        _pending.clear()
    signal.signal(signal.SIGINT, _note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if _pending:
            raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, Ctrl-C is raised as ever: for waiting in which nothing can be lost."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if _pending:
            raise KeyboardInterrupt
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def forgive() -> None:
    """Forget a Ctrl-C that was acted on: what comes next is not stopped by it."""
    _pending.clear()


def heard(work: Callable[[], T], cancel: Callable[[], None]) -> T:
    """Do the work in a thread, so that Ctrl-C stops it by `cancel` at once.

    Raises KeyboardInterrupt where that was pressed, else what the work raises.
    """
    with interrupts_held(), ThreadPoolExecutor(1) as pool:
        done = pool.submit(work)
        while not done.done():
            if _pending:
                cancel()  # again and again: work that has only just begun would not hear it
            wait([done], timeout=_LISTEN_S)
        return done.result()


def _note(number: int, _: object) -> None:
    if _pending:
        raise KeyboardInterrupt
    _pending.append(number)
