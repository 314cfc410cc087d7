from __future__ import annotations

import math
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import ToolError
from ehrtui.plans.calculate import calculate

NUMBERS = st.one_of(st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6).map(lambda value: round(value, 3)))
EXPRESSIONS = st.recursive(
    NUMBERS.map(lambda value: f"({value!r})"),
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda parts: f"({''.join(parts)})"),
    max_leaves=12,
)
MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)).map(lambda moment: moment.replace(microsecond=0))


@given(EXPRESSIONS)
def test_arithmetic_is_pythons(expression: str) -> None:
    assert calculate(expression) == pytest.approx(eval(expression))


@given(st.lists(NUMBERS, min_size=1))
def test_aggregates_of_a_list(values: list[float]) -> None:
    assert calculate(f"mean({values})") == pytest.approx(math.fsum(values) / len(values))
    assert calculate(f"max({values})") == max(values)
    assert calculate(f"min({values})") == min(values)
    assert calculate(f"sum({values})") == pytest.approx(sum(values))
    assert calculate(f"count({values})") == len(values)


@given(MOMENTS, MOMENTS)
def test_dates_subtract_to_days(end: datetime, start: datetime) -> None:
    days = (end - start) / timedelta(days=1)
    assert calculate(f"'{end}' - '{start}'") == days
    assert calculate(f"{end} - {start}") == days
    assert calculate(f"days('{end}', '{start}')") == days
    assert calculate(f"hours({end}, {start})") == days * 24


@given(st.text(max_size=80))
def test_any_text_has_a_value_or_a_tool_error(text: str) -> None:
    with suppress(ToolError):
        assert isinstance(calculate(text), int | float | str)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("(72 - 60) / 60 * 100", 20.0),
        ("7 // 2", 3),
        ("7 % 4", 3),
        ("2 ** 10", 1024),
        ("15% of 80", 12.0),
        ("percent(3, 4)", 75.0),
        ("average(1, 2, 6)", 3.0),
        ("median([5, 1, 3])", 3),
        ("mean([1, None, 3])", 2.0),
        ("round(2.345, 1)", 2.3),
        ("sqrt(16)", 4.0),
        ("12.5 > 11.0", True),
        ("'2105-01-02' < '2105-01-01'", False),
        ("2105-12-31 + 1", "2106-01-01 00:00:00"),
        ("max('2105-01-01', '2104-01-01')", "2105-01-01 00:00:00"),
        ("2105-12-31 12:00:00 - 2105-12-31", 0.5),
        (" + ".join(["1"] * 2000), 2000),
    ],
)
def test_values(expression: str, expected: object) -> None:
    assert calculate(expression) == expected


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("", "not an expression"),
        ("1 +", "not an expression"),
        ("1 / 0", "divides by zero"),
        ("mean([])", "no values"),
        ("max([None])", "no values"),
        ("mean([1, '2105-01-01'])", "mixed"),
        ("weight * 2", "weight has no value"),
        ("weigh(2)", "no function weigh"),
        ("'many'", "not a date"),
        ("[1, 2]", "not one number"),
        ("1 + None", "missing"),
        ("(-8) ** 0.5", "root of a negative"),
        ("9 ** 9 ** 9", "too large"),
        ("1e308 * 10", "finite"),
        ("(1).__class__", "not arithmetic"),
        ("[x for x in (1, 2)]", "not arithmetic"),
        ("(lambda: 1)()", "not arithmetic"),
        ("__import__('os')", "no function __import__"),
        ("round(1.5, 10**9)", "at most 20"),
        ("(" * 1000, "not an expression"),
        ("-" * 100_000 + "1", "nested too deeply"),
        ("9" * 5000, "not an expression"),
        ("1 + " * 100_000 + "1", "longer than"),
    ],
)
def test_what_has_no_value_says_why(expression: str, why: str) -> None:
    with pytest.raises(ToolError) as caught:
        calculate(expression)
    assert why in caught.value.why
    assert caught.value.next_step
