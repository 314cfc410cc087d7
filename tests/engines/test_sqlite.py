from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ehrtui.engines.connection import connect
from ehrtui.engines.disk import free_bytes, temporary_directory
from ehrtui.engines.engine import Engine, Limits, Row
from ehrtui.engines.opening import open_engine
from ehrtui.engines.sqlite import SQLiteEngine
from ehrtui.errors import (
    DatabaseError,
    EhrtuiError,
    ForbiddenStatement,
    QueryCancelled,
    QueryDeadline,
    QueryError,
    QueryLimit,
)
from ehrtui.schema.model import ForeignKey
from tests.engines.conftest import write

Rows = Callable[[str], list[tuple[object, ...]]]
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def test_the_schema_has_types_keys_and_exact_counts(engine: Engine) -> None:
    schema = engine.schema()
    assert [(table.name, table.row_count) for table in schema.tables] == [
        ("patients", 3),
        ("prescriptions", 4),
        ("drugs", 2),
        ("women", 2),
    ]
    patients, prescriptions = schema.tables[:2]
    assert [(column.name, column.type, column.primary_key, column.nullable) for column in patients.columns] == [
        ("subject_id", "INT", True, False),
        ("gender", "VARCHAR(5)", False, False),
        ("weight", "REAL", False, True),
        ("note", "", False, True),
    ]
    assert prescriptions.column("DRUG").type == "VARCHAR(100)"
    assert set(prescriptions.foreign_keys) == {
        ForeignKey("subject_id", "patients", "subject_id"),
        ForeignKey("drug", "drugs", "name"),
    }


def test_full_text_tables_show_without_their_shadows(tmp_path: Path) -> None:
    path = write(
        tmp_path / "notes.db",
        "CREATE VIRTUAL TABLE notes USING fts5(text); INSERT INTO notes VALUES ('chest pain'), ('fever')",
    )
    engine = open_engine(str(path))
    assert [(table.name, table.row_count) for table in engine.schema().tables] == [("notes", 2)]
    assert engine.read("SELECT text FROM notes WHERE notes MATCH 'pain'") == [("chest pain",)]
    engine.close()


def test_a_result_keeps_rows_order_and_unique_names(engine: Engine) -> None:
    result = engine.run(
        'SELECT drug, drug, count(*), 1 AS "DRUG_2", 2 AS "" FROM prescriptions GROUP BY drug ORDER BY 3 DESC, 1;', "a"
    )
    assert result.columns == ("drug", "drug_2", "count(*)", "DRUG_2_2", "column_5")
    assert result.row_count == 3
    assert engine.page("a", 0, 10) == [
        ("aspirin", "aspirin", 2, 1, 2),
        ("5", "5", 1, 1, 2),
        ("heparin", "heparin", 1, 1, 2),
    ]
    assert engine.page("a", 1, 1) == [("5", "5", 1, 1, 2)]
    assert engine.page("a", 3, 1) == []


def test_a_kept_result_can_be_queried(engine: Engine, rows: Rows) -> None:
    engine.run("SELECT subject_id FROM patients WHERE gender = 'f'", "women")
    assert rows(f"SELECT drug FROM prescriptions WHERE subject_id IN (SELECT * FROM {engine.relation('women')})") == [
        ("aspirin",),
        ("5",),
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("VALUES (1, 'a'), (2, NULL)", [(1, "a"), (2, None)]),
        ("WITH n AS (SELECT 1 AS i UNION ALL SELECT 2) SELECT i, 'a' || i FROM n", [(1, "a1"), (2, "a2")]),
        ("SELECT 1, ';' -- DROP TABLE patients;\n;;/* ; */", [(1, ";")]),
        ("/* a */ SELECT 1 AS \"a;b\", '--', [gender] FROM patients LIMIT 1 /* open", [(1, "--", "m")]),
    ],
)
def test_what_is_one_reading_statement_runs(rows: Rows, sql: str, expected: list[tuple[object, ...]]) -> None:
    assert rows(sql) == expected


def test_a_query_plan_can_be_kept_and_explained(engine: Engine, rows: Rows) -> None:
    assert rows("EXPLAIN QUERY PLAN SELECT * FROM patients")[0][-1].startswith("SCAN")
    select = "SELECT * FROM patients WHERE subject_id IN (SELECT subject_id FROM prescriptions)"
    plan = engine.explain(select)
    assert "\n  " in plan
    assert engine.explain(f"EXPLAIN QUERY PLAN {select}") == plan


