"""Turns that count some of those who were counted right before, with no word for counting."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.shorthand import rewritten
from ehrtui.planning.offline.some_of_them import some_of_them
from ehrtui.planning.proposal import PastTurn

COUNTED = 'count patients with prescription "aspirin"'


def _read(turn: str, before: str = COUNTED) -> str:
    past = PastTurn(1, "how many got aspirin?", before, None, ("patients",), 1, "answered")
    return rewritten(turn, some_of_them(turn, [past]))


@pytest.mark.parametrize(
    ("turn", "read"),
    [
        ("of which women", "how many of them were women"),
        ("and of whom died?", "and how many of them died?"),
        ("women among them?", "number of women among them?"),
        ("readmitted afterwards?", "how many of them were readmitted afterwards?"),
        ("was heparin among them?",) * 2,
        ("of those under 60",) * 2,
        ("of which how many were women",) * 2,
        ("who among them died?",) * 2,
    ],
)
def test_some_of_those_are_counted(turn: str, read: str) -> None:
    assert _read(turn) == read


@pytest.mark.parametrize("before", ['patients with prescription "aspirin"', "count patients by gender"])
def test_behind_a_list_or_groups_they_are_not(before: str) -> None:
    assert _read("of which women", before) == "of which women"
