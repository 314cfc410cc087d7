"""Code plans as text: how steps and SQL are written as Python, and read back."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ehrtui.logic.steps import SqlStep


def plan_of(steps: Sequence[SqlStep], confidences: Sequence[float]) -> str:
    """The steps as a plan, one statement each, with the confidence in [0, 1] of each as `# Confidence: 0-10`
    (TrustEHRAgent §3)."""
    lines = []
    for step, confidence in zip(steps, confidences, strict=True):
        tables = "".join(f", {name}={name}" for name in step.uses)
        stated = f"# Confidence: {round(confidence * 10, 1):g}"
        lines.append(f"{step.name} = SQLInterpreter({python_literal(step.sql)}{tables})  {stated}")
    return "\n".join(lines)


def plan_from_sql(sql: str) -> str:
    """The plan whose one step runs `sql`. Any text survives, quotes and backslashes included."""
    return f"answer = SQLInterpreter({python_literal(sql)})"


def sql_from_plan(plan: str) -> str | None:
    """The SQL of a plan that is exactly `answer = SQLInterpreter("…")`; None for any other plan."""
    try:
        body = ast.parse(plan).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match body:
        case [
            ast.Assign(
                targets=[ast.Name(id="answer")],
                value=ast.Call(
                    func=ast.Name(id="SQLInterpreter"), args=[ast.Constant(value=str() as sql)], keywords=[]
                ),
            )
        ]:
            return sql
    return None


def python_literal(text: str) -> str:
    """A Python string literal of `text`, in triple quotes over its own lines where that spells the same text."""
    readable = f'"""{text}"""' if "\n" in text or '"' in text else f'"{text}"'
    return readable if _spells(readable, text) else repr(text)


def _spells(literal: str, text: str) -> bool:
    try:
        return bool(ast.literal_eval(literal) == text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
