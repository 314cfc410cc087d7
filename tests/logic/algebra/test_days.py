"""A day that a time is compared with is the whole day, and a month the whole month."""

from __future__ import annotations

import pytest

from tests.logic.algebra.conftest import Database


@pytest.fixture
def moments(native: Database) -> list[str]:
    return [time for (time,) in native.rows("time of lab")]


@pytest.fixture
def day(moments: list[str]) -> str:
    """A day on which something was measured, not at its first second, and something else before and after it."""
    days = sorted({time[:10] for time in moments if time and not time.endswith("00:00:00")})
    return days[len(days) // 2]


@pytest.mark.parametrize("relation", ["<", "<=", ">", ">=", "=", "!="])
@pytest.mark.parametrize("length", [10, 7])
def test_a_comparison_is_that_of_the_days(
    native: Database, moments: list[str], day: str, relation: str, length: int
) -> None:
    compared = {"<": str.__lt__, "<=": str.__le__, ">": str.__gt__, ">=": str.__ge__, "=": str.__eq__, "!=": str.__ne__}
    wanted = [time for time in moments if time and compared[relation](time[:length], day[:length])]
    found = [time for (time,) in native.rows(f'time of lab where time {relation} "{day[:length]}"')]
    assert sorted(found) == sorted(wanted)
    assert 0 < len(wanted) < len(moments)


def test_the_day_may_stand_first_and_the_time_be_that_of_the_stay(native: Database, day: str) -> None:
    behind = native.rows(f'hospital stays where admission time <= "{day}"')
    assert native.rows(f'hospital stays where "{day}" >= admission time') == behind
    assert behind


def test_a_moment_is_a_moment(native: Database, moments: list[str], day: str) -> None:
    moment = next(time for time in moments if time and time.startswith(day))
    found = native.rows(f'time of lab where time = "{moment}"')
    assert {time for (time,) in found} == {moment}
