from __future__ import annotations

import sqlite3
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import ToolError
from ehrtui.plans.dates import shift

NOW = "2105-12-31 23:59:00"


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2300, 1, 1)).map(lambda moment: f"{moment:%Y-%m-%d %H:%M:%S}"),
    st.integers(-500, 500),
    st.sampled_from(["year", "month", "day", "hour", "minute", "second", "years", "months", "days"]),
)
def test_a_shift_is_what_sql_computes(now: str, count: int, unit: str) -> None:
    duration = f"{count:+d} {unit}"
    expected = sqlite3.connect(":memory:").execute("SELECT datetime(?, ?)", (now, duration)).fetchone()[0]
    assert shift(now, duration) == expected


@pytest.mark.parametrize(
    ("duration", "expected"),
    [
        ("0 day", NOW),
        ("-1 year", "2104-12-31 23:59:00"),
        ("-3 month", "2105-10-01 23:59:00"),
        ("2 weeks", "2106-01-14 23:59:00"),
        (" - 1 DAY ", "2105-12-30 23:59:00"),
    ],
)
def test_durations(duration: str, expected: str) -> None:
    assert shift(NOW, duration) == expected


@pytest.mark.parametrize(
    "duration", ["", "now", "-1", "one year", "-1 year ago", "-1 fortnight", "1.5 days", "-1 year\n;"]
)
def test_a_duration_that_cannot_be_read(duration: str) -> None:
    with pytest.raises(ToolError, match="cannot read the duration"):
        shift(NOW, duration)


@pytest.mark.parametrize("duration", ["-3000 year", "+99999 month", "999999999 days"])
def test_a_duration_out_of_the_calendar(duration: str) -> None:
    with pytest.raises(ToolError, match="leaves the calendar"):
        shift(NOW, duration)
