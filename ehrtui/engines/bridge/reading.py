"""SQLite's dialect as a syntax tree in which every function is what its name says, so that nothing is translated that
was not looked at."""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

from sqlglot import exp, parse_one
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import SqlglotError

from ehrtui.engines.bridge.refusing import Unbridged

Sql: TypeAlias = exp.Expr


class _Plain(SQLite):
    """SQLite's dialect, with functions by name alone."""

    class Parser(SQLite.Parser):  # type: ignore[valid-type,misc]
        """Knows the syntax of CAST, and of no other function."""

        FUNCTIONS: ClassVar[dict[str, Any]] = {}
        FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {"CAST": SQLite.Parser.FUNCTION_PARSERS["CAST"]}


def tree_of(select: str) -> Sql:
    """The tree of one SELECT. Raises Unbridged for syntax that only SQLite itself reads."""
    try:
        tree = parse_one(select, dialect=_Plain)
        for like in list(tree.find_all(exp.Like)):
            if like.args.get("negate"):
                like.set("negate", None)
                whole = like.parent if isinstance(like.parent, exp.Escape) else like
                whole.replace(exp.Not(this=whole.copy()))
        return tree
    except (SqlglotError, RecursionError) as error:
        raise Unbridged("The way in which this is written", why="Only SQLite itself reads it.") from error


def function_name(node: object) -> str:
    """The name of the function that a node calls, in lower case; "" for all else."""
    return str(node.this).lower() if isinstance(node, exp.Anonymous) and isinstance(node.this, str) else ""


def call(name: str, *arguments: Sql) -> Sql:
    """A call of a function by its name."""
    return exp.Anonymous(this=name, expressions=list(arguments))
