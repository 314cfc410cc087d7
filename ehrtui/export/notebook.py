"""An answer as a Jupyter notebook that runs by itself, with nothing but Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ehrtui.errors import UsageError
from ehrtui.export.answer import Answer, shown
from ehrtui.planning.plan_text import python_literal

_SHOW = """print(" | ".join(columns))
for row in rows[:50]:
    print(" | ".join("" if value is None else str(value) for value in row))
print(len(rows), "rows")"""


def to_notebook(answer: Answer, *, values: bool) -> bytes:
    """Cells that open the database read-only and run the SQL; with `values` what they printed."""
    if not answer.sql:
        raise UsageError(f"A{answer.turn} has no SQL.", why="It was computed in Python.", next_step="Export it as csv.")
    if "://" in answer.database:
        raise UsageError(
            "A notebook runs over a file, and this database is on a server.", next_step="Export it as sql or csv."
        )
    facts = "\n".join(f"- {line}" for line in answer.facts)
    logic = f"\n\nQuery logic:\n\n    {answer.logic}" if answer.logic else ""
    address = Path(answer.database).absolute().as_uri() + "?mode=ro"
    run = "\n".join(
        (
            "import sqlite3",
            "from contextlib import closing",
            "",
            f"sql = {python_literal(answer.sql)}",
            f"with closing(sqlite3.connect({address!r}, uri=True)) as connection:",
            "    cursor = connection.execute(sql)",
            "    columns = [column[0] for column in cursor.description]",
            "    rows = cursor.fetchall()",
        )
    )
    printed = _printed(answer) if values else ""
    cells = [
        _cell("markdown", f"# {answer.question}\n\n{facts}{logic}"),
        _cell("code", run),
        _cell("code", _SHOW, printed),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(notebook, indent=1, ensure_ascii=True) + "\n").encode()


def _printed(answer: Answer) -> str:
    asked = range(answer.asked)
    lines = [" | ".join(answer.columns[at] for at in asked)]
    lines += [" | ".join(shown(row[at]) for at in asked) for row in answer.rows[:50]]
    return "\n".join([*lines, f"{len(answer.rows)} rows"]) + "\n"


def _cell(kind: str, source: str, printed: str = "") -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
    if kind == "markdown":
        return cell
    outputs = (
        [{"output_type": "stream", "name": "stdout", "text": printed.splitlines(keepends=True)}] if printed else []
    )
    return {**cell, "execution_count": None, "outputs": outputs}
