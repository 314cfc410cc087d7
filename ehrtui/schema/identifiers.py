"""Columns that tell rows apart: numbers or codes that stand for somebody or something, and measure nothing."""

from __future__ import annotations

import re

_IDENTIFIES = re.compile(
    r"(?:^|_)(?:id|code|sk|key|no|nr|mrn)$|(?:item|stay|adm)id$|pid$|[gu]uid$|^(?:patient|person|subject|encounter)$"
)
"""What the names of such columns end in, or are."""


def identifies(column: str) -> bool:
    """Whether a column tells rows apart, by its name."""
    return _IDENTIFIES.search(column.lower()) is not None
