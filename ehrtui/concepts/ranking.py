"""Which of several candidates is meant, from what they are and from the words around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.tables import cues
from ehrtui.schema.kinds import kind_of

_BESIDE, _ELSEWHERE = 1.15, 1.04
"""What a word that goes with a role adds, beside the mention and elsewhere in the sentence."""
_PER_RANK = 0.004
_MOST = 12


def ranked(
    candidates: Sequence[Candidate], words: tuple[str, ...], around: Sequence[str], sentence: Sequence[str]
) -> tuple[Candidate, ...]:
    """The candidates, the likeliest first, those of one meaning once. `around` are the words beside the mention."""
    known = cues()
    found: dict[tuple[object, ...], Candidate] = {}
    for one in candidates:
        score = one.score * (1 - _PER_RANK * kind_of(one.role).rank)
        for name in (one.role, one.field):
            own = known.get(name, frozenset())
            if not own.isdisjoint(around):
                score *= _BESIDE
            elif not own.isdisjoint(sentence):
                score *= _ELSEWHERE
        key = (one.role, one.field, frozenset(one.items), frozenset(one.values))
        if key not in found or found[key].score < score:
            found[key] = replace(one, score=score)
    best = sorted(found.values(), key=lambda one: (-one.score, -one.rows))[:_MOST]
    top = max((one.score for one in best), default=1.0)
    return tuple(replace(one, score=min(1.0, one.score if top <= 1 else one.score / top)) for one in best)
