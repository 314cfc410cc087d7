"""Medians, percentiles, deviations and regular expressions in SQL."""

from __future__ import annotations

import sqlite3
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.errors import QueryError

_VALUES = st.lists(st.one_of(st.none(), st.integers(-1000, 1000), st.floats(-1e6, 1e6)), max_size=40)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    path: Path = tmp_path_factory.mktemp("functions") / "labs.sqlite"
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE TABLE labs (item TEXT, value REAL, told TEXT)")
        rows = [("hb", 9.0, "9"), ("hb", 11.0, "11"), ("hb", None, None), ("hb", 14.0, "14"), ("na", 140.0, "140.0")]
        connection.executemany("INSERT INTO labs VALUES (?, ?, ?)", [*rows, ("note", None, "Sepsis, likely")])
    connection.close()
    engine = open_engine(str(path))
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT item, median(value) FROM labs GROUP BY item", [("hb", 11.0), ("na", 140.0), ("note", None)]),
        ("SELECT percentile(value, 25) FROM labs WHERE item = 'hb'", [(10.0,)]),
        ("SELECT percentile_cont(value, 0.75) FROM labs WHERE item = 'hb'", [(12.5,)]),
        (
            "SELECT percentile_disc(value, 0.5), percentile_disc(value, 0.75) FROM labs WHERE item = 'hb'",
            [(11.0, 14.0)],
        ),
        ("SELECT median(told) FROM labs WHERE item = 'hb'", [(11.0,)]),
        ("SELECT stddev(value), stddev_pop(value) FROM labs WHERE item = 'na'", [(None, 0.0)]),
        ("SELECT count(*) FROM labs WHERE told REGEXP '^1[14]'", [(3,)]),
        ("SELECT told FROM labs WHERE regexpi('sepsis|septic', told)", [("Sepsis, likely",)]),
        ("SELECT count(*) FROM labs WHERE value REGEXP '^1'", [(3,)]),
        ("SELECT NULL REGEXP 'a', 'a' REGEXP NULL", [(None, None)]),
    ],
)
def test_they_are_there(engine: Engine, sql: str, rows: list[tuple[object, ...]]) -> None:
    assert engine.read(sql) == rows
    assert engine.run(sql, "kept").row_count == len(rows)


@given(_VALUES)
def test_they_agree_with_statistics(engine: Engine, values: list[float | None]) -> None:
    known = [float(value) for value in values if value is not None]
    table = " UNION ALL ".join(f"SELECT {'NULL' if value is None else repr(value)} AS x" for value in (None, *values))
    ((median, sample, every, quarter),) = engine.read(
        f"SELECT median(x), stddev_samp(x), var_pop(x), percentile(x, 25) FROM ({table})"
    )
    assert median == (pytest.approx(statistics.median(known)) if known else None)
    assert sample == (pytest.approx(statistics.stdev(known), rel=1e-9, abs=1e-6) if len(known) > 1 else None)
    assert every == (pytest.approx(statistics.pvariance(known), rel=1e-9, abs=1e-6) if known else None)
    if len(known) > 1:
        assert quarter == pytest.approx(statistics.quantiles(known, n=4, method="inclusive")[0], rel=1e-9, abs=1e-6)


def test_many_values_are_sorted_in_runs(engine: Engine) -> None:
    numbers = "WITH RECURSIVE n(x) AS (SELECT 200001 UNION ALL SELECT x - 1 FROM n WHERE x > 1)"
    assert engine.read(f"{numbers} SELECT median(x), percentile(x, 90), percentile_disc(x, 1) FROM n") == [
        (100_001.0, 180_001.0, 200_001.0)
    ]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT median(told) FROM labs", "taken of numbers"),
        ("SELECT stddev(x'ff')", "taken of numbers"),
        ("SELECT percentile(value, 101) FROM labs", "between 0 and 100"),
        ("SELECT percentile_cont(value, 50) FROM labs", "between 0 and 1."),
        ("SELECT percentile(value, value) FROM labs", "one share for all values"),
        ("SELECT 'a' REGEXP '('", "cannot be read: it has a ( without )"),
        ("SELECT 'a' REGEXP 3", "A pattern of REGEXP is a text"),
        ("SELECT zeroblob(2000000) REGEXP 'a'", "reads texts of up to 1,000,000"),
        ("SELECT median(value) OVER () FROM labs", "median"),
    ],
)
def test_what_they_do_not_take_is_said_without_a_value(engine: Engine, sql: str, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        engine.run(sql, "kept")
    assert said in str(caught.value)
    assert "Sepsis" not in str(caught.value)
    assert engine.read("SELECT 1") == [(1,)]