def test_column_names_come_without_running(engine: Engine) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT a.i, b.i, 1 FROM n a, n b"
    assert engine.columns(endless) == ("i", "i_2", "1")
    assert engine.columns("SELECT * FROM patients") == ("subject_id", "gender", "weight", "note")


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("INSERT INTO patients VALUES (9, 'f', 1, 1)", "INSERT"),
        ("delete from patients", "DELETE"),
        ("DROP TABLE patients", "DROP"),
        ("ATTACH '/tmp/other.db' AS other", "ATTACH"),
        ("DETACH results", "DETACH"),
        ("PRAGMA writable_schema = ON", "PRAGMA"),
        ("VACUUM INTO '/tmp/copy.db'", "VACUUM"),
        ("BEGIN", "BEGIN"),
        ("EXPLAIN SELECT 1", "EXPLAIN"),
        ("WITH a AS (SELECT 1) DELETE FROM patients", "DELETE"),
        ("WITH a AS (SELECT 1) INSERT INTO patients SELECT 9, 'f', 1, 1", "INSERT"),
        ("EXPLAIN QUERY PLAN UPDATE patients SET gender = 'x'", "UPDATE"),
        ("SELECT load_extension('/tmp/evil.so')", "load_extension"),
        ("SELECT fts3_tokenizer('simple')", "fts3_tokenizer"),
        ("SELECT * FROM pragma_database_list", "database_list"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("SELECT 1; DROP TABLE patients", "one statement"),
    ],
)
def test_whatever_is_not_reading_is_refused_by_name(engine: Engine, ward: Path, sql: str, named: str) -> None:
    before = ward.read_bytes()
    for attempt in (lambda: engine.run(sql, "a"), lambda: engine.read(sql)):
        with pytest.raises(ForbiddenStatement) as caught:
            attempt()
        assert named in caught.value.what
    assert ward.read_bytes() == before
    assert engine.read("SELECT count(*) FROM patients") == [(3,)]


def test_a_query_cannot_smuggle_a_clause_into_the_filling_of_a_result(engine: Engine) -> None:
    engine.run("SELECT 1 AS a", "victim")
    for sql in (
        "SELECT 1 ON CONFLICT DO NOTHING",
        "SELECT 1 RETURNING *",
        "SELECT 1) LIMIT 0 --",
        f"WITH a AS (SELECT 1) INSERT INTO {engine.relation('victim')} SELECT 2",
        f"WITH a AS (SELECT 1) DELETE FROM {engine.relation('victim')}_rows",
    ):
        with pytest.raises(QueryError):
            engine.run(sql, "a")
    assert engine.page("victim", 0, 9) == [(1,)]


def test_views_of_a_hostile_database_cannot_reach_outside(tmp_path: Path) -> None:
    path = write(
        tmp_path / "hostile.db",
        "CREATE TABLE t (a); CREATE VIEW v AS SELECT load_extension('/tmp/evil.so') AS a",
    )
    engine = open_engine(str(path))
    with pytest.raises(QueryError):
        engine.run("SELECT * FROM v", "a")
    engine.close()


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT drgu FROM prescriptions", "drug (in prescriptions)"),
        ("SELECT patients.gander FROM patients", "gender"),
        ("SELECT * FROM prescription", "prescriptions"),
        ("SELECT subject_id FROM patients, prescriptions", "table.subject_id"),
        ("SELECT modus(weight) FROM patients", "modus"),
        ("SELECT * FORM patients", "FORM"),
        ("SELECT * FROM (SELECT 1", "ends too early"),
        ("SELECT ?", "placeholders"),
        ("SELECT 'open", "unrecognized token"),
        ("hello", "SELECT or WITH"),
        ("", "no SQL"),
        ("-- nothing", "no SQL"),
        ("🫀🫁", "cannot start"),
        ("SELECT '\ud800'", "character"),
        ("SELECT 1\0", "character"),
        ("SELECT " + "(" * 5000 + "1" + ")" * 5000, "nested too deeply"),
        ("SELECT 1 WHERE 1" + " AND 1" * 2000, "joins too many conditions"),
    ],
)
def test_mistakes_are_explained(engine: Engine, sql: str, said: str) -> None:
    engine.schema()
    with pytest.raises(QueryError) as caught:
        engine.run(sql, "a")
    assert said in str(caught.value)
    with pytest.raises(QueryError):
        engine.relation("a")


