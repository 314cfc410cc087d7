"""What grew is "it" in a question that goes on."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.grown_again import grown_again
from ehrtui.planning.offline.shorthand import rewritten
from ehrtui.planning.proposal import PastTurn

GREW = PastTurn(
    1, "…", 'count patients with culture where organism = "b. subtilis"', None, ("patients",), 3, "answered"
)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("to which antibiotics did it show resistance?", "to which antibiotics did b. subtilis show resistance?"),
        ("what was that bug sensitive to?", "what was b. subtilis sensitive to?"),
        ("how many of them had it in a blood culture?", "how many of them had b. subtilis in a blood culture?"),
        ("how many antibiotics is it on average?", "how many antibiotics is it on average?"),
        ("is it a new month?", "is it a new month?"),
    ],
)
def test_it_is_what_the_latest_answer_is_about(question: str, read: str) -> None:
    assert rewritten(question, grown_again(question, [GREW])) == read


def test_of_an_answer_about_no_organism_it_is_none() -> None:
    other = PastTurn(2, "…", 'count patients with diagnosis "fever"', None, ("patients",), 3, "answered")
    assert grown_again("to which antibiotics did it show resistance?", [GREW, other]) == []
