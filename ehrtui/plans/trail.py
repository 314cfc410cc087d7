"""What a run of a plan leaves behind: the value of each step, to be looked at, and what its tools gave, so that a run
that goes on from a later line need not ask them again.

Plans are deterministic but for their tools: where the steps are the same and the tools give the same, so does Python.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ehrtui.engines.engine import Scalar
from ehrtui.plans.handles import Table, Workspace
from ehrtui.plans.parsing import PlanStep
from ehrtui.plans.reports import Statement
from ehrtui.plans.shown import ShownValue

MOST_VALUES = 200_000
"""Values that tools gave and that are remembered, over all calls of a run."""


@dataclass(frozen=True)
class Call:
    """A call of a tool in step `step` (from 1), and the `value` that it gave. `expanded` is what the tokens of its SQL
    stood for; `got` and `kept` are the workspace's value and number of private results after it."""

    step: int
    tool: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    value: Any
    expanded: tuple[tuple[str, Statement], ...]
    got: tuple[Table, Scalar | list[Scalar]] | None
    kept: int


@dataclass
class Trail:
    """The run called `name`, of `steps`, as far as it is. `earlier` are calls of the run before that may stand for its
    own: those of the same steps, in order."""

    name: str
    workspace: Workspace
    steps: Sequence[PlanStep]
    earlier: deque[Call] = field(default_factory=deque)
    calls: list[Call] = field(default_factory=list)
    values: dict[int, tuple[Table | None, ShownValue]] = field(default_factory=dict)
    step: int = 0
    made: int = 0
    """Calls that the step has made itself."""
    reused: int = 0
    """Calls of the step that were answered from the run before."""
    _expanded: list[tuple[str, Statement]] = field(default_factory=list)
    _room: int = MOST_VALUES

    def __post_init__(self) -> None:
        expand = self.workspace.expand

        def noted(sql: str) -> Statement:
            statement = expand(sql)
            self._expanded.append((sql, statement))
            return statement

        self.workspace.expand = noted

    def begin(self, step: int) -> None:
        """Step `step` begins."""
        self.step, self.made, self.reused = step, 0, 0

    def call(self, tool: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], ask: Callable[[], Any]) -> Any:
        """What the tool gives: as in the run before, where this is the same call; else what `ask` returns."""
        self._expanded.clear()
        found = self._same(tool, args, kwargs)
        if found is not None:
            self.reused += 1
            self.workspace.value = found.got
            self._remember(found)
            return found.value
        self.made += 1
        self._expanded.clear()
        value = ask()
        kept = len(self.workspace.kept)
        self._remember(Call(self.step, tool, args, kwargs, value, tuple(self._expanded), self.workspace.value, kept))
        return value

    def without(self, table: Table) -> None:
        """Forget the call that gave `table`, whose rows are the answer now, and what came after it."""
        given = [call.value for call in self.calls]
        if table in given:
            del self.calls[given.index(table) :]

    def _same(self, tool: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Call | None:
        if not self.earlier:
            return None
        call = self.earlier.popleft()
        same = (call.step, call.tool, call.args, call.kwargs) == (self.step, tool, args, kwargs)
        if same and all(self.workspace.expand(sql) == statement for sql, statement in call.expanded):
            return call
        self.earlier.clear()
        return None

    def _remember(self, call: Call) -> None:
        self._room -= len(call.value) if isinstance(call.value, list | tuple | dict) else 1
        if self._room >= 0:
            self.calls.append(call)
        else:
            self._room = -1  # what comes after a gap cannot be used


def resumed(last: Trail, steps: Sequence[PlanStep], line: int) -> deque[Call]:
    """The calls of `last` that a run of `steps` from `line` on may use: those of the steps before that line, up to the
    first that is not the same. The private results that only other calls gave are dropped."""
    same = 0
    for old, new in zip(last.steps, steps, strict=False):
        if new.line >= line or new.code != old.code:
            break
        same += 1
    workspace = last.workspace
    there = {result.name for result in workspace.engine.results()}  # some may have made room for others
    left = next((at for at, name in enumerate(workspace.kept) if name not in there), len(workspace.kept))
    calls = deque(call for call in last.calls if call.step <= same and call.kept <= left)
    used = calls[-1].kept if calls else 0
    for name in workspace.kept[used:]:
        workspace.engine.drop(name)
    del workspace.kept[used:]
    return calls
