"""Finding lines by what is typed of them: all of its words in any place; where no line has them, the nearest."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 50
"""Lines that are shown."""
LEAST_LIKENESS = 60.0
"""Of 100: what is less like it is not shown."""


def found(typed: str, lines: Sequence[str], most: int = MOST) -> list[int]:
    """The numbers of the lines, the best first; of an empty text the first lines as they stand."""
    words = typed.lower().split()
    if not words:
        return list(range(min(len(lines), most)))
    lower = [line.lower() for line in lines]
    fitting = [at for at, line in enumerate(lower) if all(word in line for word in words)]
    if fitting:
        # Those that begin so first, then those where it begins a word.
        first = words[0]
        fitting.sort(key=lambda at: (not lower[at].startswith(first), f" {first}" not in lower[at], at))
        return fitting[:most]
    from rapidfuzz import fuzz, process

    near = process.extract(" ".join(words), lower, scorer=fuzz.partial_ratio, limit=most, score_cutoff=LEAST_LIKENESS)
    return [at for _, _, at in near]
