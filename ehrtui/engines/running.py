"""The one statement that runs on a connection: what it may use, and why it must stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path

from ehrtui.engines.disk import free_bytes, size
from ehrtui.engines.engine import Limits, Row
from ehrtui.errors import QueryCancelled, QueryDeadline, QueryError, QueryLimit

SMALLEST = 1_000_000
"""Bytes of a result that may always be kept: they stay in memory."""


def never() -> bool:
    """What is asked where nobody may stop a statement."""
    return False


class Stop(Enum):
    """Why a statement must stop."""

    CANCELLED = 1
    LATE = 2
    FULL = 3


@dataclass
class Running:
    """`stopped` is asked whether to end the statement, and `stop` says why it must, once it does: the first reason
    stays. Results are kept in `directory`."""

    limits: Limits
    directory: Path
    stopped: Callable[[], bool]
    stop: Stop | None = None
    glancing: bool = False
    """True while only the first rows are looked at, which must not take long."""
    settled: bool = False
    """True while it only tidies up: nothing stops that."""

    def __post_init__(self) -> None:
        seconds = self.limits.seconds
        self.deadline = None if seconds is None else time.monotonic() + seconds

    @cached_property
    def _free(self) -> int:
        """Bytes that were free on the disk when that was first asked: what is over at once never asks."""
        return free_bytes(self.directory)

    @property
    def floor(self) -> int:
        """Bytes of the disk that must stay free."""
        return self.limits.reserve if self._free > self.limits.reserve else 0

    @property
    def room(self) -> int:
        """Bytes that its result may have."""
        left = max(self._free - self.limits.reserve, SMALLEST)
        return left if self.limits.bytes is None else min(left, self.limits.bytes)

    def cancel(self) -> None:
        """It must stop because somebody wants that; may be called from any thread."""
        self.stop = self.stop or Stop.CANCELLED

    def must_stop(self) -> bool:
        """True when it was cancelled, or has taken too long."""
        if self.stop is None and self.stopped():
            self.stop = Stop.CANCELLED
        if self.stop is None and self.deadline is not None and time.monotonic() > self.deadline:
            self.stop = Stop.LATE
        return self.stop is not None

    def fills_disk(self) -> bool:
        """True when little room is left on the disk, also by what it sorts or by other programs."""
        if self.stop is None and free_bytes(self.directory) < self.floor:
            self.stop = Stop.FULL
        return self.stop is Stop.FULL

    def reason(self) -> QueryError:
        """Why it had to stop."""
        match self.stop:
            case Stop.LATE:
                return QueryDeadline(
                    f"The query took longer than {self.limits.seconds:g} s.",
                    next_step="Ask for less: a shorter time, fewer patients, or one table less.",
                )
            case Stop.FULL:
                return self.too_large()
            case _:
                return QueryCancelled("The query was stopped.", next_step="Run it again, or change it.")

    def too_large(self) -> QueryLimit:
        """Its result, or what it sorts, has no room."""
        limit = self.limits.bytes
        if limit is not None and self.room == limit and not self.fills_disk():
            return QueryLimit(
                f"The result is larger than {size(limit)}, the limit for one result.",
                why="Tables that are joined without a condition give every pair of their rows.",
                next_step="Check the joins, or ask for fewer rows or columns.",
            )
        kept_free = f", and {size(self.limits.reserve)} must stay free" if self.limits.reserve else ""
        return QueryLimit(
            "The result does not fit on the disk.",
            why=f"The temporary directory {self.directory} has {size(free_bytes(self.directory))} left{kept_free}.",
            next_step="Check the joins, ask for fewer rows or columns, or free some space.",
        )

    def watch(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows, as long as it need not stop."""
        for row in rows:
            if self.must_stop():
                raise self.reason()
            yield row
