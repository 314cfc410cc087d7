"""The loop of running, explaining and revising a plan (EHRAgent §3.4): at most T = 10 times, never a plan twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ehrtui.errors import EhrtuiError, PlanCancelled
from ehrtui.plans.diagnosis import Diagnosis, Facts
from ehrtui.plans.duck import diagnose
from ehrtui.plans.steps import Outcome

MOST_REVISIONS = 10


@dataclass(frozen=True)
class Revision:
    """`plan` takes the place of one that failed with `error`, for what `diagnosis` says."""

    plan: str
    error: EhrtuiError
    diagnosis: Diagnosis


@dataclass(frozen=True)
class Ran:
    """The plan that ran in the end, what it came to, and the revisions that led to it, in order."""

    plan: str
    outcome: Outcome
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
    most: int = MOST_REVISIONS,
) -> Ran:
    """Run `plan`; where it fails and the rubber duck is sure enough of a repair, run the repaired one, and so on.

    `revised` is told of each revision before it runs. Raises the last plan's error where no repair is left (its `plan`
    is then that of the last revision), and PlanCancelled at once.
    """
    tried = {plan}
    revisions: list[Revision] = []
    while True:
        try:
            return Ran(plan, run(plan), tuple(revisions))
        except PlanCancelled:
            raise
        except EhrtuiError as error:
            diagnosis = diagnose(error, plan, facts)
            if not diagnosis.automatic or diagnosis.repair is None or diagnosis.repair in tried:
                raise
            if len(revisions) == most:
                raise
            plan = diagnosis.repair
            tried.add(plan)
            revisions.append(Revision(plan, error, diagnosis))
            revised(revisions[-1])
