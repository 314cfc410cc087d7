"""Why a turn failed, in the words of its error and of the rubber duck."""

from __future__ import annotations

from dataclasses import dataclass

from ehrtui import errors
from ehrtui.conversation.discretion import spells_more
from ehrtui.conversation.turn import TurnError
from ehrtui.errors import EhrtuiError, PlanError, SandboxLimit
from ehrtui.plans.diagnosis import Diagnosis
from ehrtui.plans.explaining import explain

CANCELLED = "Cancelled"
_CANCELLATIONS = ("QueryCancelled", "PlanCancelled", CANCELLED)
_WITHOUT_VALUES = ("SyntaxError", "IndentationError", "NameError", "ModuleNotFoundError", "ImportError", "NoAnswer")


@dataclass(frozen=True)
class Failure:
    """`error` is what the user sees; `code` the line of the plan that failed, "" where it is not known.

    `may_quote_rows` is True for errors of the plan's own Python, for those about names that the plan put together from
    values, and for causes found among stored values: their text may hold a value of the database.
    """

    error: TurnError
    code: str = ""
    may_quote_rows: bool = False


def failure_of(error: Exception, plan: str, diagnosis: Diagnosis | None = None) -> Failure:
    """The failure that an error, explained by `diagnosis`, is for the turn that runs `plan`."""
    if not isinstance(error, EhrtuiError):
        # Its text may quote rows, and nobody wrote it for a clinician.
        kind = type(error).__name__
        return Failure(TurnError("InternalError", f"Something went wrong inside ehrtui ({kind})."))
    kind = error.kind if isinstance(error, PlanError) else type(error).__name__
    line = error.line if isinstance(error, PlanError) else None
    if kind in _CANCELLATIONS:
        return Failure(TurnError(CANCELLED, "The turn was cancelled.", line))
    cause, suggestions = explain(error, plan, diagnosis)
    lines = plan.splitlines()
    code = lines[line - 1].strip() if line is not None and 0 < line <= len(lines) else ""
    of_ehrtui = hasattr(errors, kind) or kind in _WITHOUT_VALUES or isinstance(error, SandboxLimit)
    quotes = not of_ehrtui or spells_more(error.what, [plan]) or (diagnosis is not None and diagnosis.quotes_rows)
    found = TurnError(kind, error.what, line, cause, suggestions, diagnosis)
    return Failure(found, code, quotes)
