"""The evidence of one failure, or of one suspicious success: the plan as a tree, the error, the steps, the database."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from ehrtui.errors import EhrtuiError, PlanError
from ehrtui.plans.absence import AbsentValue
from ehrtui.plans.diagnosis import Facts
from ehrtui.plans.editing import source
from ehrtui.plans.handles import Table
from ehrtui.plans.reports import Step, ToolCall
from ehrtui.schema import model
from ehrtui.schema.model import Schema

_Node = TypeVar("_Node", bound=ast.AST)
_TYPES = re.compile(r"""['"]([\w.]+)['"]""")


@dataclass(frozen=True, eq=False)
class Case:
    """`error` is None for a plan that succeeded; `steps` are those that ran."""

    plan: str
    facts: Facts
    error: EhrtuiError | None
    steps: tuple[Step, ...]

    @cached_property
    def tree(self) -> ast.Module | None:
        """The plan's syntax tree, None where it is no Python."""
        try:
            return ast.parse(self.plan)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @property
    def schema(self) -> Schema:
        """The database's tables."""
        return self.facts.engine.schema()

    @property
    def kind(self) -> str:
        """The error's type, such as "TypeError"; "" without one."""
        return self.error.kind if isinstance(self.error, PlanError) else type(self.error).__name__ if self.error else ""

    @property
    def message(self) -> str:
        """What the error says."""
        return self.error.what if self.error else ""

    @property
    def why(self) -> str:
        """What the error says of its reason."""
        return self.error.why if self.error else ""

    @property
    def suggestions(self) -> tuple[str, ...]:
        """Near names and values that the error itself gives."""
        return self.error.suggestions if isinstance(self.error, PlanError) else ()

    @property
    def line(self) -> int | None:
        """The plan's line of the error."""
        return self.error.line if isinstance(self.error, PlanError) else None

    @property
    def call(self) -> ToolCall | None:
        """The tool call that failed, with the arguments that it really had."""
        return self.error.call if isinstance(self.error, PlanError) else None

    @property
    def absent(self) -> AbsentValue | None:
        """The error, where it is a value that is not stored."""
        return self.error if isinstance(self.error, AbsentValue) else None

    @property
    def types(self) -> tuple[str, ...]:
        """The Python types that the error names, in order."""
        named = tuple(name.rpartition(".")[2] for name in _TYPES.findall(self.message))
        return ("str", *named) if "concatenate str" in self.message else named

    @cached_property
    def statement(self) -> ast.stmt | None:
        """The innermost statement at the error's line."""
        around = [
            node
            for node in self.nodes(ast.stmt)
            if self.line is not None and node.lineno <= self.line <= (node.end_lineno or node.lineno)
        ]
        return max(around, key=lambda node: node.lineno, default=None)

    @cached_property
    def nodes_here(self) -> tuple[ast.AST, ...]:
        """All nodes of the statement that failed; of the whole plan where it is not known."""
        root = self.statement or self.tree
        return tuple(ast.walk(root)) if root else ()

    @cached_property
    def failing(self) -> ast.Call | None:
        """Where the tool call that failed stands in the plan."""
        call = self.call
        if call is None:
            return None
        here = [node for node in self.nodes_here if isinstance(node, ast.Call) and calls(node, call.tool)]
        anywhere = [node for node in self.nodes(ast.Call) if calls(node, call.tool)]
        return next((node for node in (*here, *anywhere) if _fits(node, call)), None)

    def nodes(self, kind: type[_Node]) -> Iterator[_Node]:
        """All nodes of a kind, in the order of the tree's walk."""
        return (node for node in (ast.walk(self.tree) if self.tree else ()) if isinstance(node, kind))

    def source(self, node: ast.AST) -> str:
        """A node's text."""
        return source(self.plan, node)

    def variable(self, name: str) -> Step | None:
        """The last step that has set a variable."""
        return next((step for step in reversed(self.steps) if step.variable == name and not step.error), None)

    def type_of(self, node: ast.AST) -> str:
        """The Python type of an expression, as far as the steps or its form tell; "" where they do not."""
        match node:
            case ast.Name(id=name):
                step = self.variable(name)
                return step.type if step else ""
            case ast.Constant(value=value):
                return type(value).__name__
            case ast.List() | ast.ListComp():
                return "list"
            case ast.JoinedStr() | ast.Call(func=ast.Name(id="Calendar")):
                return "str"
            case ast.Call(func=ast.Name(id="LoadDB" | "FilterDB" | "SQLInterpreter")):
                return "Table"
        return ""

    def definition(self, node: ast.AST) -> ast.expr | None:
        """The expression that a variable was last set to, at the top of the plan and before `node`; the node itself
        where it is no variable."""
        if not isinstance(node, ast.Name):
            return node if isinstance(node, ast.expr) else None
        found = None
        for statement in self.tree.body if self.tree else ():
            if statement.lineno >= node.lineno:
                break
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == node.id:
                    found = value
        return found

    def table_of(self, node: ast.AST) -> model.Table | None:
        """The table of the database whose rows an expression gives."""
        match self.definition(node):
            case ast.Call(func=ast.Name(id="LoadDB"), args=[ast.Constant(value=str() as name)]):
                return self.schema.table(name)
            case ast.Call(func=ast.Name(id="FilterDB"), args=[table, *_]):
                return self.table_of(table)
        return None

    def table_given(self) -> Table | None:
        """The table that the failed tool call was given."""
        first = self.call.args[0] if self.call and self.call.args else None
        return first if isinstance(first, Table) else None


def calls(node: ast.AST, tool: str) -> bool:
    """True for a call of `tool`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == tool


def text_parts(node: ast.expr) -> list[str | ast.expr]:
    """A text that is put together, as its fixed parts and the expressions between them."""
    match node:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.JoinedStr(values=values):
            return [part for value in values for part in text_parts(value)]
        case ast.FormattedValue(value=value) | ast.Call(func=ast.Name(id="str"), args=[value], keywords=[]):
            return [value]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*text_parts(left), *text_parts(right)]
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod(), right=right):
            values = right.elts if isinstance(right, ast.Tuple) else [right]
            return _filled(re.split(r"%[sd]", text), values) or [node]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as text), attr="format"), keywords=[]):
            return _filled(re.split(r"\{\d?\}", text), node.args) or [node]
    return [node]


def _filled(fixed: list[str], values: list[ast.expr]) -> list[str | ast.expr]:
    """Fixed parts with a value between each two; none where their numbers do not fit."""
    if len(fixed) != len(values) + 1:
        return []
    return [fixed[0], *(part for pair in zip(values, fixed[1:], strict=True) for part in pair)]


def fits(node: ast.expr, text: str) -> bool:
    """Whether an expression may have given `text`: its fixed parts must occur, in their order."""
    parts = text_parts(node)
    pattern = "".join(re.escape(part) if isinstance(part, str) else ".*" for part in parts)
    return re.fullmatch(pattern, text, re.DOTALL) is not None


def _fits(node: ast.Call, call: ToolCall) -> bool:
    given = zip(node.args, call.args, strict=False)
    return (
        len(node.args) == len(call.args)
        and len(node.keywords) == len(call.kwargs)
        and all(fits(argument, value) for argument, value in given if isinstance(value, str))
    )
