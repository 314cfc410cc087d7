"""What a question asks for besides is missed where query logic does not tell it."""

from __future__ import annotations

import pytest

from ehrtui.planning.reader.asked_besides import something_lost


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("her last sodium, and when?", 'last time of lab "sodium" for patient 7'),
        ("E. coli isolates: % resistant to cipro", 'name of culture where organism = "e. coli"'),
        ("what share of them died", "count patients with death"),
        ("who is allergic to both codeine and latex?", 'patients with allergy "codeine" or "latex"'),
        ("which of these was the longest?", "maximum length of admission for patient 7"),
    ],
)
def test_what_is_not_told_is_lost(question: str, logic: str) -> None:
    assert something_lost(question, logic)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("her last sodium, and when?", 'value, time of last lab "sodium" for patient 7'),
        ("when was her last sodium?", 'last time of lab "sodium" for patient 7'),
        ("E. coli: % resistant", 'percent (interpretation = "r") of (cultures where organism = "e. coli")'),
        ("patients with an o2 sat below 90 %", 'patients with (vital "o2 sat" where value < 90)'),
        ("last hematocrit (%) of patient 7", 'last value of lab "hematocrit" for patient 7'),
        ("who had both codeine and latex?", 'patients with allergy "codeine" with allergy "latex"'),
        ("how long was the longest stay?", "maximum length of admission for patient 7"),
    ],
)
def test_what_is_told_is_not_lost(question: str, logic: str) -> None:
    assert not something_lost(question, logic)
