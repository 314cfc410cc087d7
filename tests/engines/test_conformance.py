"""What every engine does, in the same words and with the same rows, whatever system answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from ehrtui.engines.address import is_spark, name_of, without_credentials
from ehrtui.engines.arranging import Arrangement, Order, arranged_select, parse_condition
from ehrtui.engines.engine import Engine, FirstRows, Limits, Row
from ehrtui.engines.opening import open_engine
from ehrtui.engines.spelling import spelled
from ehrtui.errors import (
    DatabaseError,
    EhrtuiError,
    ForbiddenStatement,
    QueryCancelled,
    QueryDeadline,
    QueryError,
    QueryLimit,
)
from ehrtui.session.fingerprint import fingerprint, fingerprint_of_texts
from tests.engines.wards import EVENTS, TABLES, WARDS, postgres_ward, spark_ward


@pytest.fixture(scope="module", params=[*WARDS, "postgresql", "spark"])
def ward(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    if request.param == "postgresql":
        return postgres_ward(request.getfixturevalue("postgres"))
    if request.param == "spark":
        return spark_ward(request.getfixturevalue("spark"))
    if request.param != "sqlite":
        pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install 'ehrtui[duckdb]'")
    return str(WARDS[request.param](tmp_path_factory.mktemp(request.param)))


@pytest.fixture
def endless(ward: str) -> str:
    """A statement that takes days. Spark unrolls recursion while it plans, and ends what goes deep."""
    if is_spark(ward):
        return "SELECT count(*) FROM events a, events b, events c WHERE a.word || b.word || c.word = 'x'"
    return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def engine(ward: str) -> Iterator[Engine]:
    engine = open_engine(ward)
    yield engine
    engine.close()


def rows(engine: Engine, sql: str) -> list[Row]:
    """The kept rows of a statement, which are those that it gives at once and those that it streams."""
    result = engine.run(sql, "asked")
    kept = engine.page("asked", 0, result.row_count)
    assert engine.read(sql) == kept
    assert list(engine.stream(sql)) == kept
    engine.drop("asked")
    return kept


def test_tables_are_known_with_their_rows_and_what_their_columns_hold(engine: Engine) -> None:
    tables = {table.name.lower(): table for table in engine.schema().tables}
    assert {name: table.row_count for name, table in tables.items()} == {
        name: len(rows) for name, (_, _, rows) in TABLES.items()
    }
    patients, prescriptions = tables["patients"], tables["prescriptions"]
    assert [(c.name.lower(), c.is_number, c.is_time) for c in patients.columns] == [
        ("subject_id", True, False), ("gender", False, False), ("weight", True, False), ("dob", False, True),
    ]  # fmt: skip
    assert [c.name.lower() for c in prescriptions.columns] == list(TABLES["prescriptions"][0])


MEANT: list[tuple[str, list[Row]]] = [
    (
        "SELECT 7 / 2, -7 / 2, 7.0 / 2, 7 / 0, 7 % 0, -7 % 3, 7.5 % 2",
        [(3, -3, 3.5, None, None, -1, 1.0)],
    ),
    (
        "SELECT subject_id / 2, count(*) / 2, sum(subject_id) / 2 FROM patients",
        [(0, 1, 3)],
    ),
    (
        "SELECT a / 2 FROM (SELECT count(*) AS a FROM prescriptions UNION ALL SELECT 7)",
        [(2,), (3,)],
    ),
    (
        "SELECT weight FROM patients ORDER BY weight",
        [(None,), (61.5,), (80.0,)],
    ),
    (
        "SELECT weight FROM patients ORDER BY weight DESC",
        [(80.0,), (61.5,), (None,)],
    ),
    (
        "SELECT weight FROM patients ORDER BY weight DESC NULLS FIRST LIMIT 1",
        [(None,)],
    ),
    (
        "SELECT subject_id FROM patients WHERE weight NOT IN (80.0, NULL)",
        [],
    ),
    (
        "SELECT count(*) > 2, count(*) > 3, 1 = 1, NULL > 1, NOT count(*) FROM patients",
        [(1, 0, 1, None, 0)],
    ),
    (
        "SELECT sum(gender = 'F'), avg(gender = 'F') * 3, max(weight > 70) FROM patients",
        [(2, 2.0, 1)],
    ),
    (
        "SELECT drug FROM prescriptions WHERE drug LIKE 'ASP%' ORDER BY row_id",
        [("Aspirin",), ("aspirin",)],
    ),
    (
        "SELECT drug FROM prescriptions WHERE drug = 'aspirin'",
        [("aspirin",)],
    ),
    (
        "SELECT drug FROM prescriptions WHERE drug NOT LIKE 'A%' ORDER BY row_id",
        [("heparin",), ("Zinc",)],
    ),
    (
        "SELECT drug FROM prescriptions WHERE dose NOT LIKE '%!%%' ESCAPE '!' AND row_id = 1",
        [("Aspirin",)],
    ),
    (
        "SELECT drug FROM prescriptions WHERE drug NOT GLOB '[a-z]*' AND row_id NOT IN (1) AND row_id "
        "NOT BETWEEN 2 AND 3",
        [("Zinc",)],
    ),
    (
        "SELECT printf('%04d-%02d|%s|%.1f', 7, 8.9, NULL, 2.25), format('%d', '12x')",
        [("0007-08||2.3", "12")],
    ),
    (
        "SELECT drug FROM prescriptions WHERE drug GLOB 'A*'",
        [("Aspirin",)],
    ),
    (
        "SELECT drug FROM prescriptions WHERE drug = 'ZINC' COLLATE NOCASE",
        [("Zinc",)],
    ),
    (
        "SELECT drug FROM prescriptions ORDER BY drug",
        [("Aspirin",), ("Zinc",), ("aspirin",), ("heparin",)],
    ),
    (
        "SELECT DISTINCT lower(drug) FROM prescriptions ORDER BY 1",
        [("aspirin",), ("heparin",), ("zinc",)],
    ),
    (
        "SELECT sum(dose), avg(dose), max(dose), total(NULL) FROM prescriptions",
        [(5406.0, 1802.0, "81", 0.0)],
    ),
    (
        "SELECT dose + 1, -dose FROM prescriptions WHERE row_id = 2",
        [(5001, -5000)],
    ),
    (
        "SELECT row_id FROM prescriptions WHERE dose = 81",
        [(1,)],
    ),
    (
        "SELECT row_id FROM prescriptions WHERE row_id = '3' OR row_id IN ('1') ORDER BY 1",
        [(1,), (3,)],
    ),
    (
        "SELECT row_id FROM prescriptions WHERE row_id < 'x' AND row_id <> 'x' ORDER BY 1",
        [(1,), (2,), (3,), (4,)],
    ),
    (
        "SELECT count(*) FROM prescriptions WHERE strftime('%Y', startdate) = 2103",
        [(0,)],
    ),
    (
        "SELECT count(*) FROM prescriptions WHERE strftime('%Y', startdate) = '2103'",
        [(2,)],
    ),
    (
        "SELECT CAST('12 mg' AS INTEGER), CAST(2.9 AS INTEGER), CAST(-2.9 AS INTEGER), CAST('x' AS REAL)",
        [(12, 2, -2, 0.0)],
    ),
    (
        "SELECT CAST(5.0 AS TEXT), CAST(5 AS TEXT), (0.1 + 0.2) || '', 1 || 'a'",
        [("5.0", "5", "0.3", "1a")],
    ),
    (
        "SELECT round(2.5), round(-2.5), round(61.55, 1), round(7)",
        [(3.0, -3.0, 61.6, 7.0)],
    ),
    (
        "SELECT round(-30.15, 1), round(120.815, 2), round(17.7475, 3), round(1e20, 1), round(25.0749, 2)",
        [(-30.2, 120.82, 17.748, 1e20, 25.07)],
    ),
    (
        "SELECT substr('heparin', 1, 3), substr('heparin', -3), instr('heparin', 'par'), length('é')",
        [("hep", "rin", 3, 1)],
    ),
    (
        "SELECT ifnull(NULL, 'a'), coalesce(NULL, 2, 3), nullif(1, 1), iif(1 > 2, 'a', 'b')",
        [("a", 2, None, "b")],
    ),
    (
        "SELECT max(1, 2), min(1, NULL), abs(-3), trim('  a '), replace('aba', 'a', 'c')",
        [(2, None, 3, "a", "cbc")],
    ),
    (
        "SELECT typeof(1), typeof(1.5), typeof('a'), typeof(NULL), x'00ff'",
        [("integer", "real", "text", "null", b"\x00\xff")],
    ),
    (
        "SELECT startdate FROM prescriptions WHERE startdate >= '2103-02' ORDER BY 1",
        [("2103-02-01 00:00:00",), ("2104-02-29 23:59:59",)],
    ),
    (
        "SELECT startdate FROM prescriptions WHERE startdate LIKE '2104%'",
        [("2104-02-29 23:59:59",)],
    ),
    (
        "SELECT substr(min(startdate), 1, 10), max(startdate) FROM prescriptions",
        [("2103-01-31", "2104-02-29 23:59:59")],
    ),
    (
        "SELECT datetime(startdate, '+1 month'), date(startdate, '-1 year') FROM prescriptions ORDER BY row_id",
        [
            ("2103-03-03 08:30:00", "2102-01-31"),
            ("2103-03-01 00:00:00", "2102-02-01"),
            ("2104-03-29 23:59:59", "2103-03-01"),
            (None, None),
        ],
    ),
    (
        "SELECT datetime('2103-01-31 08:30:00', 'start of month', '-1 day', '+90 minutes')",
        [("2102-12-31 01:30:00",)],
    ),
    (
        "SELECT date('2103-01-31', 'start of year', '+1.5 days'), date('2103-01-31', 'weekday 1')",
        [("2103-01-02", "2103-02-05")],
    ),
    (
        "SELECT datetime(startdate, '-' || row_id || ' day') FROM prescriptions WHERE row_id = 2",
        [("2103-01-30 00:00:00",)],
    ),
    (
        "SELECT strftime('%Y-%m', startdate), strftime('%w', startdate), strftime('%j', startdate), "
        "strftime('%H:%M', startdate) FROM prescriptions WHERE row_id = 1",
        [("2103-01", "3", "031", "08:30")],
    ),
    (
        "SELECT strftime('%Y', startdate) - strftime('%Y', dob) FROM prescriptions JOIN patients USING "
        "(subject_id) WHERE row_id < 4 ORDER BY row_id",
        [(53,), (53,), (44,)],
    ),
    (
        "SELECT julianday('2103-01-31 12:00:00'), strftime('%s', '2000-01-01'), datetime(2451545.0)",
        [(2489195.0, "946684800", "2000-01-01 12:00:00")],
    ),
    (
        "SELECT julianday(max(startdate)) - julianday(min(startdate)) FROM prescriptions",
        [(pytest.approx(394.64547453),)],
    ),
    (
        "SELECT strftime('%J', '2103-02-01') - strftime('%J', '2103-01-31 12:00:00')",
        [(0.5,)],
    ),
    (
        "SELECT datetime('nonsense'), date('2103-02-31x'), time('08:30')",
        [(None, None, "08:30:00")],
    ),
    (
        "SELECT subject_id, drug, max(startdate) FROM prescriptions GROUP BY subject_id ORDER BY 1",
        [(1, "heparin", "2103-02-01 00:00:00"), (2, "aspirin", "2104-02-29 23:59:59"), (3, "Zinc", None)],
    ),
    (
        "SELECT gender, count(*) FROM patients GROUP BY 1 HAVING count(*) > 1",
        [("F", 2)],
    ),
    (
        "SELECT * FROM (SELECT strftime('%m', startdate) AS m, CAST(strftime('%m', startdate) AS INT) + 1, "
        "count(*) FROM prescriptions GROUP BY 1) WHERE m > '01' ORDER BY m",
        [("02", 3, 2)],
    ),
    (
        "SELECT strftime('%Y', startdate) AS year, count(*) AS n FROM prescriptions GROUP BY year "
        "HAVING n > 0 AND year > '2' ORDER BY n + 0 DESC, year",
        [("2103", 2), ("2104", 1)],
    ),
    (
        "SELECT gender, n FROM (SELECT gender, count(*) AS n FROM patients GROUP BY gender HAVING n > 1)",
        [("F", 2)],
    ),
    (
        "SELECT p.gender, p.subject_id FROM patients AS p GROUP BY p.subject_id ORDER BY p.dob DESC",
        [("F", 3), ("F", 2), ("M", 1)],
    ),
    (
        "SELECT DISTINCT gender FROM patients ORDER BY subject_id DESC",
        [("F",), ("M",)],
    ),
    (
        "SELECT (SELECT drug FROM prescriptions ORDER BY row_id), 5 IN (SELECT dose FROM prescriptions WHERE 0)",
        [("Aspirin", 0)],
    ),
    (
        "SELECT subject_id, (SELECT count(*) FROM prescriptions WHERE subject_id = p.subject_id) FROM "
        "patients p ORDER BY 1",
        [(1, 2), (2, 1), (3, 1)],
    ),
    (
        'SELECT "order", "gender" FROM prescriptions, patients WHERE patients.subject_id = 1 AND row_id = 1',
        [(2, "M")],
    ),
    (
        'SELECT row_id FROM prescriptions WHERE drug = "Zinc"',
        [(4,)],
    ),
    (
        "SELECT subject_id, row_number() OVER (PARTITION BY gender ORDER BY subject_id DESC) FROM patients ORDER BY 1",
        [(1, 1), (2, 2), (3, 1)],
    ),
    (
        "SELECT drug, lag(drug) OVER (ORDER BY row_id) FROM prescriptions ORDER BY row_id LIMIT 2 OFFSET 1",
        [("heparin", "Aspirin"), ("aspirin", "heparin")],
    ),
    (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT sum(i), max(i) / 3 FROM n",
        [(10, 1)],
    ),
    (
        "SELECT 1 UNION SELECT 2 UNION ALL SELECT 2 ORDER BY 1 DESC",
        [(2,), (2,), (1,)],
    ),
    (
        "SELECT avg(DISTINCT a), total(DISTINCT a), variance(DISTINCT a) "
        "FROM (SELECT weight AS a FROM patients UNION ALL SELECT 61.5)",
        [(70.75, 141.5, 171.125)],
    ),
    (
        "SELECT median(weight), count(weight), count(DISTINCT gender) FROM patients",
        [(70.75, 2, 2)],
    ),
    (
        "SELECT count(*) FILTER (WHERE gender = 'F'), group_concat(DISTINCT gender) FROM patients WHERE gender = 'F'",
        [(2, "F")],
    ),
    (
        "SELECT CASE gender WHEN 'F' THEN 'w' ELSE gender END FROM patients ORDER BY subject_id",
        [("M",), ("w",), ("w",)],
    ),
    (
        "SELECT exists(SELECT 1 FROM patients WHERE subject_id = 9), weight IS NULL, weight IS NOT 80.0 "
        "FROM patients WHERE subject_id = 3",
        [(0, 1, 1)],
    ),
    (
        "SELECT subject_id FROM patients WHERE weight BETWEEN '61' AND 70",
        [(2,)],
    ),
    (
        "SELECT * FROM patients WHERE subject_id = 3",
        [(3, "F", None, "2099-12-31 00:00:00")],
    ),
    (
        "VALUES (1, 'a'), (2, 'b')",
        [(1, "a"), (2, "b")],
    ),
    (
        "WITH w AS (VALUES (1), (3)) SELECT v.column2, (SELECT max(column1) FROM w) "
        "FROM (VALUES (1, 'a'), (2, 'b')) AS v WHERE column1 > 1",
        [("b", 3)],
    ),
    (
        "SELECT strftime('%J', column1) FROM (VALUES ('2105-12-31 20:01:07'), ('2099-03-05 04:17:00'))",
        [("2490260.334108796",), ("2487767.678472222",)],
    ),
]


def test_statements_mean_what_they_mean_in_sqlite(engine: Engine) -> None:
    found = {sql: rows(engine, sql) for sql, _ in MEANT}
    assert found == dict(MEANT)
    expected = {sql: fingerprint(given) for sql, given in MEANT if "julianday(max" not in sql}
    given = {}
    for sql in expected:
        result = engine.run(sql, "asked")
        given[sql] = fingerprint_of_texts([engine.spelled("asked", 0, result.row_count)])
    assert given == expected


def test_columns_are_called_as_sqlite_calls_them(engine: Engine) -> None:
    sql = "SELECT count(*), Drug, p.drug, max( row_id ) + 1, 1 AS \"a b\", 'x' FROM prescriptions p"
    expected = ("count(*)", "drug", "drug_2", "max( row_id ) + 1", "a b", "'x'")
    assert tuple(name.lower() for name in engine.columns(sql)) == expected
    assert engine.run(sql, "a").columns == engine.columns(sql)
    again = engine.run(f'SELECT "count(*)", "a b" FROM {engine.relation("a")}', "b")
    assert (again.columns, engine.page("b", 0, 2)) == (("count(*)", "a b"), [(4, 1)])


def test_nothing_is_written_and_nothing_else_is_read(engine: Engine) -> None:
    before = engine.fingerprint()
    for sql in (
        "INSERT INTO patients VALUES (9, 'F', 1.0, NULL)", "DROP TABLE patients", "UPDATE patients SET gender = 'x'",
        "ATTACH '/tmp/x.db' AS x", "PRAGMA user_version = 3", "CREATE TABLE x (a)", "COPY patients TO '/tmp/x.csv'",
        "INSTALL httpfs", "SET memory_limit = '1GB'", "SELECT 1; DROP TABLE patients",
    ):  # fmt: skip
        with pytest.raises(ForbiddenStatement):
            engine.run(sql, "a")
    for sql in (
        "SELECT * FROM read_csv('/etc/hostname')", "SELECT * FROM '/etc/hostname'", "SELECT readfile('/etc/hostname')",
        "SELECT getenv('HOME')", "SELECT * FROM duckdb_settings()", "SELECT load_extension('x')",
    ):  # fmt: skip
        with pytest.raises(QueryError):
            engine.run(sql, "a")
    assert engine.results() == ()
    assert engine.fingerprint() == before
    assert engine.read("SELECT count(*) FROM patients") == [(3,)]


def test_results_are_kept_by_name_paged_renamed_and_dropped(engine: Engine) -> None:
    result = engine.run("SELECT n, word FROM events ORDER BY n DESC", "down")
    assert (result.columns, result.row_count) == (("n", "word"), EVENTS)
    last = EVENTS - 1
    assert engine.page("down", 2, 2) == [(last - 2, f"word {(last - 2) % 7}"), (last - 3, f"word {(last - 3) % 7}")]
    assert [row[0] for row in engine.page("down", last, 5)] == [0]
    assert engine.page("down", EVENTS, 5) == []
    assert engine.spelled("down", last, 1) == [spelled((0, "word 0"))]
    few = engine.run(f"SELECT max(n) AS top FROM {engine.relation('down')} WHERE n < 10", "few")
    assert engine.page("few", 0, 9) == [(9,)]
    stored = engine.store("told", ("a", "a", "b"), [(1, "x", 2.5), (2, None, 3)])
    assert (stored.columns, stored.computed) == (("a", "a_2", "b"), True)
    assert engine.page("told", 0, 9) == [(1, "x", 2.5), (2, None, 3)]
    assert engine.read(f"SELECT a_2, b * 2 FROM {engine.relation('told')} WHERE a = 1") == [("x", 5.0)]
    assert [each.name for each in engine.results()] == ["down", "few", "told"]
    assert engine.rename("few", "told") == engine.result("told")
    assert few.row_count == 1
    engine.drop("down")
    engine.drop("down")
    assert [each.name for each in engine.results()] == ["told"]
    with pytest.raises(QueryError, match="no longer kept"):
        engine.page("down", 0, 1)
    empty = engine.run("SELECT n, word FROM events WHERE n < 0", "none")
    assert (empty.row_count, engine.page("none", 0, 5)) == (0, [])
    assert engine.read(f"SELECT count(*), max(n + 1) FROM {engine.relation('none')}") == [(0, None)]


def test_the_first_rows_of_a_large_answer_come_before_the_last(engine: Engine) -> None:
    engine.schema()
    told: list[FirstRows] = []
    result = engine.run("SELECT n, word FROM events", "all", first=told.append)
    assert result.row_count == EVENTS
    (early,) = told
    assert early.columns == ("n", "word")
    assert 0 < len(early.rows) < EVENTS
    assert list(early.rows) == engine.page("all", 0, len(early.rows))
    engine.run("SELECT word, count(*) FROM events GROUP BY word", "gathered", first=told.append)
    engine.run("SELECT * FROM patients", "small", first=told.append)
    assert told == [early]


def test_what_runs_is_stopped_and_nothing_else_is(engine: Engine, endless: str) -> None:
    engine.run("SELECT 7 AS seven", "kept")
    with pytest.raises(QueryDeadline, match="took longer"):
        engine.run(endless, "a", Limits(seconds=0.2))
    with pytest.raises(QueryCancelled):
        engine.read(endless, stopped=lambda: True)
    with pytest.raises(QueryLimit, match=r"larger than 1\.\d+ MB, the limit"):
        engine.run("SELECT a.n, b.n, a.word || b.word FROM events a, events b", "a", Limits(bytes=1_100_000))
    with pytest.raises(QueryLimit, match="more than 10 rows"):
        engine.run("SELECT n FROM events", "a", Limits(rows=10))
    over = threading.Event()

    def cancel() -> None:
        while not over.wait(0.01):  # the statement may not have begun when the first cancel comes
            engine.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    try:
        with pytest.raises(QueryCancelled):
            engine.run(endless, "a")
    finally:
        over.set()
        thread.join()
    assert engine.page("kept", 0, 1) == [(7,)]
    assert engine.read("SELECT count(*) FROM patients") == [(3,)]
    assert [result.name for result in engine.results()] == ["kept"]


def test_what_is_streamed_waits_for_nobody_and_ends_when_told(engine: Engine, endless: str) -> None:
    streamed = engine.stream("SELECT n FROM events ORDER BY n")
    assert next(streamed) == (0,)
    assert engine.read("SELECT count(*) FROM events") == [(EVENTS,)]
    assert next(streamed) == (1,)
    engine.cancel()
    with pytest.raises(QueryCancelled):
        list(streamed)
    with pytest.raises(QueryDeadline):
        list(engine.stream(endless, seconds=0.2))
    with pytest.raises(QueryCancelled):
        list(engine.stream(endless, stopped=lambda: True))


def test_mistakes_are_said_with_a_next_step(engine: Engine) -> None:
    for sql, said in (
        ("SELECT gendre FROM patients", "no column gendre"),
        ("SELECT * FROM patient", "no table patient"),
        ("SELECT subject_id FROM patients, prescriptions", "Several tables"),
        ("SELECT FROM", "cannot be read"),
        ("SELECT frobnicate(1)", "no function frobnicate"),
        ("", "no SQL"),
    ):
        for ask in (
            lambda sql=sql: engine.run(sql, "a"),
            lambda sql=sql: engine.columns(sql),
            lambda sql=sql: engine.explain(sql),
        ):
            with pytest.raises(QueryError, match=said) as caught:
                ask()
            assert caught.value.next_step


def test_a_statement_is_explained_and_given_in_the_engines_own_words(engine: Engine) -> None:
    sql = "SELECT gender, count(*) FROM patients WHERE dob < '2070' GROUP BY gender"
    assert engine.explain(sql).strip()
    assert engine.explain(f"EXPLAIN QUERY PLAN {sql}") == engine.explain(sql)
    assert engine.run(f"EXPLAIN QUERY PLAN {sql}", "plan").row_count
    assert "patients" in engine.native(sql).lower()


def test_a_closed_engine_says_so(ward: str) -> None:
    engine = open_engine(ward)
    place, state = engine.place, engine.state()
    assert (engine.label, state.source != "") == (name_of(ward), True)
    assert place == (without_credentials(ward) if "://" in ward else str(Path(ward).resolve()))
    engine.close()
    with pytest.raises(EhrtuiError):
        engine.read("SELECT 1")
    with pytest.raises(DatabaseError):
        engine.run("SELECT 1", "a")


def test_database_times_are_texts_of_one_form(engine: Engine) -> None:
    (latest,) = engine.read("SELECT max(startdate) FROM prescriptions")[0]
    assert datetime.strptime(str(latest), "%Y-%m-%d %H:%M:%S").year == 2104


def test_kept_rows_are_sorted_and_filtered_by_what_is_typed(engine: Engine) -> None:
    engine.run("SELECT row_id, drug, startdate, dose FROM prescriptions", "kept")
    relation = engine.relation("kept")

    def arranged(column: str = "", typed: str = "", order: Order | None = None) -> list[object]:
        condition = parse_condition(column, typed)
        rows = engine.read(arranged_select(relation, Arrangement((condition,) if condition else (), order)))
        return [row[0] for row in rows]

    assert arranged(order=Order("dose")) == [1, 3, 2, 4]
    assert arranged(order=Order("drug", descending=True)) == [2, 3, 4, 1]
    assert arranged("dose", "> 100") == [3]
    assert arranged("dose", "= 81") == [1]
    assert arranged("row_id", ">= 3") == [3, 4]
    assert arranged("row_id", "!= 3") == [1, 2, 4]
    assert arranged("drug", "~ ASP") == arranged("drug", "= aspirin") == [1, 3]
    assert arranged("startdate", ">= 2103-02") == [2, 3]
    assert arranged("dose", "null") == [4]
