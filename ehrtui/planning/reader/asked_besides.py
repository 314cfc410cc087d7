"""What a question asks for besides, or instead, and query logic does not tell. A reading that leaves such a thing out
is doubted, whoever read it."""

from __future__ import annotations

from ehrtui.planning.reader import asked_figures, asked_of_whom, asked_times


def something_lost(question: str, logic: str) -> bool:
    """True where a question asks for something besides, and query logic does not tell it."""
    return any(asked.lost(question, logic) for asked in (asked_figures, asked_times, asked_of_whom))
