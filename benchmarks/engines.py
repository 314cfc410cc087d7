"""Whether other engines answer as SQLite does, over copies of the development databases.

Gold queries of the development sets, and what the offline planner plans for their questions, run on both; rows are
compared by their fingerprints. `python -m benchmarks.engines [--as csv|postgresql|spark] [--limit N] [--differing]`
prints every share, and with `--differing` each query that differs or is refused, with the reason.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import re
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.development import DATABASES, SETS, data_folder, unpacked
from benchmarks.measure import Measure
from ehrtui.engines.bridge.refusing import Unbridged
from ehrtui.engines.engine import Engine, Limits
from ehrtui.engines.introspection import quoted
from ehrtui.engines.opening import open_engine
from ehrtui.errors import EhrtuiError, QueryLimit
from ehrtui.session.fingerprint import fingerprint_of_texts
from ehrtui.tokens.prev import expand
from tests import postgres_server, spark_server
from tests.postgres_server import Server
from tests.spark_server import SparkServer

SECONDS = 20.0
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_NOTHING = "\\N"
_PLANNED = 300


@dataclass
class Compared:
    """How many statements gave equal rows, and which differed, were refused, or took too long."""

    equal: int = 0
    differing: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    failing: list[tuple[str, str]] = field(default_factory=list)
    skipped: int = 0

    @property
    def share(self) -> float:
        compared = self.equal + len(self.differing) + len(self.refused) + len(self.failing)
        return self.equal / max(compared, 1)


def duckdb_copy(source: Path, target: Path) -> None:
    """A DuckDB file with the rows of a SQLite file, in columns of the types that all values of each have."""
    import duckdb

    target.unlink(missing_ok=True)
    with closing(sqlite3.connect(source)) as old, closing(duckdb.connect(str(target))) as new:
        catalogue = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        names = [name for (name,) in old.execute(catalogue)]
        for name in names:
            rows = old.execute(f"SELECT * FROM {quoted(name)}")
            columns = [column[0] for column in rows.description]
            typed = {column: _type(old, name, column) for column in columns}
            file = target.with_suffix(".csv")
            with file.open("w", newline="", encoding="utf-8") as written:
                writer = csv.writer(written)
                writer.writerows([_NOTHING if cell is None else cell for cell in row] for row in rows)
            new.execute(f"CREATE TABLE {quoted(name)} ({', '.join(f'{quoted(c)} {t}' for c, t in typed.items())})")
            new.execute(
                f"COPY {quoted(name)} FROM '{file}' (HEADER false, NULLSTR '{_NOTHING}', DELIMITER ',', QUOTE '\"', "
                "ESCAPE '\"', AUTO_DETECT false)"
            )
            file.unlink()


def csv_copy(source: Path, target: Path) -> None:
    """A folder of packed CSV files with the rows of a SQLite file, as such data is downloaded."""
    target.mkdir()
    with closing(sqlite3.connect(source)) as old:
        catalogue = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        for (name,) in old.execute(catalogue).fetchall():
            rows = old.execute(f"SELECT * FROM {quoted(name)}")
            file = target / f"{name.upper()}.csv.gz"
            with gzip.open(file, "wt", compresslevel=1, newline="", encoding="utf-8") as written:
                writer = csv.writer(written)
                writer.writerow([column[0].upper() for column in rows.description])
                writer.writerows(rows)


def postgres_copy(source: Path, server: Server, name: str) -> str:
    """The address of a PostgreSQL database with the rows of a SQLite file, in columns of the types that all values of
    each have; in a schema of that name, and with indexes on identifiers, as the public scripts make it."""
    import psycopg

    server.database(name, f'CREATE SCHEMA "{name}"')
    with closing(sqlite3.connect(source)) as old, psycopg.connect(server.url(name), autocommit=True) as new:
        catalogue = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        for (table,) in old.execute(catalogue).fetchall():
            rows = old.execute(f"SELECT * FROM {quoted(table)}")
            typed = ", ".join(
                f"{quoted(column[0].lower())} {_POSTGRES.get(type, type)}"
                for column in rows.description
                for type in [_type(old, table, column[0])]
            )
            target = f"{quoted(name)}.{quoted(table.lower())}"
            new.execute(f"CREATE TABLE {target} ({typed})")
            with new.cursor() as cursor, cursor.copy(f"COPY {target} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            for column in rows.description:
                if column[0].lower() in _INDEXED:
                    new.execute(f"CREATE INDEX ON {target} ({quoted(column[0].lower())})")
        new.execute("ANALYZE")
    return server.url(name)


def spark_copy(source: Path, server: SparkServer, name: str) -> str:
    """The address of a Spark schema with the rows of a SQLite file, as Parquet files with columns of the types that all
    values of each have."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "TIMESTAMP": pa.timestamp("us", "UTC"), "DATE": pa.date32(),
        "VARCHAR": pa.string(),
    }  # fmt: skip
    made = [f"CREATE DATABASE {name}"]
    with closing(sqlite3.connect(source)) as old:
        catalogue = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        for (table,) in old.execute(catalogue).fetchall():
            rows = old.execute(f"SELECT * FROM {quoted(table)}")
            typed = [(column[0], _type(old, table, column[0])) for column in rows.description]
            schema = pa.schema([(column, types[type]) for column, type in typed])
            folder = server.folder / name / table
            folder.mkdir(parents=True)
            with pq.ParquetWriter(folder / "part-0000.parquet", schema) as writer:
                while held := rows.fetchmany(_AT_ONCE):
                    columns = zip(zip(*held, strict=True), typed, schema.types, strict=True)
                    arrays = [_array(values, type, own) for values, (_, type), own in columns]
                    writer.write_batch(pa.record_batch(arrays, schema=schema))
            made.append(f"CREATE TABLE {name}.{table} USING parquet LOCATION '{folder}'")
    server.run(*made)
    return server.url(name)


