"""Regular expressions of the engine: what they find is what Python's find, and no pattern takes long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.engines.patterns import Pattern, PatternError

_ATOMS = st.sampled_from(
    ["a", "b", ".", "[ab]", "[^a]", "[a-c]", r"\d", r"\w", r"\W", r"\b", "^", "$", r"\.", "(?:ab)"]
)
_TIMES = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"])


def _joined(parts: list[tuple[str, str]]) -> str:
    return "".join(atom + ("" if atom in ("^", "$", r"\b") else times) for atom, times in parts)


_SEQUENCES = st.lists(st.tuples(_ATOMS, _TIMES), max_size=4).map(_joined)
_PATTERNS = st.recursive(
    _SEQUENCES,
    lambda inner: st.tuples(inner, inner, _TIMES).map(lambda parts: f"({parts[0]}|{parts[1]}){parts[2]}{parts[0]}"),
    max_leaves=4,
)


@given(_PATTERNS, st.text(alphabet="abcAB1. _", max_size=8))
def test_it_finds_what_python_finds(pattern: str, text: str) -> None:
    expected = re.search(pattern.replace("$", r"\Z"), text, re.ASCII) is not None
    assert Pattern(pattern).found_in(text) is expected
    assert Pattern(f"(?i){pattern}").found_in(text) is (
        re.search(pattern.replace("$", r"\Z"), text, re.ASCII | re.IGNORECASE) is not None
    )


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("^250", "25000", True),
        ("^250", "32500", False),
        (r"^(250|401)\.?\d*$", "401.9", True),
        ("(?i)sepsis|septic", "SEPTIC shock", True),
        (r"\bCHF\b", "chf, CHF", True),
        (r"\bCHF\b", "CHFx", False),
        ("[]x]", "]", True),
        (r"[\d\-]{3}", "1-2", True),
        ("", "anything", True),
        ("é+", "caféé", True),
    ],
)
def test_codes_and_words_are_found(pattern: str, text: str, found: bool) -> None:
    assert Pattern(pattern).found_in(text) is found


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(", "it has a ( without )"),
        ("a)", "it has a ) without ("),
        ("*a", "it has a * with nothing before it"),
        ("a**", "it says twice how often"),
        ("a{x}", "no number of times"),
        ("a{3,2}", "nothing stands there 3,2 times"),
        ("[a", "it ends too early"),
        ("\\", "it ends too early"),
        ("(?=a)", "it looks ahead or behind"),
        (r"(a)\1", "it refers to a group"),
        ("[b-a]", "nothing lies between b and a"),
        ("a{9999}", "too long, or repeats too much"),
        ("((a{99}){99}){99}", "too long, or repeats too much"),
        ("(" * 100 + ")" * 100, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_said(pattern: str, said: str) -> None:
    with pytest.raises(PatternError, match=re.escape(said)):
        Pattern(pattern)


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|a)*b", "(a|aa)+$b", "a*a*a*a*a*a*b", "(.*)(.*)(.*)(.*)b"])
def test_a_pattern_that_python_would_never_end_with_ends(pattern: str) -> None:
    assert not Pattern(pattern).found_in("a" * 20_000)
