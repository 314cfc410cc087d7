"""Scores over conversations: question match, interaction match, first failure (EHR-SeqSQL §5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ehrtui.evaluation.scores import Scored


@dataclass(frozen=True)
class Interactions:
    """`qm` is the share of turns that are right, `im` the share of conversations with every turn right, in [0, 1].
    `first_failures` maps the number of a turn to how many conversations fail there first, `iff` is their mean (None
    where none fails)."""

    conversations: int
    turns: int
    qm: float
    im: float
    iff: float | None
    first_failures: dict[int, int]


def interactions(results: Sequence[Scored]) -> Interactions:
    """The scores of the conversations that the results (of at least one turn) belong to."""
    cases: dict[str, list[Scored]] = {}
    for one in results:
        cases.setdefault(one.case, []).append(one)
    failures = Counter(min(failed) for turns in cases.values() if (failed := [t.turn for t in turns if not t.right]))
    failing = failures.total()
    return Interactions(
        conversations=len(cases),
        turns=len(results),
        qm=sum(one.right for one in results) / len(results),
        im=1 - failing / len(cases),
        iff=sum(turn * count for turn, count in failures.items()) / failing if failing else None,
        first_failures=dict(sorted(failures.items())),
    )
