"""Stretches of the calendar whose two ends share what is said once."""

from __future__ import annotations

import calendar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.logic.model import Calendar, Relative
from ehrtui.planning.offline.date_ranges import MONTHS, find_ranges

_JOINED = ("from {} to {}", "between {} and {}", "{}-{}", "{} – {}", "{} through {}", "from {} until the end of {}")
_MONTH = st.integers(1, 12)
_YEAR = st.integers(1900, 2299)


@given(_MONTH, _MONTH, _YEAR, st.sampled_from(_JOINED), st.sampled_from((" {}", ", {}", " of {}", " of the year {}")))
def test_two_months_are_of_the_year_behind_them_and_none_comes_before_the_other(
    low: int, high: int, year: int, joined: str, dated: str
) -> None:
    text = "admissions " + joined.format(MONTHS[low - 1], MONTHS[high - 1][:3]) + dated.format(year)
    (found,) = find_ranges(text)
    assert (found.low, found.high) == (Calendar(year - (low > high), low), Calendar(year, high))
    assert text[found.start : found.end] == text.removeprefix("admissions ")


@given(_MONTH, _YEAR, st.data(), st.sampled_from(_JOINED[:4]), st.booleans())
def test_two_days_are_of_one_month(month: int, year: int, data: st.DataObject, joined: str, ahead: bool) -> None:
    last = calendar.monthrange(year, month)[1]
    low = data.draw(st.integers(1, last - 1))
    high = data.draw(st.integers(low + 1, last))
    name = MONTHS[month - 1]
    days = (f"{name} {low}", f"{high}, {year}") if ahead else (f"{low}", f"{high} {name} {year}")
    (found,) = find_ranges(joined.format(*days))
    assert (found.low, found.high) == (Calendar(year, month, low), Calendar(year, month, high))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("in 2104, from march to june", Calendar(2104, 3), Calendar(2104, 6)),
        ("each month of 2104, january to december", Calendar(2104, 1), Calendar(2104, 12)),
        ("from march 2104 to june", Calendar(2104, 3), Calendar(2104, 6)),
        ("from november 2103 to february", Calendar(2103, 11), Calendar(2104, 2)),
        ("the 3rd to the 17th of june 2104", Calendar(2104, 6, 3), Calendar(2104, 6, 17)),
        ("between 1 march and 15 june 2104", Calendar(2104, 3, 1), Calendar(2104, 6, 15)),
        ("from march to june last year", Relative("year", 1, month=3), Relative("year", 1, month=6)),
        ("2101-2104", Calendar(2101), Calendar(2104)),
        ("in the second quarter of 2104", Calendar(2104, 4), Calendar(2104, 6)),
        ("2104 q4", Calendar(2104, 10), Calendar(2104, 12)),
        ("the last half of 2104", Calendar(2104, 7), Calendar(2104, 12)),
        ("the first three months of 2104", Calendar(2104, 1), Calendar(2104, 3)),
        ("last two months of 2104", Calendar(2104, 11), Calendar(2104, 12)),
        ("summer 2104", Calendar(2104, 6), Calendar(2104, 8)),
    ],
)
def test_what_is_said_once_is_said_of_both_ends(text: str, low: object, high: object) -> None:
    (found,) = find_ranges(text)
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize(
    "text",
    [
        "march to june",  # of which year?
        "in 2103 or 2104, from march to june",
        "aged 30 to 50",
        "between 3 and 17",
        "from 30 to 31 february 2104",
        "winter 2104",  # of two years
        "the third half of 2104",
        "2104-2101",
        "2104-03-05",
        "patient 2101-21041",
        "may or june 2104",
        "march and june 2104",
    ],
)
def test_what_is_no_range_is_none(text: str) -> None:
    assert list(find_ranges(text)) == []


def test_without_a_year_it_is_the_last_one_that_is_over() -> None:
    (found,) = find_ranges("from november to february", "2105-12-31 23:59:00")
    assert (found.low, found.high) == (Calendar(2104, 11), Calendar(2105, 2))
    (found,) = find_ranges("3 to 17 june", "2105-06-16 00:00:00")
    assert (found.low, found.high) == (Calendar(2104, 6, 3), Calendar(2104, 6, 17))
