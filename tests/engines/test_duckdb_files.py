"""DuckDB database files: what is in them, what may be wrong with them, and that nothing is left behind."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.errors import DatabaseError, QueryError
from ehrtui.schema.model import ForeignKey
from tests.engines.wards import csv_ward, duckdb_ward

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install 'ehrtui[duckdb]'")

HOSPITAL = """
    CREATE SCHEMA hosp; CREATE SCHEMA icu;
    CREATE TABLE hosp.patients (subject_id INTEGER PRIMARY KEY, anchor_age UTINYINT, dod DATE);
    CREATE TABLE hosp.labevents (subject_id INTEGER REFERENCES hosp.patients (subject_id), charttime TIMESTAMP,
      seen TIMESTAMPTZ, valuenum DECIMAL(10, 2), abnormal BOOLEAN, tags VARCHAR[], total HUGEINT,
      raw BLOB, took INTERVAL);
    CREATE TABLE icu.patients (subject_id INTEGER);
    CREATE VIEW icu.old AS SELECT subject_id FROM hosp.patients WHERE anchor_age > 80;
    INSERT INTO hosp.patients VALUES (1, 91, '2110-05-06'), (2, 40, NULL);
    INSERT INTO hosp.labevents VALUES (1, '2110-05-05 08:30:00.5', '2110-05-05 08:30:00+02', 7.5, true, ['a', 'b'],
      12, '\\x00\\xFF'::BLOB, INTERVAL 90 MINUTE);
