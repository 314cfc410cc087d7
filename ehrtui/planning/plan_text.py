"""Code plans as text: what is written for people and for the sandbox alike."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.logic.steps import SqlStep


def plan_of(steps: Sequence[SqlStep], confidences: Sequence[float]) -> str:
    """The steps as a plan, one statement each, with the confidence in [0, 1] of each as `# Confidence: 0-10`
    (TrustEHRAgent §3)."""
    lines = []
    for step, confidence in zip(steps, confidences, strict=True):
        tables = "".join(f", {name}={name}" for name in step.uses)
        stated = f"# Confidence: {round(confidence * 10, 1):g}"
        lines.append(f"{step.name} = SQLInterpreter({quoted(step.sql)}{tables})  {stated}")
    return "\n".join(lines)


def quoted(sql: str) -> str:
    """SQL as a Python string literal that keeps its lines."""
    escaped = sql.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if "\n" not in escaped and '"' not in escaped:
        return f'"{escaped}"'
    return f'"""\n{escaped}\n"""'
