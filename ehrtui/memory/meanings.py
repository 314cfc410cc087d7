"""A meaning that the user gave to words once and for all: which stored names they stand for, in one schema family."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KeptMeaning:
    """In databases of a schema `family`, the words `said` (in lower case), which were read as something of `role`, mean
    what `logic` counts: a line of query logic. `source` says where that was chosen, on a `day` (YYYY-MM-DD)."""

    family: str
    said: str
    role: str
    logic: str
    source: str
    day: str
