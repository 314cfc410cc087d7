"""A database in which every text, number and date of a patient is a value of its own, shareable or not: what a session
may have told of a patient can be looked for."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tests import small_mimic

_AS_IT_IS = ("gender", "linksto", "event_type", "eventtype", "age", "row_id")
"""Columns of one letter or of a word that ehrtui's own words hold, and whose values cannot be looked for."""
_KEYS = ("subject_id", "hadm_id", "icustay_id", "itemid", "icd9_code")
_KIND = {"INT": "INT", "SMALLINT": "INT", "VARCHAR": "VARCHAR", "TIMESTAMP": "TIMESTAMP", "DOUBLE PRECISION": "DOUBLE"}
_TIMES = ("dob", "dod", "startdate", "enddate")


@dataclass(frozen=True)
class Distinct:
    """The database at `path`: the values that its rows hold of each patient; `ids` are the patients', `drugs` all
    drugs."""

    path: Path
    of_patient: dict[str, frozenset[str]]
    ids: tuple[str, ...]
    drugs: tuple[str, ...]

    def untyped(self, traffic: str, typed: Iterable[str]) -> set[str]:
        """The stored values of any patient that occur in the traffic and that nobody typed."""
        said, told = " ".join(typed).lower(), traffic.lower()
        stored = {part.lower() for values in self.of_patient.values() for one in values for part in one.split()}
        return {one for one in stored if one in told and one not in said}


def build(path: Path) -> Distinct:
    """The five-patient EHR with a value of its own in place of each: the same one for the same value of a column, or of
    a key."""
    small_mimic.build(path)
    days = (datetime(2104, 1, 1) + timedelta(seconds=at * 40_009) for at in range(100_000))
    of_patient: dict[str, set[str]] = defaultdict(set)
    with closing(sqlite3.connect(path)) as connection, connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for _, column, kind, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
                if column in _AS_IT_IS:
                    continue
                rows = connection.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall()
                for rowid, value in rows:
                    new: object
                    if column.endswith("time") or column in _TIMES:
                        new = next(days).strftime("%Y-%m-%d %H:%M:%S")
                    elif column in _KEYS and column != "icd9_code":
                        new = 700_000_000 + _number(f"{column} {value}") % 99_999_999
                    elif kind.startswith(("INT", "SMALLINT", "DOUBLE")):
                        new = 300_000_000 + _number(f"{table} {column} {rowid}") % 99_999_999
                    else:
                        new = word(f"{column if column in _KEYS else table + column} {value}")
                    connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, rowid))
        for table in tables:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            if "subject_id" not in columns:
                continue
            for row in connection.execute(f"SELECT * FROM {table}").fetchall():
                named = dict(zip(columns, row, strict=True))
                kept = {str(one) for column, one in named.items() if one is not None and column not in _AS_IT_IS}
                of_patient[str(named["subject_id"])] |= {one.removesuffix(".0") for one in kept}
        drugs = tuple(drug for (drug,) in connection.execute("SELECT DISTINCT drug FROM prescriptions ORDER BY drug"))
    values = {patient: frozenset(found) for patient, found in of_patient.items()}
    return Distinct(path, values, tuple(sorted(values)), drugs)


def in_duckdb(database: Distinct) -> Path:
    """The same rows in a DuckDB file beside it."""
    import duckdb

    path = database.path.with_suffix(".duckdb")
    with closing(sqlite3.connect(database.path)) as source, closing(duckdb.connect(str(path))) as copy:
        for (table,) in source.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = [(name, kind) for _, name, kind, *_ in source.execute(f"PRAGMA table_info({table})")]
            typed = ", ".join(f"{name} {_KIND[kind.split('(')[0]]}" for name, kind in columns)
            copy.execute(f"CREATE TABLE {table} ({typed})")
            if rows := source.execute(f"SELECT * FROM {table}").fetchall():
                copy.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)
    return path


def word(text: str) -> str:
    """A word of twelve letters, which nothing else is like."""
    number = _number(text)
    return "".join("bcdfghjklmnpqrstvwxz"[number // 20**place % 20] for place in range(12))


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
