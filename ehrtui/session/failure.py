"""Why a turn failed, in the words of its error and of the rubber duck."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ehrtui.errors import DatabaseError, EhrtuiError, PlanError, QueryError, QueryLimit, SandboxLimit, place_of
from ehrtui.session.dependencies import named_turns
from ehrtui.session.turn import TurnError
from ehrtui.session.written import fails_anyway

if TYPE_CHECKING:
    from ehrtui.plans.diagnosis import Diagnosis

CANCELLED = "Cancelled"
_CANCELLATIONS = ("QueryCancelled", "PlanCancelled", CANCELLED)
_FIXED = (DatabaseError, QueryLimit, SandboxLimit)
"""What is said of them names limits and files, whatever the plan does."""


@dataclass(frozen=True)
class Failure:
    """`error` is what the user sees; `code` the line of the plan that failed, "" where it is not known.

    `is_told` where what the error says is the same over any rows of the database; `is_explained` where its cause and
    what to try are so too, and were not found among stored values. `of_plan` where another plan might not fail so.
    """

    error: TurnError
    code: str = ""
    is_told: bool = True
    is_explained: bool = True
    of_plan: bool = True


def failure_of(
    error: Exception,
    plan: str,
    diagnosis: Diagnosis | None = None,
    *,
    composed: AbstractSet[int] = frozenset(),
) -> Failure:
    """The failure that an error, explained by `diagnosis`, is for the turn that runs `plan`. The columns of the turns
    `composed` may have names that were read from rows."""
    if not isinstance(error, EhrtuiError):
        # Its text may quote rows, and nobody wrote it for a clinician.
        what = f"Something went wrong inside ehrtui ({type(error).__name__})."
        return Failure(
            TurnError("InternalError", what, cause=f"This is a defect of ehrtui: {place_of(error)}."), of_plan=False
        )
    kind = error.kind if isinstance(error, PlanError) else type(error).__name__
    line = error.line if isinstance(error, PlanError) else None
    if kind in _CANCELLATIONS:
        return Failure(TurnError(CANCELLED, "The turn was cancelled.", line))
    from ehrtui.plans.explaining import explain  # all tools: most turns do not fail

    cause, suggestions = explain(error, plan, diagnosis)
    lines = plan.splitlines()
    code = lines[line - 1].strip() if line is not None and 0 < line <= len(lines) else ""
    of_text = _is_of_text(error, plan, kind) and composed.isdisjoint(named_turns(plan))
    found = TurnError(kind, error.what, line, cause, suggestions, diagnosis)
    from_rows = diagnosis is not None and diagnosis.quotes_rows
    origin = _origin(error)
    return Failure(
        found,
        code,
        is_told=of_text or isinstance(origin, _FIXED),
        is_explained=of_text and not from_rows,
        of_plan=not isinstance(origin, DatabaseError),
    )


def _is_of_text(error: EhrtuiError, plan: str, kind: str) -> bool:
    """Whether the plan as it is written decides what an error says: it computes nothing, and no row was read."""
    if not fails_anyway(plan, kind, f"{error.what} {error.why}"):
        return False
    origin = _origin(error)
    return not isinstance(origin, QueryError) or origin.unread


def _origin(error: EhrtuiError) -> EhrtuiError:
    return error.origin or error if isinstance(error, PlanError) else error
