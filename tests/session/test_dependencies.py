"""What builds on what: stale turns, and references that would go round."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import TokenError
from ehrtui.planning.proposal import Proposal
from ehrtui.session.dependencies import added, check_references, marked, named_answers, named_turns, next_stale, path
from ehrtui.session.draft import Draft, own_proposal
from ehrtui.session.turn import Turn


def turn(number: int, *depends_on: int, order: int | None = None) -> Turn:
    return Turn(
        number, "", "sql", "answered", own_proposal("", "sql"), "", None, (), "r", ("n",), 1, "1:0", 1.0, 0.0,
        depends_on=depends_on, order=order or number,
    )  # fmt: skip


def own(plan: str) -> Draft:
    return Draft("plan", plan, own_proposal(plan, "plan"), plan)


def asking(logic: str | None) -> Draft:
    return Draft("question", "", Proposal("", "offline", "answer = 1", logic=logic), "answer = 1")


def stale(*turns: Turn) -> set[int]:
    return {each.number for each in marked(turns) if each.stale}


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        ('answer = SQLInterpreter("SELECT * FROM (PREV_QUERY1) WHERE a IN (prev_result02)")', {1, 2}),
        ('a = """PREV_RESULT3"""\nanswer = f"{a} PREV_RESULT4"', {3, 4}),
        ("answer = 1  # PREV_RESULT1", set()),
        ("PREV_RESULT1 = 2\nanswer = PREV_RESULT1", set()),
        ("no plan (", set()),
        ('answer = "PREV_RESULT0 PREV_RESULT"', set()),
        (f'answer = "PREV_RESULT{"9" * 5000}"', {999_999_999}),
    ],
)
def test_the_turns_that_a_plan_names(plan: str, named: set[int]) -> None:
    assert named_turns(plan) == named


def test_nothing_is_stale_before_anything_is_run_again() -> None:
    assert stale(turn(1), turn(2, 1), turn(3, 1, 2)) == set()


def test_what_builds_on_a_turn_that_was_run_again_is_stale_also_through_others() -> None:
    assert stale(turn(1), turn(2, order=9), turn(3, 2), turn(4, 3), turn(5, 1)) == {3, 4}


def test_a_new_turn_that_builds_on_a_stale_one_is_stale() -> None:
    assert stale(turn(1, order=3), turn(2, 1), turn(3, 2, order=4)) == {2, 3}


@given(st.data())
def test_a_turn_that_is_added_is_marked_as_all_of_them_would_be(data: st.DataObject) -> None:
    turns: tuple[Turn, ...] = ()
    for number in range(1, data.draw(st.integers(1, 8)) + 1):
        built_on = sorted(data.draw(st.sets(st.integers(1, number - 1)))) if number > 1 else ()
        newest = turn(number, *built_on, order=10 * number)
        assert added(turns, newest) == marked((*turns, newest))
        turns = added(turns, newest)
        again = data.draw(st.none() | st.integers(0, number - 1))
        if again is not None:
            turns = marked((*turns[:again], replace(turns[again], order=10 * number + 1), *turns[again + 1 :]))


def test_a_long_chain_is_followed_to_its_end() -> None:
    chain = [turn(1, order=99_999), *(turn(number, number - 1) for number in range(2, 5000))]
    assert len(stale(*chain)) == 4998
    assert path(chain, 4999, 1) == tuple(range(4999, 0, -1))


def test_the_first_to_run_again_is_one_whose_sources_are_fresh() -> None:
    turns = marked([turn(1, order=5), turn(2, 1, order=4), turn(3, 2)])
    following = next_stale(turns)
    assert following is not None
    assert following.number == 2
    assert next_stale(marked([turn(1), turn(2, 1)])) is None


@pytest.mark.parametrize(
    ("logic", "named"),
    [
        ("patients in A2", {2}),
        ("count of (patients in A5 of sex male) beside A12", {5, 12}),
        ('patients with diagnosis "A4 of it"', set()),
        ("patients", set()),
        ("what § is this", set()),
        (None, set()),
    ],
)
def test_the_turns_that_query_logic_names(logic: str | None, named: set[int]) -> None:
    assert named_answers(asking(logic)) == named


def test_a_circle_through_query_logic_is_refused_too() -> None:
    with pytest.raises(TokenError, match="A1 cannot refer to A3"):
        check_references(1, asking("patients in A3"), [turn(1), turn(2, 1), turn(3, 2)])


def test_a_circle_is_refused_with_its_path() -> None:
    turns = [turn(1), turn(2, 1), turn(3, 2), turn(4, 3)]
    with pytest.raises(TokenError) as caught:
        check_references(2, own('answer = SQLInterpreter("PREV_QUERY1 WHERE a IN (PREV_RESULT4)")'), turns)
    assert "A2 → A4 → A3 → A2" in caught.value.why
    with pytest.raises(TokenError, match="A2 cannot refer to itself"):
        check_references(2, own('answer = SQLInterpreter("PREV_QUERY2 LIMIT 1")'), turns)
    check_references(4, own('answer = SQLInterpreter("PREV_QUERY1 LIMIT 1")'), turns)
    check_references(1, own('answer = SQLInterpreter("PREV_QUERY9 LIMIT 1")'), turns)


@given(st.data())
def test_running_the_stale_turns_again_one_by_one_leaves_none_stale(data: st.DataObject) -> None:
    """Random conversations and edits: each step runs one turn again, and every turn only after those it builds on."""
    size = data.draw(st.integers(1, 8))
    orders = count(size + 1)
    turns = [
        turn(number, *data.draw(st.sets(st.integers(1, max(number - 1, 1)), max_size=3)) - {number})
        for number in range(1, size + 1)
    ]
    for edited in data.draw(st.lists(st.integers(1, size), max_size=4)):
        turns[edited - 1] = turn(edited, *turns[edited - 1].depends_on, order=next(orders))
    steps = 0
    while (following := next_stale(marked(turns))) is not None:
        fresh = {each.number for each in marked(turns) if not each.stale}
        assert fresh.issuperset(following.depends_on)
        turns[following.number - 1] = turn(following.number, *following.depends_on, order=next(orders))
        steps += 1
    assert steps <= size
    assert stale(*turns) == set()
