"""The fingerprint of a result: how many rows, and a hash that does not depend on their order.

Two runs of a query give the same fingerprint in every engine, on every platform: rows are hashed as they are spelled
(`engines.spelling`), so that 1 and 1.0 are one value, and floats count with nine significant digits. A fingerprint says
nothing of the rows to who reads it.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from ehrtui.engines.engine import Row
from ehrtui.engines.spelling import spelled

_FORM = "2."
"""What the hash begins with: another form of it begins otherwise, and the first with nothing."""
_HASH_BYTES = 16
_WORD = 1 << 64
_EMPTY = blake2b(digest_size=_HASH_BYTES)
"""Nothing hashed yet: a copy of it is had sooner than another one."""


def fingerprint(rows: Iterable[Row]) -> str:
    """ "row_count:hash" of rows in any order."""
    return fingerprint_of_texts([[spelled(row) for row in rows]])


def fingerprint_of_texts(pages: Iterable[Sequence[bytes]]) -> str:
    """ "row_count:hash" of rows as they are spelled, in any order, read once, page by page, none of them kept.

    Each row is hashed alone and the hashes are added, so that repeated rows count as often as they occur.
    """
    count = high = low = 0
    begun = _EMPTY.copy
    for page in pages:
        digests = []
        for text in page:
            row = begun()
            row.update(text)
            digests.append(row.digest())
        hashes = array("Q", b"".join(digests))
        if sys.byteorder == "big":
            hashes.byteswap()
        high += sum(hashes[::2])
        low += sum(hashes[1::2])
        count += len(page)
    return f"{count}:{_FORM}{high % _WORD:016x}{low % _WORD:016x}"


def is_of_this_form(fingerprint: str) -> bool:
    """False for a fingerprint that an earlier version of ehrtui made."""
    return fingerprint.partition(":")[2].startswith(_FORM)
