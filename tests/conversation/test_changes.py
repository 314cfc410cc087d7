from __future__ import annotations

import pytest

from ehrtui.conversation.changed_data import change
from ehrtui.engines.engine import DataState

OPENED = DataState("1:2", "a")


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (DataState("1:2", "b"), "ward.db was written to since A3"),
        (DataState("1:9", "a"), "ward.db was replaced by another file since A3"),
        (DataState("", ""), "ward.db is no longer where it was"),
    ],
)
def test_each_change_has_its_words(now: DataState, said: str) -> None:
    assert said in change(OPENED, now, "ward.db", 3)


def test_without_a_change_there_is_nothing_to_say() -> None:
    assert change(OPENED, DataState("1:2", "a"), "ward.db", 3) == ""
    assert "since it was opened" in change(OPENED, DataState("1:2", "b"), "ward.db", 0)
