"""How sure a turn is, and whether its answer is withheld."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ehrtui.conversation.draft import Draft
from ehrtui.conversation.turn import Turn
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import Estimator

_MOST_REASONS = 2


@dataclass(frozen=True)
class Verdict:
    """The turn's confidence in [0, 1], why its answer is withheld ("" where it is not), the doubts that it comes from,
    and the earlier turn, if any, that it would be surer than on its own."""

    confidence: float
    reason: str = ""
    doubts: tuple[Doubt, ...] = ()
    no_surer: int | None = None


def judge(
    draft: Draft,
    built_on: Sequence[Turn],
    threshold: float,
    *,
    estimator: Estimator,
    surety: float = 1.0,
    found: Sequence[Doubt] = (),
) -> Verdict:
    """Never surer than the earlier turns that the draft builds on; never withheld where the user wrote what runs.

    SQL and plans of the user's own count as certain in themselves: they are the user's words, not a reading of them.
    `surety` in [0, 1] lowers either where repairs of the plan changed what it asks for; `found` are doubts about the
    result, which count where the plan is a reading.
    """
    own = draft.settled().confidence * surety
    doubts = () if draft.in_own_words else (*draft.proposal.doubts, *found)
    if not draft.in_own_words:
        own = estimator.lowered(own, found)
    weakest = min(built_on, key=lambda turn: turn.confidence, default=None)
    confidence = min(own, weakest.confidence) if weakest else own
    verdict = Verdict(confidence, "", doubts, weakest.number if weakest and weakest.confidence <= own else None)
    if draft.in_own_words:
        return verdict
    if draft.proposal.reason or not draft.plan.strip():
        return replace(verdict, reason=draft.proposal.reason or "Nothing in the question was understood.")
    if confidence >= threshold:
        return verdict
    source, why = "The confidence", "; ".join(doubt.sentence for doubt, _ in estimator.costs(doubts)[:_MOST_REASONS])
    if weakest and confidence < own:
        source, why = f"It builds on A{weakest.number}, whose confidence", ""
    reason = f"{source} is {confidence:.2f}, below the threshold of {threshold:.2f}{': ' if why else ''}{why}."
    return replace(verdict, reason=reason)
