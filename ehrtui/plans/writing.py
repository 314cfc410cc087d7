"""Between SQL and the one-step plan that runs it: what an edit of the SQL becomes, and back."""

from __future__ import annotations

import ast


def plan_from_sql(sql: str) -> str:
    """The plan whose one step runs `sql`. Any text survives, quotes and backslashes included; a statement of several
    lines stays readable."""
    readable = f'"""{sql}"""'
    return f"answer = SQLInterpreter({readable if _is_literal_of(readable, sql) else repr(sql)})"


def sql_from_plan(plan: str) -> str | None:
    """The SQL of a plan that is exactly `answer = SQLInterpreter("…")`; None for any other plan."""
    try:
        body = ast.parse(plan).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match body:
        case [
            ast.Assign(
                targets=[ast.Name(id="answer")],
                value=ast.Call(
                    func=ast.Name(id="SQLInterpreter"), args=[ast.Constant(value=str() as sql)], keywords=[]
                ),
            )
        ]:
            return sql
    return None


def _is_literal_of(literal: str, text: str) -> bool:
    try:
        return bool(ast.literal_eval(literal) == text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
