"""Whether a question may go on from an earlier one, by its words alone."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:['’]s)?")
_NUMBERED = re.compile(r"\bA\d{1,3}\b")
_POINTING_WORDS = """
he him his she her hers they them their theirs it its this that these those such same said one ones both either neither
other others another rest former latter above earlier previous back again instead else group list cohort together"""
_POINTING = frozenset(_POINTING_WORDS.split())
_OPENERS = frozenset({"and", "or", "but", "only", "just", "also", "now", "then", "so", "ok", "okay", "no", "not"})
_ABOUT = re.compile(r"\W*(?:what|how)\s+about\b", re.IGNORECASE)
_FEW = 5
"""Words of a fragment at most: a question of so few says no more than how it differs from the one before."""


def may_go_on(question: str) -> bool:
    """True for a question that points at something said before, that begins as one that goes on, or that is a fragment;
    false for one that says by its number (A3) which answer it means."""
    if _NUMBERED.search(question):
        return False
    words = [word.lower() for word in _WORD.findall(question)]
    opened = (words[:1] and words[0] in _OPENERS) or _ABOUT.match(question)
    return bool(opened) or len(words) <= _FEW or not _POINTING.isdisjoint(words)
