"""Plans that compute nothing in Python, run without the sandbox: each step hands a text of SQL, and tables of earlier
steps, to SQLInterpreter. Most plans are of that kind, and a worker process costs more than many a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ehrtui.plans.parsing import ParsedPlan, PlanStep

_TOOL = "SQLInterpreter"


def runs_directly(steps: Sequence[PlanStep]) -> bool:
    """True where every step is such a call, over tables that earlier steps have set."""
    known: set[str] = set()
    for step in steps:
        if step.call is None or step.call.variable == _TOOL or not known.issuperset(step.call.tables.values()):
            return False
        known.add(step.call.variable)
    return True


class DirectSession:
    """Stands in for `sandbox.Session` where `runs_directly`."""

    def __init__(self, plan: ParsedPlan) -> None:
        self._calls = {step.source: step.call for step in plan.steps}
        self._variables: dict[str, object] = {}

    def run(self, source: str, tools: Mapping[str, Callable[..., Any]], printed: Callable[[str, str], None]) -> object:
        """Run a step of the plan by its source, or look a variable up; its value. Raises the tool's EhrtuiError."""
        call = self._calls.get(source)
        if call is None:
            return self._variables[source]
        given = {name: self._variables[variable] for name, variable in call.tables.items()}
        value = self._variables[call.variable] = tools[_TOOL](call.sql, **given)
        return value
