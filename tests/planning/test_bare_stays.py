"""Stays that are named by their number alone."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.bare_stays import bare_stays
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.offline.shorthand import rewritten

_STAYS = {"300711": ("icu",), "204418": ("hospital",), "51002": ("hospital", "icu")}


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("sex of 300711", "sex of icu stay 300711"),
        ("was 204418 an emergency?", "was hospital stay 204418 an emergency?"),
        ("when did 51002 begin", "when did stay 51002 begin"),
        ("300711 drugs", "icu stay 300711 drugs"),
        ("urine output of stay 300711", "urine output of icu stay 300711"),
        ("hospital stay 300711", "hospital stay 300711"),
        ("stay 51002", "stay 51002"),
        ("platelets over 300711", "platelets over 300711"),
        ("sex of 999111", "sex of 999111"),
        ("sex of 40077", "sex of 40077"),
    ],
)
def test_a_bare_number_is_a_stay_where_there_is_one(question: str, read: str) -> None:
    found = bare_stays(question, lambda id: id == 40077, lambda id: _STAYS.get(id, ("icu",) if id == "40077" else ()))
    assert rewritten(question, found) == read


def test_a_place_that_somebody_stayed_in_is_told_by_itself_and_no_length(planner: OfflinePlanner) -> None:
    asked = "what is the first care unit that patient 101 stayed in during the last hospital visit?"
    assert (
        planner.propose(asked, []).logic == "distinct name of first transfer for patient 101 during last hospital stay"
    )
