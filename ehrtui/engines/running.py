"""The one statement that runs on a connection: what it may use, and why it must stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ehrtui.engines.disk import free_bytes, size
from ehrtui.engines.engine import Limits, Row
from ehrtui.errors import QueryCancelled, QueryError, QueryLimit

SMALLEST = 1_000_000
"""Bytes of a result that may always be kept: they stay in memory."""


def never() -> bool:
    """What is asked where nobody may stop a statement."""
    return False


@dataclass
class Running:
    """`cancelled` is set from another thread, and `stopped` asked, to end the statement. Results are kept in
    `directory`: this one may have `room` bytes, and `floor` bytes of the disk must stay free meanwhile."""

    limits: Limits
    directory: Path
    stopped: Callable[[], bool]
    cancelled: bool = False
    full: bool = False
    glancing: bool = False
    """True while only the first rows are looked at, which must not take long."""

    def __post_init__(self) -> None:
        seconds, free = self.limits.seconds, free_bytes(self.directory)
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.floor = self.limits.reserve if free > self.limits.reserve else 0
        left = max(free - self.limits.reserve, SMALLEST)
        self.room = left if self.limits.bytes is None else min(left, self.limits.bytes)

    def must_stop(self) -> bool:
        """True when it was cancelled, or has taken too long."""
        self.cancelled = self.cancelled or self.stopped()
        return self.cancelled or (self.deadline is not None and time.monotonic() > self.deadline)

    def fills_disk(self) -> bool:
        """True when little room is left on the disk, also by what it sorts or by other programs."""
        self.full = self.full or free_bytes(self.directory) < self.floor
        return self.full

    def reason(self) -> QueryError:
        """Why it had to stop."""
        if self.cancelled:
            return QueryCancelled("The query was stopped.", next_step="Run it again, or change it.")
        if self.full:
            return self.too_large()
        return QueryLimit(
            f"The query took longer than {self.limits.seconds:g} s.",
            next_step="Ask for less: a shorter time, fewer patients, or one table less.",
        )

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
