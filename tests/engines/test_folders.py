"""Folders of CSV and Parquet files as people have them: whole, half, packed, and with what is wrong in some."""

from __future__ import annotations

import gzip
import os
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.engines.preparing import drop, prepare
from ehrtui.errors import Cancelled, DatabaseError
from ehrtui.schema.detection import load_profile
from tests.engines.wards import csv_ward, duckdb_ward

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install 'ehrtui[duckdb]'")

FILES = {
    "hosp/PATIENTS.csv": "SUBJECT_ID,GENDER,DOB,ZIP\n1,M,2050-01-01 00:00:00,02139\n2,F,2060-01-01 00:00:00,02140\n",
    "hosp/diagnoses_icd.csv": 'subject_id,icd9_code,seq_num\n1,"0389",1\n2,4019,2\n2,V4581,\n',
    "icu/chartevents.csv": "subject_id;itemid;charttime;value;valuenum\n1;211;2110-01-01T08:30:00Z;80;80\n2;211;;;\n",
    "notes.tsv": 'id\ttext\n1\t"two\nlines, with ""quotes"""\n',
    "concept.csv": "concept_id\tconcept_code\tvalid_start_date\n7\t0012\t19700101\n",
    "outputevents.csv": "row_id,value\n1,\n2,35\n",
    "LICENSE.txt": "as is",
    "index.html": "<html>",
    ".hidden.csv": "a,b\n1,2\n",
}


def folder(tmp_path: Path, files: dict[str, str | bytes]) -> Path:
    path = tmp_path / "downloaded"
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(path: Path) -> DatabaseError:
    with pytest.raises(DatabaseError) as caught:
        open_engine(str(path)).close()
    assert caught.value.next_step
    return caught.value


def test_files_are_tables_with_values_as_they_are_meant(tmp_path: Path) -> None:
    engine = open_engine(str(folder(tmp_path, dict(FILES))))
    types = {table.name: [(c.name, c.type) for c in table.columns] for table in engine.schema().tables}
    assert types == {
        "chartevents": [
            ("subject_id", "BIGINT"), ("itemid", "BIGINT"), ("charttime", "TIMESTAMP"), ("value", "VARCHAR"),
            ("valuenum", "DOUBLE"),
        ],
        "concept": [("concept_id", "BIGINT"), ("concept_code", "VARCHAR"), ("valid_start_date", "DATE")],
        "diagnoses_icd": [("subject_id", "BIGINT"), ("icd9_code", "VARCHAR"), ("seq_num", "BIGINT")],
        "notes": [("id", "BIGINT"), ("text", "VARCHAR")],
        "outputevents": [("row_id", "BIGINT"), ("value", "DOUBLE")],
        "patients": [("subject_id", "BIGINT"), ("gender", "VARCHAR"), ("dob", "TIMESTAMP"), ("zip", "VARCHAR")],
    }  # fmt: skip
    assert engine.read("SELECT * FROM chartevents") == [
        (1, 211, "2110-01-01 08:30:00", "80", 80.0), (2, 211, None, None, None)
    ]  # fmt: skip
    assert engine.read("SELECT icd9_code, seq_num FROM diagnoses_icd") == [("0389", 1), ("4019", 2), ("V4581", None)]
    assert engine.read("SELECT text FROM notes") == [('two\nlines, with "quotes"',)]
    assert engine.read("SELECT concept_code, valid_start_date FROM concept") == [("0012", "1970-01-01")]
    assert engine.read("SELECT zip, date(dob, '+1 day') FROM patients WHERE zip = 2139 OR zip = '02140'") == [
        ("02140", "2060-01-02")
    ]
    assert engine.notice == ""
    engine.close()


