from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ehrtui.engines.engine import Row, Scalar
from ehrtui.engines.spelling import spelled, spells_alike
from ehrtui.engines.sqlite import SQLiteEngine

MANY = 300
"""Rows of a result that SQLite spells itself."""
AFFINITIES = ("", "TEXT", "INT", "REAL", "NUM")

measured = st.builds(lambda whole, places: whole / 10**places, st.integers(-(10**12), 10**12), st.integers(0, 12))
numbers = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | measured
texts = st.text(st.characters(codec="utf-8")) | numbers.map(str)
scalars = st.none() | numbers | texts | st.binary(max_size=5)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SQLiteEngine]:
    path = tmp_path_factory.mktemp("spelling") / "values.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE many AS {_series('n')}")
        for name in AFFINITIES:
            connection.execute(f"CREATE TABLE typed{name} (value {name})")
            connection.executemany(f"INSERT INTO typed{name} VALUES (?)", [(value,) for value in TRICKY])
        connection.execute("INSERT INTO typedTEXT VALUES (CAST(x'41ff42' AS TEXT))")
        connection.commit()
    with closing(SQLiteEngine(path)) as engine:
        yield engine


TRICKY: Sequence[Scalar] = (
    0.30000000000000004 - 0.2,
    99999.99996,
    0.9999999996,
    -0.00012345678949,
    5e-324,
    1e-5,
    1.7976931348623157e308,
    float("-inf"),
    2.0**53 + 2,
    -9007199254740993.0,
    1234567890.5,
    "1e3",
    '"\\\n\x00\x7f',
    "ü🫀",
    None,
)


def _series(expression: str) -> str:
    return f"WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s LIMIT {MANY}) SELECT {expression} FROM s"


def assert_alike(engine: SQLiteEngine, name: str) -> None:
    """SQLite's texts of a result are those of its rows."""
    (result,) = (result for result in engine.results() if result.name == name)
    assert result.row_count >= MANY
    rows = engine.page(name, 0, result.row_count)
    assert sorted(engine.spelled(name, 0, result.row_count)) == sorted(map(spelled, rows))


@settings(deadline=None)
@given(st.lists(st.tuples(scalars, scalars), min_size=1, max_size=8))
@example([(value, value) for value in TRICKY])
def test_sqlite_spells_values_of_any_kind_as_python_does(engine: SQLiteEngine, rows: list[Row]) -> None:
    engine.store("stored", ("one", 'the "other"'), (rows * MANY)[: max(MANY, len(rows))])
    assert_alike(engine, "stored")


@pytest.mark.parametrize("affinity", AFFINITIES)
def test_a_column_of_any_declared_type_is_spelled_as_its_values(engine: SQLiteEngine, affinity: str) -> None:
    engine.run(f"SELECT t.value FROM many JOIN typed{affinity} t", "columns")
    assert_alike(engine, "columns")
    for value in TRICKY:  # alone: another row may be one that SQLite leaves to Python
        engine.run(f"SELECT t.value FROM many JOIN typed{affinity} t WHERE t.value IS {_literal(value)}", "column")
        if engine.results()[-1].row_count:
            assert_alike(engine, "column")


def _literal(value: Scalar) -> str:
    if isinstance(value, str):
        return f"CAST(x'{value.encode().hex()}' AS TEXT)"
    return "NULL" if value is None else "-9e999" if value == float("-inf") else repr(value)


def test_a_page_is_spelled_and_no_row_more(engine: SQLiteEngine) -> None:
    engine.run("SELECT n FROM many", "pages")
    assert sorted(engine.spelled("pages", 10, 3)) == [b"[11]", b"[12]", b"[13]"]
    assert engine.spelled("pages", MANY - 1, 5) == [b"[%d]" % MANY]
    assert engine.spelled("pages", MANY, 5) == []


def test_more_columns_than_a_function_takes_are_spelled_too(engine: SQLiteEngine) -> None:
    columns = ", ".join(f"n + {number} AS c{number}" for number in range(300))
    engine.run(f"SELECT {columns} FROM many", "wide")
    assert_alike(engine, "wide")


def test_the_spelling_is_json() -> None:
    assert json.loads(spelled((1, 2.5, None, 'a"\n', b"\x00\xff"))) == [1, 2.5, None, 'a"\n', {"blob": "00ff"}]


def test_this_build_of_sqlite_is_trusted_after_a_look() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        assert spells_alike(connection)
        connection.create_function("json_array", -1, lambda *values: "[]")
        assert not spells_alike(connection)
