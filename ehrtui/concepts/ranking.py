"""Which of several candidates is meant, from what they are and from the words around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.tables import cues, procedure_endings
from ehrtui.schema.kinds import kind_of

_BESIDE, _ELSEWHERE = 1.15, 1.04
"""What a word that goes with a role adds, beside the mention and elsewhere in the sentence."""
_SELDOM = {"route": 0.85, "dose unit": 0.5, "drug type": 0.5, "interpretation": 0.78, "antibiotic": 0.9}
"""Fields whose values are seldom meant, where nothing says so."""
_CUED = dict.fromkeys(_SELDOM, 1.3)
_DONE, _NOT_HAD = 1.06, 0.9
"""What a word that is said of procedures adds to these, and leaves of diseases."""
_PER_RANK = 0.004
_MOST = 12


def ranked(
    candidates: Sequence[Candidate], words: tuple[str, ...], around: Sequence[str], sentence: Sequence[str]
) -> tuple[Candidate, ...]:
    """The candidates, the likeliest first, those of one meaning once. `around` are the words beside the mention."""
    known, done = cues(), words[-1].endswith(procedure_endings())
    found: dict[tuple[object, ...], Candidate] = {}
    for one in candidates:
        score = one.score * (1 - _PER_RANK * kind_of(one.role).rank) * _SELDOM.get(one.field, 1.0)
        if done:
            score *= _DONE if "procedure" in one.role else _NOT_HAD if kind_of(one.role).disease else 1.0
        for name in (one.role, one.field):
            own = known.get(name, frozenset())
            if not own.isdisjoint(around):
                score *= _CUED.get(one.field, _BESIDE)
            elif not own.isdisjoint(sentence):
                score *= _ELSEWHERE
        key = (one.role, one.field, frozenset(one.items), frozenset(one.values))
        if key not in found or found[key].score < score:
            found[key] = replace(one, score=score)
    best = sorted(found.values(), key=lambda one: (-one.score, -one.rows))[:_MOST]
    top = max((one.score for one in best), default=1.0)
    return tuple(replace(one, score=min(1.0, one.score if top <= 1 else one.score / top)) for one in best)
