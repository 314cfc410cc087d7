"""Work in a thread of its own, watched from outside: one call of a function of SQLite may take very long, and nothing
looks at the clock meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeAlias, TypeVar

_T = TypeVar("_T")

Tell: TypeAlias = "Callable[[Any], None]"

_TICK = 0.02
"""Seconds between two looks at the work."""
_PATIENCE = 0.6
"""Seconds that work may go on after it was told to stop."""


class Stuck(Exception):
    """Work that was told to stop goes on. Its cause is what the caller was stopped by, if anything."""


class Worker:
    """A thread that does one piece of work after another; it starts with the first one."""

    def __init__(self) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._started = False

    def do(self, work: Callable[[Tell], _T], tell: Tell, check: Callable[[], bool], cancel: Callable[[], None]) -> _T:
        """What `work` gives or raises. What it says to the function that it is given comes to `tell` in this thread,
        while the work waits. `check` is called again and again, here too: it stops work that must end, and says whether
        it did. `cancel` stops it where this thread is interrupted. Raises Stuck where work that was stopped goes on."""
        job = _Job(work)
        if not self._started:
            self._started = True
            threading.Thread(target=self._run, name="ehrtui statements", daemon=True).start()
        self._work.put(job.do)
        try:
            return job.wait(tell, check)
        except Stuck:
            raise
        except BaseException as error:
            if not job.is_over:
                cancel()
                job.end(check, error)
            raise

    def close(self, last: Callable[[], None]) -> None:
        """Do `last` after the work, and end."""
        if self._started:
            self._work.put(last)
            self._work.put(None)
        else:
            last()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()


class _Job(Generic[_T]):
    """One piece of work, and what it says to who waits for it."""

    def __init__(self, work: Callable[[Tell], _T]) -> None:
        self.is_over = False
        self._work = work
        self._said: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
        self._heard: SimpleQueue[None] = SimpleQueue()
        self._result: _T
        self._error: BaseException | None = None

    def do(self) -> None:
        """Do the work, in the thread of the worker."""
        try:
            self._result = self._work(self._say)
        except BaseException as error:  # it is raised where the work was wanted
            self._error = error
        self._said.put((True, None))

    def _say(self, what: Any) -> None:
        self._said.put((False, what))
        self._heard.get()

    def wait(self, tell: Tell, check: Callable[[], bool]) -> _T:
        """What the work gives or raises, once it is over. Raises Stuck."""
        told: float | None = None
        while not self.is_over:
            try:
                self.is_over, what = self._said.get(timeout=_TICK)
            except Empty:
                if check():
                    told = time.monotonic() if told is None else told
                    if time.monotonic() - told > _PATIENCE:
                        raise Stuck from None
                continue
            if not self.is_over:
                try:
                    tell(what)
                finally:
                    self._heard.put(None)
        if self._error is not None:
            try:
                raise self._error
            finally:
                self._error = None  # it refers to this frame
        return self._result

    def end(self, check: Callable[[], bool], cause: BaseException) -> None:
        """Wait until work that was stopped is over, whatever comes of it. Raises Stuck, because of `cause`."""
        try:
            self.wait(lambda what: None, check)
        except Stuck:
            raise Stuck from cause
        except Exception:
            return
