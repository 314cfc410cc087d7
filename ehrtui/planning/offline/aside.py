"""A part of a question that says nothing of its own, or in more words than are needed: what it is, and what to read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Aside:
    """What is `said`, its group of that name or all of it, and what to read in its place; `later` where only turns that
    go on from others say it."""

    said: re.Pattern[str]
    read: Callable[[re.Match[str]], str]
    later: bool = False


def read_as(text: str) -> Callable[[re.Match[str]], str]:
    """What is read in place of an aside: a text, with the groups of what was said."""
    return lambda found: found.expand(text)


NOTHING = read_as("")
LEAST = ("smallest", "lowest", "fewest")
"""Words for what is least of all."""
