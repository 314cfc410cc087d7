"""Plans that compute nothing in Python, run without the sandbox: each step hands a text of SQL, and tables of earlier
steps, to SQLInterpreter. Most plans are of that kind, and a worker process costs more than many a query."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ehrtui.plans.parsing import ParsedPlan, PlanStep

_TOOL = "SQLInterpreter"


@dataclass(frozen=True)
class SqlCall:
    """The step `variable = SQLInterpreter("sql", name=table, …)`; `tables` maps the names to variables."""

    variable: str
    sql: str
    tables: Mapping[str, str]


def sql_call(statement: ast.stmt) -> SqlCall | None:
    """The call that a statement is, None for any other statement."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=variable)],
            value=ast.Call(func=ast.Name(id="SQLInterpreter"), args=[ast.Constant(value=str() as sql)], keywords=given),
        ):
            tables = {each.arg: each.value.id for each in given if each.arg and isinstance(each.value, ast.Name)}
            return SqlCall(variable, sql, tables) if len(tables) == len(given) else None
    return None


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
