from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.conversation.fingerprint import fingerprint
from ehrtui.engines.engine import Row

scalars = st.none() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
rows = st.lists(st.tuples(scalars, scalars), max_size=20)


@given(rows, st.randoms())
def test_the_order_of_rows_does_not_matter(table: list[Row], order: random.Random) -> None:
    shuffled = table.copy()
    order.shuffle(shuffled)
    assert fingerprint(shuffled) == fingerprint(table)


@given(rows, scalars)
def test_a_row_more_is_another_fingerprint(table: list[Row], value: object) -> None:
    assert fingerprint([*table, (value, value)]) != fingerprint(table)  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("one", "same"),
    [
        (1, 1.0),
        (0, -0.0),
        (0.1 + 0.2, 0.3),
        (1e11, 10**11),
        (sum([0.1] * 10), 1),
        (38.3889007568359, 38.38890075683591),
    ],
)
def test_equal_numbers_are_equal_in_any_spelling(one: float, same: float) -> None:
    assert fingerprint([(one,)]) == fingerprint([(same,)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, "1"),
        ("a", b"a"),
        (None, ""),
        (None, 0),
        (1.5, 1.5001),
        (10**18, 10**18 + 1),
        (float("inf"), float("-inf")),
        ("a", "A"),
    ],
)
def test_different_values_are_different(one: object, other: object) -> None:
    assert fingerprint([(one,)]) != fingerprint([(other,)])  # type: ignore[list-item]


def test_values_do_not_run_into_each_other() -> None:
    assert fingerprint([("a", "b,c")]) != fingerprint([("a,b", "c")])
    assert fingerprint([(1, 2)]) != fingerprint([(2, 1)])
    assert fingerprint([(1,), (1,)]) != fingerprint([(1,)])
    assert fingerprint([]).startswith("0:")


def test_it_begins_with_the_row_count() -> None:
    assert fingerprint((n,) for n in range(1234)).startswith("1234:")
