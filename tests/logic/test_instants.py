"""Words of time as comparisons, counted from the database now; SQLite's own date functions are the yardstick."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import LogicError
from ehrtui.logic import instants
from ehrtui.logic.model import Calendar, Relative, Window

NOW = "2105-12-31 23:59:00"


def sqlite_time(*modifiers: str) -> str:
    with sqlite3.connect(":memory:") as connection:
        return connection.execute(f"SELECT datetime({', '.join('?' * len(modifiers))})", modifiers).fetchone()[0]


@given(
    st.datetimes(min_value=instants.datetime(1990, 1, 1), max_value=instants.datetime(2200, 1, 1)),
    st.sampled_from(["year", "month", "day", "hour"]),
    st.integers(1, 400),
)
def test_ago_is_the_instant_that_sqlite_counts_back_to(now: instants.datetime, unit: str, count: int) -> None:
    text = now.strftime("%Y-%m-%d %H:%M:%S")
    window = Window("since", Relative(unit, count, ago=True))  # type: ignore[arg-type]
    assert instants.conditions(window, text) == [(">=", sqlite_time(text, f"-{count} {unit}"))]


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (Window("in", Calendar(2104)), [(">=", "2104-01-01"), ("<", "2105-01-01")]),
        (Window("in", Calendar(2104, 12)), [(">=", "2104-12-01"), ("<", "2105-01-01")]),
        (Window("in", Calendar(2104, 2, 29)), [(">=", "2104-02-29"), ("<", "2104-03-01")]),
        (Window("in", Calendar(2104, 5, 3, "09:00:00")), [(">=", "2104-05-03 09:00:00"), ("<", "2104-05-03 09:00:01")]),
        (Window("since", Calendar(2104, 5)), [(">=", "2104-05-01")]),
        (Window("until", Calendar(2104, 5)), [("<", "2104-06-01")]),
        (Window("before", Calendar(2104)), [("<", "2104-01-01")]),
        (Window("after", Calendar(2104)), [(">=", "2105-01-01")]),
        (Window("in", Relative("month", 1)), [(">=", "2105-11-01"), ("<", "2105-12-01")]),
        (Window("in", Relative("year", 1, ago=True)), [(">=", "2104-01-01"), ("<", "2105-01-01")]),
        (Window("in", Relative("day", 1)), [(">=", "2105-12-30"), ("<", "2105-12-31")]),
        (Window("in", Relative("year", 1, month=5)), [(">=", "2104-05-01"), ("<", "2104-06-01")]),
        (Window("in", Relative("month", 1, day=5)), [(">=", "2105-11-05"), ("<", "2105-11-06")]),
        (Window("until", Relative("month", 1, ago=True)), [("<=", "2105-12-01 23:59:00")]),
    ],
)
def test_a_window_becomes_half_open_comparisons(window: Window, expected: list[tuple[str, str]]) -> None:
    assert instants.conditions(window, NOW) == expected


@pytest.mark.parametrize("when", [Calendar(2104, 2, 30), Calendar(2104, 13), Relative("month", 1, day=31)])
def test_a_date_that_does_not_exist_is_refused(when: Calendar | Relative) -> None:
    with pytest.raises(LogicError, match="not a possible time"):
        instants.conditions(Window("in", when), NOW)


def test_counting_back_before_the_first_year_is_refused() -> None:
    with pytest.raises(LogicError):
        instants.conditions(Window("since", Relative("year", 99999, ago=True)), NOW)
