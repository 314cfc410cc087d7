from __future__ import annotations

import gzip
import lzma
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.errors import DatabaseError, EhrtuiError
from tests.engines.conftest import write


def refusal(target: Path | str) -> DatabaseError:
    with pytest.raises(DatabaseError) as caught:
        open_engine(str(target))
    assert caught.value.next_step
    return caught.value


def test_a_missing_file_is_named_with_files_of_like_names(ward: Path) -> None:
    error = refusal(ward.with_name("wrad.db"))
    assert "wrad.db" in error.what
    assert "ward.db" in error.next_step


def test_a_file_in_a_missing_directory(tmp_path: Path) -> None:
    assert "There is no file" in refusal(tmp_path / "nowhere" / "a.db").what
    assert "There is no file" in refusal(write(tmp_path / "a.db", "") / "b.db").what


def test_a_directory_is_told_with_the_databases_in_it(ward: Path) -> None:
    error = refusal(ward.parent)
    assert "directory" in error.what
    assert "ward.db" in error.next_step


def test_an_empty_file(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    assert "0 bytes" in refusal(empty).what


def test_a_database_without_tables(tmp_path: Path) -> None:
    assert "no tables" in refusal(write(tmp_path / "bare.db", "PRAGMA user_version = 1")).what


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress(b"x" * 500), "gunzip"),
        (lzma.compress(b"x" * 500), "unxz"),
        (b"PK\x03\x04" + b"\0" * 500, "unzip"),
        (b"subject_id,drug\n1,aspirin\n" * 20, "text"),
        (bytes(range(256)) * 4, "encrypted"),
        (b"\0" * 8 + b"DUCK" + b"\0" * 500, "DuckDB"),
        (b"SQLite format 3\0" + b"\xff" * 500, "damaged"),
        (b"SQLite format 3\0", "cut off"),
    ],
    ids=["gzip", "xz", "zip", "csv", "noise", "duckdb", "bad header", "header only"],
)
def test_files_of_other_formats_are_recognised(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "mimic.db"
    path.write_bytes(content)
    assert said in str(refusal(path))


@pytest.mark.parametrize(
    "target",
    [
        "postgresql://host/mimic",
        "sc://host",
        "mimic.duckdb",
        "a\0b",
        "x" * 5000,
        "/dev/null",
        "~nobody-at-all/a.db",
        "",
    ],
)
def test_what_is_not_a_sqlite_file_is_refused(target: str) -> None:
    error = refusal(target)
    assert error.what
    assert error.next_step


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ward.db")
    assert "not a regular file" in refusal(tmp_path / "ward.db").what


def test_a_truncated_file_is_told_from_its_header(ward: Path) -> None:
    whole = ward.read_bytes()
    ward.write_bytes(whole[: len(whole) // 2])
    error = refusal(ward)
    assert "cut off" in error.what
    assert f"{len(whole):,}" in error.what


def test_a_damaged_page_is_found_when_opening_or_told_when_it_is_read(tmp_path: Path) -> None:
    path = write(
        tmp_path / "large.db",
        "CREATE TABLE notes (row_id INTEGER PRIMARY KEY, text); "
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        "INSERT INTO notes SELECT i, hex(randomblob(20)) FROM n",
    )
    content = bytearray(path.read_bytes())
    middle = len(content) // 8192 * 4096
    content[middle : middle + 4096] = b"\xee" * 4096
    path.write_bytes(content)
    with pytest.raises(DatabaseError, match="damaged"):
        open_engine(str(path)).run("SELECT max(text) FROM notes", "all")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_read_permission(ward: Path) -> None:
    ward.chmod(0o000)
    assert "may not read" in refusal(ward).what


def test_a_database_in_write_ahead_mode_shows_what_was_committed(ward: Path) -> None:
    writer = sqlite3.connect(ward)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("INSERT INTO patients VALUES (4, 'm', 70.0, NULL)")
    writer.commit()
    engine = open_engine(str(ward))
    assert engine.read("SELECT count(*) FROM patients") == [(4,)]
    writer.execute("DELETE FROM patients WHERE subject_id = 4")
    writer.commit()
    assert engine.read("SELECT count(*) FROM patients") == [(3,)]
    engine.close()
    writer.close()


READ_WITHOUT_WRITING = """
import os, sys
from ehrtui.engines.opening import open_engine
from ehrtui.errors import DatabaseError
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)  # root would write everywhere
try:
    engine = open_engine(sys.argv[1])
    print(engine.read("SELECT count(*) FROM patients"), engine.notice)
except DatabaseError as error:
    print(error)
"""


@pytest.mark.parametrize("waiting", [False, True], ids=["merged", "changes waiting in the log"])
def test_write_ahead_mode_in_a_directory_that_cannot_be_written(ward: Path, waiting: bool) -> None:
    writer = sqlite3.connect(ward)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("INSERT INTO patients VALUES (4, 'm', 70.0, NULL)")
    writer.commit()
    if not waiting:
        writer.close()
    folder = Path(tempfile.mkdtemp())
    try:
        for path in ward.parent.glob("ward.db*"):
            if not path.name.endswith("-shm"):
                shutil.copy(path, folder)
        folder.chmod(0o555)
        command = [sys.executable, "-c", READ_WITHOUT_WRITING, str(folder / "ward.db")]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)
        writer.close()
    assert ("ward.db-wal" in said) if waiting else said.startswith("[(4,)] ward.db is read as it is now")


def test_a_locked_database_is_told(ward: Path) -> None:
    writer = sqlite3.connect(ward, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    assert "locked" in refusal(ward).what
    writer.execute("ROLLBACK")
    open_engine(str(ward)).close()
    writer.close()


def test_nothing_is_written_beside_or_into_the_database(ward: Path) -> None:
    before = ward.read_bytes(), ward.stat().st_mtime_ns
    engine = open_engine(str(ward))
    engine.run("SELECT * FROM patients", "a")
    assert [path.name for path in ward.parent.iterdir()] == ["ward.db"]
    engine.close()
    assert (ward.read_bytes(), ward.stat().st_mtime_ns) == before


def test_a_file_that_vanishes_is_told(ward: Path) -> None:
    engine = open_engine(str(ward))
    ward.unlink()
    with pytest.raises(EhrtuiError):
        engine.fingerprint()
    engine.close()
