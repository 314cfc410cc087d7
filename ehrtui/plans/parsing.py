"""Reads a plan: its top-level statements are its steps."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ehrtui.errors import PlanError
from ehrtui.plans.rewriting import rewritten

# A plan is not ehrtui's own code: what Python would advise about it must not be written across the screen.
warnings.filterwarnings("ignore", category=SyntaxWarning, module="<unknown>")

MAX_LENGTH = 200_000
MAX_STEPS = 500

_CONFIDENCE = re.compile(r"#\s*confidence\s*:\s*(\d+(?:\.\d+)?)", re.IGNORECASE)


@dataclass(frozen=True)
class SqlCall:
    """The step `variable = SQLInterpreter("sql", name=table, …)`; `tables` maps the names to variables."""

    variable: str
    sql: str
    tables: Mapping[str, str]


@dataclass(frozen=True)
class PlanStep:
    """One top-level statement. `source` is what the sandbox runs, `lines` maps those of its lines that are the plan's
    to the plan's (empty where they differ by an offset alone); `confidence` is in [0, 1].

    `target` is the variable that it sets, if it is a simple assignment; `sets_answer` where it may set the
    plan's answer anywhere in it; `gets_value` where it is `answer = GetValue(…)`, `queries_answer` where it is the last
    step and `answer = SQLInterpreter(…)`. `shows` says what running `source` gives: the `value` itself (of an
    expression, or of the answer in the last step), a table or a `preview` of what was assigned, or `nothing`. `call` is
    the one call of SQLInterpreter that the step is, if it is no more than that.
    """

    code: str
    line: int
    source: str
    lines: dict[int, int]
    confidence: float | None
    target: str | None
    sets_answer: bool
    gets_value: bool
    queries_answer: bool
    shows: Literal["value", "preview", "nothing"]
    call: SqlCall | None = None

    @property
    def is_answer(self) -> bool:
        """Whether running it gives the plan's answer itself."""
        return self.target is not None and self.shows == "value"

    def stands_for_a_line(self, source_line: int) -> bool:
        """False for a line (from 1) of `source` that is lent to the plan, and no line of its own."""
        return not self.lines or source_line in self.lines

    def plan_line(self, source_line: int) -> int:
        """The line of the plan for a line (from 1) of `source`."""
        return self.lines.get(source_line, self.line) if self.lines else self.line + source_line - 1


@dataclass(frozen=True)
class ParsedPlan:
    """The steps of a plan, and the variable that holds its `answer` at the end."""

    steps: tuple[PlanStep, ...]
    answer: str = "answer"


def parse_plan(plan: str, until: int | None = None) -> ParsedPlan:
    """The steps of a plan, with `until` only those that begin up to this line (from 1); then the answer is what the
    last of them sets. Raises PlanError with the line where it is not Python, is empty or too long."""
    if len(plan) > MAX_LENGTH:
        raise PlanError(f"The plan is longer than {MAX_LENGTH:,} characters.", next_step="Shorten it.")
    plan = plan.replace("\r\n", "\n").replace("\r", "\n")
    try:
        statements = ast.parse(plan).body
        answer = "answer"
        if until is not None:
            statements = [statement for statement in statements if _first_line(statement) <= until]
            answer = _last_set(statements) or answer
        if len(statements) <= MAX_STEPS:
            lines = plan.split("\n")
            last = statements[-1] if statements else None
            steps = tuple(_step(statement, lines, answer, is_last=statement is last) for statement in statements)
    except SyntaxError as error:
        raise PlanError(
            f"The plan is not Python: {error.msg}.",
            why=f"Line {error.lineno} reads: {(error.text or '').strip()[:80]}" if error.lineno else "",
            next_step="Correct the line, or go back to the proposed plan.",
            kind="SyntaxError",
            line=error.lineno,
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise PlanError(
            "The plan cannot be read.",
            why="It is nested too deeply, or contains a character that Python does not allow.",
            next_step="Simplify it, or go back to the proposed plan.",
            kind=type(error).__name__,
        ) from error
    if len(statements) > MAX_STEPS:
        raise PlanError(f"The plan has more than {MAX_STEPS} steps.", next_step="Use a loop, or one SQL statement.")
    if not steps:
        raise PlanError(
            "The plan has no step.",
            next_step='Write at least one statement, for example answer = SQLInterpreter("SELECT …").',
            kind="EmptyPlan",
        )
    return ParsedPlan(steps, answer)


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _last_set(statements: list[ast.stmt]) -> str | None:
    """The variable that was set last, in a loop too; None where the last value is an expression's, or there is none."""
    for statement in reversed(statements):
        if isinstance(statement, ast.Expr):
            return None
        if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            continue
        for node in reversed(list(ast.walk(statement))):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                return node.id
    return None


def _step(statement: ast.stmt, lines: list[str], answer: str, *, is_last: bool) -> PlanStep:
    line = _first_line(statement)
    end = statement.end_lineno or line
    code = _code(statement, lines[line - 1 : end], decorated=bool(getattr(statement, "decorator_list", [])))
    stated = _CONFIDENCE.findall("\n".join(lines[line - 1 : end]))
    # read before rewriting, which changes the tree in place
    target = _target(statement)
    sets_answer = any(
        isinstance(node, ast.Name) and node.id == answer and isinstance(node.ctx, ast.Store)
        for node in ast.walk(statement)
    )
    gets_value = target == answer and _calls(statement, "GetValue")
    alone = sum(isinstance(node, ast.Call) for node in ast.walk(statement)) == 1
    queries_answer = is_last and target == answer and alone and _calls(statement, "SQLInterpreter")
    call = _sql_call(statement)
    changed = None if call else rewritten(statement)
    source = changed[0] if changed else code
    shows: Literal["value", "preview", "nothing"] = "value" if isinstance(statement, ast.Expr) else "nothing"
    if target == answer and is_last:
        source, shows = f"{source}\n{answer}", "value"
    elif target:
        source, shows = f"{source}\n_ehr_seen({target})", "preview"
    return PlanStep(
        code=code,
        line=line,
        source=source,
        lines=changed[1] if changed else {},
        confidence=min(float(stated[-1]), 10.0) / 10 if stated else None,
        target=target,
        sets_answer=sets_answer,
        gets_value=gets_value,
        queries_answer=queries_answer,
        shows=shows,
        call=call,
    )


def _code(statement: ast.stmt, lines: list[str], *, decorated: bool) -> str:
    """The statement's own text in its lines; the syntax tree counts columns in bytes."""
    *before, last = lines
    kept = last.encode()[: statement.end_col_offset].decode()
    if decorated:
        return "\n".join([*before, kept])
    return "\n".join([*before, kept]).encode()[statement.col_offset :].decode()


def _target(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()) | ast.AugAssign(target=ast.Name(id=name)):
            return name
    return None


def _calls(statement: ast.stmt, tool: str) -> bool:
    """True for `target = tool(…)`."""
    match statement:
        case ast.Assign(value=ast.Call(func=ast.Name(id=name))):
            return name == tool
    return False


def _sql_call(statement: ast.stmt) -> SqlCall | None:
    """The call that a statement is, None for any other statement."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=variable)],
            value=ast.Call(func=ast.Name(id="SQLInterpreter"), args=[ast.Constant(value=str() as sql)], keywords=given),
        ):
            tables = {each.arg: each.value.id for each in given if each.arg and isinstance(each.value, ast.Name)}
            return SqlCall(variable, sql, tables) if len(tables) == len(given) else None
    return None
