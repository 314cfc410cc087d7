"""Rehearsing a plan: it runs over a database of the same tables with made-up rows, in which there is no patient.

What comes of it follows from the plan's text and from the names of tables and columns alone. That is all that a
language model is told of a plan that failed, and a plan that cannot run over any rows is not run over the real ones.
"""

from __future__ import annotations

import ast
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ehrtui.engines.engine import FirstRows, Limits, Result, Row, Scalar
from ehrtui.engines.sqlite import SQLiteEngine
from ehrtui.errors import EhrtuiError, PlanError
from ehrtui.planning.plan_text import plan_from_sql
from ehrtui.plans.absence import AbsentValue
from ehrtui.plans.diagnosis import Facts
from ehrtui.plans.handles import Workspace
from ehrtui.plans.reports import Outcome, Statement
from ehrtui.plans.runner import PlanRunner
from ehrtui.plans.sandbox import PlanLimits
from ehrtui.plans.tools import TOOLS, Tool
from ehrtui.schema.fitting import quoted
from ehrtui.schema.model import Column, Schema
from ehrtui.tokens.prev import expand
from ehrtui.tokens.reference import Reference

NOW = "2000-01-01 00:00:00"
"""The database now of a rehearsal."""
_LIMITS = PlanLimits(seconds=1.0, total_seconds=3.0, tool_calls=1000, printed=10_000, rows=1000)
_TOKEN = re.compile(r"PREV_(?:RESULT|QUERY)(\d{1,4})", re.IGNORECASE)
_ALWAYS = ("SyntaxError", "EmptyPlan", "ForbiddenStatement", "TokenError", "ImportError", "ModuleNotFoundError",
           "NotImplementedError", "PermissionError")  # fmt: skip
_OF_SQL = re.compile(
    r"There is no (?:table|column|SQL)\b|SQLite has no function|Several tables have|The SQL |A query cannot start"
    r"|The query cannot be run\. SQLite says: (?:wrong number of arguments|misuse of|ambiguous)"
)
"""What is said of a query before it reads a row."""
_OF_A_HANDLE = re.compile(r"'?Table'?")
_COMPUTING = ("Calendar", "Calculate")
"""Tools that are given what a plan has computed."""


def named_turns(plan: str) -> set[int]:
    """The earlier turns that the tokens in the text of a plan name."""
    return {int(found) for found in _TOKEN.findall(plan)}


class _Unrehearsed(EhrtuiError):
    """What cannot be rehearsed: an earlier turn that did not go through, or a tool of the user's own."""


class Rehearsal:
    """Plans over made-up rows in the tables that `schema` gives; of the `tools`, the user's own are never called.

    Earlier turns are given as their plans by number, and rehearsed when a plan names them. From any thread.
    """

    def __init__(self, schema: Callable[[], Schema], tools: Sequence[Tool]) -> None:
        own = {tool.name for tool in TOOLS}
        self._tools = tuple(tool if tool.name in own else _not_called(tool) for tool in tools)
        self._schema = schema
        self._lock = threading.Lock()
        self._open(schema())

    def _open(self, schema: Schema) -> None:
        self._of = schema
        self._directory = TemporaryDirectory(prefix="ehrtui-")
        path = Path(self._directory.name) / "rehearsal.sqlite"
        _make_up(path, schema)
        self._engine = _MadeUp(path, limits=Limits(seconds=_LIMITS.total_seconds, rows=1000, bytes=10_000_000))
        self._runner = _Runner(self._engine, self._tools)
        self._done: dict[int, tuple[str, Outcome | None]] = {}

    def _follow(self) -> None:
        """Begin anew where the database has other tables by now."""
        if (schema := self._schema()) is not self._of:
            self.close()
            self._open(schema)

    @property
    def facts(self) -> Facts:
        """What a diagnosis may look at."""
        return Facts(self._engine, NOW, self._tools)

    def failure(self, plan: str, earlier: Mapping[int, str]) -> PlanError | None:
        """The error that the plan has over any rows, None where there is none that is sure."""
        try:
            with self._lock:
                self._follow()
                self._run(plan, earlier, max(earlier, default=0) + 1, "answer")
        except PlanError as error:
            return error if _is_sure(error, plan) else None
        except EhrtuiError:
            return None
        return None

    def columns(self, number: int, earlier: Mapping[int, str]) -> tuple[str, ...]:
        """The columns of the answer of turn `number` over made-up rows, () where there is none."""
        with self._lock:
            self._follow()
            outcome = self._turn(number, earlier)
        return outcome.columns if outcome is not None else ()

    def standing_for(self, columns: Sequence[str]) -> str:
        """A plan whose answer is one made-up row of these columns."""
        with self._lock:
            values = self._engine.made_up(columns)
        named = (f"{_spelled(value)} AS {quoted(name)}" for value, name in zip(values, columns, strict=True))
        return plan_from_sql(f"SELECT {', '.join(named)}")

    def close(self) -> None:
        """End the worker process, and remove the database."""
        self._runner.close()
        self._engine.close()
        self._directory.cleanup()

    def _turn(self, number: int, earlier: Mapping[int, str]) -> Outcome | None:
        plan = earlier.get(number, "")
        if self._done.get(number, ("", None))[0] != plan:
            outcome = None
            with suppress(EhrtuiError):
                outcome = self._run(plan, earlier, number, f"a{number}")
            self._done[number] = (plan, outcome)
        return self._done[number][1] if plan else None

    def _run(self, plan: str, earlier: Mapping[int, str], number: int, name: str) -> Outcome:
        for other in sorted(other for other in named_turns(plan) if other < number):
            self._turn(other, earlier)  # before this plan: the runner runs one at a time

        def rehearsed(other: int) -> Outcome | None:
            known, outcome = self._done.get(other, ("", None))
            return outcome if known == earlier.get(other) else None

        references = _References(number, rehearsed, self._engine)

        def expand_tokens(sql: str) -> Statement:
            return expand(sql, references, now=NOW, dialect=self._engine.dialect)

        return self._runner.run(plan, expand=expand_tokens, name=name, report=lambda _: None)


