"""The reference page of query logic, made of the small tables and statements of `reference.toml`.

`python -m tests.logic.algebra.reference_page` writes docs/query_logic.md; a test says whether it is current.
"""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ehrtui.logic.algebra import parse
from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.algebra.parse import read_statement
from ehrtui.logic.algebra.tree import drawn, tree
from ehrtui.logic.compile import flat_sql
from ehrtui.schema.detection import load_profile
from ehrtui.schema.model import Column, Schema, Table
from ehrtui.schema.profile import Profile

PAGE = Path(__file__).parents[3] / "docs" / "query_logic.md"
_SOURCE = Path(__file__).with_name("reference.toml")
_LEAST_TREE = 3
"""Lines below the first: a smaller tree says no more than its text."""
_HEAD = """\
# Query logic

What ehrtui understood of a question is shown as *query logic*: a small language of sets, conditions, measures and
tables that can be read aloud and edited. It is shown here by example: each statement, what it gives over the small
tables, and, where it has several parts, the tree that is drawn of it. The grammar is at the end.

This page is made from the project's tests (`python -m tests.logic.algebra.reference_page`). An empty cell is NULL; the
database's now is {now}.
"""


def reference() -> Mapping[str, Any]:
    """The tables, and the sections with their statements, columns and rows."""
    return tomllib.loads(_SOURCE.read_text(encoding="utf-8"))


def opened(data: Mapping[str, Any]) -> tuple[sqlite3.Connection, Profile]:
    """The small tables, and the profile that is found for them."""
    connection = sqlite3.connect(":memory:")
    tables = []
    for name, table in data["tables"].items():
        connection.execute(f"CREATE TABLE {name} ({', '.join(table['columns'])})")
        marks = ", ".join("?" * len(table["columns"]))
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", [_stored(row) for row in table["rows"]])
        tables.append(Table(name, tuple(Column(column, "") for column in table["columns"])))
    return connection, load_profile(Schema(tuple(tables)), lambda sql, *_: connection.execute(sql).fetchall())


def answered(
    logic: str, connection: sqlite3.Connection, profile: Profile, now: str
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns and rows of a statement, numbers to six digits."""
    statement, places = read_statement(logic)
    steps = compile_statement(statement, profile, now=now, turns={}, places=places)
    cursor = connection.execute(flat_sql(steps))
    return [name for name, *_ in cursor.description], [tuple(map(_rounded, row)) for row in cursor]


def page(data: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    parts = [_HEAD.format(now=data["now"]), "## The tables\n"]
    for name, table in data["tables"].items():
        parts.append(f"`{name}`\n\n{_table(table['columns'], table['rows'])}")
    for section in data["section"]:
        parts.append(f"## {section['title']}\n\n{section['about']}\n")
        for case in section["case"]:
            lines = drawn(tree(read_statement(case["logic"])[0]))
            shown = f"```\n{lines}\n```\n\n" if lines.count("\n") >= _LEAST_TREE else ""
            parts.append(f"```\n{case['logic']}\n```\n\n{shown}{_table(case['columns'], case['rows'])}")
    grammar = (parse.__doc__ or "").split("\n", 2)[2].strip("\n")
    parts.append(f"## The grammar\n\n```\n{grammar}\n```\n")
    return "\n".join(parts)


def _stored(row: Sequence[Any]) -> list[Any]:
    """A row with NULL for each empty text."""
    return [None if value == "" else value for value in row]


def _rounded(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    if not rows:
        return "*(no rows)*\n"
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(reference()), encoding="utf-8")
