"""A drug that is said twice is read once."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.brand_in_brackets import brand_in_brackets
from ehrtui.planning.offline.shorthand import rewritten


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how many received Lovenox (enoxaparin)?", "how many received Lovenox?"),
        ("who got acetaminophen (Tylenol)", "who got acetaminophen"),
        ("who got aspirin (chewable)", "who got aspirin (chewable)"),
        ("patients on heparin (warfarin)", "patients on heparin (warfarin)"),
        ("who got metformin (Glucophage)", "who got metformin (Glucophage)"),
    ],
)
def test_the_second_name_is_left_out_unless_it_is_stored_so(question: str, read: str) -> None:
    stored = {"metformin (glucophage)"}
    assert rewritten(question, brand_in_brackets(question, stored.__contains__)) == read
