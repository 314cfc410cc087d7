"""When two answers say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.conversation.agreement import agree, finds_nothing

CELLS = st.one_of(st.integers(1, 9), st.text("ab", min_size=1, max_size=3))
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=2, max_size=6)


@given(ROWS, st.permutations([0, 1, 2]), st.randoms())
def test_order_and_further_columns_and_repeats_do_not_matter(rows: list[tuple], order: list[int], chance) -> None:  # type: ignore[type-arg,no-untyped-def]
    turned = [tuple(row[at] for at in order) for row in [*rows, rows[0]]]
    chance.shuffle(turned)
    assert agree(rows, turned)
    assert agree([row[:2] for row in rows], turned)
    assert agree(turned, [row[1:] for row in rows])


@given(ROWS)
def test_one_other_value_is_no_agreement(rows: list[tuple]) -> None:  # type: ignore[type-arg]
    assert not agree(rows, [*rows, ("other", "other", "other")])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([(0.30000000001,)], [(0.3,)], True),
        ([(0.3001,)], [(0.3,)], False),
        ([(15,)], [(15.0,)], True),
        ([("Aspirin",)], [("aspirin", 3)], True),
        ([(1, 2), (2, 1)], [(1, 1), (2, 2)], False),
        ([], [], False),
        ([(0,)], [(0,)], False),
        ([(None,)], [(None,)], False),
    ],
)
def test_what_agrees(one: list[tuple], other: list[tuple], same: bool) -> None:  # type: ignore[type-arg]
    assert agree(one, other) is same
    assert agree(other, one) is same


def test_what_finds_nothing() -> None:
    assert finds_nothing([])
    assert finds_nothing([(None, 0)])
    assert not finds_nothing([(0,), (1,)])