"""


def written(path: Path, script: str) -> Path:
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute(script)
    return path


def refusal(path: Path) -> DatabaseError:
    with pytest.raises(DatabaseError) as caught:
        open_engine(str(path)).close()
    assert caught.value.next_step
    return caught.value


def test_tables_of_all_schemas_have_values_as_sqlite_has_them(tmp_path: Path) -> None:
    path = written(tmp_path / "hospital.duckdb", HOSPITAL)
    engine = open_engine(str(path))
    tables = {table.name: table for table in engine.schema().tables}
    assert sorted(tables) == ["hosp_patients", "icu_patients", "labevents", "old"]
    assert tables["old"].is_view
    assert tables["labevents"].foreign_keys == (ForeignKey("subject_id", "patients", "subject_id"),)
    assert [c.name for c in tables["hosp_patients"].columns if c.primary_key] == ["subject_id"]
    labs = tables["labevents"].columns
    assert [c.name for c in labs if c.is_time] == ["charttime", "seen"]
    assert [c.name for c in labs if c.is_number] == ["subject_id", "valuenum", "abnormal", "total"]
    assert engine.read("SELECT * FROM labevents") == [
        (1, "2110-05-05 08:30:00.5", "2110-05-05 06:30:00", 7.5, 1, "[a, b]", 12, b"\x00\xff", "01:30:00")
    ]
    assert engine.read("SELECT dod, anchor_age / 2, old.* FROM hosp_patients JOIN old USING (subject_id)") == [
        ("2110-05-06", 45, 1)
    ]
    engine.close()


def test_a_statement_in_duckdbs_own_words_runs_there_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "hospital.duckdb", HOSPITAL)
    sql = (
        "WITH seen AS (SELECT subject_id, max(charttime) AS at FROM labevents GROUP BY 1) SELECT strftime('%Y', at), "
        "count(*) / 2, anchor_age FROM seen JOIN hosp_patients USING (subject_id)"
    )
    engine = open_engine(str(path))
    native, rows = engine.native(sql), engine.read(sql)
    engine.close()
    with closing(duckdb.connect(str(path), read_only=True)) as connection:
        assert connection.execute(native).fetchall() == rows == [("2110", 0, 91)]


def test_what_has_no_counterpart_is_refused_by_name(tmp_path: Path) -> None:
    engine = open_engine(str(duckdb_ward(tmp_path)))
    for sql, said in (
        ("SELECT hex(randomblob(3))", "The function randomblob"),
        ("SELECT CASE WHEN subject_id = 1 THEN 'one' ELSE subject_id END FROM patients", "sometimes a text"),
        ("SELECT 1 UNION SELECT 'a'", "A UNION of texts with numbers"),
        ("SELECT strftime('%f', dob) FROM patients", "the format %f"),
        ("SELECT datetime(dob, 'localtime') FROM patients", "'localtime'"),
        ("SELECT rowid FROM patients", "The number of a row"),
        ("SELECT name FROM sqlite_master", "The table sqlite_master"),
        ("SELECT value FROM json_each('[1]')", "The table"),
        ("SELECT gender FROM patients ORDER BY gender COLLATE RTRIM", "The collation RTRIM"),
        ("SELECT date('now')", "The wall clock"),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT i FROM n",
            "LIMIT or ORDER BY within a recursive query",
        ),
    ):
        with pytest.raises(QueryError) as caught:
            engine.run(sql, "a")
        assert said in str(caught.value)
        assert caught.value.next_step
    engine.close()


def test_values_of_the_database_are_in_no_error(tmp_path: Path) -> None:
    script = "CREATE TABLE notes (note VARCHAR); INSERT INTO notes VALUES ('Ms. Secret')"
    engine = open_engine(str(written(tmp_path / "notes.duckdb", script)))
    assert engine.read("SELECT CAST(note AS INTEGER), note + 1, note > 5 FROM notes") == [(0, 1.0, 1)]
    for sql in (
        "SELECT substr(note, 99999999999999999999) FROM notes",
        "SELECT sum(9223372036854775807 + length(note)) FROM notes",
    ):
        with pytest.raises(QueryError) as caught:
            engine.run(sql, "a")
        assert "Secret" not in str(caught.value)
    engine.close()


def test_the_file_is_as_it_was_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = duckdb_ward(tmp_path)
    before, spilled = path.read_bytes(), tmp_path / "spilled"
    spilled.mkdir()
    left = spilled / "ehrtui-duckdb-999999999-x"
    left.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spilled))
    engine = open_engine(str(path))
    (own,) = spilled.iterdir()
    assert (own != left, own.stat().st_mode & 0o077) == (True, 0)
    engine.run("SELECT * FROM events ORDER BY word", "kept")
    engine.close()
    assert list(spilled.iterdir()) == []
    assert path.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["spilled", path.name]


def test_a_file_that_was_written_to_is_another(tmp_path: Path) -> None:
    path = duckdb_ward(tmp_path)
    engine = open_engine(str(path))
    state, fingerprint = engine.state(), engine.fingerprint()
    assert (engine.state(), engine.fingerprint()) == (state, fingerprint)
    engine.close()
    written(path, "INSERT INTO patients VALUES (9, 'F', 50.0, NULL); CREATE TABLE more (a INTEGER)")
    again = open_engine(str(path))
    assert again.fingerprint() != fingerprint
    assert again.state().content != state.content
    again.close()
    path.unlink()
    assert engine.state().source == ""


def test_files_that_cannot_be_read_are_told_apart(tmp_path: Path) -> None:
    whole = duckdb_ward(tmp_path).read_bytes()
    for name, content, said in (
        ("text.duckdb", b"a,b\n1,2\n" * 50, "not a DuckDB database"),
        ("cut.duckdb", whole[:9000], "cannot be read"),
        ("noise.duckdb", whole[:12] + b"\xff" * 8000, "noise.duckdb"),
        ("empty.duckdb", b"", "0 bytes"),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        assert said in refusal(path).what
    assert "no tables" in refusal(written(tmp_path / "bare.duckdb", "SELECT 1")).what


def test_a_file_that_another_process_writes_is_locked(tmp_path: Path) -> None:
    path = duckdb_ward(tmp_path)
    holding = f"import duckdb, sys\nc = duckdb.connect({str(path)!r})\nprint('open', flush=True)\nsys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", holding], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        assert "locked by another program" in refusal(path).what
        process.communicate(b"")
    open_engine(str(path)).close()


def test_without_duckdb_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, folder = duckdb_ward(tmp_path), csv_ward(tmp_path)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert refusal(path).next_step == "Install it: pip install 'ehrtui[duckdb]'"
    assert "ehrtui import csv ward FILE" in refusal(folder).next_step
