"""A folder of CSV files becomes one SQLite file, also where it is stopped in between."""

from __future__ import annotations

import gzip
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.engines import csv_copy
from ehrtui.engines import csv_columns, importing
from ehrtui.engines.importing import import_folder
from ehrtui.engines.opening import open_engine
from ehrtui.errors import Cancelled, DatabaseError
from ehrtui.schema.detection import load_profile
from tests import small_native

LABS = "row_id;subject_id;charttime;valuenum;flag\n"


def labs(count: int) -> str:
    return LABS + "".join(f"{n};{n % 9};2110-01-01T00:00:{n % 60:02};{n / 2};\n" for n in range(count))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "downloaded"
    (path / "icu").mkdir(parents=True)
    (path / "icu" / "LABS.csv.gz").write_bytes(gzip.compress(labs(500).encode()))
    (path / "patients.csv").write_text("ROW_ID,SUBJECT_ID,DOB,ZIP\n1,1,2050-01-01 00:00:00,02139\n2,2,,\n")
    (path / "events.parquet").write_bytes(b"PAR1")
    return path


def imported(folder: Path, target: Path, cancelled: Callable[[], bool] = bool) -> importing.Imported:
    return import_folder(folder, target, lambda *_: None, cancelled)


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_files_become_tables_with_types_keys_and_indexes(folder: Path, tmp_path: Path) -> None:
    target, told = tmp_path / "one.db", list[tuple[str, float]]()
    done = import_folder(folder, target, lambda *at: told.append(at), lambda: False)
    assert (done.tables, done.rows, done.resumed, done.left_out) == (2, 502, False, ("events is in Parquet files",))
    assert [share for _, share in told] == sorted(share for _, share in told)
    assert rows(target, "SELECT * FROM patients") == [(1, 1, "2050-01-01 00:00:00", "02139"), (2, 2, None, None)]
    assert rows(target, "SELECT max(row_id), max(charttime), sum(valuenum), count(flag) FROM labs") == [
        (499, "2110-01-01 00:00:59", 62375.0, 0)
    ]
    indexed = [sql for (sql,) in rows(target, "SELECT sql FROM sqlite_master WHERE type = 'index'")]
    assert any("UNIQUE" in sql and '"labs" (row_id)' in sql for sql in indexed)
    assert any('"labs" ("subject_id")' in sql for sql in indexed)
    assert sum("row_id" in sql.lower() for sql in indexed) == 2  # one a table
    engine = open_engine(str(target))
    assert {table.name: table.row_count for table in engine.schema().tables} == {"labs": 500, "patients": 2}
    assert [c.name for c in engine.schema().tables[0].columns if c.is_time] == ["charttime"]
    assert engine.read("SELECT count(*) FROM labs WHERE charttime >= '2110-01'") == [(500,)]
    engine.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["downloaded", "one.db"]
    assert target.stat().st_mode & 0o077 == 0


def test_what_was_stopped_goes_on_and_files_that_changed_begin_anew(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "_ROWS_AT_ONCE", 100)
    target, asked = tmp_path / "one.db", iter([False] * 4 + [True] * 9)
    with pytest.raises(Cancelled, match="stopped"):
        imported(folder, target, lambda: next(asked))
    part = tmp_path / "one.db.part"
    assert (target.exists(), rows(part, "SELECT count(*) FROM labs")) == (False, [(400,)])
    done = imported(folder, target)
    assert (done.resumed, done.rows) == (True, 502)
    assert rows(target, "SELECT count(*), count(DISTINCT row_id) FROM labs") == [(500, 500)]
    target.unlink()
    asked = iter([False] * 4 + [True] * 9)
    with pytest.raises(Cancelled):
        imported(folder, target, lambda: next(asked))
    (folder / "icu" / "LABS.csv.gz").write_bytes(gzip.compress(labs(50).encode()))
    assert imported(folder, target).rows == 52
    assert rows(target, "SELECT count(*) FROM labs") == [(50,)]


def test_a_process_that_is_killed_leaves_what_goes_on(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "one.db"
    code = f"""
import os, signal
from pathlib import Path
from ehrtui.engines import importing
importing._ROWS_AT_ONCE = 100
asked = iter(range(9))
def cancelled():
    if next(asked) == 3:
        os.kill(os.getpid(), {int(signal.SIGKILL)})
    return False
importing.import_folder(Path({str(folder)!r}), Path({str(target)!r}), lambda *_: None, cancelled)
"""
    killed = subprocess.run([sys.executable, "-c", code], env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    done = imported(folder, target)
    assert (done.resumed, done.rows) == (True, 502)
    assert rows(target, "SELECT count(*), count(DISTINCT row_id) FROM labs") == [(500, 500)]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (gzip.compress((labs(4_000) + "9;9\n").encode()), "line 4002"),
        (gzip.compress(labs(40_000).encode())[:-2_000], "LABS.csv.gz"),
    ],
    ids=["fields", "cut off"],
)
@pytest.mark.parametrize("looked_at", [10**9, 0], ids=["seen at once", "far behind"])
def test_a_broken_line_is_told_and_can_be_corrected(
    folder: Path, tmp_path: Path, broken: bytes, said: str, looked_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_columns, "_WHOLE_FILE", looked_at)
    target = tmp_path / "one.db"
    (folder / "icu" / "LABS.csv.gz").write_bytes(broken)
    with pytest.raises(DatabaseError) as caught:
        imported(folder, target)
    assert said in str(caught.value).replace("Line", "line")
    assert caught.value.next_step
    (folder / "icu" / "LABS.csv.gz").write_bytes(gzip.compress(labs(4_000).encode()))
    assert imported(folder, target).rows == 4_002


def test_nothing_is_overwritten_and_nothing_is_made_of_nothing(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "one.db"
    target.write_bytes(b"mine")
    for source, place in (
        (folder, target),
        (tmp_path / "nowhere", tmp_path / "two.db"),
        (folder, folder / "no" / "a.db"),
    ):
        with pytest.raises(DatabaseError) as caught:
            imported(source, place)
        assert caught.value.next_step
    assert target.read_bytes() == b"mine"


def test_an_import_is_read_as_the_database_that_the_files_came_from(tmp_path: Path) -> None:
    source, path, target = small_native.build(tmp_path / "native.sqlite"), tmp_path / "csv", tmp_path / "again.db"
    csv_copy(source, path)
    imported(path, target)
    one, other = open_engine(str(source)), open_engine(str(target))
    assert load_profile(other.schema(), other.read) == load_profile(one.schema(), one.read)
    for table in one.schema().tables:
        assert other.read(f"SELECT * FROM {table.name}") == one.read(f"SELECT * FROM {table.name}")
    one.close()
    other.close()