def test_a_running_query_is_cancelled_and_the_next_is_not(engine: Engine, rows: Rows) -> None:
    stopped = threading.Event()

    def cancel() -> None:
        while not stopped.is_set():  # the statement may not have begun when the first cancel comes
            engine.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(QueryCancelled):
        engine.run(ENDLESS, "a", Limits(seconds=None))
    stopped.set()
    thread.join()
    engine.cancel()
    assert rows("SELECT count(*) FROM patients") == [(3,)]


def test_a_statement_asks_whether_to_stop(engine: Engine) -> None:
    asked: list[int] = []

    def stopped() -> bool:
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(QueryCancelled):
        engine.run(ENDLESS, "a", Limits(seconds=None), stopped=stopped)
    with pytest.raises(QueryCancelled):
        engine.read(ENDLESS, stopped=stopped)
    assert len(asked) == 5
    assert engine.read("SELECT count(*) FROM patients", stopped=stopped) == [(3,)]


def test_a_statement_that_waits_is_not_hit_by_a_cancel_meant_for_another(engine: Engine) -> None:
    began, cancelled = threading.Event(), threading.Event()
    answers: list[object] = []

    def slow_rows() -> Iterator[Row]:
        began.set()
        cancelled.wait()
        yield (1,)

    def store() -> None:
        with pytest.raises(QueryCancelled):
            engine.store("slow", ["a"], slow_rows())
        answers.append("cancelled")

    storing = threading.Thread(target=store)
    waiting = threading.Thread(target=lambda: answers.append(engine.read("SELECT count(*) FROM patients")))
    storing.start()
    began.wait()
    waiting.start()
    engine.cancel()
    cancelled.set()
    storing.join()
    waiting.join()
    assert answers == ["cancelled", [(3,)]]


@pytest.mark.parametrize(
    ("sql", "limits"),
    [
        (ENDLESS, Limits(seconds=0.05)),
        ("SELECT * FROM patients", Limits(rows=2)),
        (ENDLESS.replace("count(*)", "hex(randomblob(1000))"), Limits(bytes=1_000_000)),
        ("SELECT zeroblob(500000000)", Limits()),
    ],
    ids=["seconds", "rows", "bytes", "one value"],
)
def test_limits_leave_nothing_behind(engine: Engine, rows: Rows, sql: str, limits: Limits) -> None:
    engine.run("SELECT 1", "a")
    with pytest.raises(QueryLimit):
        engine.run(sql, "a", limits)
    with pytest.raises(QueryError, match="no longer kept"):
        engine.page("a", 0, 1)
    assert rows("SELECT count(*) FROM patients") == [(3,)]


def test_a_join_without_a_condition_is_stopped_at_the_limit_and_says_so(engine: Engine) -> None:
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)"
    with pytest.raises(QueryLimit) as caught:
        engine.run(f"{numbers} SELECT * FROM n a, n b, patients", "a", Limits(bytes=2_000_000))
    assert "larger than 2 MB" in caught.value.what
    assert "every pair" in caught.value.why


def test_on_a_nearly_full_disk_only_small_results_are_kept(engine: Engine) -> None:
    nearly_full = Limits(reserve=2**62)
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    assert engine.run("SELECT * FROM patients", "a", nearly_full).row_count == 3
    with pytest.raises(QueryLimit, match="does not fit on the disk"):
        engine.run(f"{numbers} SELECT i FROM n", "a", nearly_full)


def test_a_sort_that_eats_into_the_reserve_of_the_disk_is_stopped(engine: Engine) -> None:
    reserve = free_bytes(temporary_directory()) - 30_000_000
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    with pytest.raises(QueryLimit, match="does not fit on the disk"):
        engine.run(
            f"{numbers} SELECT hex(randomblob(1000)) AS x FROM n ORDER BY x", "a", Limits(reserve=reserve, bytes=None)
        )


def test_results_are_listed_from_the_one_not_used_for_longest(engine: Engine) -> None:
    for name in "abc":
        engine.run("SELECT * FROM patients", name)
    engine.store("d", ["n"], [(1,)])
    engine.page("a", 0, 1)
    engine.relation("b")
    assert [(result.name, result.computed) for result in engine.results()] == [
        ("c", False),
        ("d", True),
        ("a", False),
        ("b", False),
    ]
    assert all(result.bytes > 0 for result in engine.results())


