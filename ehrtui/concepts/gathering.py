"""Several stored names as one candidate: those that are used, by a pattern where they are many."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.concepts.candidates import Candidate, How
from ehrtui.logic.algebra.model import Item
from ehrtui.schema.value_index import Stored

_MOST_NAMES = 60
_UNUSED = 0.62
"""What a candidate of names without records is worth beside one with some."""


def gathered(
    role: str,
    stored: Sequence[Stored],
    said: str,
    how: How,
    score: float,
    phrases: Sequence[tuple[str, ...]] = (),
) -> Candidate:
    """Items of a role as one candidate: the names that have records, or all where none has; where there are very many,
    patterns of the words in them, if they are `phrases` of one word."""
    used = [one for one in stored if one.rows]
    chosen = list({one.name: one for one in used or stored}.values())
    single = [phrase[0] for phrase in phrases if len(phrase) == 1]
    if len(chosen) > _MOST_NAMES and single and len(single) == len(phrases):
        items = tuple(Item("like", f"*{word}*") for word in single)
    else:
        items = tuple(Item("name", one.name) for one in chosen)
    label = chosen[0].name if len(chosen) == 1 else f"{said}: {len(chosen)} names"
    return Candidate(
        role,
        items,
        how=how,
        score=score * (1.0 if used else _UNUSED),
        label=label,
        rows=sum(one.rows for one in chosen),
    )
