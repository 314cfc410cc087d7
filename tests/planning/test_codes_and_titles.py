"""Codes and what they are called: in parentheses, without a point, two of them for one thing."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.bare_codes import bare_codes
from ehrtui.planning.offline.shorthand import rewritten
from ehrtui.planning.reader.glosses import titles_of_codes


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how many had severe sepsis (99592)", "how many had severe sepsis (code 99592)"),
        ("admissions with v codes like dialysis (v4511)", "admissions with v codes like dialysis (code v4511)"),
        ("stays of the man (40077)", "stays of the man (40077)"),
        ("stays of patient (99592)", "stays of patient (99592)"),
        ("admissions with gout (2104)", "admissions with gout (2104)"),
    ],
)
def test_a_number_in_parentheses_behind_what_it_means_is_a_code(question: str, read: str) -> None:
    assert rewritten(question, bare_codes(question, lambda id: id == 40077, lambda id: ())) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("patients with gout, either ICD-9 274.9 or ICD-10 M10.9", "patients with ICD-9 274.9 or ICD-10 M10.9"),
        ("patients with gout (274.9 or M10.9)", "patients with (274.9 or M10.9)"),
        ("patients with gout, 274.9", "patients with gout, 274.9"),
        ("patients with gout or 274.9", "patients with gout or 274.9"),
    ],
)
def test_what_two_codes_are_called_says_no_more_than_they_do(question: str, read: str) -> None:
    assert rewritten(question, titles_of_codes(question)) == read