def test_the_state_tells_what_was_written_replaced_or_removed(engine: Engine, ward: Path, tmp_path: Path) -> None:
    before = engine.state()
    assert engine.state() == before
    write(ward, "INSERT INTO drugs VALUES ('digoxin')")
    written = engine.state()
    assert written.source == before.source
    assert written.content != before.content
    write(tmp_path / "other.db", "CREATE TABLE drugs (name)").replace(ward)
    assert engine.state().source not in ("", before.source)
    ward.unlink()
    assert engine.state().source == ""
    assert engine.read("SELECT count(*) FROM drugs") == [(3,)]


def test_what_is_no_file_in_place_of_the_database_is_never_waited_for(engine: Engine, ward: Path) -> None:
    ward.unlink()
    os.mkfifo(ward)  # whoever opens it to read waits for a writer, and there is none
    assert engine.state().source == ""
    assert engine.read("SELECT count(*) FROM drugs") == [(2,)]
    with pytest.raises(DatabaseError, match="no longer be read"):
        engine.fingerprint()
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        connect(ward, immutable=False)


def test_reread_finds_new_tables_and_trusts_no_old_count(engine: Engine, ward: Path) -> None:
    assert engine.schema().table("notes") is None
    write(ward, "CREATE TABLE notes (text); INSERT INTO drugs VALUES ('digoxin')")
    engine.reread()
    assert engine.schema().table("notes") is not None
    assert {table.row_count for table in engine.schema().tables} == {None}


def test_as_many_rows_as_the_limit_are_kept(engine: Engine) -> None:
    assert engine.run("SELECT * FROM patients", "a", Limits(rows=3)).row_count == 3


def test_results_are_replaced_renamed_and_dropped(engine: Engine) -> None:
    engine.run("SELECT 1", "a")
    engine.run("SELECT 2", "a")
    engine.run("SELECT 3", "b")
    assert engine.rename("a", "b").name == "b"
    assert engine.page("b", 0, 9) == [(2,)]
    assert engine.rename("b", "b").row_count == 1
    engine.drop("b")
    engine.drop("b")
    for name in "ab":
        with pytest.raises(QueryError):
            engine.relation(name)


def test_rows_from_outside_are_kept_as_they_are(engine: Engine) -> None:
    given = [(1, "x", 2.5), (None, b"\x00\xff", float("inf")), (-(2**63), "'; --", 0.1)]
    result = engine.store("given", ["a", "a", "b"], iter(given))
    assert (result.columns, result.row_count) == (("a", "a_2", "b"), 3)
    assert engine.page("given", 0, 9) == given
    assert engine.store("none", ["a"], []).row_count == 0


@pytest.mark.parametrize("row", [(2**64,), (1, 2), (object(),), ("\ud800",)])
def test_rows_that_cannot_be_kept_are_told(engine: Engine, row: tuple[object, ...]) -> None:
    with pytest.raises(QueryError, match="cannot be kept"):
        engine.store("given", ["a"], [(1,), row])
    with pytest.raises(QueryError):
        engine.page("given", 0, 1)


def test_text_that_is_not_valid_is_shown_with_replacements(tmp_path: Path) -> None:
    path = tmp_path / "latin.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text TEXT)")
    connection.execute("INSERT INTO notes VALUES (CAST(x'666965767265e9' AS TEXT))")
    connection.commit()
    connection.close()
    engine = open_engine(str(path))
    engine.run("SELECT text FROM notes", "a")
    assert engine.page("a", 0, 1) == [("fievre\ufffd",)]
    engine.close()


def test_odd_names_are_quoted(tmp_path: Path) -> None:
    path = write(
        tmp_path / "odd.db",
        'CREATE TABLE "a ""b; --" ("rowid", "x y", "oid"); INSERT INTO "a ""b; --" VALUES (7, 8, 9)',
    )
    engine = open_engine(str(path))
    assert [(table.name, table.row_count) for table in engine.schema().tables] == [('a "b; --', 1)]
    result = engine.run('SELECT * FROM "a ""b; --"', "a")
    assert (result.columns, engine.page("a", 0, 1)) == (("rowid", "x y", "oid"), [(7, 8, 9)])
    engine.close()


def test_the_fingerprint_follows_the_data_and_not_the_path(ward: Path, tmp_path: Path) -> None:
    def fingerprint(path: Path) -> str:
        engine = open_engine(str(path))
        try:
            return engine.fingerprint()
        finally:
            engine.close()

    before = fingerprint(ward)
    assert fingerprint(ward) == before
    moved = ward.rename(tmp_path / "moved.db")
    assert fingerprint(moved) == before
    stamp = moved.stat().st_mtime_ns
    connection = sqlite3.connect(moved)
    connection.execute("UPDATE patients SET weight = 79 WHERE subject_id = 1")
    connection.commit()
    connection.close()
    os.utime(moved, ns=(stamp, stamp))
    assert fingerprint(moved) != before


