"""How many have each of several things that are named one after the other."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.each_of_several import each_of_several
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.offline.shorthand import rewritten

EACH = 'count of (patients with prescription "aspirin"), count of (patients with prescription "furosemide")'


@pytest.mark.parametrize(
    "question",
    [
        "how many patients are on aspirin and furosemide each?",
        "how many patients got each of aspirin and furosemide",
        "aspirin vs furosemide: how many patients on each?",
        "how many patients were given aspirin and furosemide, respectively",
    ],
)
def test_each_is_counted_apart(planner: OfflinePlanner, question: str) -> None:
    assert planner.propose(question, ()).logic == EACH


@pytest.mark.parametrize(
    "question",
    [
        "how many patients got both aspirin and furosemide",
        "how many patients had a stay in 2103 and 2104 each",
        "how many patients on aspirin and how many stays each",
        "aspirin and furosemide " * 100,
    ],
)
def test_what_is_no_such_list_is_left(question: str) -> None:
    assert rewritten(question, each_of_several(question)) == question
