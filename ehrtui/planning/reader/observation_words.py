"""What "observation" means: the time over which somebody was observed, or something that was seen."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.planning.reader.numbers import time_unit

PERIODS = "observation_period"
"""The role of the times over which people were observed."""
_LENGTHS = {"length", "duration", "period", "periods", "time", "span"}
_OF_WHAT = {"of", "prior", "previous", "continuous", "the", "their", "under", "total"}


def is_time_observed(words: Sequence[str], start: int, end: int) -> bool:
    """True for "observation" where it lasts: "days of observation", "length of observation", "a year of prior
    observation"; elsewhere it is something that was seen."""
    if tuple(words[start:end]) != ("observation",):
        return False
    at = start
    while at and words[at - 1] in _OF_WHAT:
        at -= 1
    return start > at > 0 and (words[at - 1] in _LENGTHS or time_unit(words[at - 1]) is not None)
