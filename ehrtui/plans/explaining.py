"""A failure in words: the cause, its line, and what to try."""

from __future__ import annotations

from ehrtui.errors import EhrtuiError, PlanError
from ehrtui.plans.diagnosis import UNKNOWN, Diagnosis


def explain(error: EhrtuiError, plan: str, diagnosis: Diagnosis | None = None) -> tuple[str, tuple[str, ...]]:
    """The cause in a clinician's words, and what to try: near names and values where there are some, else the next
    step. Without a `diagnosis`, what the error itself says."""
    cause = in_words(diagnosis) if diagnosis is not None else error.why or error.what
    line = _line_of_plan(error, plan)
    suggestions = (diagnosis.suggestions if diagnosis else ()) or error_suggestions(error)
    return f"{cause}\nIt happened in: {line}" if line else cause, suggestions


def in_words(diagnosis: Diagnosis) -> str:
    """The cause by its name, where it has one, and what it means here."""
    if diagnosis.cause == UNKNOWN:
        return diagnosis.text
    return f"{diagnosis.cause[:1].upper()}{diagnosis.cause[1:]}: {diagnosis.text}"


def error_suggestions(error: EhrtuiError) -> tuple[str, ...]:
    """Near names and values that the error names, else its next step."""
    names: tuple[str, ...] = getattr(error, "suggestions", ())
    return names or ((error.next_step,) if error.next_step else ())


def _line_of_plan(error: EhrtuiError, plan: str) -> str:
    lines = plan.splitlines()
    if isinstance(error, PlanError) and error.line is not None and 0 < error.line <= len(lines) and len(lines) > 1:
        return f"line {error.line}, {lines[error.line - 1].strip()[:120]}"
    return ""
