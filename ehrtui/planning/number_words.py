"""Small numbers in words."""

from __future__ import annotations

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: number for number, word in enumerate(_WORDS, 1)}
"""What each word counts, from one to twelve."""


def number_of(word: str) -> int:
    """The count that a word tells, in figures or spelled out, also "a" and "a couple of"; 0 of any other word."""
    if word.startswith("a couple"):
        return 2
    return int(word) if word.isdecimal() else 1 if word in ("a", "an") else NUMBERS.get(word, 0)
