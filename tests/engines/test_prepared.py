"""Prepared copies: built, used and dropped, over real files."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.engines.estimate import advice
from ehrtui.engines.opening import open_engine
from ehrtui.engines.prepared import Prepared, PreparedEngine
from ehrtui.engines.preparing import drop, prepare
from ehrtui.errors import Cancelled, DatabaseError
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile
from tests.engines.conftest import write

QUERIES = (
    "SELECT drug, count(*) FROM prescriptions GROUP BY drug ORDER BY drug",
    "SELECT valuenum FROM labevents WHERE hadm_id IN (SELECT hadm_id FROM admissions WHERE subject_id = 102) "
    "AND itemid IN (SELECT itemid FROM d_labitems WHERE label = 'creatinine') ORDER BY charttime DESC LIMIT 1",
    "SELECT itemid FROM labevents WHERE hadm_id = 1003 ORDER BY charttime DESC LIMIT 1",
    "SELECT cost FROM cost WHERE event_type = 'prescriptions' AND event_id IN (SELECT row_id FROM prescriptions)",
)


def made(path: Path, cache: Path) -> Prepared:
    return prepare(str(path), profile=None, cache=cache, progress=lambda doing, share: None, cancelled=lambda: False)


def files(cache: Path) -> list[str]:
    """What is in the cache, but for the lock."""
    return sorted(path.name for path in cache.rglob("*") if path.is_file() and path.name != "lock")


def rows(engine: Engine, sql: str) -> list[tuple[object, ...]]:
    result = engine.run(sql, "rows")
    return engine.page("rows", 0, result.row_count)


def family_of(engine: Engine) -> Profile:
    return load_profile(engine.schema(), engine.read)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "prepared"


@pytest.fixture
def prepared(mimic_path: Path, cache: Path) -> Path:
    """A database that has been prepared."""
    made(mimic_path, cache)
    return mimic_path


def test_the_copy_is_read_in_place_of_the_file_and_gives_the_same_rows(mimic_path: Path, cache: Path) -> None:
    with closing(open_engine(str(mimic_path))) as original:
        done = made(mimic_path, cache)
        assert done.new
        assert done.bytes > mimic_path.stat().st_size
        with closing(open_engine(str(mimic_path), cache=cache)) as copy:
            assert isinstance(copy, PreparedEngine)
            assert (copy.label, copy.fingerprint()) == (original.label, original.fingerprint())
            assert copy.schema() == original.schema()
            for sql in QUERIES:
                assert rows(copy, sql) == rows(original, sql)
            assert "USING INDEX" in copy.explain(QUERIES[1])
            assert "SCAN labevents" in original.explain(QUERIES[1])


LARGE = """
    DELETE FROM labevents;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)
        INSERT INTO labevents (row_id, subject_id, hadm_id, itemid, charttime, valuenum, valueuom)
        SELECT {number}, 102, 1000 + i % 7, 50900 + i * 31 % 40, datetime('2104-01-01', (i * 7919 % 900) || ' days'),
        i % 13, 'mg' FROM n;