def test_a_closed_engine_says_so(ward: Path) -> None:
    engine = open_engine(str(ward))
    engine.close()
    engine.close()
    with pytest.raises(DatabaseError, match="closed"):
        engine.read("SELECT 1")


def test_closing_stops_what_runs(ward: Path) -> None:
    engine = open_engine(str(ward))
    raised: list[EhrtuiError] = []

    def run() -> None:
        try:
            engine.run(ENDLESS, "a", Limits(seconds=None))
        except EhrtuiError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    engine.close()
    thread.join()
    assert len(raised) == 1


KILLED = """
import os, signal, sys
from ehrtui.engines.opening import open_engine
engine = open_engine(sys.argv[1])
numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
engine.run(numbers + " SELECT i, hex(randomblob(50)) FROM n", "large")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_leaves_no_rows_on_the_disk(ward: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = {**os.environ, "SQLITE_TMPDIR": str(scratch), "TMPDIR": str(scratch)}
    killed = subprocess.run([sys.executable, "-c", KILLED, str(ward)], env=environment, check=False)
    assert killed.returncode == -9
    assert list(scratch.iterdir()) == []
    assert [path.name for path in ward.parent.iterdir() if path != scratch] == ["ward.db"]


def test_rows_are_streamed_while_other_statements_run(engine: Engine) -> None:
    stream = engine.stream("SELECT drug FROM prescriptions ORDER BY drug;")
    assert next(stream) == ("5",)
    engine.cancel()
    engine.run("SELECT 1", "other")
    engine.drop("other")
    assert list(stream) == [("aspirin",), ("aspirin",), ("heparin",)]


def test_a_stream_can_be_stopped(engine: Engine) -> None:
    with pytest.raises(QueryCancelled):
        list(engine.stream(ENDLESS, stopped=lambda: True))


def test_a_stream_has_a_deadline_for_its_own_work(engine: Engine) -> None:
    with pytest.raises(QueryDeadline, match="longer than"):
        list(engine.stream(ENDLESS, seconds=0.05))
    stream = engine.stream("SELECT drug FROM prescriptions ORDER BY drug", seconds=0.0)
    with pytest.raises(QueryDeadline):
        list(engine.stream(ENDLESS, seconds=0.0))
    assert next(stream) == ("5",)  # what is over at once needs no look at the clock


def test_a_stream_ends_when_the_database_is_closed(engine: Engine) -> None:
    stream = engine.stream("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
    next(stream)
    engine.close()
    with pytest.raises(QueryCancelled):
        list(stream)


@pytest.mark.parametrize("sql", ["SELECT nothing FROM patients", "DELETE FROM patients", "SELECT 1; SELECT 2"])
def test_what_cannot_be_streamed_is_said(engine: Engine, sql: str) -> None:
    with pytest.raises(QueryError):
        list(engine.stream(sql))


def test_a_stream_has_text_that_is_not_valid(tmp_path: Path) -> None:
    engine = open_engine(str(write(tmp_path / "odd.db", "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (x'61ff')")))
    connection = sqlite3.connect(tmp_path / "odd.db")
    connection.execute("UPDATE t SET a = CAST(a AS TEXT)")
    connection.commit()
    connection.close()
    assert list(engine.stream("SELECT a FROM t")) == [("a\ufffd",)]
    engine.close()


def test_sqlite_is_told_the_sizes_of_results_when_a_statement_joins_them(engine: Engine) -> None:
    def told() -> list[str]:
        return [sql for sql in statements if "ANALYZE" in sql]

    assert isinstance(engine, SQLiteEngine)
    statements: list[str] = []
    engine._connected()._sqlite.set_trace_callback(statements.append)
    for name in ("one", "other"):
        engine.run("SELECT 1 AS n", name)
        engine.page(name, 0, 1)
        engine.read(f"SELECT 1 WHERE 1 IN (SELECT * FROM {engine.relation(name)})")
    assert told() == []
    engine.run(f"SELECT * FROM {engine.relation('one')} NATURAL JOIN {engine.relation('other')}", "both")
    assert len(told()) == 1
    sizes = engine.read("SELECT tbl, stat FROM results.sqlite_stat1 WHERE tbl <> 'sqlite_stat1'")
    assert [stat for _, stat in sizes] == ["1", "1", "1"]
