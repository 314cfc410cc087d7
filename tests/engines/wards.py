"""One small ward, as every engine may find it: a SQLite file, a DuckDB file, a folder of downloaded files."""

from __future__ import annotations

import csv
import gzip
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from tests.postgres_server import Server
from tests.spark_server import SparkServer

EVENTS = 220_000
"""Rows of a table whose first rows are shown before the last."""
TABLES: dict[str, tuple[tuple[str, ...], tuple[str, ...], Sequence[tuple[object, ...]]]] = {
    "patients": (
        ("subject_id", "gender", "weight", "dob"),
        ("INTEGER PRIMARY KEY", "VARCHAR", "DOUBLE", "TIMESTAMP"),
        [
            (1, "M", 80.0, "2050-01-31 00:00:00"),
            (2, "F", 61.5, "2060-02-29 00:00:00"),
            (3, "F", None, "2099-12-31 00:00:00"),
        ],
    ),
    "prescriptions": (
        ("row_id", "subject_id", "drug", "startdate", "dose", "order"),
        (
            "INTEGER PRIMARY KEY",
            "INTEGER REFERENCES patients (subject_id)",
            "VARCHAR",
            "TIMESTAMP",
            "VARCHAR",
            "INTEGER",
        ),
        [
            (1, 1, "Aspirin", "2103-01-31 08:30:00", "81", 2),
            (2, 1, "heparin", "2103-02-01 00:00:00", "5000 units", 1),
            (3, 2, "aspirin", "2104-02-29 23:59:59", "325", 2),
            (4, 3, "Zinc", None, None, 1),
        ],
    ),
    "events": (
        ("n", "word"),
        ("INTEGER", "VARCHAR"),
        [(n, f"word {n % 7}") for n in range(EVENTS)],
    ),
}


def sqlite_ward(folder: Path) -> Path:
    path = folder / "ward.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        for name, (columns, types, rows) in TABLES.items():
            typed = ", ".join(f'"{column}" {type}' for column, type in zip(columns, types, strict=True))
            connection.execute(f"CREATE TABLE {name} ({typed})")
            connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)
    return path


def csv_ward(folder: Path) -> Path:
    path = folder / "ward"
    path.mkdir()
    for name, (columns, _, rows) in TABLES.items():
        with gzip.open(path / f"{name.upper()}.csv.gz", "wt", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([column.upper() for column in columns])
            writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return path


def duckdb_ward(folder: Path) -> Path:
    import duckdb

    path = folder / "ward.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        for name, (columns, types, rows) in TABLES.items():
            typed = ", ".join(f'"{column}" {type}' for column, type in zip(columns, types, strict=True))
            connection.execute(f"CREATE TABLE {name} ({typed})")
            if name == "events":
                connection.execute(f"INSERT INTO events SELECT i, 'word ' || (i % 7) FROM range({EVENTS}) AS t(i)")
            else:
                connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)
    return path


def parquet_ward(folder: Path) -> Path:
    import duckdb

    path = folder / "parquet"
    path.mkdir()
    with closing(duckdb.connect(str(duckdb_ward(folder)), read_only=True)) as connection:
        for name in TABLES:
            connection.execute(f"COPY {name} TO '{path / name}.parquet' (FORMAT parquet)")
    return path


def postgres_ward(server: Server) -> str:
    """The address of the ward, for a role that may only read."""
    made = ["CREATE SCHEMA clinic", "GRANT USAGE ON SCHEMA clinic TO PUBLIC"]
    for name, (columns, types, rows) in TABLES.items():
        typed = ", ".join(
            f'"{column}" {type.replace("DOUBLE", "DOUBLE PRECISION").replace("patients (", "clinic.patients (")}'
            for column, type in zip(columns, types, strict=True)
        )
        made.append(f"CREATE TABLE clinic.{name} ({typed})")
        if name == "events":
            made.append(
                f"INSERT INTO clinic.events SELECT i, 'word ' || (i % 7) FROM generate_series(0, {EVENTS - 1}) AS t(i)"
            )
        else:
            cells = [", ".join("NULL" if cell is None else repr(cell) for cell in row) for row in rows]
            made.append(f"INSERT INTO clinic.{name} VALUES ({'), ('.join(cells)})")
    server.database("ward", *made, "GRANT SELECT ON ALL TABLES IN SCHEMA clinic TO PUBLIC")
    return server.url("ward", "reader")


def spark_ward(server: SparkServer) -> str:
    """The address of the ward."""
    made = ["CREATE DATABASE clinic"]
    for name, (columns, types, rows) in TABLES.items():
        kinds = [type.partition(" ")[0].replace("VARCHAR", "STRING") for type in types]
        typed = ", ".join(f"`{column}` {kind}" for column, kind in zip(columns, kinds, strict=True))
        made.append(f"CREATE TABLE clinic.{name} ({typed}) USING parquet")
        if name == "events":
            made.append(
                "INSERT INTO clinic.events "
                f"SELECT CAST(id AS INT), concat('word ', id % 7) FROM range(0, {EVENTS}, 1, 1)"
            )
        else:
            cells = [
                ", ".join(
                    "NULL" if cell is None else f"{kind}{cell!r}" if kind == "TIMESTAMP" else repr(cell)
                    for cell, kind in zip(row, kinds, strict=True)
                )
                for row in rows
            ]
            made.append(f"INSERT INTO clinic.{name} VALUES ({'), ('.join(cells)})")
    server.run(*made)
    return server.url("clinic")


WARDS: dict[str, Callable[[Path], Path]] = {
    "sqlite": sqlite_ward,
    "duckdb": duckdb_ward,
    "csv": csv_ward,
    "parquet": parquet_ward,
}