def _is_sure(error: PlanError, plan: str) -> bool:
    """True where the plan's text is wrong, whatever rows there are."""
    message = f"{error.what} {error.why}"
    cause = error.__cause__ if isinstance(error.__cause__, EhrtuiError) else error
    if isinstance(cause, AbsentValue | _Unrehearsed):
        return False
    if error.kind == "NoAnswer":
        return _never_set(plan, "answer")
    if error.kind == "NameError":
        missing = re.search(r"[Nn]ame '(\w+)'", error.what)
        return missing is not None and _never_set(plan, missing[1])
    if error.kind == "ToolError":
        tool = error.call.tool if error.call else ""
        return tool not in _COMPUTING and not re.search(r"\b(?:holds?|has no \w+: it)\b", message)
    if error.kind in ("AttributeError", "TypeError"):
        return bool(_OF_A_HANDLE.search(message))
    return error.kind in _ALWAYS or bool(_OF_SQL.match(message))


def _never_set(plan: str, name: str) -> bool:
    """True where nothing in the plan gives `name` a value."""
    try:
        nodes = list(ast.walk(ast.parse(plan)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not any(
        (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.arg) and node.arg == name)
        or (isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name)
        or (isinstance(node, ast.alias) and (node.asname or node.name) == name)
        or (isinstance(node, ast.ExceptHandler) and node.name == name)
        for node in nodes
    )


def _make_up(path: Path, schema: Schema) -> None:
    """A database at `path` with the tables of `schema`, and one row in each."""
    connection = sqlite3.connect(path)
    with connection:
        for table in schema.tables:
            names = [quoted(column.name) for column in table.columns]
            typed = [f"{name} {column.type}" for name, column in zip(names, table.columns, strict=True)]
            try:
                connection.execute(f"CREATE TABLE {quoted(table.name)} ({', '.join(typed)})")
            except sqlite3.Error:  # a type that only its own database can spell
                connection.execute(f"CREATE TABLE {quoted(table.name)} ({', '.join(names)})")
            marks = ", ".join("?" * len(table.columns))
            connection.execute(
                f"INSERT INTO {quoted(table.name)} VALUES ({marks})", [_value(column) for column in table.columns]
            )
    connection.close()


def _value(column: Column | None) -> Scalar:
    if column is not None and column.is_time:
        return NOW
    return "x" if column is not None and not column.is_number else 1


def _spelled(value: Scalar) -> str:
    """A made-up value in SQL."""
    return f"'{value}'" if isinstance(value, str) else str(value)


def _not_called(tool: Tool) -> Tool:
    """A tool of the user's own, which may do anything: it is known, and never called."""

    @wraps(tool.function)
    def function(_: Workspace, /, *args: Any, **kwargs: Any) -> Any:
        raise _Unrehearsed("It is not called in a rehearsal.")

    return Tool(tool.name, function, tool.example)


class _Runner(PlanRunner):
    def __init__(self, engine: SQLiteEngine, tools: tuple[Tool, ...]) -> None:
        super().__init__(engine, now=NOW, limits=_LIMITS)
        self._known = tools

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """Those that were given, and no others that are installed."""
        return self._known


class _MadeUp(SQLiteEngine):
    """Never gives no rows: where a query finds nothing, one is made up, so that a plan goes on."""

    def run(
        self,
        sql: str,
        name: str,
        limits: Limits | None = None,
        stopped: Callable[[], bool] | None = None,
        first: Callable[[FirstRows], None] | None = None,
    ) -> Result:
        result = super().run(sql, name, limits, stopped, first)
        return result if result.row_count else self.store(name, result.columns, [self.made_up(result.columns)])

    def read(self, sql: str, parameters: Sequence[Scalar] = (), stopped: Callable[[], bool] | None = None) -> list[Row]:
        rows = super().read(sql, parameters, stopped)
        if rows == [(0,)]:
            return [(1,)]
        return rows or [self.made_up(self.columns(sql))]

    def made_up(self, columns: Sequence[str]) -> Row:
        """A row of these columns."""
        known = {column.name.lower(): column for table in self.schema().tables for column in table.columns}
        return tuple(_value(known[name.lower()]) if name.lower() in known else 1 for name in columns)


class _References(Mapping[int, Reference]):
    """What the tokens of turn `number` stand for."""

    def __init__(self, number: int, outcome: Callable[[int], Outcome | None], engine: SQLiteEngine) -> None:
        self._number = number
        self._outcome = outcome
        self._engine = engine

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and 1 <= number < self._number

    def __iter__(self) -> Iterator[int]:
        return iter(range(1, self._number))

    def __len__(self) -> int:
        return self._number - 1

    def __getitem__(self, number: int) -> Reference:
        if number not in self:
            raise KeyError(number)
        outcome = self._outcome(number)
        if outcome is None:
            raise _Unrehearsed(f"A{number} has no rows in the rehearsal.")
        name, flat = outcome.name, outcome.statement.flat if outcome.statement else None
        return Reference(
            number, self._engine.relation(name), outcome.columns, outcome.row_count, flat,
            lambda: self._engine.page(name, 0, outcome.row_count),
        )  # fmt: skip
