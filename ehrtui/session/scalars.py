"""Values of the database as JSON."""

from __future__ import annotations

import math
from typing import Any


def json_value(value: Any) -> Any:
    """The value as JSON can hold it: bytes as an SQL literal (x'00ff'), a float that is no number by its name."""
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
