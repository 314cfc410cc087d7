"""Names that look like one that was not found."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, choices: Iterable[str], count: int = 3) -> list[str]:
    """Up to `count` of `choices` that are spelt much like `name`, nearest first; case does not matter."""
    names = sorted(set(choices))
    if not names:
        return []
    from rapidfuzz import fuzz, process, utils

    found = process.extract(
        name, names, scorer=fuzz.ratio, processor=utils.default_process, limit=count, score_cutoff=60
    )
    return [choice for choice, _, _ in found]
