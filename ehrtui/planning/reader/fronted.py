"""Those who are named first, of all of whom something is asked: "for patients with gout, what is the mean urea"."""

from __future__ import annotations

from collections.abc import Sequence

_BEFORE = {"for", "among", "amongst", "in", "of", "within"}
_WH = {"what", "what's", "who", "which", "how", "whose"}
_EACH = {"each", "every", "per", "their", "they", "his", "her", "individual"}


def is_fronted(words: Sequence[str], start: int) -> bool:
    """True for people, who begin at a word, that a question opens with: "among the women, …"."""
    return not _BEFORE.isdisjoint(words[: start + 1])


def asked_of_all(words: Sequence[str], start: int, end: int, first: int) -> bool:
    """True where the people at words [start, end) are all that what is asked from `first` on is asked of, and no rows
    that it is told of: "for each of them", "what was their lactate" are of each."""
    return is_fronted(words, start) and not _WH.isdisjoint(words[end:first]) and _EACH.isdisjoint(words)
