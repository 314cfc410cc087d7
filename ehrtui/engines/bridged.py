"""An engine on another database system: statements stay SQLite's, and are answered as SQLite would.

A statement is compiled by an empty SQLite database first (`shadow`), put into the system's dialect (`bridge`), and run
there by the `system`; what cannot be said in that dialect is refused.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

from sqlglot import TokenType, tokenize

from ehrtui.engines.bridge.kinds import Kind, merged
from ehrtui.engines.bridge.refusing import Unbridged
from ehrtui.engines.bridge.translating import Translated, translated
from ehrtui.engines.disk import temporary_directory
from ehrtui.engines.engine import STREAM_SECONDS, DataState, FirstRows, Limits, Result, Row, Scalar
from ehrtui.engines.guard import RESULTS
from ehrtui.engines.introspection import quoted
from ehrtui.engines.kept import unique_names
from ehrtui.engines.running import Running, Stop, never
from ehrtui.engines.shadow import Shadow
from ehrtui.engines.spelling import spelled
from ehrtui.engines.statement import is_explanation, single_select
from ehrtui.engines.system import Keeping, Overfull, Stream, System
from ehrtui.engines.watching import Stuck, Tell, Worker
from ehrtui.errors import DatabaseError, QueryCancelled, QueryDeadline, QueryError, QueryLimit
from ehrtui.schema.model import Schema

_T = TypeVar("_T")
_COUNTING_SECONDS = 3.0  # for all tables
_COUNTING_SECONDS_EACH = 1.0
_COUNTING_SECONDS_TOGETHER = 15.0  # for all tables of a cluster, whose first job may wait for it
_FIRST_ROWS = 500
_FIRST_SECONDS = 0.5
_LARGE_TABLE = 200_000  # rows
_KNOWN_STATEMENTS = 256
_SECONDS_BETWEEN_LOOKS = 0.25


@dataclass(frozen=True)
class _Kept:
    key: str
    result: Result


class BridgedEngine:
    """Runs SQLite's statements on another `system` (see `engine.Engine`)."""

    dialect = "sqlite"

    def __init__(self, system: System, limits: Limits | None = None) -> None:
        self.label, self.notice, self.place = system.label, system.notice, system.place
        self._system = system
        self._limits = limits or Limits()
        self._shadow = Shadow()
        self._lock = threading.RLock()
        self._gate = threading.Lock()
        self._worker = Worker()
        self._schema: Schema | None = None
        self._kept: dict[str, _Kept] = {}
        self._keys = 0
        self._running: Running | None = None
        self._keeping: int | None = None
        """Bytes of what was kept before, while more is being kept."""
        self._outgrown: QueryLimit | None = None
        """Why the statement that is running was stopped, where its rows were too many."""
        self._looked = 0.0
        self._closed = False
        self._cancels = 0
        self._known: OrderedDict[str, tuple[tuple[str, ...], Translated]] = OrderedDict()
        try:
            self._learn()
        except BaseException:
            self.close()
            raise

    def _learn(self) -> None:
        with self._telling():
            found = self._system.schema()
        self._tables = Schema(tuple(table for table in found.tables if not table.name.lower().startswith("sqlite_")))
        self._shadow.learn(self._tables)
        self._known.clear()

    def schema(self) -> Schema:
        """Tables and columns with row counts; read once, then kept."""
        with self._lock:
            if self._schema is None:
                known = self._counted_together() if self._system.by_jobs else {}
                deadline = time.monotonic() + _COUNTING_SECONDS
                counted = (
                    replace(
                        table,
                        row_count=known[table.name] if table.name in known else self._count(table.name, deadline),
                    )
                    for table in self._tables.tables
                )
                self._schema = Schema(tuple(counted))
            return self._schema

    def _counted_together(self) -> dict[str, int]:
        """The rows of all tables that are no views, by one job; nothing where that fails or takes too long."""
        names = [table.name for table in self._tables.tables if not table.is_view]
        counts = (f"SELECT {at}, count(*) FROM {quoted(name)}" for at, name in enumerate(names))
        try:
            _, own = self._understood(" UNION ALL ".join(counts))
            limits = Limits(seconds=_COUNTING_SECONDS_TOGETHER)
            rows = self._watched(lambda tell: self._system.read(own.sql), limits, None, None) if names else []
        except QueryCancelled:
            raise
        except QueryError:
            return {}
        return {names[int(str(at))]: int(str(count)) for at, count in rows}

    def reread(self) -> None:
        """Forget what was read of the schema; its tables are read again, and no longer counted."""
        with self._lock:
            self._learn()
            self._schema = self._tables

    def state(self) -> DataState:
        """The state of the data now."""
        return self._system.state()

    def fingerprint(self) -> str:
        """A hash of the state of the data and of its tables."""
        state = self._system.state()
        if not state.source:
            raise DatabaseError("The database can no longer be read.", next_step="Check that it is still there.")
        tables = [
            (table.name, [(column.name, column.type) for column in table.columns]) for table in self._tables.tables
        ]
        return hashlib.sha256(repr((state.content, tables)).encode()).hexdigest()[:16]

    def run(
        self,
        sql: str,
        name: str,
        limits: Limits | None = None,
        stopped: Callable[[], bool] | None = None,
        first: Callable[[FirstRows], None] | None = None,
    ) -> Result:
        """Run one SELECT (or WITH … SELECT, VALUES, EXPLAIN QUERY PLAN) and keep its rows under `name`."""
        select = single_select(sql)
        if is_explanation(select):
            return self.store(name, ("plan",), [(line,) for line in self.explain(sql).splitlines()])
        with self._lock:
            columns, own = self._understood(select)
            large = first is not None and own.arrives and self._reads_much(own)
            return self._watched(
                lambda tell: self._keep(name, columns, own, tell if large else None), limits, stopped, first
            )

    def _keep(self, name: str, columns: tuple[str, ...], own: Translated, tell: Tell | None) -> Result:
        running, started = self._now_running(), time.perf_counter()
        self._forget(name)
        before = self._system.used_bytes()
        kinds = self._system.kinds(own.sql)
        if tell is not None and not self._system.by_jobs:
            self._glance(columns, own, tell)
        key, limit = self._new_key(), running.limits.rows
        first = _telling_of(columns, tell) if tell is not None and self._system.by_jobs else None
        named = list(zip(columns, kinds, strict=True))
        with self._or_nothing(key):
            self._keeping = before
            try:
                count = self._system.keep(key, own.sql, named, Keeping(limit, running.room, first))
            except Overfull as error:
                raise running.too_large() from error
            finally:
                self._keeping = None
            if limit is not None and count > limit:
                raise QueryLimit(
                    f"The result has more than {limit:,} rows.",
                    next_step="Ask for fewer rows: add a condition or a LIMIT.",
                )
            size = max(self._system.used_bytes() - before, 0)
            if size > running.room:
                raise running.too_large()
        self._shadow.keep(key, named)
        return self._remember(key, Result(name, columns, count, (time.perf_counter() - started) * 1000, size))

    def store(self, name: str, columns: Sequence[str], rows: Iterable[Row]) -> Result:
        """Keep rows that were computed outside the engine under `name`."""
        if not columns:
            raise QueryError("Rows without columns cannot be kept.")
        with self._statement(None, None) as running:
            started, held = time.perf_counter(), list(running.watch(rows))
            if any(len(row) != len(columns) for row in held):
                raise QueryError("These rows cannot be kept.", why="Each must have a cell for each column.")
            self._forget(name)
            kinds = [merged({_kind_of_value(row[at]) for row in held}) for at in range(len(columns))]
            if Kind.MIXED in kinds:
                raise Unbridged("A column of texts and numbers")
            named = list(zip(unique_names(columns), kinds, strict=True))
            key, before = self._new_key(), self._system.used_bytes()
            with self._or_nothing(key):
                count = self._system.insert(key, named, held)
                size = max(self._system.used_bytes() - before, 0)
            self._shadow.keep(key, named)
            elapsed = (time.perf_counter() - started) * 1000
            names = tuple(column for column, _ in named)
            return self._remember(key, Result(name, names, count, elapsed, size, computed=True))

    def relation(self, name: str) -> str:
        """The SQL that names a kept result in a FROM clause."""
        with self._lock:
            return f"{RESULTS}.{self._find(name).key}"

    def page(self, name: str, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a kept result; fewer at its end."""
        with self._statement(None, None):
            return self._system.page(self._find(name).key, max(offset, 0), max(count, 0))

    def spelled(self, name: str, offset: int, count: int) -> list[bytes]:
        """Rows of a kept result as texts."""
        return [spelled(row) for row in self.page(name, offset, count)]

    def results(self) -> tuple[Result, ...]:
        """All kept results, the least recently used first."""
        with self._lock:
            return tuple(found.result for found in self._kept.values())

    def result(self, name: str) -> Result | None:
        """The kept result of a name, None where there is none."""
        with self._lock:
            found = self._kept.get(name)
            return found.result if found else None

    def drop(self, name: str) -> None:
        """Forget a kept result; no error when there is none of that name."""
        with self._statement(None, None):
            self._forget(name)

    def rename(self, name: str, new_name: str) -> Result:
        """Give a kept result another name, replacing an older one of that name."""
        with self._statement(None, None):
            found = self._find(name)
            if new_name != name:
                self._forget(new_name)
                del self._kept[name]
            self._kept[new_name] = replace(found, result=replace(found.result, name=new_name))
            return self._kept[new_name].result

    def read(self, sql: str, parameters: Sequence[Scalar] = (), stopped: Callable[[], bool] | None = None) -> list[Row]:
        """Run a small SELECT of ehrtui's own and return all its rows."""
        select = single_select(_with_values(sql, parameters))
        with self._lock:
            _, own = self._understood(select)
            return self._watched(lambda tell: self._system.read(own.sql), None, stopped, None)

    def stream(
        self, sql: str, stopped: Callable[[], bool] | None = None, seconds: float = STREAM_SECONDS
    ) -> Iterator[Row]:
        """The rows of a SELECT of ehrtui's own, as they are asked for."""
        cancels, deadline = self._cancels, time.monotonic() + seconds
        _, own = self._understood(single_select(sql))
        with self._telling():
            stream = self._system.stream(own.sql)
        late = False

        def must_stop() -> bool:
            nonlocal late
            late = late or time.monotonic() > deadline
            return late or self._closed or self._cancels != cancels or (stopped or never)()

        with _Watch(stream, must_stop) as watch:
            try:
                for row in stream.rows():
                    watch.check()
                    asked = time.monotonic()
                    yield row
                    deadline += time.monotonic() - asked
            except GeneratorExit:
                raise
            except Exception as error:
                if late:
                    raise QueryDeadline(f"The query took longer than {seconds:g} s.") from error
                if watch.stopped:
                    raise QueryCancelled("The query was stopped.") from error
                raise (self._system.said(error) or error) from error

    def columns(self, sql: str) -> tuple[str, ...]:
        """The column names that a SELECT would give, unique as in `Result.columns`, without running it."""
        self._check_open()
        select = single_select(sql)
        return ("plan",) if is_explanation(select) else self._shadow.columns(select)

    def explain(self, sql: str) -> str:
        """The system's own plan."""
        select = single_select(sql)
        if is_explanation(select):
            select = single_select(select[len("EXPLAIN QUERY PLAN") :])
        with self._lock:
            _, own = self._understood(select)
            return self._watched(lambda tell: self._system.explain(own.sql), None, None, None)

    def native(self, sql: str) -> str:
        """A statement in the system's own dialect, as it runs there alone. Raises Unbridged."""
        select = single_select(sql)
        return sql if is_explanation(select) else self._system.alone(self._understood(select)[1].sql)

    def cancel(self) -> None:
        """Stop the statement that is running now, if any, and what is streamed; never one that starts later."""
        self._cancels += 1
        with self._gate:
            if self._running is not None:
                self._running.cancel()
                self._system.interrupt()

    def close(self) -> None:
        """Close the database, stopping what runs; the kept results go with it."""
        self._closed = True
        self.cancel()
        with self._lock:
            self._kept.clear()
            self._worker.close(lambda: None)
            self._shadow.close()
            self._system.close()

    def _understood(self, select: str) -> tuple[tuple[str, ...], Translated]:
        """The names of a statement's columns, and what it is in the system's dialect."""
        self._check_open()
        found = self._known.get(select)
        if found is None:
            columns = self._shadow.columns(select)
            found = columns, translated(select, self._shadow.table, self._system.speech)
            if RESULTS not in select:  # kept results come and go
                self._known[select] = found
                while len(self._known) > _KNOWN_STATEMENTS:
                    self._known.popitem(last=False)
        return found

    def _reads_much(self, own: Translated) -> bool:
        counts = [found.result.row_count for found in self._kept.values() if found.key in own.tables]
        known = self._schema.tables if self._schema is not None else ()
        counts += [
            _LARGE_TABLE if table.row_count is None else table.row_count
            for table in known
            if table.name.lower() in own.tables
        ]
        return any(count >= _LARGE_TABLE for count in counts)

    def _glance(self, columns: tuple[str, ...], own: Translated, tell: Tell) -> None:
        """Report the first rows, as many as come at once."""
        deadline = time.monotonic() + _FIRST_SECONDS
        stream = self._system.stream(own.sql)
        with _Watch(stream, lambda: time.monotonic() > deadline or self._now_running().stop is not None) as watch:
            try:
                rows = tuple(islice(stream.rows(), _FIRST_ROWS))
            except Exception:
                if not watch.stopped:
                    raise
                return
        if rows:
            tell(FirstRows(columns, rows))

    def _count(self, table: str, deadline: float) -> int | None:
        remaining = min(deadline - time.monotonic(), _COUNTING_SECONDS_EACH)
        if remaining <= 0:
            return None
        try:
            _, own = self._understood(f"SELECT count(*) FROM main.{quoted(table)}")
            rows = self._watched(lambda tell: self._system.read(own.sql), Limits(seconds=remaining), None, None)
        except QueryCancelled:
            raise
        except QueryError:  # it takes too long, or a view fails
            return None
        return int(str(rows[0][0]))

    @contextmanager
    def _statement(self, limits: Limits | None, stopped: Callable[[], bool] | None) -> Iterator[Running]:
        """One statement, alone on the system, its errors translated. Calls nest."""
        with self._lock:
            self._check_open()
            if self._running is not None:
                yield self._running
                return
            running = Running(limits or self._limits, temporary_directory(), stopped or never)
            self._outgrown = None
            with self._gate:
                self._running = running
            try:
                with self._telling(running):
                    if not self._system.begin(running.limits.seconds):
                        self._lose()
                    yield running
            finally:
                with self._gate:
                    self._running = None

    @contextmanager
    def _telling(self, running: Running | None = None) -> Iterator[None]:
        """Errors of the system in the user's words."""
        try:
            yield
        except Exception as error:
            if running is not None and running.stop is not None:
                raise (self._outgrown or running.reason()) from error
            said = self._system.said(error)
            if said is None:
                raise
            raise said from error

    def _watched(
        self,
        work: Callable[[Tell], _T],
        limits: Limits | None,
        stopped: Callable[[], bool] | None,
        tell: Tell | None,
    ) -> _T:
        """What may take long: in a thread that this one watches."""
        if self._running is not None:
            return work(tell or _ignore)
        with self._statement(limits, stopped) as running:
            try:
                return self._worker.do(work, tell or _ignore, self._check, self.cancel)
            except Stuck as stuck:
                self._worker = Worker()
                self._system.renew()
                raise stuck.__cause__ or running.reason() from None

    def _check(self) -> bool:
        """Stop the statement that is running where it must stop, and say whether that is so."""
        with self._gate:
            running = self._running
            if running is None:
                return False
            now = time.monotonic()
            full = False
            if now - self._looked > _SECONDS_BETWEEN_LOOKS:
                self._looked, full = now, running.fills_disk() or self._outgrows(running)
            if self._closed:
                running.cancel()
            if running.must_stop() or full:
                self._system.interrupt()
                return True
            return False

    def _outgrows(self, running: Running) -> bool:
        """True where the rows that are being kept take more than they may."""
        before = self._keeping  # the thread that keeps them may be over any moment
        if before is None or self._system.used_bytes() - before <= running.room:
            return False
        self._outgrown = running.too_large()
        running.stop = running.stop or Stop.FULL
        return True

    def _check_open(self) -> None:
        if self._closed:
            raise DatabaseError("The database is closed.", next_step="Open it again.")

    @contextmanager
    def _or_nothing(self, key: str) -> Iterator[None]:
        try:
            yield
        except BaseException:
            with suppress(Exception):
                self._system.drop(key)
            raise

    def _now_running(self) -> Running:
        assert self._running is not None, "no statement has begun"
        return self._running

    def _new_key(self) -> str:
        self._keys += 1
        return f"r{self._keys}"

    def _forget(self, name: str) -> None:
        found = self._kept.pop(name, None)
        if found is not None:
            self._shadow.drop(found.key)
            self._system.drop(found.key)

    def _lose(self) -> None:
        """Forget all kept results: the system has them no longer."""
        for found in self._kept.values():
            self._shadow.drop(found.key)
        self._kept.clear()

    def _remember(self, key: str, result: Result) -> Result:
        self._kept[result.name] = _Kept(key, result)
        return result

    def _find(self, name: str) -> _Kept:
        """The kept result of that name, which counts as a use of it."""
        found = self._kept.pop(name, None)
        if found is None:
            raise QueryError("That result is no longer kept.", next_step="Run its turn again.")
        self._kept[name] = found
        return found


class _Watch:
    """A thread that stops a stream when it must stop, also while no row comes."""

    def __init__(self, stream: Stream, must_stop: Callable[[], bool]) -> None:
        self.stopped = False
        self._stream = stream
        self._must_stop = must_stop
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="ehrtui stream", daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._stream.close()

    def check(self) -> None:
        """Raises QueryCancelled where it was stopped."""
        if self.stopped:
            raise QueryCancelled("The query was stopped.")

    def _look(self) -> None:
        while not self._over.wait(0.02):
            if self._must_stop():
                self.stopped = True
                self._stream.interrupt()


def _telling_of(columns: tuple[str, ...], tell: Tell) -> Callable[[Sequence[Row]], None]:
    def first(rows: Sequence[Row]) -> None:
        tell(FirstRows(columns, tuple(rows[:_FIRST_ROWS])))

    return first


def _ignore(what: object) -> None:
    return None


def _kind_of_value(value: Scalar) -> Kind:
    if value is None:
        return Kind.NULL
    if isinstance(value, str):
        return Kind.TEXT
    if isinstance(value, bytes):
        return Kind.BLOB
    return Kind.REAL if isinstance(value, float) else Kind.WHOLE


def _with_values(sql: str, parameters: Sequence[Scalar]) -> str:
    """A statement of ehrtui's own with its values written where the question marks stand."""
    if not parameters:
        return sql
    values, pieces, at = iter(parameters), [], 0
    for token in tokenize(sql, read="sqlite"):
        if token.token_type is TokenType.PLACEHOLDER:
            pieces += [sql[at : token.start], _literal(next(values))]
            at = token.end + 1
    return "".join([*pieces, sql[at:]])


def _literal(value: Scalar) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return f"x'{value.hex()}'" if isinstance(value, bytes) else repr(value)