def _array(values: Sequence[Any], type: str, own: Any) -> Any:
    import pyarrow as pa

    if type in ("TIMESTAMP", "DATE"):
        return pa.array(values, pa.string()).cast(pa.timestamp("us")).cast(own)
    return pa.array([str(value) if type == "VARCHAR" and value is not None else value for value in values], own)


def _type(connection: sqlite3.Connection, table: str, column: str) -> str:
    name = quoted(column)
    held = f"FROM {quoted(table)} WHERE {name} IS NOT NULL"
    kinds = {kind for (kind,) in connection.execute(f"SELECT DISTINCT typeof({name}) {held}")}
    if kinds == {"integer"}:
        return "BIGINT"
    if kinds and kinds <= {"integer", "real"}:
        return "DOUBLE"
    values = [value for (value,) in connection.execute(f"SELECT DISTINCT {name} {held} LIMIT 200000")]
    for pattern, type in ((_INSTANT, "TIMESTAMP"), (_DAY, "DATE")):
        if values and all(isinstance(value, str) and pattern.fullmatch(value) for value in values):
            return type
    return "VARCHAR"


def compared(statements: Sequence[str], one: Engine, other: Engine) -> Compared:
    """Statements on both engines."""
    found = Compared()
    for sql in statements:
        try:
            expected = _rows(one, sql)
        except EhrtuiError:
            found.skipped += 1
            continue
        try:
            given = _rows(other, sql)
        except Unbridged as error:
            found.refused.append((error.what, sql))
        except QueryLimit:
            found.failing.append(("too slow", sql))
        except EhrtuiError as error:
            found.failing.append((f"{error.what} {error.why}", sql))
        else:
            if given == expected:
                found.equal += 1
            else:
                found.differing.append(sql)
    return found


def _rows(engine: Engine, sql: str) -> str:
    result = engine.run(sql, "compared", Limits(seconds=SECONDS))
    try:
        return fingerprint_of_texts([engine.spelled("compared", 0, result.row_count)])
    finally:
        engine.drop("compared")


