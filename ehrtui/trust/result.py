"""What of an answer gives doubt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ehrtui.trust.doubts import Doubt

_AMONG = 0.4
"""How much of a doubt it is that none is counted among those of an earlier answer: of some, people ask that too."""
_AMONG_FEW = 0.3
"""How much of a doubt it is that none is listed of a few who were listed before: it is soon so."""


def result_doubts(row_count: int, first: Sequence[Any], *, among: bool = False, few: bool = False) -> tuple[Doubt, ...]:
    """The doubts about a result of `row_count` rows, of which `first` is the first (() where there is none); `among`
    where it was looked for among those of an earlier answer, `few` where these are a few that were listed."""
    if row_count == 0:
        return (Doubt("empty", _AMONG_FEW if few else 1.0),)
    if row_count == 1 and first:
        if all(value is None for value in first):
            return (Doubt("missing"),)
        if all(value == 0 for value in first):
            return (Doubt("zero", _AMONG if among else 1.0),)
    return ()
