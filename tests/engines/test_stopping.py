"""Whatever runs is stopped when somebody wants that, or at its deadline, and nothing else is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine, FirstRows, Limits
from ehrtui.engines.opening import open_engine
from ehrtui.errors import EhrtuiError, QueryCancelled, QueryDeadline, QueryError, QueryLimit
from tests.engines.conftest import write

NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
SLOW_STEPS = f"{NUMBERS} SELECT length(hex(randomblob(5000000))) AS x FROM n"
"""Few steps of SQLite's virtual machine a second."""
ONE_CALL = "SELECT instr(hex(zeroblob(20000000)), hex(zeroblob(2000)) || '1') AS x"
"""One call of a function takes some seconds."""
ENDED = "SELECT count(*) FROM patients"


@pytest.mark.parametrize(
    "run",
    [
        lambda engine, limits, stopped: engine.run(SLOW_STEPS, "a", limits, stopped),
        lambda engine, limits, stopped: engine.run(f"{SLOW_STEPS} ORDER BY x", "a", limits, stopped),
        lambda engine, limits, stopped: engine.run(f"SELECT max(x) FROM ({SLOW_STEPS})", "a", limits, stopped),
    ],
    ids=["rows", "sorted", "aggregated"],
)
@pytest.mark.parametrize(
    ("limits", "stopped", "raised"),
    [(Limits(seconds=None), lambda: True, QueryCancelled), (Limits(seconds=0.1), lambda: False, QueryDeadline)],
    ids=["cancelled", "late"],
)
def test_slow_steps_are_stopped_and_the_reason_is_said(
    engine: Engine,
    run: Callable[[Engine, Limits, Callable[[], bool]], object],
    limits: Limits,
    stopped: Callable[[], bool],
    raised: type[EhrtuiError],
) -> None:
    engine.run("SELECT 7 AS seven", "kept")
    with pytest.raises(raised):
        run(engine, limits, stopped)
    assert engine.read(ENDED) == [(3,)]
    assert engine.page("kept", 0, 1) == [(7,)]
    assert [result.name for result in engine.results()] == ["kept"]


def test_slow_steps_are_stopped_from_another_thread(engine: Engine) -> None:
    over = threading.Event()

    def cancel() -> None:
        while not over.wait(0.01):  # the statement may not have begun when the first cancel comes
            engine.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(QueryCancelled):
        engine.run(SLOW_STEPS, "a", Limits(seconds=None))
    over.set()
    thread.join()
    assert engine.read(ENDED) == [(3,)]


def test_small_reads_have_the_deadline_of_the_engine(ward: Path) -> None:
    engine = open_engine(str(ward), limits=Limits(seconds=0.1))
    with pytest.raises(QueryDeadline, match=r"longer than 0\.1 s"):
        engine.read(SLOW_STEPS)
    assert engine.read(ENDED) == [(3,)]
    engine.close()


def test_what_cannot_be_stopped_is_left_alone_with_the_kept_results(engine: Engine) -> None:
    engine.run("SELECT 7 AS seven", "kept")
    with pytest.raises(QueryDeadline):
        engine.run(ONE_CALL, "a", Limits(seconds=0.01))
    assert engine.results() == ()
    with pytest.raises(QueryError, match="no longer kept"):
        engine.page("kept", 0, 1)
    assert engine.run(ENDED, "b").row_count == 1
    assert [table.name for table in engine.schema().tables][:1] == ["patients"]
    with pytest.raises(QueryError, match="Did you mean"):
        engine.read("SELECT gendr FROM patients")


def test_an_engine_closes_while_one_call_goes_on(ward: Path) -> None:
    engine = open_engine(str(ward))
    began = threading.Event()
    raised: list[EhrtuiError] = []

    def stopped() -> bool:
        began.set()
        return False

    def run() -> None:
        try:
            engine.run(ONE_CALL, "a", Limits(seconds=None), stopped)
        except EhrtuiError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    began.wait()
    engine.close()
    thread.join()
    assert [type(error) for error in raised] == [QueryCancelled]


def test_views_that_nest_without_measure_are_stopped_while_they_are_compiled(tmp_path: Path) -> None:
    views = "".join(f"CREATE VIEW v{n} AS SELECT a.i FROM v{n - 1} a, v{n - 1} b;" for n in range(1, 15))
    path = write(tmp_path / "nested.db", f"CREATE TABLE t (i INT); CREATE VIEW v0 AS SELECT i FROM t; {views}")
    engine = open_engine(str(path))
    with pytest.raises(QueryCancelled):
        engine.run("SELECT count(*) FROM v14", "a", Limits(seconds=None), lambda: True)
    assert engine.read("SELECT count(*) FROM t") == [(0,)]
    engine.close()


class Interrupted(BaseException):
    """What Ctrl-C is."""


def test_who_is_interrupted_leaves_nothing_running(tmp_path: Path) -> None:
    rows = f"{NUMBERS} INSERT INTO t SELECT i FROM n LIMIT 200000"
    engine = open_engine(str(write(tmp_path / "large.db", f"CREATE TABLE t (i INT); {rows}")))

    def interrupt(rows: FirstRows) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        engine.run("SELECT a.i FROM t a, t b", "a", Limits(seconds=None), first=interrupt)
    assert engine.results() == ()
    assert engine.read("SELECT count(*) FROM t") == [(200_000,)]
    engine.close()


def test_first_rows_that_are_slow_are_not_waited_for(tmp_path: Path) -> None:
    rows = f"{NUMBERS} INSERT INTO t SELECT i FROM n LIMIT 200000"
    engine = open_engine(str(write(tmp_path / "large.db", f"CREATE TABLE t (i INT); {rows}")))
    seen: list[FirstRows] = []
    slow = "SELECT length(hex(randomblob(20000000 * (i < 50)))) AS x FROM t"
    with pytest.raises(QueryDeadline):
        engine.run(slow, "a", Limits(seconds=0.5), first=seen.append)
    assert all(len(rows.rows) < 50 for rows in seen)
    engine.close()


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT zeroblob(60000000)", "too large"),
        (f"SELECT '{'x' * 6_000_000}'", "SQL is too long"),
        (f"SELECT 'x' LIKE '{'%x' * 1000}'", "pattern"),
    ],
    ids=["value", "SQL", "pattern"],
)
def test_what_one_call_is_given_is_bounded(engine: Engine, sql: str, said: str) -> None:
    with pytest.raises(QueryLimit, match=said):
        engine.run(sql, "a")


def test_an_error_does_not_quote_a_long_query_whole(engine: Engine) -> None:
    with pytest.raises(QueryError) as caught:
        engine.run(f"SELECT {'x' * 100_000} FROM patients", "a")
    assert len(str(caught.value)) < 2_000
