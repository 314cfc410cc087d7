"""What an error may give away by its kind and by its line: where values of the database decide on them, a plan that was
written for it could read values out, a few bits at a time."""

from __future__ import annotations

import ast
import re

_OF_THE_TEXT = ("SyntaxError", "EmptyPlan")
_OF_NAMES = ("NameError", "ImportError", "ModuleNotFoundError", "NoAnswer", "ForbiddenStatement", "TokenError")
_OF_SQL = re.compile(
    r"There is no (?:table|column|SQL)\b|SQLite has no function|Several tables have|The SQL |A query cannot start"
    r"|The query cannot be run\. SQLite says: (?:wrong number of arguments|misuse of|ambiguous)"
)
"""What is said of a query before it reads a row."""
_TABLES = ("LoadDB", "FilterDB", "SQLInterpreter")


def decided_by_values(plan: str, kind: str, message: str) -> bool:
    """False where an error of `kind` is one of the text of `plan` alone: the same over any rows of the database."""
    if kind in _OF_THE_TEXT:
        return False
    return not _is_plain(plan) or not (kind in _OF_NAMES or _OF_SQL.match(message))


def _is_plain(plan: str) -> bool:
    """True for a plan whose every step is one call with texts and tables that it spells: no value can change its way,
    nor what its queries say."""
    try:
        steps = ast.parse(plan).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    tables: set[str] = set()
    for step in steps:
        call = step.value if isinstance(step, ast.Assign | ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return False
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not all(isinstance(one, ast.Constant) or (isinstance(one, ast.Name) and one.id in tables) for one in given):
            return False
        for target in step.targets if isinstance(step, ast.Assign) else ():
            if not isinstance(target, ast.Name):
                return False
            (tables.add if call.func.id in _TABLES else tables.discard)(target.id)
    return True
