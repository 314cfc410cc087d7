"""PostgreSQL as a system: a session whose transactions are read-only, in which results are temporary tables.

Every statement of the user's runs in a transaction that is read-only because the session says so. PostgreSQL makes no
table in such a one, but fills a temporary one: so the empty table is made before, by a statement of ehrtui's own.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.bridge.postgres import PostgresSpeech, name_of
from ehrtui.engines.engine import DataState, Row
from ehrtui.engines.introspection import quoted
from ehrtui.engines.postgres_errors import refused, said_of
from ehrtui.engines.postgres_tables import Found, find
from ehrtui.engines.relation import Relation
from ehrtui.engines.system import Keeping
from ehrtui.errors import DatabaseError, EhrtuiError
from ehrtui.schema.model import Schema

if TYPE_CHECKING:
    import psycopg

_FETCHED = 2_000
"""Rows that are fetched at a time."""
_LOOKS = 0.2
"""Seconds between two looks at how much is kept."""
_CANCEL_SECONDS = 2.0
_LOCK_SECONDS = 10
"""How long a statement waits for a lock of others, where the role or the address says nothing else."""
_INDEXED = 10_000
"""Rows from which on a kept result has an index on their numbers."""
_ANALYZED = 200
_ROW = "ehrtui row"
"""The column of a kept result that numbers its rows."""
_SETTINGS = (
    "SET default_transaction_read_only = on; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; "
    "SET TimeZone = 'UTC'; SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; "
    "SET extra_float_digits = 1; SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0; "
    f"SELECT set_config('lock_timeout', '{_LOCK_SECONDS}s', false) WHERE current_setting('lock_timeout') = '0'"
)
_DEFAULTS = {
    "application_name": "ehrtui",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
_ROLE = """
SELECT current_user::text, (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user)::int,
  has_database_privilege(current_database(), 'TEMPORARY')::int, pg_is_in_recovery()::int
"""
_STATE = """
SELECT (SELECT system_identifier FROM pg_control_system())::text || ' ' || d.oid::text,
  (SELECT coalesce(sum(hashtextextended(c.oid || ' ' || c.relfilenode || ' ' || CASE WHEN c.relkind IN ('r', 'm')
      THEN pg_relation_size(c.oid) ELSE 0 END || ' ' || coalesce(s.n_tup_ins + s.n_tup_upd + s.n_tup_del, 0), 0)), 0)
    FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_stat_all_tables AS s ON s.relid = c.oid
    WHERE c.oid = ANY (ARRAY[{oids}]::oid[])
      OR c.oid IN (SELECT inhrelid FROM pg_catalog.pg_inherits))::text
