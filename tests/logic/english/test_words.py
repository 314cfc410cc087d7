"""Names as they stand in a sentence."""

from __future__ import annotations

import pytest

from ehrtui.logic.english.words import name


@pytest.mark.parametrize("text", ["heparin", "Heparin (5000 units/ml)", "type 2 diabetes", "% saturation"[2:]])
def test_a_plain_name_stands_as_it_is(text: str) -> None:
    assert name(text) == text


@pytest.mark.parametrize("text", ["pneumonia, organism unspecified", "salt and pepper", "no. ", "a; b"])
def test_what_would_not_be_seen_to_be_a_name_is_quoted(text: str) -> None:
    assert name(text) == f"“{text.strip()}”"


def test_a_long_title_with_a_comma_is_told_as_fast_as_a_short_one() -> None:
    title = "viral pneumonia due to organisms not elsewhere classified in diseases " * 20
    assert name(f"{title}, unspecified").startswith("“viral")
