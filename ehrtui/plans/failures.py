"""What went wrong in the sandbox, as a PlanError in words that help."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError, PlanCancelled, PlanError, QueryCancelled, SandboxLimit
from ehrtui.plans.parsing import PlanStep
from ehrtui.plans.sql_words import nearest

if TYPE_CHECKING:
    from pydantic_monty import MontyCrashedError, MontyError

_FEED = re.compile(r"<python-input-(\d+)>")
_LIMITS = {
    "TimeoutError": ("The plan computed for too long in Python.", "Let SQL do the work: FilterDB or SQLInterpreter."),
    "MemoryError": ("The plan needed too much memory.", "Aggregate in SQL, and read fewer rows into Python."),
    "RecursionError": ("The plan calls itself too deeply.", "Use a loop."),
}
_NO_TIME_OR_MEMORY = re.compile(r"limit exceeded|exceeded its memory limit|recursion depth exceeded|suspension")
_INSTEAD = {
    "statistics": "Of statistics, a plan has mean, median, mode, stdev, variance and their kin.",
    "pandas": "Tables have FilterDB, GetValue, len(table), table['COL'] and loops over rows.",
    "numpy": "Use Calculate, or GetValue(table, 'COL, mean').",
    "sqlite3": "Use SQLInterpreter('SELECT …').",
}
_OF_THE_INTERPRETER = re.compile(r"^The monty syntax parser does not (?:yet )?support ")
_INSIDE_IT = re.compile(r"^Internal error in monty: ")
_UNSUPPORTED = "Plans know functions, loops, comprehensions and try; not yield, del, or classes that inherit."


def step_error(error: MontyError, step: PlanStep, steps: Sequence[PlanStep], names: Sequence[str]) -> PlanError:
    """The error of a step that the interpreter reported. `steps` are all that were fed, the prelude being feed 0;
    `names` are the tools and variables that the plan knows."""
    from pydantic_monty import MontyCrashedError  # loaded long ago, where something was raised

    inner = error.exception()
    kind = type(inner).__name__
    message = _INSIDE_IT.sub("", _OF_THE_INTERPRETER.sub("plans do not know ", str(inner)))
    line = _line(error, step, steps)
    if isinstance(error, MontyCrashedError):
        return _crash(error, line)
    if kind in _LIMITS and _NO_TIME_OR_MEMORY.search(message):
        what, next_step = _LIMITS[kind]
        return SandboxLimit(what, next_step=next_step, kind=kind, line=line)
    if kind == "RuntimeError" and _NO_TIME_OR_MEMORY.search(message):
        return tool_flood(line)
    suggestions: tuple[str, ...] = ()
    next_step = "Correct the line, or go back to the proposed plan."
    if kind == "NameError":
        missing = re.search(r"name '(.*?)'", message)
        suggestions = nearest(missing[1], tuple(names)) if missing else ()
        next_step = f"Did you mean {' or '.join(suggestions[:3])}?" if suggestions else "Define it in an earlier step."
    elif kind in ("ModuleNotFoundError", "ImportError"):
        module = re.search(r"'(.*?)'", message)
        next_step = _INSTEAD.get(
            module[1].split(".")[0] if module else "",
            "A plan may import datetime, math, statistics, re, json, collections, itertools and functools.",
        )
    elif kind == "NotImplementedError":
        suspended = "cannot suspend" in message
        next_step = (
            "Call tools in a for loop or a list comprehension, not inside map(), filter() or a sort key."
            if suspended
            else _UNSUPPORTED
        )
    elif kind == "PermissionError" or "not supported in this environment" in message:
        next_step = 'Read data with LoadDB("…") or SQLInterpreter("SELECT …").'
    elif kind in ("TypeError", "AttributeError") and "'Table'" in message:
        next_step = "Take a value out of a table with GetValue(table, 'COL'), table['COL'] or table[0][0]."
    return PlanError(
        f"{message[:1].upper()}{message[1:500]}" if message else kind,
        next_step=next_step,
        kind=kind,
        line=line,
        suggestions=suggestions,
    )


def _crash(error: MontyCrashedError, line: int) -> SandboxLimit:
    """The worker is gone: one operation took longer than all of the plan's Python may, or who knows what."""
    if error.timed_out:
        what, next_step = _LIMITS["TimeoutError"]
        return SandboxLimit(what, next_step=next_step, kind="TimeoutError", line=line)
    return SandboxLimit("The sandbox stopped.", next_step="Run it again, or simplify the line.", line=line)


def _line(error: MontyError, step: PlanStep, steps: Sequence[PlanStep]) -> int:
    """The plan's line of the innermost frame that lies in the plan; the step's first line where none does."""
    frames = error.traceback() if hasattr(error, "traceback") else []
    for frame in reversed(frames):
        feed = _FEED.fullmatch(frame.filename)
        if feed and 1 <= int(feed[1]) <= len(steps):
            fed = steps[int(feed[1]) - 1]
            if fed.stands_for_a_line(frame.line):
                return fed.plan_line(frame.line)
    return step.line


def tool_error(error: EhrtuiError, line: int) -> PlanError:
    """An error that a tool raised, at a line of the plan: a PlanError as it is, others with their type as `kind`."""
    if isinstance(error, PlanError):
        error.line = line
        return error
    wrapped = (PlanCancelled if isinstance(error, QueryCancelled) else PlanError)(
        error.what,
        why=error.why,
        next_step=error.next_step,
        kind=type(error).__name__,
        line=line,
        suggestions=getattr(error, "suggestions", ()),
    )
    wrapped.__cause__ = wrapped.origin = error
    return wrapped


def tool_flood(line: int | None) -> SandboxLimit:
    """Too many calls."""
    return SandboxLimit(
        "The plan called tools too often.",
        next_step="Let one statement do the work of the loop: FilterDB with ' in [..]', or SQLInterpreter.",
        kind="ToolCallLimit",
        line=line,
    )