FROM pg_catalog.pg_database AS d WHERE d.datname = current_database()
"""
_BYTES = "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM unnest(ARRAY[{oids}]::oid[]) AS kept(oid)"
_KEPT = re.compile(r'"pg_temp"\."(r\d+)"')

# The numbers of PostgreSQL's own types, which are the same everywhere.
_BOOL, _BYTEA, _INT8, _INT2, _INT4, _OID, _FLOAT4, _FLOAT8, _NUMERIC = 16, 17, 20, 21, 23, 26, 700, 701, 1700
_KINDS = {
    **dict.fromkeys((_BOOL, _INT8, _INT2, _INT4, _OID), Kind.WHOLE),
    **dict.fromkeys((_FLOAT4, _FLOAT8, _NUMERIC), Kind.REAL),
    _BYTEA: Kind.BLOB,
}
_MAKERS: dict[int, Callable[[Any], Any]] = {_BOOL: int, _NUMERIC: float}


class PostgreSQL:
    """The database at an address (see `system.System`)."""

    by_jobs = False

    def __init__(self, target: str) -> None:
        self._target = target
        self._connection: psycopg.Connection[Row] | None = _connected(target)
        info = self._connection.info
        self.label = info.dbname
        self.place = f"postgresql://{_host(info)}:{info.port}/{info.dbname}"
        self.notice = ""
        self._relations: dict[str, Relation] = {}
        self._found: Found | None = None
        self._speech = PostgresSpeech(self._relations)
        self._turn = threading.RLock()
        self._looking = threading.Lock()
        self._looker: psycopg.Connection[Row] | None = None
        self._cancels: list[threading.Thread] = []
        self._seconds: float | None = None
        self._oids: dict[str, int] = {}
        self._sizes: dict[str, int] = {}
        try:
            self._notice()
        except Exception as error:
            self.close()
            raise (self.said(error) or error) from error

    def _notice(self) -> None:
        """Learn the tables, and say what the user should know of the role."""
        self._learn()
        rows: list[tuple[Any, ...]] = list(self.read(_ROLE))
        role, is_super, may_keep, is_copy = rows[0]
        if not may_keep or is_copy:
            raise DatabaseError(
                f"{self.label} lets {role} keep no results.",
                why="A copy that only follows another server (a standby) has no temporary tables."
                if is_copy
                else "The role may not make temporary tables, which go with the connection.",
                next_step="Open the server that it follows."
                if is_copy
                else f"Ask who runs the server for: GRANT TEMPORARY ON DATABASE {self.label} TO {role}",
            )
        found = self._found
        assert found is not None
        said = []
        if is_super or found.writable:
            said.append(
                f"The role {role} could write to {self.label}. ehrtui only reads, in read-only transactions; a role "
                "that may only SELECT is safer."
            )
        if found.unread:
            some = ", ".join(found.unread[:5]) + (" …" if len(found.unread) > 5 else "")
            said.append(f"Left out, since {role} may not read it: {some}. To have it: GRANT SELECT ON … TO {role}.")
        self.notice = " ".join(said)

    @property
    def speech(self) -> PostgresSpeech:
        """PostgreSQL's spelling, with the tables as `schema` found them."""
        return self._speech

    def begin(self, seconds: float | None) -> bool:
        """Wait for what was told to stop, connect again where the connection was lost, and have the server end the
        statement in time."""
        for cancel in self._cancels:  # one that comes late would stop the next statement
            cancel.join()
        self._cancels.clear()
        with self._turn:
            connected = self._connection is not None and _is_alive(self._connection)
            if not connected:
                self._leave()
                self._connection, self._seconds = _connected(self._target), None
                self._oids.clear()
                self._sizes.clear()
            if seconds != self._seconds:
                # a moment later than it is stopped from here
                self._main().execute(f"SET statement_timeout = {0 if seconds is None else int(seconds * 1000) + 1000}")
                self._seconds = seconds
            return connected

    def schema(self) -> Schema:
        """Tables and columns that the role may read."""
        self._learn()
        return Schema(tuple(relation.table for relation in self._relations.values()))

    def _learn(self) -> None:
        found = find(self.read)
        self._found = found
        self._relations.clear()
        self._relations.update((name_of(relation.table.name), relation) for relation in found.relations)

    def state(self) -> DataState:
        """The server and the database, and what its tables hold as far as the server counts it."""
        oids = ", ".join(map(str, self._found.oids if self._found else ()))
        try:
            (source, content), *_ = self._look(_STATE.format(oids=oids))
        except Exception as error:
            if not isinstance(error, EhrtuiError) and self.said(error) is None:
                raise
            return DataState("", "")
        return DataState(str(source), str(content))

    def alone(self, sql: str) -> str:
        """The statement, which names its tables with their schemas."""
        return sql

    def kinds(self, sql: str) -> list[Kind]:
        """The kinds of a statement's columns."""
        with self._turn, self._main().execute(f"SELECT * FROM ({sql}) AS kept LIMIT 0", binary=True) as found:
            return [_KINDS.get(column.type_code, Kind.TEXT) for column in found.description or ()]

    def keep(self, key: str, sql: str, columns: Sequence[tuple[str, Kind]], keeping: Keeping) -> int:
        """Keep the rows of a statement."""
        places = ", ".join(f"c{at}" for at in range(len(columns)))
        chosen = ", ".join(f"CAST(c{at} AS {self._type(kind)})" for at, (_, kind) in enumerate(columns))
        few = "" if keeping.limit is None else f" LIMIT {keeping.limit + 1}"
        with self._turn:
            self._make(key, columns)
            with self._growing(key):
                filled = self._main().execute(
                    f"INSERT INTO pg_temp.{_rows(key)} SELECT row_number() OVER (), {chosen} "
                    f"FROM ({sql}) AS kept({places}){few}"
                )
            return self._kept(key, filled.rowcount)

    def insert(self, key: str, columns: Sequence[tuple[str, Kind]], rows: Iterable[Row]) -> int:
        """Keep rows from outside."""
        with self._turn:
            self._make(key, columns)
            count = 0
            with self._main().cursor() as cursor, cursor.copy(f"COPY pg_temp.{_rows(key)} FROM STDIN") as copy:
                for count, row in enumerate(rows, start=1):
                    copy.write_row((count, *row))
            return self._kept(key, count)

    def _make(self, key: str, columns: Sequence[tuple[str, Kind]]) -> None:
        """The empty table of a result, with a view that leaves the numbers of its rows out."""
        named = [quoted(name_of(name)) for name, _ in columns]
        typed = ", ".join(self._column(name, kind) for name, (_, kind) in zip(named, columns, strict=True))
        self._own(
            f"CREATE TEMPORARY TABLE {_rows(key)} ({quoted(_ROW)} bigint, {typed}); "
            f"CREATE TEMPORARY VIEW {quoted(key)} AS SELECT {', '.join(named)} FROM pg_temp.{_rows(key)}"
        )
        ((oid,),) = self._main().execute(f"SELECT 'pg_temp.{_rows(key)}'::regclass::oid::bigint").fetchall()
        self._oids[key] = int(str(oid))

    def _kept(self, key: str, count: int) -> int:
        """Have a result that is filled read fast; returns its rows."""
        if count >= _INDEXED:
            self._own(f"CREATE INDEX ON pg_temp.{_rows(key)} USING brin ({quoted(_ROW)}) WITH (pages_per_range = 16)")
        if count >= _ANALYZED:
            self._own(f"ANALYZE pg_temp.{_rows(key)}")
        ((size,),) = self._main().execute(_BYTES.format(oids=self._oids[key])).fetchall()
        self._sizes[key] = int(str(size))
        return count

    def _own(self, statements: str) -> None:
        """Run statements of ehrtui's own that make or drop what is temporary: no text of the user's is ever in them."""
        connection = self._main()
        try:
            connection.execute(f"BEGIN READ WRITE; {statements}; COMMIT")
        except BaseException:
            with contextlib.suppress(Exception):
                connection.execute("ROLLBACK")
            raise

    def _type(self, kind: Kind) -> str:
        return self._speech.types.get(kind, self._speech.types[Kind.TEXT])

    def _column(self, name: str, kind: Kind) -> str:
        """A column of a kept result, whose texts compare by their bytes."""
        type = self._type(kind)
        return f"{name} {type}" + (' COLLATE "C"' if type == self._speech.types[Kind.TEXT] else "")

    def page(self, key: str, offset: int, count: int) -> list[Row]:
        """Rows of a kept result."""
        with self._turn:
            named = self._main().execute(f"SELECT * FROM pg_temp.{quoted(key)} LIMIT 0").description or ()
            columns = ", ".join(quoted(column.name) for column in named)
            row = quoted(_ROW)
            return self.read(
                f"SELECT {columns} FROM pg_temp.{_rows(key)} WHERE {row} > {offset} AND {row} <= {offset + count} "
                f"ORDER BY {row}"
            )

    def drop(self, key: str) -> None:
        """Forget a kept result."""
        with self._turn:
            self._oids.pop(key, None)
            self._sizes.pop(key, None)
            if self._connection is not None and _is_alive(self._connection):
                self._own(f"DROP TABLE IF EXISTS pg_temp.{_rows(key)} CASCADE")

    def read(self, sql: str) -> list[Row]:
        """All rows of a statement."""
        with self._turn, self._main().execute(sql, binary=True) as found:
            plain = _plain(found)
            rows: list[Row] = found.fetchall()
            return list(map(plain, rows)) if plain else rows

    def stream(self, sql: str) -> PostgresStream:
        """A statement whose rows are wanted one by one, in a session of its own. What was kept is copied there."""
        connection = _connected(self._target)
        try:
            for key in dict.fromkeys(_KEPT.findall(sql)):
                self._copy(key, connection)
        except BaseException:
            connection.close()
            raise
        return PostgresStream(connection, sql)

    def _copy(self, key: str, other: psycopg.Connection[Row]) -> None:
        with self._turn:
            columns = self._main().execute(f"SELECT * FROM pg_temp.{quoted(key)} LIMIT 0").description or ()
            kinds = {quoted(column.name): _KINDS.get(column.type_code, Kind.TEXT) for column in columns}
            typed = ", ".join(self._column(name, kind) for name, kind in kinds.items())
            other.execute(f"BEGIN READ WRITE; CREATE TEMPORARY TABLE {quoted(key)} ({typed}); COMMIT")
            chosen = ", ".join(kinds)
            ordered = f"SELECT {chosen} FROM pg_temp.{_rows(key)} ORDER BY {quoted(_ROW)}"
            with (
                self._main().cursor() as source,
                other.cursor() as target,
                source.copy(f"COPY ({ordered}) TO STDOUT (FORMAT binary)") as given,
                target.copy(f"COPY pg_temp.{quoted(key)} FROM STDIN (FORMAT binary)") as taken,
            ):
                for block in given:
                    taken.write(block)

    def explain(self, sql: str) -> str:
        """PostgreSQL's plan."""
        return "\n".join(str(line).replace("Index", "INDEX") for (line,) in self.read(f"EXPLAIN {sql}"))

    def used_bytes(self) -> int:
        """Bytes of all kept rows, as they were a moment ago."""
        return sum(tuple(self._sizes.values()))

    @contextlib.contextmanager
    def _growing(self, key: str) -> Iterator[None]:
        """Look meanwhile, from another session, how much a result takes."""
        over, asked = threading.Event(), _BYTES.format(oids=self._oids[key])

        def look() -> None:
            while not over.wait(_LOOKS):
                with contextlib.suppress(Exception):
                    self._sizes[key] = int(str(self._look(asked)[0][0]))

        thread = threading.Thread(target=look, name="ehrtui sizes", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(_CANCEL_SECONDS)

    def _look(self, sql: str) -> list[Row]:
        """The rows of a small statement in a session beside the one that may be busy."""
        with self._looking:
            if self._looker is None or not _is_alive(self._looker):
                self._looker = _connected(self._target)
            return self._looker.execute(sql, binary=True).fetchall()

    def interrupt(self) -> None:
        """Ask the server to stop the statement that is running."""
        self._cancels = [each for each in self._cancels if each.is_alive()]
        if not self._cancels and self._connection is not None:
            self._cancels.append(_cancelling(self._connection))

    def renew(self) -> None:
        """Leave the connection to what is stuck on it."""
        self._turn = threading.RLock()
        self._leave()

    def _leave(self) -> None:
        left, self._connection = self._connection, None
        if left is not None and not left.closed:
            # another thread may wait on it, which must not find it freed: it ends with an error, and then goes
            with contextlib.suppress(OSError), socket.socket(fileno=os.dup(left.fileno())) as channel:
                channel.shutdown(socket.SHUT_RDWR)

    def _main(self) -> psycopg.Connection[Row]:
        if self._connection is None:
            raise DatabaseError(
                f"The connection to {self.label} was lost.", next_step="Ask again: ehrtui connects anew."
            )
        return self._connection

    def said(self, error: Exception) -> EhrtuiError | None:
        """What the user is told of an error of PostgreSQL."""
        return said_of(error, self.label)

    def close(self) -> None:
        """Close the sessions, with all that was kept."""
        for cancel in self._cancels:
            cancel.join()
        for connection in (self._connection, self._looker):
            if connection is not None:
                connection.close()
        self._connection = self._looker = None


class PostgresStream:
    """The rows of one statement, by a cursor of the server in a session of its own."""

    def __init__(self, connection: psycopg.Connection[Row], sql: str) -> None:
        self._connection = connection
        self._sql = sql
        self._cancel: threading.Thread | None = None

    def rows(self) -> Iterator[Row]:
        """The rows, with SQLite's values."""
        self._connection.execute("BEGIN READ ONLY")
        with self._connection.cursor(name="ehrtui") as cursor:
            cursor.itersize = _FETCHED
            found = cursor.execute(self._sql, binary=True)
            plain = _plain(found)
            yield from (map(plain, found) if plain else found)

    def interrupt(self) -> None:
        """Stop it."""
        if self._cancel is None or not self._cancel.is_alive():
            self._cancel = _cancelling(self._connection)

    def close(self) -> None:
        """End it."""
        if self._cancel is not None:
            self._cancel.join()  # it looks at the connection
        self._connection.close()


def _connected(target: str) -> psycopg.Connection[Row]:
    """A session that only reads. Raises DatabaseError."""
    try:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict
    except ImportError as error:
        raise DatabaseError(
            "A PostgreSQL database needs psycopg, which is not installed.",
            next_step="Install it: pip install 'ehrtui[postgres]'",
        ) from error
    try:
        given = conninfo_to_dict(target)
    except psycopg.Error:
        raise DatabaseError(  # what it says quotes the address, which may hold a password
            "The address of the database cannot be read.",
            next_step="Write postgresql://USER@HOST:PORT/DATABASE; what is special in a part is written as %xx.",
        ) from None
    kwargs = {name: value for name, value in _DEFAULTS.items() if name not in given}
    try:
        connection: psycopg.Connection[Row] = psycopg.connect(target, autocommit=True, **kwargs)  # type: ignore[arg-type]
    except psycopg.Error as error:
        server, database, role = _asked(given)
        raise refused(error, server, database, role) from None
    try:
        connection.execute(_SETTINGS)
    except psycopg.Error as error:
        connection.close()
        raise (said_of(error, str(given.get("dbname", ""))) or error) from None
    return connection


def _asked(given: dict[str, Any]) -> tuple[str, str, str]:
    """The server, database and role that were asked for, as far as they are known."""
    import psycopg

    known = {
        option.keyword.decode(): option.val.decode()
        for option in psycopg.pq.Conninfo.get_defaults()
        if option.val is not None
    }
    at = {name: str(given.get(name) or known.get(name) or "") for name in ("host", "port", "dbname", "user")}
    role = at["user"] or "you"
    return f"{at['host'] or 'this machine'}:{at['port'] or '5432'}", at["dbname"] or role, role


def _host(info: psycopg.ConnectionInfo) -> str:
    return "" if info.host.startswith("/") else info.host


def _is_alive(connection: psycopg.Connection[Row]) -> bool:
    """False where the connection is closed, as far as can be told without asking the server."""
    if connection.closed:
        return False
    try:
        connection.pgconn.consume_input()  # what the server said last
        connection.pgconn.consume_input()  # and that it has gone
    except Exception:
        return False
    return not connection.closed


def _cancelling(connection: psycopg.Connection[Row]) -> threading.Thread:
    """Ask the server to stop what runs on a connection, in a thread: that takes a connection of its own."""

    def cancel() -> None:
        with contextlib.suppress(Exception):
            connection.cancel_safe(timeout=_CANCEL_SECONDS)

    thread = threading.Thread(target=cancel, name="ehrtui cancel", daemon=True)
    thread.start()
    return thread


def _plain(found: Any) -> Callable[[Row], Row] | None:
    """Makes SQLite's values of a row, None where it has none others."""
    makers = tuple(_MAKERS.get(column.type_code) for column in found.description or ())
    if not any(makers):
        return None
    return lambda row: tuple(
        value if make is None or value is None else make(value) for make, value in zip(makers, row, strict=True)
    )


def _rows(key: str) -> str:
    """The table of a kept result, with the numbers of its rows."""
    return quoted(f"{key} rows")
