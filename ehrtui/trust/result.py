"""What of an answer gives doubt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ehrtui.trust.doubts import Doubt


def result_doubts(row_count: int, first: Sequence[Any]) -> tuple[Doubt, ...]:
    """The doubts about a result of `row_count` rows, of which `first` is the first (() where there is none)."""
    if row_count == 0:
        return (Doubt("empty"),)
    if row_count == 1 and len(first) == 1:
        if first[0] is None:
            return (Doubt("missing"),)
        if first[0] == 0:
            return (Doubt("zero"),)
    return ()
