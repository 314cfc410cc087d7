"""What every engine offers: read-only statements, and results that are kept once and paged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ehrtui.schema.model import Schema

Scalar: TypeAlias = "int | float | str | bytes | None"
Row: TypeAlias = "tuple[Scalar, ...]"


STREAM_SECONDS = 1_800.0
"""Seconds of work after which what is streamed ends: it may read every row of a large database."""


@dataclass(frozen=True)
class Limits:
    """What one statement may use. None means no limit. `reserve` bytes of the temporary directory's disk stay free."""

    seconds: float | None = 120.0
    rows: int | None = None
    bytes: int | None = 4_000_000_000
    reserve: int = 500_000_000


@dataclass(frozen=True)
class Result:
    """Rows that the engine keeps under a name until it is dropped or the engine is closed.

    `columns` are unique names: a repeated one gets a suffix (`value`, `value_2`), so that later
    statements can name each. Row order is the order in which the statement gave the rows. `bytes` is its size on the
    disk; `computed` is True for rows that came from outside the engine (`store`), which no statement gives again.
    """

    name: str
    columns: tuple[str, ...]
    row_count: int
    elapsed_ms: float
    bytes: int = 0
    computed: bool = False


@dataclass(frozen=True)
class FirstRows:
    """The beginning of a large result, which is still being kept: it has at least these rows, in this order."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class DataState:
    """Two equal states: nothing was written in between. `source` changes when the data is another file or server by
    now, "" where it is gone; `content` when something was written to it."""

    source: str
    content: str


class Engine(Protocol):
    """Runs SQL on one database, read-only. All methods may be called from any thread; statements run one at a
    time, except `cancel`, which returns at once."""

    dialect: str
    """sqlglot's name of the dialect that statements are given in: "sqlite", whatever engine answers them."""
    label: str
    """What to call the database on the screen (a file's name, never its path)."""
    place: str
    """What tells the database from others on this machine: where its file is, or its server's name for it."""
    notice: str
    """In which special way the database was opened, in words for the user; "" where there is nothing to say."""

    def schema(self) -> Schema:
        """Tables and columns with row counts; read once, then kept."""
        ...

    def fingerprint(self) -> str:
        """A short hash that changes when the data may have changed."""
        ...

    def state(self) -> DataState:
        """The state of the data now, at the price of a look at the file."""
        ...

    def reread(self) -> None:
        """Forget what was read of the schema: the data has changed. Row counts are not known from then on."""
        ...

    def run(
        self,
        sql: str,
        name: str,
        limits: Limits | None = None,
        stopped: Callable[[], bool] | None = None,
        first: Callable[[FirstRows], None] | None = None,
    ) -> Result:
        """Run one SELECT (or WITH … SELECT) and keep its rows under `name`, replacing an older result of that name.

        `stopped` is asked again and again, in this thread, whether to stop. `first` is called with the first rows of a
        large result where they can be had at once, before all are kept. Raises ForbiddenStatement, QueryError,
        QueryCancelled or QueryLimit; then nothing is kept.
        """
        ...

    def store(self, name: str, columns: Sequence[str], rows: Iterable[Row]) -> Result:
        """Keep rows that were computed outside the engine under `name`."""
        ...

    def relation(self, name: str) -> str:
        """The SQL that names a kept result in a FROM clause."""
        ...

    def page(self, name: str, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a kept result; fewer at its end."""
        ...

    def spelled(self, name: str, offset: int, count: int) -> list[bytes]:
        """Rows `offset` … `offset + count - 1` of a kept result as `spelling.spelled` spells them, in any order; fewer
        at its end."""
        ...

    def results(self) -> tuple[Result, ...]:
        """All kept results, the least recently used first."""
        ...

    def result(self, name: str) -> Result | None:
        """The kept result of a name, None where there is none. It counts as no use of it."""
        ...

    def drop(self, name: str) -> None:
        """Forget a kept result; no error when there is none of that name."""
        ...

    def rename(self, name: str, new_name: str) -> Result:
        """Give a kept result another name, replacing an older one of that name."""
        ...

    def read(self, sql: str, parameters: Sequence[Scalar] = (), stopped: Callable[[], bool] | None = None) -> list[Row]:
        """Run a small SELECT of ehrtui's own, with `parameters` for its question marks, and return all its rows;
        `stopped` as in `run`."""
        ...

    def stream(
        self, sql: str, stopped: Callable[[], bool] | None = None, seconds: float = STREAM_SECONDS
    ) -> Iterator[Row]:
        """The rows of a SELECT of ehrtui's own, as they are asked for; no other statement waits for them. `stopped` as
        in `run`; `seconds` is what all of them may take, without the time between that they are not asked for."""
        ...

    def columns(self, sql: str) -> tuple[str, ...]:
        """The column names that a SELECT would give, as the engine names them, without running it."""
        ...

    def explain(self, sql: str) -> str:
        """The engine's query plan, for people, one step a line; what reads by an index says INDEX."""
        ...

    def native(self, sql: str) -> str:
        """A SELECT in the engine's own dialect, which runs there alone. Raises QueryError where it has none."""
        ...

    def cancel(self) -> None:
        """Stop the statement that is running now, if any, and what is streamed; never one that starts later."""
        ...

    def close(self) -> None:
        """Close the database and remove every temporary file."""
        ...