def gold(folder: Path, database: str, limit: int | None = None) -> list[str]:
    """The gold queries of all sets on a database, each once, with its own time for today."""
    found: dict[str, None] = {}
    for name, one in SETS.items():
        if name == "seqsql" or database not in one.databases:
            continue
        queries = [sql for sql in _queries(json.loads((folder / one.questions).read_text()), database) if sql]
        found |= dict.fromkeys(queries if limit is None else queries[:: max(len(queries) // limit, 1)])
    return list(found)


def _queries(item: Any, database: str) -> Iterator[str]:
    if isinstance(item, dict):
        if item.get("db_id", item.get("database", database)) not in (database, None) and "db_id" in item:
            return
        if isinstance(item.get("sql"), str):
            yield item["sql"]
        for each in item.values():
            yield from _queries(each, database)
    elif isinstance(item, list):
        for each in item:
            yield from _queries(each, database)


def planned(folder: Path, database: str, path: Path, most: int) -> list[str]:
    """The flat SQL of what the offline planner plans for questions of all sets on a database."""
    from ehrtui.conversation.database import open_database

    questions: dict[str, None] = {}
    for name, one in SETS.items():
        if name != "seqsql" and database in one.databases:
            cases = json.loads((folder / one.questions).read_text())
            asked = [
                case["question"]
                for case in cases
                if isinstance(case.get("question"), str) and case.get("db_id", database) == database
            ]
            questions |= dict.fromkeys(asked[:: max(len(asked) // most, 1)])
    opened = open_database(str(path), now=DATABASES[database].now or None, profile=None, planner="offline")
    try:
        return list(dict.fromkeys(sql for question in questions if (sql := opened.planner.propose(question, ()).sql)))
    finally:
        opened.close()


def at_now(statements: Sequence[str], now: str) -> list[str]:
    """The statements with the database's own time in place of the clock."""
    return [expand(sql, {}, now=now).flat or sql for sql in statements]


_POSTGRES = {"DOUBLE": "double precision", "TIMESTAMP": "timestamp(0)", "BIGINT": "integer"}
_COPIES = {"duckdb": duckdb_copy, "csv": csv_copy}
_POSTGRESQL = "postgresql"
_SPARK = "spark"
_AT_ONCE = 200_000
"""Rows that are written at a time."""
_INDEXED = ("subject_id", "hadm_id", "icustay_id", "stay_id", "itemid", "person_id", "patientunitstayid")


def run(limit: int | None, databases: Sequence[str], form: str = "duckdb") -> Iterator[tuple[str, str, Compared]]:
    """Each database and kind of statement ("gold" or "planned"), and what came of them."""
    folder = data_folder()
    with ExitStack() as resources:
        scratch = resources.enter_context(TemporaryDirectory())
        server = resources.enter_context(postgres_server.running()) if form == _POSTGRESQL else None
        cluster = resources.enter_context(spark_server.running()) if form == _SPARK else None
        for database in databases:
            path = unpacked(folder, DATABASES[database].file, Path(scratch))
            if server is not None:
                copy = postgres_copy(path, server, database)
            elif cluster is not None:
                copy = spark_copy(path, cluster, database)
            else:
                copy = str(Path(scratch) / f"{database}.{form}")
                _COPIES[form](path, Path(copy))
            now = DATABASES[database].now or "2200-01-01 23:59:00"
            one, other = open_engine(str(path)), open_engine(copy)
            try:
                yield database, "gold", compared(at_now(gold(folder, database, limit), now), one, other)
                most = max(_PLANNED // len(databases), 1) if limit is None else limit
                yield database, "planned", compared(at_now(planned(folder, database, path, most), now), one, other)
            finally:
                one.close()
                other.close()


def measures() -> list[Measure]:
    """Shares of statements with equal rows, in percent that are missing."""
    return [
        Measure(
            f"{kind} statements on {database}: not equal on DuckDB",
            100 * (1 - result.share),
            "%",
            3.0 if kind == "gold" else 0.0,
        )
        for database, kind, result in run(None, list(DATABASES))
    ]


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.engines")
    parser.add_argument("--limit", type=int, help="about so many statements of each set")
    parser.add_argument("--differing", action="store_true", help="print the statements that differ or are refused")
    parser.add_argument(
        "--as", dest="form", choices=(*_COPIES, _POSTGRESQL, _SPARK), default="duckdb", help="what the copies are"
    )
    parser.add_argument("databases", nargs="*", default=list(DATABASES))
    args = parser.parse_args()
    for database, kind, result in run(args.limit, args.databases, args.form):
        print(
            f"{database:<18} {kind:<8} {100 * result.share:6.2f} % equal: {result.equal} equal, "
            f"{len(result.differing)} differ, {len(result.refused)} refused, {len(result.failing)} fail, "
            f"{result.skipped} not run by SQLite",
            flush=True,
        )
        if args.differing:
            for reason, sql in [("differs", sql) for sql in result.differing] + result.refused + result.failing:
                print(f"  {reason}\n      {sql}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
