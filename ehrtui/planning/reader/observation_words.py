"""What "observation" means: the time over which somebody was observed, or something that was seen."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.planning.reader.numbers import time_unit

PERIODS = "observation_period"
"""The role of the times over which people were observed."""
_LENGTHS = {"length", "duration", "period", "periods", "time", "span"}
_OF_WHAT = {"of", "prior", "previous", "continuous", "the", "their", "under", "total"}


_REMAINING = {"stay", "stays", "stayed", "staying", "remain", "remains", "remained"}
_SO = {"enrolled", "insured", "covered", "observed", "registered"}
_UNDER = {"under", "in"}
_SEEN = {"observation", "follow-up", "followup", "surveillance", "coverage"}


def remains(words: Sequence[str], at: int) -> bool:
    """True for the verb of "people stay under observation", "how long they stayed insured", which tells of no stay."""
    behind = tuple(words[at + 1 : at + 3])
    so = bool(behind) and (behind[0] in _SO or (behind[0] in _UNDER and behind[-1] in _SEEN))
    return so and words[at] in _REMAINING


def is_time_observed(words: Sequence[str], start: int, end: int) -> bool:
    """True for "observation" where it lasts: "days of observation", "length of observation", "a year of prior
    observation"; elsewhere it is something that was seen."""
    if tuple(words[start:end]) != ("observation",):
        return False
    at = start
    while at and words[at - 1] in _OF_WHAT:
        at -= 1
    return start > at > 0 and (words[at - 1] in _LENGTHS or time_unit(words[at - 1]) is not None)
