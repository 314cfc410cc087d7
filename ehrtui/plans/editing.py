"""Changes to a plan's text that leave the rest of it as its author wrote it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

Edit = tuple[int, int, str]
"""Characters `start` to `end` of a text become another text."""


def span(plan: str, node: ast.AST) -> tuple[int, int]:
    """Where a node stands in the plan; the syntax tree counts columns in bytes."""
    lines = plan.split("\n")
    first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)

    def offset(line: int, column: int) -> int:
        before = sum(len(text) + 1 for text in lines[: line - 1])
        return before + len(lines[line - 1].encode()[:column].decode("utf-8", "replace"))

    return offset(first, getattr(node, "col_offset", 0)), offset(last, getattr(node, "end_col_offset", 0))


def source(plan: str, node: ast.AST) -> str:
    """A node's text."""
    start, end = span(plan, node)
    return plan[start:end]


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits that do not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def replacing(plan: str, node: ast.AST, text: str) -> str:
    """The plan with a node spelt anew."""
    return edited(plan, [(*span(plan, node), text)])


def difference(before: str, after: str) -> tuple[int, int, int]:
    """Where two texts differ: from which character on, and where that ends in the one and in the other."""
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    same = next((at for at in range(shorter - start) if before[-1 - at] != after[-1 - at]), shorter - start)
    return start, len(before) - same, len(after) - same


def inserting(plan: str, line: int, text: str) -> str:
    """The plan with a line before `line` (from 1), indented like it."""
    lines = plan.split("\n")
    found = re.match(r"\s*", lines[line - 1] if line <= len(lines) else "")
    indent = found.group() if found else ""
    return "\n".join([*lines[: line - 1], *(indent + each for each in text.split("\n")), *lines[line - 1 :]])


def fresh(plan: str, name: str) -> str:
    """A variable name like `name` that the plan does not use."""
    name = re.sub(r"\W", "_", name.lower())
    words = set(re.findall(r"\w+", plan))
    return next(each for each in (name, *(f"{name}_{number}" for number in range(2, 1000))) if each not in words)


def statement_of(tree: ast.Module, node: ast.AST) -> ast.stmt | None:
    """The innermost statement that contains a node."""
    inside = [
        each for each in ast.walk(tree) if isinstance(each, ast.stmt) and any(sub is node for sub in ast.walk(each))
    ]
    return max(inside, key=lambda each: each.lineno, default=None)


def in_comprehension(tree: ast.Module, node: ast.AST) -> bool:
    """Whether a node stands in a comprehension or a lambda, whose variables a line before it does not see."""
    kinds = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
    return any(isinstance(each, kinds) and any(sub is node for sub in ast.walk(each)) for each in ast.walk(tree))
