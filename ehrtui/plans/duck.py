"""The rubber duck: the most probable cause of a plan's error, from what the steps before it found (EHRAgent §3.4)."""

from __future__ import annotations

from ehrtui.errors import EhrtuiError, PlanError

_FROM_NOTHING = ("IndexError", "TypeError", "StopIteration", "ValueError", "ZeroDivisionError", "KeyError", "ToolError")
"""Errors that a value computed from no rows ends in."""


def explain(error: EhrtuiError, plan: str) -> tuple[str, tuple[str, ...]]:
    """The most probable cause of `error` in `plan`, in a clinician's words, and what to try: near names and values
    where there are some, else the next step."""
    cause = _empty_step(error) or error.why or error.what
    line = _line_of_plan(error, plan)
    if line:
        cause = f"{cause}\nIt happened in: {line}"
    names: tuple[str, ...] = getattr(error, "suggestions", ())
    return cause, names or ((error.next_step,) if error.next_step else ())


def _empty_step(error: EhrtuiError) -> str:
    """That an earlier step found no rows, where the error is one that follows from having none."""
    if not isinstance(error, PlanError) or error.kind not in _FROM_NOTHING or error.suggestions:
        return ""
    empty = [step for step in error.steps if step.rows == 0 and step.error is None]
    if not empty:
        return ""
    first = empty[0]
    return (
        f"The step in line {first.line} found no rows, and a later step needs some: {first.code.splitlines()[0][:120]}"
    )


def _line_of_plan(error: EhrtuiError, plan: str) -> str:
    lines = plan.splitlines()
    if isinstance(error, PlanError) and error.line is not None and 0 < error.line <= len(lines) and len(lines) > 1:
        return f"line {error.line}, {lines[error.line - 1].strip()[:120]}"
    return ""
