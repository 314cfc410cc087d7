"""The loop of running, explaining and revising a plan (EHRAgent §3.4): at most T = 10 times, never a plan twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ehrtui.errors import EhrtuiError, PlanCancelled, QueryCancelled
from ehrtui.plans.diagnosis import Diagnosis, Facts
from ehrtui.plans.reports import Outcome

MOST_REVISIONS = 10


@dataclass(frozen=True)
class Revision:
    """`plan` takes the place of `failed`, which ended in `error`, for what `diagnosis` says."""

    plan: str
    failed: str
    error: EhrtuiError
    diagnosis: Diagnosis


@dataclass(frozen=True)
class Ran:
    """The plan that ran in the end and what it came to: an `outcome`, or an `error` with its `diagnosis`. `revisions`
    led to it, in order."""

    plan: str
    outcome: Outcome | None
    error: EhrtuiError | None = None
    diagnosis: Diagnosis | None = None
    revisions: tuple[Revision, ...] = ()

    @property
    def surety(self) -> float:
        """What a turn's confidence is multiplied by, in [0, 1]: a repair that asks for another value than the plan did
        counts with the confidence of its diagnosis; others leave what was asked as it is."""
        share = 1.0
        for revision in self.revisions:
            if revision.diagnosis.changes_value:
                share *= revision.diagnosis.confidence
        return share


def run_revising(
    run: Callable[[str], Outcome],
    plan: str,
    facts: Facts,
    *,
    revised: Callable[[Revision], None] = lambda _: None,
    ask: Callable[[EhrtuiError, Diagnosis], Diagnosis | None] = lambda _error, _diagnosis: None,
    ask_first: Callable[[EhrtuiError], bool] = lambda _: False,
    most: int = MOST_REVISIONS,
) -> Ran:
    """Run `plan`; where it fails and the rubber duck is sure enough of a repair, run the repaired one, and so on, at
    most `most` times. Where the duck is not, `ask` may give a repair that is, as often: how many repairs were the
    duck's does not say how many more are asked for. It is asked before the duck where `ask_first` is true of the error.
    `revised` is told of each revision before it runs. Raises PlanCancelled and QueryCancelled.
    """
    tried: list[str] = []
    revisions: list[Revision] = []
    asked = 0
    while True:
        tried.append(plan)
        try:
            return Ran(plan, run(plan), revisions=tuple(revisions))
        except (PlanCancelled, QueryCancelled):
            raise
        except EhrtuiError as error:
            from ehrtui.plans.rubber_duck import diagnose  # all causes: most plans need none

            diagnosis = diagnose(error, plan, facts)
            known = diagnosis.automatic and diagnosis.repair not in tried
            answer = ask(error, diagnosis) if asked < most and (not known or ask_first(error)) else None
            diagnosis = answer or diagnosis
            is_left = answer is not None or len(revisions) - asked < most
            repair = diagnosis.repair if diagnosis.automatic and is_left else None
            if repair is None or repair in tried:
                return Ran(plan, None, error, diagnosis, tuple(revisions))
            asked += answer is not None
            revisions.append(Revision(repair, plan, error, diagnosis))
            plan = repair
        revised(revisions[-1])
