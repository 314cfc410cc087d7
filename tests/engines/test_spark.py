"""Tables of Spark servers: what is there, what may go wrong, and that nothing is left behind."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.engines.bridge.refusing import Unbridged
from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.errors import DatabaseError, EhrtuiError, QueryError, QueryLimit
from tests.spark_server import SparkServer, running

TOKEN = "in-no-log"
SLOW = "SELECT count(*) FROM events a, events b, events c, events d WHERE a.n || b.n || c.n || d.n = 'x'"
MADE = (
    "CREATE DATABASE hosp",
    "CREATE DATABASE derived",
    "CREATE TABLE hosp.patients USING parquet AS SELECT 1 AS Subject_Id, 'M' AS gender",
    "CREATE TABLE derived.patients USING parquet AS SELECT 7 AS subject_id, 'F' AS gender",
    "CREATE VIEW derived.women AS SELECT subject_id FROM derived.patients WHERE gender = 'F'",
    "CREATE TABLE hosp.events USING parquet AS SELECT CAST(id AS INT) AS n FROM range(10000)",
    "CREATE TABLE hosp.kinds USING parquet AS SELECT CAST(1 AS TINYINT) AS a, CAST(12 AS DECIMAL(5, 0)) AS b, "
    "CAST(1.5 AS DECIMAL(5, 2)) AS c, CAST(0.5 AS FLOAT) AS d, true AS e, TIMESTAMP '2105-06-01 12:00:00' AS f, "
    "TIMESTAMP_NTZ '2105-06-01 12:00:00.5' AS g, DATE '2105-06-01' AS h, array(1, 2) AS i, map('k', 1) AS j, "
    "named_struct('x', 1) AS k, X'00ff' AS l, CAST('NaN' AS DOUBLE) AS m, CAST('x' AS CHAR(3)) AS `o p`",
)


@pytest.fixture
def clinic(spark: SparkServer) -> Iterator[SparkServer]:
    """The server with two schemas of its own."""
    spark.run(*MADE)
    yield spark
    spark.run("DROP DATABASE hosp CASCADE", "DROP DATABASE derived CASCADE")


def failing(target: str) -> EhrtuiError:
    """What is said where a server cannot be opened."""
    with pytest.raises(DatabaseError) as caught:
        open_engine(target)
    assert caught.value.next_step
    assert TOKEN not in str(caught.value)
    return caught.value


def test_tables_of_all_schemas_are_known_and_their_values_are_sqlites(clinic: SparkServer) -> None:
    with closing(open_engine(clinic.url())) as engine:
        tables = {table.name for table in engine.schema().tables}
        assert {"hosp_patients", "derived_patients", "women", "kinds"} <= tables
    with closing(open_engine(clinic.url("hosp,derived"))) as engine:
        tables = {table.name: table for table in engine.schema().tables}
        assert set(tables) == {"patients", "events", "kinds", "derived_patients", "women"}
        assert (tables["women"].is_view, tables["events"].row_count) == (True, 10_000)
        assert (engine.label, engine.place) == ("hosp,derived", f"{clinic.url()}/;schema=hosp,derived")
        assert engine.read("SELECT p.SUBJECT_ID, w.subject_id FROM patients p, WOMEN w") == [(1, 7)]
        (row,) = engine.read("SELECT * FROM kinds")
        assert row == (
            1, 12, 1.5, 0.5, 1, "2105-06-01 12:00:00", "2105-06-01 12:00:00.5", "2105-06-01", "[1, 2]", "{k -> 1}",
            "{1}", b"\x00\xff", None, "x",
        )  # fmt: skip
        engine.run("SELECT * FROM kinds", "kept")
        assert engine.page("kept", 0, 9) == [row]
        again = f"SELECT strftime('%Y', f), date(h, '+1 month'), e + 1, b / 5, \"o p\" FROM {engine.relation('kept')}"
        assert engine.read(again) == [("2105", "2105-07-01", 2, 2, "x")]
        assert "`hosp`" in engine.native("SELECT count(*) FROM patients")


def test_texts_and_numbers_are_spelt_as_sqlite_spells_them(clinic: SparkServer) -> None:
    with closing(open_engine(clinic.url("hosp"))) as engine:
        assert engine.read(
            "SELECT 1e15 || '', -0.00001 || '', 123456.789 || '', 0.0 || '', upper('aé'), lower('AÉ'), 'É' LIKE 'é', "
            "'a\\b%' LIKE 'A\\b!%' ESCAPE '!', substr('abc', 0, 2), ltrim('xxa', 'x'), '1d' + 0, 2147483647 + 1"
        ) == [("1.0e+15", "-1.0e-05", "123456.789", "0.0", "Aé", "aÉ", 0, 1, "a", "a", 1, 2147483648)]
        assert engine.read("SELECT row_number() OVER (), date('2103-02-31') FROM patients LIMIT -1") == [
            (1, "2103-03-03")
        ]


def test_nothing_is_left_on_the_server_and_changes_are_noticed(clinic: SparkServer, tmp_path: Path) -> None:
    with closing(open_engine(clinic.url("hosp"))) as engine:
        before, state = engine.fingerprint(), engine.state()
        engine.run("SELECT n FROM events WHERE n < 3", "kept")
        engine.store("told", ("a", "b"), [(1, "x'\t`\\N"), (None, None)])
        joined = f"SELECT b FROM {engine.relation('told')} WHERE a IN (SELECT n FROM {engine.relation('kept')})"
        assert engine.read(joined) == [("x'\t`\\N",)]
        assert (engine.fingerprint(), engine.state()) == (before, state)
        with closing(open_engine(clinic.url("hosp"))) as other:
            assert other.fingerprint() == before
            assert other.schema() == engine.schema()
            clinic.run("INSERT INTO hosp.events VALUES (-1)")
            other.reread()
        engine.reread()
        assert (engine.state().source, engine.state() == state) == (state.source, False)
        assert engine.read("SELECT min(n) FROM events") == [(-1,)]


def test_what_spark_computes_otherwise_is_refused_by_name_and_logged_nowhere(
    clinic: SparkServer, capfd: pytest.CaptureFixture[str]
) -> None:
    with closing(open_engine(clinic.url("hosp"))) as engine:
        with pytest.raises(QueryLimit, match="deeper than Spark lets it"):
            engine.read("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999) SELECT i FROM n")
        with pytest.raises(QueryError, match="too large for it") as caught:
            engine.read("SELECT 9223372036854775807 + n FROM events")
        assert caught.value.next_step
        with pytest.raises(Unbridged, match="randomblob"):
            engine.read("SELECT randomblob(3)")
        with pytest.raises(Unbridged, match="A query within a query") as unbridged:
            engine.read("SELECT (SELECT n FROM events e WHERE e.n = p.subject_id), max(gender), gender FROM patients p")
        assert unbridged.value.next_step
    assert capfd.readouterr() == ("", "")


def test_a_server_that_cannot_be_reached_is_said(clinic: SparkServer) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = free.getsockname()[1]
    assert "No Spark answers" in failing(f"sc://127.0.0.1:{nobody}").what
    assert "There is no server nowhere.invalid" in failing("sc://nowhere.invalid").what
    assert "cannot be read" in failing(f"sc://127.0.0.1:{nobody}/x;token={TOKEN}").what
    assert "cannot be read" in failing(f"sc://127.0.0.1:{nobody}/;token").what
    assert "No secure connection" in failing(f"sc://127.0.0.1:{clinic.port}/;use_ssl=true;token={TOKEN}").what
    missing = failing(clinic.url("nothing"))
    assert ("has no schema nothing" in missing.what, "hosp" in missing.why) == (True, True)
    assert "has no tables" in failing(clinic.url("default")).what


def test_what_is_no_spark_server_is_said() -> None:
    pytest.importorskip("pyspark", reason="Spark is skipped: pyspark is not installed (make test-spark)")
    with socket.create_server(("127.0.0.1", 0)) as other:

        def answer() -> None:
            while True:
                try:
                    connection, _ = other.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(100)
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        assert "no Spark Connect server" in failing(f"sc://127.0.0.1:{other.getsockname()[1]}").what


def test_what_changes_meanwhile_is_said_and_the_next_statement_runs(clinic: SparkServer) -> None:
    with closing(open_engine(clinic.url("hosp,derived"))) as engine:
        clinic.run("DROP TABLE hosp.kinds")
        with pytest.raises(QueryError, match=r"no table .*hosp\.kinds any more") as caught:
            engine.run("SELECT a FROM kinds", "a")
        assert caught.value.next_step
        assert engine.state().source
        clinic.run("CREATE OR REPLACE VIEW derived.women AS SELECT gender FROM derived.patients")
        with pytest.raises(QueryError, match="column is no longer there"):
            engine.read("SELECT subject_id FROM women")
        for file in (clinic.folder / "warehouse" / "hosp.db" / "events").iterdir():
            file.unlink()
        with pytest.raises(QueryError, match="Files of a table are no longer there"):
            engine.run("SELECT n FROM events", "a")
        engine.reread()
        assert engine.schema().table("kinds") is None
        assert engine.read("SELECT count(*) FROM patients") == [(1,)]


def test_a_server_that_ends_is_said_until_it_is_back_and_answers_stay(spark: SparkServer) -> None:
    def made(server: SparkServer) -> Engine:
        server.run(
            "CREATE TABLE events USING parquet AS SELECT CAST(id AS INT) AS n, "
            "TIMESTAMP '2105-06-01 12:00:00' AS at FROM range(10000)"
        )
        return open_engine(server.url())

    with running(zone="America/New_York") as server, closing(made(server)) as engine:
        assert engine.read("SELECT min(at) FROM events") == [("2105-06-01 08:00:00",)]
        engine.run("SELECT 7 AS seven", "kept")
        begun = threading.Event()

        def stopped() -> bool:
            if not begun.is_set():
                begun.set()
                server.stop()
            return False

        with pytest.raises(DatabaseError, match=r"connection to .* was lost") as caught:
            engine.run(SLOW, "a", stopped=stopped)
        assert caught.value.next_step
        with pytest.raises(DatabaseError, match="No Spark answers"):
            engine.read("SELECT n FROM events")
        assert engine.state().source == ""
        assert engine.page("kept", 0, 1) == [(7,)]
