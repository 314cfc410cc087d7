"""The earlier turns of long conversations: only those that a question leads to are looked at."""

from __future__ import annotations

import pytest

from ehrtui.logic.steps import DEEPEST, EarlierTurn
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn


def test_a_turn_is_read_back_when_it_is_looked_at() -> None:
    looked_at: list[int] = []

    def turn(number: int) -> EarlierTurn:
        looked_at.append(number)
        return EarlierTurn(None, None, ("subject_id",))

    turns = Turns(range(1, 1001), lambda number: number != 1000, turn)
    assert turns.latest == 999
    assert next(turns.without(999).newest_first) == 998
    assert (len(turns), 1000 in turns, 1001 in turns) == (1000, True, False)
    assert looked_at == []
    assert turns[7].columns == ("subject_id",)
    assert looked_at == [7]


def test_turns_go_on_from_all_where_none_was_answered() -> None:
    turns = Turns((3, 1, 2), lambda number: False, lambda number: EarlierTurn(None, None, ()))
    assert list(turns.newest_first) == [3, 2, 1]
    assert list(turns.without(3).newest_first) == [2, 1]
    assert list(turns.where(lambda number: number < 3).newest_first) == [2, 1]


def test_turns_without_so_many_of_them_are_none() -> None:
    turns = Turns(range(100), lambda number: True, lambda number: EarlierTurn(None, None, ()))
    for number in range(DEEPEST):
        turns = turns.without(number)
    assert len(turns) == 100 - DEEPEST
    assert len(turns.without(DEEPEST)) == 0


@pytest.mark.parametrize(
    "logic",
    ["count rows of A{}", "rows of A{}", "ordered ascending (rows of A{})", "patients in A{} with death"],
)
def test_a_thousand_answers_that_build_on_each_other_are_followed_or_declined(
    planner: OfflinePlanner, logic: str
) -> None:
    history = [PastTurn(1, "…", "patients", "SELECT 1", ("subject_id",), 3, "answered")]
    for number in range(2, 1001):
        history.append(PastTurn(number, "…", logic.format(number - 1), "SELECT 1", ("x",), 3, "answered"))
    for question in ("only the women", "how many of them died?", "sort by age", "show their genders", "and in 2104?"):
        proposal = planner.propose(question, history)
        assert proposal.plan or proposal.reason
