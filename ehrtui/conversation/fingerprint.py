"""The fingerprint of a result: how many rows, and a hash that does not depend on their order.

Two runs of a query give the same fingerprint on every platform: 1 and 1.0 are one value, and floats count with twelve
significant digits, so that the last bits of a sum, which depend on the order of addition, do not matter. Text and
bytes are never equal. A fingerprint says nothing of the rows to who reads it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from hashlib import blake2b

from ehrtui.engines.engine import Row, Scalar

_HASH_BYTES = 16
_MODULUS = 1 << (8 * _HASH_BYTES)
_EXACT = 1e12
"""Floats below this that are whole numbers, to twelve digits, count as integers."""


def fingerprint(rows: Iterable[Row]) -> str:
    """ "row_count:hash" of rows in any order; reads them once and keeps none.

    Each row is hashed alone and the hashes are added, so that repeated rows count as often as they occur.
    """
    count = 0
    total = 0
    for row in rows:
        text = repr([_canonical(value) if isinstance(value, float) else value for value in row])
        total += int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).digest())
        count += 1
    return f"{count}:{total % _MODULUS:0{2 * _HASH_BYTES}x}"


def _canonical(value: float) -> Scalar:
    """The float with twelve significant digits; an int where that is a whole number."""
    if not math.isfinite(value):
        return value
    rounded = float(f"{value:.12g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < _EXACT else rounded