def test_parts_and_packed_files_are_one_table_and_the_fastest_form_is_read(tmp_path: Path) -> None:
    path = folder(
        tmp_path, {"b.csv.gz": gzip.compress(b"n\n1\n"), "b.csv": "n\n2\n", "c.csv.gz": gzip.compress(b"n\n3\n")}
    )
    (path / "labevents.parquet").mkdir()
    with closing(duckdb.connect()) as connection:
        for at in range(3):
            part = path / "labevents.parquet" / f"part-0000{at}.parquet"
            connection.execute(f"COPY (SELECT {at} AS n, TIMESTAMP '2110-01-01' AS t) TO '{part}' (FORMAT parquet)")
    engine = open_engine(str(path))
    assert {table.name: table.row_count for table in engine.schema().tables} == {"b": 1, "c": 1, "labevents": 3}
    assert engine.read("SELECT n FROM b UNION ALL SELECT n FROM c") == [(2,), (3,)]
    assert engine.read("SELECT sum(n), max(t) FROM labevents") == [(3, "2110-01-01 00:00:00")]
    assert "b.csv.gz is left aside for b.csv" in engine.notice
    engine.close()


def test_what_cannot_be_read_is_left_out_and_said(tmp_path: Path) -> None:
    files = {
        "whole.csv": "a,b\n1,2\n",
        "broken.csv": "a,b\n1,2\n1,2,3\n",
        "bare.csv": "1,2\n3,4\n",
        "empty.csv": "",
        "cut.csv.gz": gzip.compress(b"a,b\n" + os.urandom(5000).hex().encode() + b",1\n")[:900],
        "noise.csv": b"\0\1\2\3" * 50,
        "old.csv": "name,n\nJosé,1\n".encode("latin-1"),
    }
    engine = open_engine(str(folder(tmp_path, files)))
    assert [table.name for table in engine.schema().tables] == ["old", "whole"]
    assert engine.read("SELECT name, n FROM old") == [("José", 1)]
    for said in (
        "broken.csv cannot be read. Line 3 has 3 fields",
        "bare.csv",
        "empty.csv is empty",
        "cut.csv.gz",
        "noise.csv",
    ):
        assert said in engine.notice
    engine.close()


def test_a_line_that_breaks_far_behind_is_told_without_its_values(tmp_path: Path) -> None:
    lines = "".join(f"{n},{n % 7}\n" for n in range(60_000))
    path = folder(tmp_path, {"labs.csv": f"row_id,seq_num\n{lines}60000,Secret\n", "few.csv": "a\n1\n"})
    engine = open_engine(str(path))
    with pytest.raises(DatabaseError) as caught:
        engine.read("SELECT sum(seq_num) FROM labs")
    assert "labs.csv has a line that cannot be read: line 60002" in caught.value.what
    assert "Secret" not in str(caught.value)
    assert caught.value.next_step
    assert engine.read("SELECT a FROM few") == [(1,)]
    (path / "few.csv").unlink()
    with pytest.raises(DatabaseError):
        engine.read("SELECT a FROM few")
    engine.close()


def test_a_folder_without_tables_says_what_else_is_there(tmp_path: Path) -> None:
    path = tmp_path / "work"
    path.mkdir()
    assert "without CSV or Parquet files" in refusal(path).what
    (path / "mimic.db").touch()
    assert str(path / "mimic.db") in refusal(path).next_step
    (path / "a.csv").touch()
    assert "a.csv is empty" in refusal(path).why


def test_a_folder_that_changes_has_another_state(tmp_path: Path) -> None:
    path = folder(tmp_path, dict(FILES))
    engine = open_engine(str(path))
    state, fingerprint = engine.state(), engine.fingerprint()
    assert engine.state() == state
    with (path / "notes.tsv").open("a") as file:
        file.write("2\tmore\n")
    (path / "new.csv").write_text("a\n1\n")
    assert (engine.state().source, engine.state().content != state.content) == (state.source, True)
    assert engine.fingerprint() != fingerprint
    engine.reread()
    assert [table.name for table in engine.schema().tables if table.name == "new"] == ["new"]
    assert engine.read("SELECT count(*) FROM notes") == [(2,)]
    engine.close()