"""
"""Many records at the same moment: which of them LIMIT takes depends on their order."""
LOOKED_UP = (
    "SELECT valuenum FROM labevents WHERE itemid = 50912 LIMIT 50",
    "SELECT valuenum FROM labevents WHERE itemid = 50912 ORDER BY charttime LIMIT 1",
    "SELECT row_id FROM labevents WHERE itemid = 50912 ORDER BY charttime DESC LIMIT 3",
    "SELECT row_id FROM labevents WHERE itemid = 50912 AND strftime('%Y', charttime) = '2105' LIMIT 20",
    "SELECT row_id FROM labevents WHERE strftime('%Y', charttime) = '2105' LIMIT 20",
    "SELECT charttime, valuenum FROM labevents WHERE hadm_id = 1003 LIMIT 20",
    "SELECT itemid, count(*), sum(valuenum) FROM labevents WHERE hadm_id = 1003 GROUP BY itemid",
    "SELECT count(*) FROM labevents WHERE strftime('%Y', charttime) = '2105'",
)


@pytest.mark.parametrize("number", ["i", "100001 - i"], ids=["numbered in their order", "numbered otherwise"])
def test_a_large_table_gives_the_same_rows_in_the_same_order(mimic_path: Path, cache: Path, number: str) -> None:
    write(mimic_path, LARGE.format(number=number))
    with closing(open_engine(str(mimic_path))) as original:
        made(mimic_path, cache)
        with closing(open_engine(str(mimic_path), cache=cache)) as copy:
            assert isinstance(copy, PreparedEngine)
            for sql in LOOKED_UP:
                assert rows(copy, sql) == rows(original, sql), sql
            covered = "COVERING INDEX ehrtui labevents itemid" in copy.explain(LOOKED_UP[0])
            assert covered == (number == "i")
            assert "INDEX ehrtui labevents charttime year" in copy.explain(LOOKED_UP[-1])


def test_a_clock_without_a_year_is_prepared_all_the_same(mimic_path: Path, cache: Path) -> None:
    write(mimic_path, LARGE.format(number="i") + "UPDATE labevents SET charttime = 'now' WHERE row_id = 7;")
    with closing(open_engine(str(mimic_path))) as original:
        assert made(mimic_path, cache).new
        with closing(open_engine(str(mimic_path), cache=cache)) as copy:
            assert isinstance(copy, PreparedEngine)
            assert rows(copy, LOOKED_UP[-1]) == rows(original, LOOKED_UP[-1])


def test_the_users_file_and_directory_are_not_written(mimic_path: Path, cache: Path) -> None:
    before = mimic_path.read_bytes(), mimic_path.stat().st_mtime_ns
    made(mimic_path, cache)
    open_engine(str(mimic_path), cache=cache).close()
    assert (mimic_path.read_bytes(), mimic_path.stat().st_mtime_ns) == before
    assert sorted(path.name for path in mimic_path.parent.iterdir()) == ["cache", mimic_path.name]


def test_only_the_owner_may_read_what_was_prepared(prepared: Path, cache: Path) -> None:
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert stat.S_IMODE((cache / "names").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in cache.rglob("*") if path.is_file()} == {0o600}


def test_preparing_again_does_nothing(prepared: Path, cache: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in cache.rglob("*")}
    assert not made(prepared, cache).new
    assert {path.name: path.stat().st_mtime_ns for path in cache.rglob("*")} == before


def test_a_changed_file_is_read_itself_and_its_copy_removed(prepared: Path, cache: Path) -> None:
    write(prepared, "INSERT INTO patients VALUES (99, 999, 'f', '2080-01-01 00:00:00', NULL)")
    with closing(open_engine(str(prepared), cache=cache)) as engine:
        assert not isinstance(engine, PreparedEngine)
        assert rows(engine, "SELECT gender FROM patients WHERE subject_id = 999") == [("f",)]
    assert files(cache) == []
    assert made(prepared, cache).new


def test_a_file_that_changes_while_it_is_open_is_read_itself_from_then_on(prepared: Path, cache: Path) -> None:
    with closing(open_engine(str(prepared), cache=cache)) as engine:
        before = engine.state()
        assert engine.state() == before
        write(prepared, "INSERT INTO patients VALUES (99, 999, 'f', '2080-01-01 00:00:00', NULL)")
        assert engine.state() != before
        engine.reread()
        assert rows(engine, "SELECT gender FROM patients WHERE subject_id = 999") == [("f",)]


def test_other_databases_keep_their_copies(prepared: Path, cache: Path, tmp_path: Path) -> None:
    other = Path(shutil.copy(prepared, tmp_path / "other.sqlite"))
    made(other, cache)
    write(other, "DELETE FROM cost")
    open_engine(str(other), cache=cache).close()
    with closing(open_engine(str(prepared), cache=cache)) as engine:
        assert isinstance(engine, PreparedEngine)


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0", b"\0" * 5000], ids=["empty", "cut off", "zeros"])
def test_a_damaged_copy_is_not_used(prepared: Path, cache: Path, damage: bytes) -> None:
    [copy] = cache.glob("*.sqlite")
    copy.write_bytes(damage)
    with closing(open_engine(str(prepared), cache=cache)) as engine:
        assert len(rows(engine, "SELECT * FROM patients")) == 5
        assert not isinstance(engine, PreparedEngine)
    assert made(prepared, cache).new


def test_dropping_removes_everything_even_when_the_database_is_gone(prepared: Path, cache: Path) -> None:
    prepared.unlink()
    assert drop(str(prepared), cache)
    assert files(cache) == []
    assert not drop(str(prepared), cache)


@pytest.mark.parametrize("stage", ["Copying", "Indexing labevents.hadm_id", "Collecting"])
def test_cancelling_leaves_nothing(mimic_path: Path, cache: Path, stage: str) -> None:
    seen: list[str] = []

    def cancelled() -> bool:
        return any(doing.startswith(stage) for doing in seen)

    with pytest.raises(Cancelled):
        prepare(
            str(mimic_path),
            profile=None,
            cache=cache,
            progress=lambda doing, share: seen.append(doing),
            cancelled=cancelled,
        )
    assert files(cache) == []


def test_it_is_cancelled_in_the_middle_of_an_index(tmp_path: Path, cache: Path) -> None:
    path = write(
        tmp_path / "large.db",
        "CREATE TABLE notes (note_id INT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)"
        "INSERT INTO notes SELECT i FROM n;",
    )
    reports: list[str] = []

    def cancelled() -> bool:
        return len([doing for doing in reports if doing.startswith("Indexing")]) >= 3

    with pytest.raises(Cancelled):
        prepare(
            str(path),
            profile=None,
            cache=cache,
            progress=lambda doing, share: reports.append(doing),
            cancelled=cancelled,
        )
    assert len([doing for doing in reports if doing.startswith("Indexing")]) == 3
    assert files(cache) == []


def test_progress_goes_from_nothing_to_the_end(mimic_path: Path, cache: Path) -> None:
    shares: list[float] = []
    prepare(
        str(mimic_path),
        profile=None,
        cache=cache,
        progress=lambda doing, share: shares.append(share),
        cancelled=lambda: False,
    )
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0


def test_a_database_that_changes_meanwhile_is_not_prepared(mimic_path: Path, cache: Path) -> None:
    def progress(doing: str, share: float) -> None:
        if doing.startswith("Collecting"):
            write(mimic_path, "DELETE FROM cost")

    with pytest.raises(DatabaseError, match="changed") as caught:
        prepare(str(mimic_path), profile=None, cache=cache, progress=progress, cancelled=lambda: False)
    assert caught.value.next_step
    assert files(cache) == []


_STOPS_AT_COLLECTING = """
import sys
from pathlib import Path
from ehrtui.engines.preparing import prepare
stops = ["here"]
def progress(doing, share):
    if stops and doing.startswith("Collecting"):
        print(stops.pop(), flush=True)
        sys.stdin.readline()
