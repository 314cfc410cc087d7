"""How sure a turn is, and whether its answer is withheld."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ehrtui.conversation.rivals import Contest
from ehrtui.engines.engine import Engine
from ehrtui.logic.algebra.naming import FOUND
from ehrtui.plans.reports import Outcome
from ehrtui.session.draft import Draft
from ehrtui.session.turn import Turn
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import Estimator
from ehrtui.trust.result import result_doubts

_MOST_REASONS = 2
CHOOSE = "It can be read in two ways, which have different answers. Choose how it is meant."


@dataclass(frozen=True)
class Verdict:
    """The turn's confidence in [0, 1], why its answer is withheld ("" where it is not), the doubts that it comes from,
    the earlier turn, if any, that it would be surer than on its own, and the readings, if any, to choose between."""

    confidence: float
    reason: str = ""
    doubts: tuple[Doubt, ...] = ()
    no_surer: int | None = None
    choices: tuple[str, ...] = ()


def judge(
    draft: Draft,
    built_on: Sequence[Turn],
    threshold: float,
    *,
    estimator: Estimator,
    surety: float = 1.0,
    found: Sequence[Doubt] = (),
    contest: Contest | None = None,
) -> Verdict:
    """Never surer than the turns `built_on`, those that the draft builds on and the user has not accepted, nor than the
    share that its reading has in a `contest` of two; never withheld where the user wrote what runs.

    SQL and plans of the user's own count as certain in themselves: they are the user's words, not a reading of them.
    `surety` in [0, 1] lowers either where repairs of the plan changed what it asks for; `found` are doubts about the
    result, which count where the plan is a reading.
    """
    own = draft.settled().confidence * surety
    doubts = () if draft.in_own_words else (*draft.proposal.doubts, *found)
    if not draft.in_own_words:
        own = estimator.lowered(own, found)
    if contest is not None:
        own = min(own, contest.share)
    weakest = min(built_on, key=lambda turn: turn.confidence, default=None)
    confidence = min(own, weakest.confidence) if weakest else own
    no_surer = weakest.number if weakest and weakest.confidence <= own else None
    verdict = Verdict(confidence, "", doubts, no_surer, contest.readings if contest is not None else ())
    if draft.in_own_words:
        return verdict
    if draft.is_refused:  # there is no answer to be sure of
        return replace(
            verdict, confidence=0.0, reason=draft.proposal.reason or "Nothing in the question was understood."
        )
    if draft.proposal.reason:
        return replace(verdict, reason=draft.proposal.reason)
    if confidence >= threshold:
        return verdict
    if contest is not None:
        return replace(verdict, reason=CHOOSE)
    source, why = "The confidence", "; ".join(doubt.sentence for doubt, _ in estimator.costs(doubts)[:_MOST_REASONS])
    if weakest and confidence < own:
        source, why = f"It builds on A{weakest.number}, whose confidence", ""
    reason = f"{source} is {confidence:.2f}, below the threshold of {threshold:.2f}{': ' if why else ''}{why}."
    return replace(verdict, reason=reason)


def doubts_of(engine: Engine, outcome: Outcome, *, among: bool = False, few: bool = False) -> tuple[Doubt, ...]:
    """The doubts about a result, which may have been looked for `among` those of earlier answers, or a `few` that were
    listed. That something is not so is an answer to whether it is."""
    if outcome.columns == (FOUND,):
        return ()
    first = engine.page(outcome.name, 0, 1) if outcome.row_count == 1 else []
    return result_doubts(outcome.row_count, first[0] if first else (), among=among, few=few)
