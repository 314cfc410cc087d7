"""How sure a turn is, and whether its answer is withheld."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ehrtui.conversation.draft import Draft
from ehrtui.conversation.turn import Turn


@dataclass(frozen=True)
class Verdict:
    """The turn's confidence in [0, 1], and why its answer is withheld ("" where it is not)."""

    confidence: float
    reason: str = ""


def judge(draft: Draft, built_on: Sequence[Turn], threshold: float, surety: float = 1.0) -> Verdict:
    """Never surer than the earlier turns that the draft builds on; never withheld where the user wrote what runs.

    SQL and plans of the user's own count as certain in themselves: they are the user's words, not a reading of them.
    `surety` in [0, 1] lowers either where repairs of the plan changed what it asks for.
    """
    own = draft.settled().confidence * surety
    weakest = min(built_on, key=lambda turn: turn.confidence, default=None)
    confidence = min(own, weakest.confidence) if weakest else own
    if draft.in_own_words:
        return Verdict(confidence)
    if draft.proposal.reason or not draft.plan.strip():
        return Verdict(confidence, draft.proposal.reason or "Nothing in the question was understood.")
    if confidence >= threshold:
        return Verdict(confidence)
    source = f"It builds on A{weakest.number}, whose confidence" if weakest and confidence < own else "The confidence"
    return Verdict(confidence, f"{source} is {confidence:.2f}, below the threshold of {threshold:.2f}.")
