"""PostgreSQL databases: what is read of them, what is kept where, and what is said when something is wrong."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine, Limits
from ehrtui.engines.opening import open_engine
from ehrtui.engines.postgres import PostgreSQL
from ehrtui.errors import DatabaseError, EhrtuiError, QueryCancelled, QueryDeadline, QueryError, QueryLimit
from tests.postgres_server import PASSWORD, Server, running

SLOW = "SELECT count(*) FROM events a, events b, events c WHERE a.n + b.n + c.n < 0"

MADE = (
    "CREATE SCHEMA mimiciv_hosp", "CREATE SCHEMA mimiciv_icu", "CREATE SCHEMA mimiciii",
    "CREATE TYPE mimiciii.side AS ENUM ('left', 'Right')",
    "CREATE TABLE mimiciv_hosp.patients (subject_id int PRIMARY KEY, gender char(3), dod date)",
    "CREATE TABLE mimiciv_icu.chartevents (subject_id int REFERENCES mimiciv_hosp.patients, charttime timestamp(0), "
    "valuenum double precision) PARTITION BY RANGE (subject_id)",
    "CREATE TABLE mimiciv_icu.chartevents_1 PARTITION OF mimiciv_icu.chartevents FOR VALUES FROM (0) TO (9)",
    "CREATE TABLE mimiciii.patients (subject_id int, gender text)",
    "CREATE TABLE mimiciii.kinds (a smallint, b numeric(10, 0), c numeric, d real, e boolean, f timestamptz, g time, "
    "h interval, i jsonb, j int[], k uuid, l bytea, m mimiciii.side, n char(4), \"Big\" text, o date, p inet)",
    "CREATE VIEW mimiciii.women AS SELECT subject_id FROM mimiciii.patients WHERE gender = 'F'",
    "CREATE TABLE events AS SELECT i AS n FROM generate_series(0, 9999) AS t(i)",
    "CREATE TABLE hidden (a int, b int)",
    "INSERT INTO mimiciv_hosp.patients VALUES (1, 'M', '2105-12-31'), (2, 'F', NULL)",
    "INSERT INTO mimiciv_icu.chartevents VALUES (1, '2105-12-31 23:59:00', 36.5), (2, '2105-01-01', NULL)",
    "INSERT INTO mimiciii.patients VALUES (7, 'F')",
    "INSERT INTO mimiciii.kinds VALUES (1, 12, 1.50, 0.5, true, '2105-06-01 12:00:00+02', '08:30', '1 day 02:00', "
    "'{\"a\": 1}', '{1,2}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff', 'Right', 'ab', 'x', '2105-06-01', "
    "'10.0.0.1')",
    "GRANT USAGE ON SCHEMA mimiciv_hosp, mimiciv_icu, mimiciii TO PUBLIC",
    "GRANT SELECT ON ALL TABLES IN SCHEMA mimiciv_hosp, mimiciv_icu, mimiciii TO PUBLIC",
    "GRANT SELECT ON events TO PUBLIC",
)  # fmt: skip


@pytest.fixture
def clinic(postgres: Server) -> str:
    """The name of a database with the schemas of several public data sets."""
    postgres.database("clinic", *MADE)
    return "clinic"


@pytest.fixture
def engine(postgres: Server, clinic: str) -> Iterator[Engine]:
    engine = open_engine(postgres.url(clinic, "reader"))
    yield engine
    engine.close()


def failing(target: str) -> EhrtuiError:
    """What is said where a database cannot be opened."""
    with pytest.raises(DatabaseError) as caught:
        open_engine(target)
    assert caught.value.next_step
    assert PASSWORD not in str(caught.value)
    return caught.value


def test_tables_of_all_schemas_are_known_by_their_names(engine: Engine) -> None:
    tables = {table.name: table for table in engine.schema().tables}
    assert set(tables) == {"mimiciv_hosp_patients", "mimiciii_patients", "chartevents", "kinds", "women", "events"}
    assert tables["women"].is_view
    assert [key.target_column for key in tables["chartevents"].foreign_keys] == ["subject_id"]
    assert tables["mimiciv_hosp_patients"].columns[0].primary_key
    sql = "SELECT GENDER, MAX(charttime) FROM mimiciv_hosp_patients JOIN CHARTEVENTS USING (subject_id) GROUP BY 1"
    assert engine.read(f"{sql} ORDER BY 1") == [("F", "2105-01-01 00:00:00"), ("M", "2105-12-31 23:59:00")]
    assert engine.read("SELECT * FROM women, mimiciii_patients") == [(7, 7, "F")]


def test_the_search_path_says_which_schemas_count(postgres: Server, clinic: str) -> None:
    path = "-csearch_path=mimiciv_hosp,mimiciv_icu"
    with closing(open_engine(postgres.url(clinic, "reader", options=path))) as engine:
        assert {table.name for table in engine.schema().tables} == {"patients", "chartevents"}
        assert engine.read("SELECT count(*) FROM patients") == [(2,)]
        assert "mimiciv_hosp" in engine.native("SELECT count(*) FROM patients")


def test_values_of_every_type_are_as_sqlite_would_have_them(engine: Engine) -> None:
    (row,) = engine.read("SELECT * FROM kinds")
    assert row == (
        1, 12, 1.5, 0.5, 1, "2105-06-01 10:00:00", "08:30:00", "1 day 02:00:00", '{"a": 1}', "{1,2}",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", b"\x00\xff", "Right", "ab", "x", "2105-06-01", "10.0.0.1/32",
    )  # fmt: skip
    result = engine.run("SELECT * FROM kinds", "kept")
    assert engine.page("kept", 0, 9) == [row]
    assert result.columns[-3:] == ("big", "o", "p")
    assert engine.read("SELECT strftime('%Y', f), datetime(g), date(o, '+1 month'), e + 1, b / 5 FROM kinds") == [
        ("2105", "2000-01-01 08:30:00", "2105-07-01", 2, 2)
    ]


def test_nothing_is_written_to_the_users_schemas(postgres: Server, clinic: str, engine: Engine) -> None:
    before, state = engine.fingerprint(), engine.state()
    engine.run("SELECT n FROM events", "kept")
    engine.store("told", ("a", "b"), [(1, "x\ty\\N"), (None, None)])
    assert engine.page("told", 0, 9) == [(1, "x\ty\\N"), (None, None)]
    assert engine.fingerprint() == before
    with closing(open_engine(postgres.url(clinic, "reader"))) as other:
        assert other.schema() == engine.schema()
    postgres.run(clinic, "INSERT INTO events VALUES (-1)", "SELECT pg_stat_force_next_flush()")
    assert (engine.state().source, engine.state() == state) == (state.source, False)
    assert engine.fingerprint() != before


def test_a_role_that_could_write_is_warned_of_and_still_does_not(postgres: Server, clinic: str) -> None:
    with closing(open_engine(postgres.url(clinic, "reader"))) as engine:
        assert "could write" not in engine.notice
        assert "Left out, since reader may not read it: public.hidden." in engine.notice
    postgres.run(
        clinic, "CREATE FUNCTION scribble() RETURNS int LANGUAGE sql AS 'INSERT INTO events VALUES (-2) RETURNING n'",
        "CREATE VIEW scribbling AS SELECT scribble() AS n",
    )  # fmt: skip
    with closing(open_engine(postgres.url(clinic))) as engine:
        assert "The role owner could write to clinic." in engine.notice
        with pytest.raises(QueryError, match="would write"):
            engine.read("SELECT n FROM scribbling")
        with pytest.raises(QueryError, match="would write"):
            engine.run("SELECT n FROM scribbling", "a")
        assert engine.read("SELECT min(n) FROM events") == [(0,)]


def test_a_database_that_cannot_be_reached_is_said(
    postgres: Server, clinic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = free.getsockname()[1]
    assert "No PostgreSQL answers" in failing(f"postgresql://reader@127.0.0.1:{nobody}/clinic").what
    assert "There is no server nowhere.invalid" in failing("postgresql://reader@nowhere.invalid/clinic").what
    wrong = postgres.url(clinic, "secret").replace("secret@", "secret:wrong@")
    assert "not the right one" in failing(wrong).why
    assert "No password" in failing(postgres.url(clinic, "secret")).why
    assert "has no database nothing" in failing(postgres.url("nothing")).what
    assert "knows no role stranger" in failing(postgres.url(clinic, "stranger")).what
    assert "pg_hba" in failing(postgres.url(clinic, "outside")).why
    assert "has no TLS" in failing(postgres.url(clinic, "reader", sslmode="require")).why
    broken = failing(f"postgresql://reader:{PASSWORD}@[nonsense/clinic")
    assert (broken.what, broken.why) == ("The address of the database cannot be read.", "")
    monkeypatch.setenv("PGPASSWORD", "also wrong")
    assert "not the right one" in failing(postgres.url(clinic, "secret")).why


def test_a_password_comes_from_the_usual_places(
    postgres: Server, clinic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords, services = tmp_path / "pgpass", tmp_path / "services"
    passwords.write_text(f"127.0.0.1:{postgres.port}:{clinic}:secret:{PASSWORD}\n")
    passwords.chmod(0o600)
    services.write_text(f"[ward]\nhost=127.0.0.1\nport={postgres.port}\ndbname={clinic}\nuser=secret\n")
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    for target in (postgres.url(clinic, "secret"), "postgresql://?service=ward"):
        with closing(open_engine(target)) as engine:
            assert engine.label == clinic
            assert engine.place == f"postgresql://127.0.0.1:{postgres.port}/{clinic}"


def test_a_role_without_temporary_tables_is_told_what_to_ask_for(postgres: Server, clinic: str) -> None:
    postgres.run(clinic, f"REVOKE TEMPORARY ON DATABASE {clinic} FROM PUBLIC")
    error = failing(postgres.url(clinic, "reader"))
    assert f"GRANT TEMPORARY ON DATABASE {clinic} TO reader" in error.next_step


def test_what_changes_meanwhile_is_said_and_the_next_statement_runs(
    postgres: Server, clinic: str, engine: Engine
) -> None:
    postgres.run(clinic, "REVOKE SELECT ON mimiciii.kinds FROM PUBLIC")
    with pytest.raises(QueryError, match="You may not read kinds") as caught:
        engine.read("SELECT a FROM kinds")
    assert "GRANT SELECT" in caught.value.next_step
    postgres.run(clinic, "ALTER TABLE mimiciv_hosp.patients RENAME COLUMN dod TO died")
    with pytest.raises(QueryError, match="column is no longer there"):
        engine.read("SELECT dod FROM mimiciv_hosp_patients")
    postgres.run(clinic, "DROP TABLE mimiciv_icu.chartevents")
    with pytest.raises(QueryError, match=r"no table mimiciv_icu.chartevents any more"):
        engine.run("SELECT valuenum FROM chartevents", "a")
    engine.reread()
    assert engine.schema().table("chartevents") is None
    assert engine.read("SELECT count(*) FROM events") == [(10_000,)]


def test_a_lock_is_not_waited_for_without_end(postgres: Server, clinic: str, engine: Engine) -> None:
    import psycopg

    with psycopg.connect(postgres.url(clinic)) as other:
        other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(QueryLimit, match="took longer"):
            engine.run("SELECT n FROM events", "a", Limits(seconds=0.3))
        with (
            closing(open_engine(postgres.url(clinic, "reader", options="-clock_timeout=50ms"))) as impatient,
            pytest.raises(QueryError, match="locked by another program") as caught,
        ):
            impatient.run("SELECT n FROM events", "a")
        assert caught.value.next_step
    assert engine.read("SELECT count(*) FROM events") == [(10_000,)]


def test_a_connection_that_is_lost_is_said_and_made_anew(postgres: Server, clinic: str, engine: Engine) -> None:
    engine.run("SELECT 7 AS seven", "kept")
    begun, ended = (
        threading.Event(),
        "SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity WHERE usename = 'reader'",
    )

    def stopped() -> bool:
        if not begun.is_set():
            begun.set()
            postgres.run(clinic, ended)
        return False

    with pytest.raises(DatabaseError, match="connection to clinic was lost") as caught:
        engine.run(SLOW, "a", stopped=stopped)
    assert caught.value.next_step
    assert engine.read("SELECT count(*) FROM events") == [(10_000,)]
    assert engine.results() == ()
    with pytest.raises(QueryError, match="no longer kept"):
        engine.page("kept", 0, 1)
    assert engine.run("SELECT 8 AS eight", "kept").row_count == 1
    postgres.run(clinic, ended)  # between two statements: nobody notices
    assert engine.read("SELECT count(*) FROM events") == [(10_000,)]


def test_a_server_that_ends_is_said_until_it_is_back() -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'ehrtui[postgres]'")
    with running() as server:
        server.database("ward", "CREATE TABLE events AS SELECT 1 AS n")
        with closing(open_engine(server.url("ward"))) as engine:
            server.control("-m", "fast", "stop")
            assert engine.state().source == ""
            for _ in range(2):
                with pytest.raises(DatabaseError, match=r"was lost|No PostgreSQL answers"):
                    engine.read("SELECT n FROM events")
            server.start()
            assert engine.read("SELECT n FROM events") == [(1,)]


def test_the_server_ends_what_nobody_waits_for(postgres: Server, clinic: str, engine: Engine) -> None:
    import psycopg

    with pytest.raises(QueryCancelled):
        engine.run(SLOW, "a", stopped=lambda: True)
    with psycopg.connect(postgres.url(clinic), autocommit=True) as other:
        asked = "SELECT query FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active'"
        while other.execute(asked).fetchall():  # it would take days: it ends when the server has heard of it
            pass
    with closing(PostgreSQL(postgres.url(clinic, "reader"))) as system:
        assert system.begin(0.01)
        with pytest.raises(psycopg.Error) as caught:
            system.read("SELECT pg_sleep(60)")
        assert isinstance(system.said(caught.value), QueryDeadline)


def test_other_addresses_are_refused(tmp_path: Path) -> None:
    assert "mysql:// databases cannot be opened" in failing("mysql://root@127.0.0.1/clinic").what