prepare(sys.argv[1], profile=None, cache=Path(sys.argv[2]), progress=progress, cancelled=lambda: False)
"""


@pytest.fixture
def preparing(mimic_path: Path, cache: Path) -> subprocess.Popen[str]:
    """Another process in the middle of preparing; it goes on when it reads a line."""
    process = subprocess.Popen(
        [sys.executable, "-c", _STOPS_AT_COLLECTING, str(mimic_path), str(cache)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "here\n"
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise")
@pytest.mark.parametrize("then", ["open", "prepare", "drop"])
def test_what_a_killed_process_left_is_swept(
    preparing: subprocess.Popen[str], mimic_path: Path, cache: Path, then: str
) -> None:
    assert [name.endswith(".part") for name in files(cache)] == [True]
    preparing.send_signal(signal.SIGKILL)
    preparing.communicate()
    assert len(files(cache)) == 1
    if then == "open":
        open_engine(str(mimic_path), cache=cache).close()
    elif then == "drop":
        drop(str(mimic_path), cache)
    else:
        assert made(mimic_path, cache).new
    assert not any(name.endswith(".part") for name in files(cache))


def test_a_second_process_waits_for_the_first_and_uses_its_copy(
    preparing: subprocess.Popen[str], mimic_path: Path, cache: Path
) -> None:
    open_engine(str(mimic_path), cache=cache).close()
    assert len(files(cache)) == 1  # what the other process is writing is left alone
    waited: list[str] = []

    def progress(doing: str, share: float) -> None:
        if not waited and preparing.stdin:
            preparing.stdin.write("\n")
            preparing.stdin.flush()
        waited.append(doing)

    done = prepare(str(mimic_path), profile=None, cache=cache, progress=progress, cancelled=lambda: False)
    preparing.communicate()
    assert preparing.returncode == 0
    assert not done.new
    assert set(waited) == {"Waiting for another ehrtui to finish"}


def test_a_second_process_that_waits_can_be_cancelled(
    preparing: subprocess.Popen[str], mimic_path: Path, cache: Path
) -> None:
    with pytest.raises(Cancelled):
        prepare(str(mimic_path), profile=None, cache=cache, progress=lambda *_: None, cancelled=lambda: True)
    preparing.communicate("\n")
    assert preparing.returncode == 0
    assert len(files(cache)) == 2


def test_too_little_space_is_said_before_anything_is_written(mimic_path: Path, cache: Path) -> None:
    with mimic_path.open("r+b") as file:  # a file with a hole: longer than the disk, and yet of a few blocks
        file.truncate(shutil.disk_usage(mimic_path.parent).free + 2**30)
    with pytest.raises(DatabaseError, match="not enough space") as caught:
        made(mimic_path, cache)
    assert " are free, and 100 MB must stay free" in caught.value.why
    assert "--state" in caught.value.next_step
    assert files(cache) == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX")
def test_a_disk_that_fills_up_leaves_nothing(mimic_path: Path, cache: Path) -> None:
    code = (
        "import resource, signal, sys; from pathlib import Path; from ehrtui.engines.preparing import prepare;"
        "from ehrtui.errors import DatabaseError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "try: prepare(sys.argv[1], profile=None, cache=Path(sys.argv[2]), progress=lambda *_: None,"
        " cancelled=lambda: False)\n"
        "except DatabaseError as error: print(error.what, error.next_step)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(mimic_path), str(cache)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip()
    assert done.stderr == ""
    assert files(cache) == []


def test_changes_that_wait_in_a_write_ahead_log_are_copied(mimic_path: Path, cache: Path) -> None:
    with closing(sqlite3.connect(mimic_path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO patients VALUES (99, 999, 'f', '2080-01-01 00:00:00', NULL)")
        writer.commit()
        made(mimic_path, cache)
        with closing(open_engine(str(mimic_path), cache=cache)) as engine:
            assert isinstance(engine, PreparedEngine)
            assert len(rows(engine, "SELECT * FROM patients")) == 6
        assert len(files(cache)) == 2  # no log of its own


def test_tables_of_every_kind_and_name(tmp_path: Path, cache: Path) -> None:
    path = write(
        tmp_path / "odd.db",
        """
        CREATE TABLE "a ""b"" table" ("the ""id" INT, code TEXT COLLATE NOCASE, [patient id] INT);
        INSERT INTO "a ""b"" table" VALUES (1, 'x', 2), (NULL, 'X', 3);
        CREATE TABLE keyed (person_id INT, visit_id INT, PRIMARY KEY (person_id, visit_id)) WITHOUT ROWID;
        INSERT INTO keyed VALUES (1, 2);
        CREATE VIEW seen AS SELECT visit_id FROM keyed;
        CREATE VIEW broken AS SELECT a_id FROM nowhere;
        CREATE VIRTUAL TABLE notes USING fts5 (note_id, text);
        INSERT INTO notes VALUES (1, 'stable');
        CREATE INDEX had ON "a ""b"" table" (code);
        """,
    )
    made(path, cache)
    with closing(open_engine(str(path), cache=cache)) as engine:
        assert isinstance(engine, PreparedEngine)
        assert rows(engine, 'SELECT count(*) FROM "a ""b"" table" WHERE code = \'x\'') == [(2,)]
        found = engine.read("SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'ehrtui %' ORDER BY 1")
        assert [name for (name,) in found] == [
            'ehrtui a "b" table patient id',
            'ehrtui a "b" table the "id',
            "ehrtui keyed visit_id",
        ]
        assert rows(engine, "SELECT text FROM notes") == [("stable",)]


def test_advice_is_given_for_large_tables_of_large_files_only(tmp_path: Path, cache: Path, mimic_path: Path) -> None:
    rows_of = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {}) INSERT INTO {} SELECT {} FROM n;"
    )
    schema = "CREATE TABLE events (person_id INT, note BLOB); CREATE TABLE scans (scan_id INT, image BLOB);"
    large = write(tmp_path / "large ward.db", schema + rows_of.format(110_000, "events", "i, zeroblob(480)"))
    images = write(tmp_path / "images.db", schema + rows_of.format(60, "scans", "i, zeroblob(1000000)"))

    def said(path: Path) -> str:
        with closing(open_engine(str(path), cache=cache)) as engine:
            return advice(engine, family_of(engine))

    assert "events has no index on person_id" in said(large)
    assert said(large).endswith(f": ehrtui prepare '{large}'")
    assert said(images) == said(mimic_path) == ""
    size = made(large, cache).bytes
    assert said(large) == ""
    assert size < large.stat().st_size * 1.1