def test_a_statement_runs_alone_beside_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = csv_ward(tmp_path)
    sql = "SELECT gender, count(*) / 2 FROM patients WHERE dob > '2055' GROUP BY gender"
    engine = open_engine(str(path))
    native, rows = engine.native(sql), engine.read(sql)
    engine.close()
    assert str(tmp_path) not in native
    monkeypatch.chdir(path)
    with closing(duckdb.connect()) as connection:
        assert connection.execute(native).fetchall() == rows == [("F", 1)]


def test_a_family_is_known_by_its_files(tmp_path: Path) -> None:
    from benchmarks.engines import csv_copy
    from tests.small_native import build

    source, path = build(tmp_path / "native.sqlite"), tmp_path / "csv"
    csv_copy(source, path)
    one, other = open_engine(str(source)), open_engine(str(path))
    assert load_profile(other.schema(), other.read).name == load_profile(one.schema(), one.read).name
    one.close()
    other.close()


def test_a_prepared_folder_is_read_from_its_copy_until_it_changes(tmp_path: Path) -> None:
    path, cache = folder(tmp_path, dict(FILES)), tmp_path / "cache"
    told: list[tuple[str, float]] = []
    plain = open_engine(str(path), cache=cache)
    whole = {table.name: plain.read(f"SELECT * FROM {table.name}") for table in plain.schema().tables}
    fingerprint = plain.fingerprint()
    plain.close()
    made = prepare(str(path), profile=None, cache=cache, progress=lambda *at: told.append(at), cancelled=lambda: False)
    assert made.new
    (copy,) = cache.glob("*.duckdb")
    assert (copy.stat().st_mode & 0o077, copy.stat().st_size) == (0, made.bytes)
    shares = [share for _, share in told]
    assert (shares, told[0][0]) == (sorted(shares), "Reading chartevents")
    again = prepare(str(path), profile=None, cache=cache, progress=lambda *at: None, cancelled=lambda: False)
    assert not again.new
    for file in path.glob("**/*.csv"):  # rows that only the files have
        status = file.stat()
        file.write_bytes(file.read_bytes().replace(b"M", b"X"))
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    engine = open_engine(str(path), cache=cache)
    assert {table.name: engine.read(f"SELECT * FROM {table.name}") for table in engine.schema().tables} == whole
    assert engine.fingerprint() == fingerprint
    (path / "hosp" / "PATIENTS.csv").write_text("subject_id,gender\n9,F\n")
    engine.reread()
    assert engine.read("SELECT * FROM patients") == [(9, "F")]
    engine.close()
    assert drop(str(path), cache)
    assert list(cache.glob("*.duckdb")) == []


def test_preparing_a_folder_leaves_nothing_where_it_is_stopped_or_fails(tmp_path: Path) -> None:
    lines = "".join(f"{n},{n % 7}\n" for n in range(60_000))
    path, cache = folder(tmp_path, {"labs.csv": f"row_id,seq_num\n{lines}"}), tmp_path / "cache"
    with pytest.raises(Cancelled):
        prepare(str(path), profile=None, cache=cache, progress=lambda *at: None, cancelled=lambda: True)
    with (path / "labs.csv").open("a") as file:
        file.write("60000,Secret\n")
    with pytest.raises(DatabaseError, match="has a line that cannot be read: line 60002") as caught:
        prepare(str(path), profile=None, cache=cache, progress=lambda *at: None, cancelled=lambda: False)
    assert "Secret" not in str(caught.value)
    assert [each.name for each in cache.iterdir()] == ["lock"]


def test_a_duckdb_file_needs_no_preparing(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="needs no preparing"):
        prepare(str(duckdb_ward(tmp_path)), profile=None, cache=tmp_path, progress=lambda *at: None, cancelled=bool)
