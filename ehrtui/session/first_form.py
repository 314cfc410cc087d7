"""The first form of fingerprints, which session files of version 0.1 hold: replay compares by it what they hold.

1 and 1.0 are one value, floats count with twelve significant digits, and text and bytes are never equal.
"""

from __future__ import annotations

import marshal
import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b

from ehrtui.engines.engine import Row, Scalar

_HASH_BYTES = 16
_MODULUS = 1 << (8 * _HASH_BYTES)
_EXACT = 1e12
"""Floats below this that are whole numbers, to twelve digits, count as integers."""
_SPELLING = 2
"""The version of marshal's format that spells equal values alike on every platform: UTF-8, integers of any size, binary
floats, and no references between objects. It is three times as fast as `repr`, whose spelling of text depends on the
Unicode version of Python."""


def first_fingerprint(pages: Iterable[Sequence[Row]]) -> str:
    """ "row_count:hash" of rows in any order, read once, page by page, none of them kept.

    Each row is hashed alone and the hashes are added, so that repeated rows count as often as they occur.
    """
    count = total = 0
    for page in pages:
        # Of lists, not of tuples: there is one empty tuple, which would be spelt apart.
        spelt = [
            marshal.dumps([_canonical(value) if value.__class__ is float else value for value in row], _SPELLING)
            for row in page
        ]
        total += sum(int.from_bytes(blake2b(row, digest_size=_HASH_BYTES).digest()) for row in spelt)
        count += len(page)
    return f"{count}:{total % _MODULUS:0{2 * _HASH_BYTES}x}"


@lru_cache(maxsize=1 << 16)
def _canonical(value: float) -> Scalar:
    """The float with twelve significant digits; an int where that is a whole number."""
    if not math.isfinite(value):
        return value
    rounded = float(f"{value:.12g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < _EXACT else rounded
