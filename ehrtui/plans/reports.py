"""What a running plan reports: a step is one top-level statement of the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ehrtui.engines.engine import FirstRows


@dataclass(frozen=True)
class Step:
    """One finished step. `rows` is None where the value is not a table or a list; `confidence` in [0, 1] comes from
    the step's `# Confidence: X` comment (TrustEHRAgent §3, X in 0-10), None where it has none.

    `variable` is what it sets ("" where it sets none); `type` the Python type of its value ("Table" for a table) and
    `preview` the value's beginning, on one line. A preview may quote rows of the database: it is shown, never saved.
    `reused` where all that its tools gave is of the run before.
    """

    code: str
    line: int
    rows: int | None
    ms: float
    confidence: float | None
    error: str | None = None
    variable: str = ""
    type: str = ""
    preview: str = ""
    reused: bool = False


@dataclass(frozen=True)
class ToolCall:
    """A tool as a plan called it."""

    tool: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


@dataclass(frozen=True)
class Statement:
    """One query in its three spellings, all with the same rows.

    `run`: for the engine now, `PREV_` tokens replaced by kept results; `flat`: standard SQL that is runnable alone,
    tokens expanded to the queries that they stand for; `seq`: as written, with tokens. `depends_on` are the turns
    that the tokens name.
    """

    run: str
    flat: str
    seq: str
    depends_on: tuple[int, ...] = ()


@dataclass(frozen=True)
class Context:
    """The rows of an answer as people see them, kept in the engine as result `name`: the answer's columns come first.
    The query `flat` gives them again."""

    name: str
    columns: tuple[str, ...]
    flat: str


@dataclass(frozen=True)
class Outcome:
    """What a plan came to: its answer, kept in the engine as result `name`, and the steps that led there.

    `statement` is the query whose rows are the answer; None where the answer was computed in Python. `context` is None
    where there is nothing beside it.
    """

    name: str
    columns: tuple[str, ...]
    row_count: int
    statement: Statement | None
    steps: tuple[Step, ...] = ()
    printed: str = ""
    context: Context | None = None


@dataclass(frozen=True)
class StepBegan:
    """Step `index` (from 1) of the plan begins at `line`."""

    index: int
    line: int
    code: str


@dataclass(frozen=True)
class StepDone:
    """Step `index` ended; `step.error` says why where it failed."""

    index: int
    step: Step


Gate: TypeAlias = Callable[[int], bool]
"""Asked whether a step (from 1) may begin: again and again, until it may or the run is stopped."""


@dataclass(frozen=True)
class Course:
    """How a run goes: `gate` can hold it up. Its steps before `from_line` use again what the tools gave to the same
    steps of the last run, where that could be inspected. With `inspect`, what its steps gave is kept for that, and to
    be looked at, until the next run."""

    gate: Gate | None = None
    from_line: int | None = None
    inspect: bool = False


STRAIGHT = Course()
"""From the first step to the last."""

StepReport: TypeAlias = StepBegan | StepDone | FirstRows
"""What a running plan tells its reader, in order, in the thread that runs it. FirstRows are those of the answer, where
it is large: the rest is still being kept."""
