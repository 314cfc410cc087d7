"""Code plans as text: how steps and SQL are written as Python, and read back."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ehrtui.logic.steps import SqlStep


def plan_of(steps: Sequence[SqlStep], confidences: Sequence[float]) -> str:
    """The steps as a plan, one statement each, with the confidence in [0, 1] of each as `# Confidence: 0-10`
    (TrustEHRAgent §3)."""
    lines = []
    for step, confidence in zip(steps, confidences, strict=True):
        tables = "".join(f", {name}={name}" for name in step.uses)
        lines.append(f"{step.name} = SQLInterpreter({python_literal(step.sql)}{tables}){_stated(confidence)}")
    return "\n".join(lines)


def _stated(confidence: float) -> str:
    return f"  # Confidence: {round(confidence * 10, 1):g}"


def plan_from_sql(sql: str) -> str:
    """The plan whose one step runs `sql`. Any text survives, quotes and backslashes included."""
    return f"answer = SQLInterpreter({python_literal(sql)})"


def sql_from_plan(plan: str) -> str | None:
    """The SQL of a plan in which every step is SQL, as one statement: a single `answer = SQLInterpreter("…")` as it is
    written, several with the earlier ones in its WITH clause. None for any other plan."""
    try:
        steps = [_sql_step(statement) for statement in ast.parse(plan).body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = tuple(step for step in steps if step is not None)
    if not found or len(found) < len(steps) or found[-1].name != "answer":
        return None
    if len(found) == 1 and not found[0].uses:
        return found[0].sql
    if not _composes(found):
        return None
    from ehrtui.logic.compile import flat_sql

    return flat_sql(found)


def _sql_step(statement: ast.stmt) -> SqlStep | None:
    """The step `name = SQLInterpreter("…", other=other)`; None for any other statement."""
    from ehrtui.logic.steps import SqlStep

    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Name(id="SQLInterpreter"), args=[ast.Constant(value=str() as sql)], keywords=given),
        ):
            uses = tuple(each.arg for each in given if each.arg and isinstance(each.value, ast.Name))
            same = all(isinstance(each.value, ast.Name) and each.arg == each.value.id for each in given)
            return SqlStep(name, sql, uses) if same else None
    return None


def _composes(steps: Sequence[SqlStep]) -> bool:
    """True where names mean the same in one WITH clause: each is set once, and nobody means a table of the database by
    it."""
    names = [step.name.lower() for step in steps]
    for at, step in enumerate(steps):
        words = {word.lower() for word in re.findall(r"\w+", step.sql)}
        given = {name.lower() for name in step.uses}
        if not given <= set(names[:at]) or words & set(names) - given or (";" in step.sql):
            return False
    return len(set(names)) == len(names)


def python_literal(text: str) -> str:
    """A Python string literal of `text`, in triple quotes over its own lines where that spells the same text."""
    readable = f'"""{text}"""' if "\n" in text or '"' in text else f'"{text}"'
    return readable if _spells(readable, text) else repr(text)


def _spells(literal: str, text: str) -> bool:
    try:
        return bool(ast.literal_eval(literal) == text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
