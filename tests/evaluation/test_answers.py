"""When an answer is right: as a set of rows, as people see it, and by the patients in it."""

from __future__ import annotations

from string import ascii_letters
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.evaluation.rightness import is_nothing, patients_f1, same_answer, shows_answer

VALUES = st.one_of(st.none(), st.integers(), st.text(ascii_letters), st.floats(allow_nan=False), st.binary())
ROWS = st.lists(st.tuples(VALUES, VALUES))
FEW = st.integers(0, 2)


@pytest.mark.parametrize(
    ("rows", "gold", "same"),
    [
        ([(1,), (2,)], [[2], [1]], True),
        ([(1.00004,)], [[1]], True),
        ([("IV",)], [["iv"]], True),
        ([(1,)], [["1"]], False),
        ([], [[None]], False),
        ([(1, 2)], [[1]], False),
        ([(10**400,)], [[10**400]], True),
        ([(b"\x00",)], [["\x00"]], False),
    ],
)
def test_answers_are_compared_as_sets_of_rows(rows: list[tuple[Any, ...]], gold: list[list[Any]], same: bool) -> None:
    assert same_answer(rows, gold) is same


@given(ROWS, st.randoms())
def test_order_repetition_and_case_do_not_matter(rows: list[tuple[Any, ...]], chance: Any) -> None:
    other = [tuple(value.upper() if isinstance(value, str) else value for value in row) for row in rows * 2]
    chance.shuffle(other)
    assert same_answer(rows, other)


@pytest.mark.parametrize(
    ("rows", "gold", "shown"),
    [
        ([(7, "IV"), (8, "po")], [["po"], ["iv"]], True),  # beside others, in any order
        ([("iv", 7.0004), ("po", 8)], [[7, "IV"], [8, "PO"]], True),
        ([("po", 7), ("iv", 8)], [[7, "iv"], [8, "po"]], False),  # the columns are right, the rows are not
        ([(7,)], [[7, 7]], False),  # every gold column needs one of its own
        ([(7, 7)], [[7, 7]], True),
        ([(1, "a")], [[1], [1]], True),  # once, or as often
        ([(1, "a"), (1, "b")], [[1], [1]], True),
        ([(1, "a"), (1, "b")], [[1]], False),
        ([(1, "a"), (1, "b")], [[1], [1], [1]], False),
        ([(1,), (2,), (2,)], [[1], [1], [2]], False),
        ([(1,), (2,)], [[1]], False),
        ([(1,)], [[1], [2]], False),
        ([(True,)], [[1]], True),
        ([(0,)], [[False]], True),
        ([(None, 3)], [[None]], True),
        ([], [], True),
        ([], [[1]], False),
        ([(1,)], [], False),
    ],
)
def test_people_see_the_answer_among_what_is_shown(
    rows: list[tuple[Any, ...]], gold: list[list[Any]], shown: bool
) -> None:
    assert shows_answer(rows, gold) is shown


def test_columns_that_hold_the_same_values_are_told_apart_by_their_rows() -> None:
    gold = [[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 1, 1]]
    rows = [("x", c, a, 9, b) for a, b, c in gold]
    assert shows_answer(rows, gold)
    assert not shows_answer([*rows[:3], ("x", 1, 2, 9, 1)], gold)
    assert not shows_answer([*rows[:3], ("x", 1, 3, 9, 2)], gold)


def test_a_choice_of_columns_that_fails_late_is_taken_back() -> None:
    # The first column fits the first gold column on its own, and no second column beside it.
    rows = [(1, 1, 1), (2, 2, 1), (1, 2, 2), (2, 2, 2)]
    assert shows_answer(rows, [[1, 1], [2, 1], [2, 2], [2, 2]])


@given(st.lists(st.tuples(FEW, FEW, FEW), min_size=1), st.permutations(range(4)), st.randoms())
def test_neither_the_order_nor_what_stands_beside_matters(
    gold: list[tuple[int, ...]], places: list[int], chance: Any
) -> None:
    rows = [tuple((*row, number)[at] for at in places) for number, row in enumerate(gold, start=5)]
    chance.shuffle(rows)
    assert shows_answer(rows, gold)
    assert shows_answer([(*row, "beside") for row in dict.fromkeys(gold)], gold)
    assert not shows_answer(rows, [*gold, (3, 3, 3)])


def test_wide_and_long_results_are_compared() -> None:
    rows = [tuple((number * 7919 + at) % 1000 for at in range(30)) for number in range(5_000)]
    assert shows_answer(rows, [row[::-2] for row in rows])
    alike = [(1, 0) * 15, (0, 1) * 15]
    assert shows_answer(alike, [row[:20] for row in alike])
    assert not shows_answer(alike, [(1,) * 16, (0,) * 16])


@pytest.mark.parametrize(
    ("rows", "nothing"),
    [([], True), ([(0,)], True), ([(False,)], True), ([(1,)], False), ([(0, 0)], False), ([(0,), (0,)], False)],
)
def test_no_rows_and_the_figure_0_are_nothing(rows: list[tuple[Any, ...]], nothing: bool) -> None:
    assert is_nothing(rows) is nothing


def test_patients_are_scored_beside_the_nearest_right_cohort() -> None:
    assert patients_f1([1, 2], [(1, 2)]) == 1
    assert patients_f1(["A1", "b2"], [("a1", "c3")]) == pytest.approx(0.5)
    assert patients_f1([1, 2], [(3,), (1, 4, 5), (1, 2, 3)]) == pytest.approx(0.8)
    assert patients_f1([], [(1,)]) == 0
    assert patients_f1([], [(1,), ()]) == 1
