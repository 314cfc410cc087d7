"""A kept result must behave in later queries as the query itself would, nested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.engines.engine import Engine
from ehrtui.engines.kept import unique_names
from ehrtui.engines.opening import open_engine
from tests.engines.conftest import write

TYPES = [
    "INT",
    "INTEGER",
    "TEXT",
    "VARCHAR(5)",
    "REAL",
    "NUMERIC",
    "BLOB",
    "",
    "TEXT COLLATE NOCASE",
    "TEXT COLLATE RTRIM",
]
VALUES = ["NULL", "5", "5.0", "'5'", "'5.0'", "7.5", "'a'", "'A'", "'a '", "x'35'", "-1", "''"]
# {c} and {d} are columns of table t, which has a column of each type.
QUERIES = [
    "SELECT {c} AS k FROM t",
    "SELECT {c} AS k FROM t ORDER BY {d}, 1",
    "SELECT DISTINCT {c} AS k FROM t",
    "SELECT +{c} AS k FROM t",
    "SELECT {c} + 0 AS k FROM t",
    "SELECT {c} || '' AS k FROM t",
    "SELECT CAST({c} AS TEXT) AS k FROM t",
    "SELECT CAST({c} AS REAL) AS k FROM t",
    "SELECT {c} COLLATE NOCASE AS k FROM t",
    "SELECT coalesce({c}, {d}) AS k FROM t",
    "SELECT max({c}) AS k FROM t",
    "SELECT max({c}) AS k FROM t GROUP BY {d}",
    "SELECT count({c}) AS k FROM t",
    "SELECT (SELECT {c} FROM t ORDER BY 1 LIMIT 1) AS k FROM t",
    "SELECT k FROM (SELECT {c} AS k FROM t ORDER BY 1 LIMIT 2)",
    "WITH w(k) AS (SELECT {c} FROM t) SELECT k FROM w",
    "SELECT k FROM v WHERE k IS NOT NULL",
    "SELECT {c} AS k FROM t UNION SELECT {c} FROM t",
]
USES = [
    "SELECT {x} IN (SELECT k FROM {r}) FROM t ORDER BY row",
    "SELECT {x} NOT IN (SELECT k FROM {r}) FROM t ORDER BY row",
    "SELECT {x} = (SELECT max(k) FROM {r}) FROM t ORDER BY row",
    "SELECT {x} FROM t JOIN {r} ON {x} = k ORDER BY row",
    "SELECT {x} FROM t JOIN {r} ON k = {x} ORDER BY row",
    "SELECT {x} FROM t, {r} WHERE {x} < k ORDER BY row",
    "SELECT count(DISTINCT k) FROM {r}",
    "SELECT typeof(k), k FROM {r}",
    "SELECT typeof(k / 2) FROM {r}",
    "SELECT k = '5', k = 5, k = 'A', k < 'b', k LIKE '5%' FROM {r}",
    "SELECT k, count(*) FROM {r} GROUP BY k ORDER BY 1, 2",
    "SELECT k FROM {r} UNION SELECT {x} FROM t ORDER BY 1",
]


@st.composite
def _tables(draw: st.DrawFn) -> str:
    rows = draw(st.lists(st.lists(st.sampled_from(VALUES), min_size=len(TYPES), max_size=len(TYPES)), max_size=5))
    columns = ", ".join(f"c{n} {type}" for n, type in enumerate(TYPES))
    inserts = "".join(
        f"INSERT INTO t ({', '.join(f'c{n}' for n in range(len(TYPES)))}) VALUES ({', '.join(row)});" for row in rows
    )
    view = draw(st.sampled_from(["c0", "c2", "c6", "c0 + 1"]))
    return f"CREATE TABLE t (row INTEGER PRIMARY KEY, {columns}); CREATE VIEW v AS SELECT {view} AS k FROM t; {inserts}"


column = st.sampled_from([f"c{n}" for n in range(len(TYPES))])
operand = column | column.map(lambda name: f"+{name}") | st.sampled_from(["5", "'5'", "CAST(5 AS TEXT)"])


def _exact(rows: list[tuple[Any, ...]]) -> list[tuple[tuple[type, Any], ...]]:
    return [tuple((type(value), value) for value in row) for row in rows]


def _alike(rows: list[tuple[Any, ...]]) -> list[tuple[tuple[type, Any], ...]]:
    """5 and 5.0 are one value: which of them stands for both in a GROUP BY or a UNION is up to SQLite."""
    return [tuple((float if isinstance(value, int) else type(value), value) for value in row) for row in rows]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_tables(), st.sampled_from(QUERIES), st.sampled_from(USES), column, column, operand)
def test_a_kept_result_behaves_as_the_nested_query(
    tmp_path: Path, tables: str, query: str, use: str, c: str, d: str, x: str
) -> None:
    path = tmp_path / "t.db"
    path.unlink(missing_ok=True)
    engine = open_engine(str(write(path, tables)))
    try:
        nested = query.format(c=c, d=d)
        engine.run(nested, "kept")
        assert _exact(engine.page("kept", 0, 99)) == _exact(engine.read(nested))
        once = engine.read(use.format(x=x, r=engine.relation("kept")))
        assert _alike(once) == _alike(engine.read(use.format(x=x, r=f"({nested})")))
    finally:
        engine.close()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 'text' AS k UNION ALL SELECT 5 UNION ALL SELECT 5.0 UNION ALL SELECT x'35'",
        "SELECT c2 AS k FROM t UNION ALL SELECT 5",
        "SELECT c0 AS k FROM t UNION ALL SELECT 2.0 UNION ALL SELECT '7'",
        "SELECT c4 AS k FROM t UNION ALL SELECT 3",
        "WITH RECURSIVE n(k) AS (SELECT c0 FROM t UNION ALL SELECT k + 0.5 FROM n WHERE k < 7) SELECT k FROM n",
        "SELECT k FROM mixed",
    ],
)
def test_values_of_mixed_columns_are_not_converted(tmp_path: Path, query: str) -> None:
    script = (
        "CREATE TABLE t (c0 INT, c2 TEXT, c4 REAL); INSERT INTO t VALUES (5, '5', 5.0);"
        "CREATE VIEW mixed AS SELECT c2 AS k FROM t UNION ALL SELECT c4 FROM t UNION ALL SELECT 1"
    )
    engine = open_engine(str(write(tmp_path / "t.db", script)))
    engine.run(query, "kept")
    assert _exact(engine.page("kept", 0, 99)) == _exact(engine.read(query))
    engine.close()


def test_the_arms_of_a_union_keep_the_affinity_that_they_share(engine: Engine) -> None:
    engine.run("SELECT subject_id FROM patients UNION SELECT subject_id FROM prescriptions", "kept")
    use = "SELECT '1' IN (SELECT * FROM {0}), sum(subject_id = '2') FROM {0}"
    assert engine.read(use.format(engine.relation("kept"))) == [(1, 1)]


def test_a_query_runs_once_to_be_kept(engine: Engine) -> None:
    """Its shape is found without running it: otherwise each of these would count a hundred million pairs."""
    numbers = "n AS (WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 10000) SELECT i FROM i)"
    pairs = "pairs AS (SELECT a.i + b.i AS s FROM n a, n b)"
    endless = f"WITH {numbers}, {pairs} SELECT a.s, b.s, 1 AS c FROM pairs a, pairs b"
    assert engine.columns(endless) == ("s", "s_2", "c")


@given(st.lists(st.sampled_from(["a", "A", "a_2", "a:1", "a:2", "", ":1", "b", " "])))
def test_unique_names_are_unique_in_any_case(names: list[str]) -> None:
    unique = unique_names(names)
    assert len({name.lower() for name in unique}) == len(unique) == len(names)
    assert all(name.strip() for name in unique)


def test_a_small_result_is_joined_by_looking_its_rows_up(tmp_path: Path) -> None:
    rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i % 500, i FROM n"
    script = f"CREATE TABLE labs (hadm_id INT, value INT); INSERT INTO labs {rows}; CREATE INDEX h ON labs (hadm_id);"
    engine = open_engine(str(write(tmp_path / "labs.db", f"{script} ANALYZE;")))
    engine.run("SELECT hadm_id FROM labs WHERE value <= 3", "stays")
    engine.store("given", ["hadm_id"], [(1,), (2,)])
    for name in ("stays", "given"):
        plan = engine.explain(f"SELECT value FROM {engine.relation(name)} AS s JOIN labs USING (hadm_id)").splitlines()
        assert plan[0].startswith("SCAN")
        assert plan[1].startswith("SEARCH labs")
    engine.close()


@pytest.mark.parametrize("name", ["rowid", "OID", "_rowid_"])
def test_columns_may_be_called_as_row_numbers_are(tmp_path: Path, name: str) -> None:
    engine = open_engine(str(write(tmp_path / "t.db", "CREATE TABLE t (n INT); INSERT INTO t VALUES (7), (5), (6);")))
    engine.run(f"SELECT n AS {name} FROM t ORDER BY n DESC", "result")
    assert engine.page("result", 1, 1) == [(6,)]
    assert engine.read(f"SELECT {name} FROM {engine.relation('result')} WHERE {name} < 7 ORDER BY 1") == [(5,), (6,)]
    engine.close()
