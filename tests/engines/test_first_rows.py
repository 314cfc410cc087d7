"""The first rows of a large result are there before the last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine, FirstRows, Limits
from ehrtui.engines.opening import open_engine
from ehrtui.errors import QueryCancelled, QueryError, QueryLimit
from tests.engines.conftest import write

LARGE = """
    CREATE TABLE labs (id INTEGER PRIMARY KEY, itemid INT, value REAL);
    CREATE TABLE items (itemid INT, label TEXT);
    INSERT INTO items VALUES (0, 'sodium'), (1, 'potassium');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)
        INSERT INTO labs SELECT i, i % 50000, i / 2.0 FROM n;
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    path: Path = tmp_path_factory.mktemp("large") / "large.db"
    engine = open_engine(str(write(path, LARGE)))
    yield engine
    engine.close()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM labs",
        "SELECT id, id FROM labs ORDER BY id DESC",
        "SELECT * FROM labs, items",
        "WITH l AS (SELECT value FROM labs WHERE value > 7) SELECT value FROM l",
        "SELECT DISTINCT itemid FROM labs",
    ],
)
def test_a_large_result_begins_with_them(engine: Engine, sql: str) -> None:
    seen: list[FirstRows] = []
    kept: list[int] = []

    def first(rows: FirstRows) -> None:
        seen.append(rows)
        kept.extend(1 for result in engine.results() if result.name == "a")

    result = engine.run(sql, "a", first=first)
    (rows,) = seen
    assert kept == []  # before the result was there
    assert rows.columns == result.columns
    assert len(rows.rows) == 500
    assert list(rows.rows) == engine.page("a", 0, 500)
    engine.drop("a")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM items",
        "SELECT * FROM labs WHERE id = 7",
        "SELECT count(*) FROM labs",
        "SELECT itemid, avg(value) FROM labs GROUP BY itemid",
        "SELECT * FROM labs ORDER BY value",
        "SELECT * FROM labs WHERE value = 99999.5",
    ],
    ids=["small table", "key", "aggregate", "group", "sort", "far away"],
)
def test_nothing_is_shown_early_where_it_would_cost_time_or_there_is_little(engine: Engine, sql: str) -> None:
    seen: list[FirstRows] = []
    assert engine.run(sql, "a", first=seen.append).row_count >= 1
    assert seen == []


def test_of_rare_rows_those_that_come_at_once_are_shown(engine: Engine) -> None:
    seen: list[FirstRows] = []
    result = engine.run("SELECT * FROM labs WHERE itemid BETWEEN 5 AND 8", "a", first=seen.append)
    assert result.row_count == 16
    (rows,) = seen
    assert 0 < len(rows.rows) < 16
    assert list(rows.rows) == engine.page("a", 0, len(rows.rows))


def test_a_kept_result_may_be_large_too(engine: Engine) -> None:
    seen: list[FirstRows] = []
    engine.run("SELECT id FROM labs", "ids")
    engine.run(f"SELECT id + 1 AS next FROM {engine.relation('ids')}", "a", first=seen.append)
    assert seen[0].rows[:2] == ((2,), (3,))
    engine.drop("ids")


def test_who_sees_the_first_rows_may_stop_the_rest(engine: Engine) -> None:
    with pytest.raises(QueryCancelled):
        engine.run("SELECT * FROM labs, items", "a", first=lambda _: engine.cancel())
    with pytest.raises(QueryError, match="no longer kept"):
        engine.page("a", 0, 1)


def test_a_statement_that_fails_or_grows_too_large_fails_as_without_them(engine: Engine) -> None:
    with pytest.raises(QueryError, match="malformed JSON"):
        engine.run("SELECT json_extract('{' || label, '$') FROM labs, items", "a", first=lambda _: None)
    with pytest.raises(QueryLimit):
        engine.run("SELECT * FROM labs", "a", Limits(rows=1000), first=lambda _: None)
