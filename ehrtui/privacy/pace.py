"""When a request may leave: how long a plan took over the data says something of the data, so that what is sent next
leaves on a grid of few moments."""

from __future__ import annotations

import threading
import time
from typing import Protocol

COARSER = 4
"""How many times later the next moment of the grid is."""


class Clock(Protocol):
    """A clock of seconds that only goes forward."""

    def now(self) -> float:
        """Seconds since some moment."""
        ...

    def wait(self, until: float, stopped: threading.Event) -> None:
        """Return at the moment `until`, or as soon as `stopped` is set."""
        ...


class MachineClock:
    """The clock of this machine."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def wait(self, until: float, stopped: threading.Event) -> None:
        """Return at the moment `until`, or as soon as `stopped` is set."""
        stopped.wait(max(0.0, until - self.now()))


MACHINE = MachineClock()


class Pace:
    """Holds requests back to moments `grid`, 4 `grid`, 16 `grid` … seconds after work over the data began (0: not at
    all); a question that had to wait for a later moment once waits for one as late from then on.

    `touch` is called before each work over the data, `settle` when a turn is over, `leave` before each request. All may
    be called from any thread. Work that begins while an earlier one is still held back counts as begun at its end, so
    that no sum of times is told either.
    """

    def __init__(self, grid: float, clock: Clock = MACHINE) -> None:
        self.grid = grid
        self.clock = clock
        self._lock = threading.Lock()
        self._level = 0
        self._due = self.clock.now()
        self._began: float | None = None
        self._counts_from = 0.0

    def begin(self) -> None:
        """A new question begins: it may leave as early as any."""
        with self._lock:
            self._level = 0

    def touch(self) -> None:
        """Work over the data begins, or goes on."""
        with self._lock:
            if self._began is None:
                self._began = self.clock.now()
                self._counts_from = max(self._began, self._due)

    def settle(self) -> None:
        """The work is over for now."""
        with self._lock:
            self._settled()

    def held(self) -> float:
        """For how many seconds a request would be held back if it were to leave now."""
        with self._lock:
            return max(0.0, self._moment()[1] - self.clock.now())

    def leave(self, stopped: threading.Event) -> None:
        """Wait for the moment at which a request may leave, unless `stopped` is set meanwhile."""
        with self._lock:
            self._settled()
            due = self._due
        if self.clock.now() < due:
            self.clock.wait(due, stopped)

    def _settled(self) -> None:
        self._level, self._due = self._moment()
        self._began = None

    def _moment(self) -> tuple[int, float]:
        """The step of the grid at which a request may leave, and its moment."""
        if self._began is None or not self.grid:
            return self._level, self._due
        took, level = self.clock.now() - self._began, self._level
        while self.grid * COARSER**level < took:
            level += 1
        return level, self._counts_from + self.grid * COARSER**level
