"""Words that ask for a reason: "why", "for what reason"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_WHY = {("why",), ("for", "what", "reason"), ("for", "what", "reasons"), ("for", "which", "reason")}
_REACH = 6
WHY_ASKED = -0.3
"""What it saves that a question asks for what is kept."""
_COMING = {
    *("visit", "visited", "visits", "encounter", "encounters", "seen", "come", "came", "go", "went", "admitted"),
    *("hospitalized", "hospitalised", "attend", "attended", "emergency", "er", "ed", "appointment"),
}


def find_why(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The words that ask for a reason, [start, end), with the attribute that tells it: that of visits, or of what was
    done."""
    for at, word in enumerate(words):
        joined = word in ("reason", "reasons") and {*words[at + 1 : at + 2]} & {"for", "of", "behind"}
        if joined and _COMING & {*words[at + 2 : at + _REACH]}:
            yield at, at + 2, "visit reason"
        for why in _WHY:
            if tuple(words[at : at + len(why)]) == why:
                yield at, at + len(why), "visit reason" if _COMING & {*words[at:]} else "reason"
