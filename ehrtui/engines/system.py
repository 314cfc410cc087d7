"""What another database system must offer to be an engine: it runs statements of its own dialect, and keeps rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.bridge.speech import Speech
from ehrtui.engines.engine import DataState, Row
from ehrtui.errors import EhrtuiError
from ehrtui.schema.model import Schema


@dataclass(frozen=True)
class Keeping:
    """What is asked of rows that are kept: one more than `limit`, if there are so many; `room` bytes are theirs.
    `first` is called with the first rows, if they are wanted, by a system that carries them here."""

    limit: int | None
    room: int
    first: Callable[[Sequence[Row]], None] | None = None


class Overfull(Exception):
    """More is kept than there is room for."""


class System(Protocol):
    """One database of another system, opened read-only. All that it raises of its own is given to `said`. One thread at
    a time uses it, except for `stream`, `interrupt` and `used_bytes`."""

    label: str
    notice: str
    place: str
    by_jobs: bool
    """True where statements are jobs of a cluster: each takes a while, whatever it reads, and what it gives is carried
    here and kept here, so that `keep` sees the first rows before the last."""

    @property
    def speech(self) -> Speech:
        """What its SQL has for what SQLite's says."""
        ...

    def begin(self, seconds: float | None) -> bool:
        """Be ready for a statement that may take so many seconds: what runs elsewhere is to end then by itself. False
        where what was kept is gone: a connection was lost, and another one made."""
        ...

    def schema(self) -> Schema:
        """Tables and columns, without row counts; read anew."""
        ...

    def state(self) -> DataState:
        """As of an engine."""
        ...

    def alone(self, sql: str) -> str:
        """A statement of the system as it runs outside of ehrtui, on the tables as they are there."""
        ...

    def kinds(self, sql: str) -> list[Kind]:
        """The kinds of the columns of a statement, which does not run."""
        ...

    def keep(self, key: str, sql: str, columns: Sequence[tuple[str, Kind]], keeping: Keeping) -> int:
        """Keep the rows of a statement as `results.key` under other column names; returns how many there are. Raises
        Overfull, where the system looks after the room itself."""
        ...

    def insert(self, key: str, columns: Sequence[tuple[str, Kind]], rows: Iterable[Row]) -> int:
        """Keep rows from outside as `results.key`; returns how many there are."""
        ...

    def page(self, key: str, offset: int, count: int) -> list[Row]:
        """Rows of `results.key`, in the order in which they were kept."""
        ...

    def drop(self, key: str) -> None:
        """Forget `results.key`; no error where there is none."""
        ...

    def read(self, sql: str) -> list[Row]:
        """All rows of a statement."""
        ...

    def stream(self, sql: str) -> Stream:
        """A statement whose rows are wanted one by one."""
        ...

    def explain(self, sql: str) -> str:
        """The system's plan of a statement, for people."""
        ...

    def used_bytes(self) -> int:
        """Bytes of all kept rows, in memory and on the disk."""
        ...

    def interrupt(self) -> None:
        """Stop the statement that is running; from any thread."""
        ...

    def renew(self) -> None:
        """Leave what is stuck alone, and go on without it. Kept rows stay, or `begin` says that they are gone."""
        ...

    def said(self, error: Exception) -> EhrtuiError | None:
        """What the user is told of an error of the system, None where it is none of it."""
        ...

    def close(self) -> None:
        """Close it, and remove every temporary file."""
        ...


class Stream(Protocol):
    """The rows of one statement, on a connection of its own."""

    def rows(self) -> Iterator[Row]:
        """The rows."""
        ...

    def interrupt(self) -> None:
        """Stop it, from any thread."""
        ...

    def close(self) -> None:
        """End it."""
        ...
