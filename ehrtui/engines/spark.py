"""Spark as a system: a session of Spark Connect, to which nothing but SELECTs is sent.

Spark keeps no rows for a session that are paged fast and go with it. So the rows of a result are carried here, once,
as they come; where a later statement names the result, they become a temporary view of the session, which nobody else
sees.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import re
import threading
import time
import warnings
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ehrtui.engines.address import name_of, without_credentials
from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.bridge.spark import KEPT, SparkSpeech
from ehrtui.engines.carried import Carried, rows_of
from ehrtui.engines.engine import DataState, Row
from ehrtui.engines.relation import Relation
from ehrtui.engines.spark_errors import FULL, is_full, is_lost, refused, said_of
from ehrtui.engines.spark_tables import Described, Wanted, find
from ehrtui.engines.system import Keeping, Overfull
from ehrtui.errors import DatabaseError, EhrtuiError
from ehrtui.schema.model import Schema

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

_SETTINGS = {"spark.sql.session.timeZone": "UTC", "spark.sql.ansi.enabled": "true"}
"""What statements rely on."""
_DEFAULTS = {
    "spark.sql.caseSensitive": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.parser.quotedRegexColumnNames": "false",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
}
"""What they rely on too, and is so unless a server is told otherwise."""
_OWN = re.compile(r";(catalog|schema)=([^;/?#]*)", re.IGNORECASE)
_NAMED = re.compile(rf"`{KEPT}(r\d+)`")
_NUMBERS = re.compile(r"#\d+L?|,? ?\[plan_id=\d+\]")
"""What every plan numbers anew."""
_PIECE = 256_000_000
"""Bytes of rows that one task of Spark may send: it holds them all before it does."""
_BYTES_OF_CELL = 8
_ROW_OF_TASK = 2**33 - 1
"""The bits of monotonically_increasing_id that number the rows of a task."""
_IDLE_SECONDS = 60.0
"""After so long it is asked whether the session is still there."""
_TYPES = {"int64": "BIGINT", "double": "DOUBLE", "string": "STRING", "binary": "BINARY"}
"""Spark's types by Arrow's."""
_KINDS = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint", "boolean"), Kind.WHOLE),
    **dict.fromkeys(("float", "double"), Kind.REAL),
    "binary": Kind.BLOB,
    "void": Kind.NULL,
}


class Spark:
    """The tables of a Spark Connect server at an address (see `system.System`)."""

    by_jobs = True

    def __init__(self, target: str) -> None:
        self.label, self.place = name_of(target), without_credentials(target)
        self.notice = ""
        parts = {name.lower(): unquote(value) for name, value in _OWN.findall(target)}
        schemas = tuple(name for name in parts.get("schema", "").split(",") if name)
        self._address = _OWN.sub("", target)
        self._server = name_of(self._address)
        self._relations: dict[str, Relation] = {}
        self._speech = SparkSpeech(self._relations)
        self._there: set[str] = set()
        """The results that are views of the session."""
        self._tags = itertools.count()
        self._tag = ""
        self._interrupting: threading.Thread | None = None
        self._used = time.monotonic()
        self._session: SparkSession | None = None
        self._wanted = Wanted(parts.get("catalog", ""), schemas)
        self._wanted = replace(self._wanted, zone=self._zone())
        self._carried = Carried("spark")

    def _zone(self) -> str:
        """The time zone in which the server tells instants to others."""
        session = connected(self._address, self._server)
        try:
            return str(session.conf.get("spark.sql.session.timeZone"))
        except Exception as error:
            raise (refused(error, self._server) or error) from None
        finally:
            ended(session)

    @property
    def speech(self) -> SparkSpeech:
        """Spark's spelling, with the tables as `schema` found them."""
        return self._speech

    def begin(self, seconds: float | None) -> bool:
        """Leave a session that is gone: what was kept is here and stays. Spark ends no statement in time by itself, but
        what nobody waits for."""
        idle, self._used = time.monotonic() - self._used, time.monotonic()
        if self._session is not None and idle > _IDLE_SECONDS:
            try:
                self._session.conf.get("spark.sql.session.timeZone")
            except Exception as error:
                if not is_lost(error):
                    raise
                self._session = None
        return True

    def _main(self) -> SparkSession:
        if self._session is None:
            session = connected(self._address, self._server)
            self._there.clear()
            self._prepare(session)
            self._session = session
        return self._session

    def _prepare(self, session: SparkSession) -> None:
        """Have the session mean what statements rely on."""
        try:
            told = session.conf.getAll
            others = {name: value for name, value in _DEFAULTS.items() if told.get(name, value) != value}
            for name, value in {**_SETTINGS, **others}.items():
                session.conf.set(name, value)
        except Exception as error:
            ended(session)
            raise (refused(error, self._server) or error) from None

    def schema(self) -> Schema:
        """Tables and columns that may be read, in a session that knows nothing of those before."""
        if self._relations:
            self._end()
        found = find(self._wanted, self.read, self._described, lambda error: not self._loses(error))
        self._relations.clear()
        self._relations.update((relation.table.name.lower(), relation) for relation in found.relations)
        if found.unread:
            some = ", ".join(found.unread[:5]) + (" …" if len(found.unread) > 5 else "")
            self.notice = f"Left out, since Spark cannot read it, or nothing here can show it: {some}."
        return Schema(tuple(relation.table for relation in found.relations))

    def _described(self, sql: str) -> Described:
        fields = _frame(self._main(), sql).schema.fields
        return [(each.name, each.dataType.simpleString().lower(), bool(each.nullable)) for each in fields]

    def _loses(self, error: Exception) -> bool:
        """True for an error that is not of one statement alone."""
        said = said_of(error, self.label)
        return said is None or is_lost(error)

    def state(self) -> DataState:
        """The server, and the files that its tables are of now: tables that have none are taken to stay as they are. A
        session remembers what it has seen of files, so that another one looks."""
        tables = " UNION ALL ".join(
            f"SELECT 1 FROM {relation.source.replace('`', '``').replace(_QUOTE, '`')}"
            for relation in self._relations.values()
        )
        session = connected(self._address, self._server)
        try:
            files = sorted(_frame(session, tables).inputFiles()) if tables else []
        except Exception as error:
            if is_lost(error) or isinstance(error, DatabaseError):
                return DataState("", "")
            if self.said(error) is None:
                raise
            files = ["a table is gone"]
        finally:
            ended(session)
        return DataState(self.place, hashlib.sha256("\n".join(files).encode()).hexdigest())

    def alone(self, sql: str) -> str:
        """The statement, which names its tables with their schemas."""
        return sql

    def kinds(self, sql: str) -> list[Kind]:
        """The kinds of a statement's columns."""
        self._show(sql)
        types = [each.dataType.simpleString() for each in _frame(self._main(), sql).schema.fields]
        return [Kind.REAL if type.startswith("decimal") else _KINDS.get(type, Kind.TEXT) for type in types]

    def keep(self, key: str, sql: str, columns: Sequence[tuple[str, Kind]], keeping: Keeping) -> int:
        """Carry the rows of a statement here. A task that finds more than there is room for says so itself: it would
        have to hold them all."""
        places = [f"c{at}" for at in range(len(columns))]
        kinds = [self._speech.types.get(kind, "STRING") for _, kind in columns]
        chosen = ", ".join(f"CAST({place} AS {type}) AS {place}" for place, type in zip(places, kinds, strict=True))
        most = min(keeping.room, _PIECE) // (_BYTES_OF_CELL * len(columns)) + 1
        full = (
            f"CASE WHEN monotonically_increasing_id() & {_ROW_OF_TASK} >= {most} THEN raise_error('{FULL}') END AS full"
        )
        batches = self._batches(f"SELECT {chosen}, {full} FROM ({sql}) AS kept({', '.join(places)})")
        wanted = (batch.select(range(len(columns))) for batch in batches)
        with contextlib.closing(batches):
            try:
                return self._carried.keep(key, columns, _told(_first(wanted, keeping.limit), keeping))
            except Exception as error:
                if is_full(error) and keeping.room <= _PIECE:
                    raise Overfull from error
                raise

    def insert(self, key: str, columns: Sequence[tuple[str, Kind]], rows: Iterable[Row]) -> int:
        """Keep rows from outside, here."""
        return self._carried.insert(key, columns, rows)

    def page(self, key: str, offset: int, count: int) -> list[Row]:
        """Rows of a kept result."""
        return self._carried.page(key, offset, count)

    def drop(self, key: str) -> None:
        """Forget a kept result."""
        self._carried.drop(key)
        if key in self._there and self._session is not None:
            self._there.discard(key)
            self._session.catalog.dropTempView(f"{KEPT}{key}")

    def read(self, sql: str) -> list[Row]:
        """All rows of a statement."""
        return [row for batch in self._batches(sql) for row in rows_of(batch)]

    def stream(self, sql: str) -> SparkStream:
        """A statement whose rows are wanted one by one."""
        self._show(sql)
        return SparkStream(self._main(), sql, self._new_tag())

    def explain(self, sql: str) -> str:
        """Spark's plan."""
        plan = "\n".join(str(row[0]) for row in self.read(f"EXPLAIN {sql}"))
        return _NUMBERS.sub("", plan).strip()

    def used_bytes(self) -> int:
        """Bytes of all kept rows."""
        return self._carried.used_bytes()

    def interrupt(self) -> None:
        """Ask the server to stop the statement that is running."""
        session, tag = self._session, self._tag
        if session is not None and tag and (self._interrupting is None or not self._interrupting.is_alive()):
            self._interrupting = _interrupting(session, tag)

    def renew(self) -> None:
        """Leave the session to what is stuck in it."""
        self._session, self._tag = None, ""

    def said(self, error: Exception) -> EhrtuiError | None:
        """What the user is told of an error of Spark."""
        said = said_of(error, self.label)
        if said is not None and is_lost(error):
            self._session = None
        return said

    def close(self) -> None:
        """End the session, and remove what was carried here."""
        self._end()
        self._carried.close()

    def _end(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            ended(session)

    def _new_tag(self) -> str:
        return f"ehrtui-{next(self._tags)}"

    def _batches(self, sql: str) -> Generator[Any, None, None]:
        """The rows of the statement that `interrupt` stops."""
        self._show(sql)
        self._tag = self._new_tag()
        return _batches(self._main(), sql, self._tag)

    def _show(self, sql: str) -> None:
        """Have the results that a statement names as views."""
        session = self._main()
        for key in _NAMED.findall(sql):
            if key not in self._there:
                held = self._carried.table(key)
                shape = ", ".join(f"`{each.name.replace('`', '``')}` {_TYPES[str(each.type)]}" for each in held.schema)
                session.createDataFrame(held, shape).createOrReplaceTempView(f"{KEPT}{key}")
                self._there.add(key)


class SparkStream:
    """The rows of one statement, beside others in the same session."""

    def __init__(self, session: SparkSession, sql: str, tag: str) -> None:
        self._session = session
        self._tag = tag
        self._batches = _batches(session, sql, tag)
        self._interrupting: threading.Thread | None = None

    def rows(self) -> Iterator[Row]:
        """The rows, with SQLite's values."""
        for batch in self._batches:
            yield from rows_of(batch)

    def interrupt(self) -> None:
        """Stop it."""
        if self._interrupting is None or not self._interrupting.is_alive():
            self._interrupting = _interrupting(self._session, self._tag)

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(ValueError):  # its rows are asked for at this moment
            self._batches.close()


_QUOTE = '"'


def connected(address: str, server: str) -> SparkSession:
    """A session of one's own; nothing is asked of the server yet. Raises DatabaseError."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.logger import PySparkLogger
        from pyspark.sql.connect.client.core import DefaultChannelBuilder
        from pyspark.sql.connect.client.retries import DefaultPolicy
        from pyspark.sql.connect.session import SparkSession
    except ImportError as error:
        raise DatabaseError(
            "Spark needs pyspark-client, which is not installed.", next_step="Install it: pip install 'ehrtui[spark]'"
        ) from error
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).disabled = True  # they print statements, with the values in them

    class Session(SparkSession):  # type: ignore[misc, unused-ignore]
        """One that ends when it is told alone: pyspark's ends whenever Python frees it, in the midst of anything, and
        waits for a pool of threads that all sessions share."""

        def __del__(self) -> None:
            return None

    warnings.filterwarnings("ignore", message=r"\[RETRIES_EXCEEDED\]")
    try:
        options = [("grpc.min_reconnect_backoff_ms", 10_000)]  # which is also how long a connection may take
        session = Session(connection=DefaultChannelBuilder(address, channelOptions=options))
    except (PySparkException, ValueError):
        raise DatabaseError(  # what it says quotes the address, which may hold a token
            "The address of the Spark server cannot be read.",
            next_step="Write sc://HOST:PORT, and options behind a slash: sc://HOST:PORT/;schema=NAME;use_ssl=true",
        ) from None
    session.client.set_retry_policies([DefaultPolicy(max_retries=3, max_backoff=1_000)])
    return session


def _frame(session: SparkSession, sql: str) -> Any:
    """A statement, which nothing is asked of yet."""
    from pyspark.sql.connect.dataframe import DataFrame
    from pyspark.sql.connect.plan import SQL

    return DataFrame(SQL(sql), session)


def ended(session: SparkSession) -> None:
    """End a session, and nothing that others share."""
    with contextlib.suppress(Exception):
        session.client.release_session()
    with contextlib.suppress(Exception):
        session.client._channel.close()


def _batches(session: SparkSession, sql: str, tag: str) -> Generator[Any, None, None]:
    """The rows of a statement as Arrow's batches, as the server sends them."""
    client, plan = session.client, _frame(session, sql)._plan
    found = client.to_table_as_iterator(plan.to_proto(client), plan.observations)
    client.add_tag(tag)
    try:
        part = next(found, None)  # here it is sent, and the tag with it
    finally:
        client.remove_tag(tag)
    with contextlib.closing(found):
        while part is not None:
            if hasattr(part, "to_batches"):
                yield from part.to_batches()
            part = next(found, None)


def _first(batches: Iterable[Any], limit: int | None) -> Iterator[Any]:
    """The batches until there are more rows than the limit."""
    count = 0
    for batch in batches:
        if limit is not None and count + batch.num_rows > limit:
            yield batch.slice(0, limit + 1 - count)
            return
        count += batch.num_rows
        yield batch


def _told(batches: Iterable[Any], keeping: Keeping) -> Iterator[Any]:
    """The batches, the first of which is told of."""
    first = keeping.first
    for batch in batches:
        if first is not None and batch.num_rows:
            first(rows_of(batch))
            first = None
        yield batch


def _interrupting(session: SparkSession, tag: str) -> threading.Thread:
    """Ask the server to stop what has a tag, in a thread: it may not answer at once."""

    def interrupt() -> None:
        with contextlib.suppress(Exception):
            session.client.interrupt_tag(tag)

    thread = threading.Thread(target=interrupt, name="ehrtui cancel", daemon=True)
    thread.start()
    return thread
