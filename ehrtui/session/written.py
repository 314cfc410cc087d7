"""What follows from the text of a plan alone, over any rows: the way that it goes, its SQL, and some of its errors."""

from __future__ import annotations

import ast
import re

_OF_NAMES = ("NameError", "ImportError", "ModuleNotFoundError", "NoAnswer", "ForbiddenStatement", "TokenError")
_OF_SQL = re.compile(
    r"There is no (?:table|column|SQL)\b|SQLite has no function|Several tables have|The SQL |A query cannot start"
    r"|The query cannot be run\. SQLite says: (?:wrong number of arguments|misuse of|ambiguous)"
)
"""What is said of a query before it reads a row."""
_TABLES = ("LoadDB", "FilterDB", "SQLInterpreter")


def fails_anyway(plan: str, kind: str, message: str) -> bool:
    """Whether an error of `kind` is one of the text of `plan` alone: the same over any rows of the database."""
    if not _steps(plan):  # it is no Python, or empty, and never ran
        return True
    return is_plain(plan) and (kind in _OF_NAMES or _OF_SQL.match(message) is not None)


def is_plain(plan: str) -> bool:
    """True for a plan whose every step is one call with texts and tables that it spells: no value can change its way,
    nor what its queries say."""
    tables: set[str] = set()
    steps = _steps(plan)
    for step in steps:
        call = step.value if isinstance(step, ast.Assign | ast.Expr) else None
        if not isinstance(call, ast.Call) or not _is_spelled(call, tables):
            return False
        for target in step.targets if isinstance(step, ast.Assign) else ():
            if not isinstance(target, ast.Name):
                return False
            (tables.add if _gives_table(call) else tables.discard)(target.id)
    return bool(steps)


def _steps(plan: str) -> list[ast.stmt]:
    try:
        return ast.parse(plan).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _is_spelled(call: ast.Call, tables: set[str]) -> bool:
    """Whether a call is of a named function, with texts, with names of `tables`, and with such calls that give one."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return isinstance(call.func, ast.Name) and all(
        isinstance(one, ast.Constant)
        or (isinstance(one, ast.Name) and one.id in tables)
        or (isinstance(one, ast.Call) and _gives_table(one) and _is_spelled(one, tables))
        for one in given
    )


def _gives_table(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in _TABLES
