"""A saved session in other forms: Markdown to read, a Jupyter notebook to go on, an SQL script for any client."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from ehrtui.planning.plan_text import python_literal
from ehrtui.session.events import Abstained, Failed, ResultSaved
from ehrtui.session.saved import SavedSession, SavedTurn
from ehrtui.terminal import beside, printable

RESTORE = "`ehrtui sessions export ID --restore DB` runs its plan again."
_PICTURED = "Control characters of the statement are shown as pictures; the notebook has it as it ran."
_MARKUP = re.compile(r"([\\`*_\[\]<>#|])")


def to_markdown(saved: SavedSession) -> str:
    """The session as a document: for every turn its question, logic, plan, SQL and what came of it."""
    parts = [f"# Session {saved.started.session}", "\n".join(f"- {_plain(line)}" for line in _facts(saved))]
    for turn in saved.turns:
        parts.append(f"## A{turn.number} · {_plain(turn.asked.text)}")
        parts.append(_plain(ending(turn)))
        parts += ["\n".join(f"- {_plain(line)}" for line in remarks_on(saved, turn.number))] * bool(
            remarks_on(saved, turn.number)
        )
        parts += [_plain(f"Its plan was repaired by a stored value, and is not saved. {RESTORE}")] * bool(turn.accepted)
        parts += [f"{title}\n\n{_fenced(text, language)}" for title, text, language in _spellings(turn)]
        if turn.result:
            parts.append(_markdown_table(turn.result))
    return _safe("\n\n".join(parts)) + "\n"


def to_notebook(saved: SavedSession) -> str:
    """The session as a Jupyter notebook (nbformat 4) over Python's own sqlite3; each turn's SQL is one cell."""
    setup = f"import sqlite3\n\nconnection = sqlite3.connect({f'file:{saved.started.database}?mode=ro'!r}, uri=True)"
    facts = "\n".join(f"- {_plain(line)}" for line in _facts(saved))
    cells = [_cell("markdown", f"# Session {_plain(saved.started.session)}\n\n{facts}"), _cell("code", setup)]
    for turn in saved.turns:
        cells.append(_cell("markdown", f"## A{turn.number} · {_plain(turn.asked.text)}\n\n{_plain(ending(turn))}"))
        sql = flat_sql(turn)
        if sql:
            name = f"a{turn.number}"
            cells.append(_cell("code", f"{name} = connection.execute({python_literal(sql)}).fetchall()\n{name}"))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=True) + "\n"


def to_sql(saved: SavedSession) -> str:
    """The session as an SQL script: each turn's statement, runnable alone, under its question as a comment. Of a
    statement with control characters, the pictures of these are in the script, which says so."""
    parts = [_comment("\n".join((f"Session {saved.started.session}", *_facts(saved))))]
    for turn in saved.turns:
        head = _comment(f"A{turn.number}: {turn.asked.text}\n{ending(turn)}")
        sql = flat_sql(turn)
        if sql is None:
            parts.append(f"{head}\n{_comment(_without_sql(turn))}")
            continue
        note = "" if _safe(sql) == sql else f"\n{_comment(_PICTURED)}"
        parts.append(f"{head}{note}\n{_statement(sql)}")
    return _safe("\n\n".join(parts)) + "\n"


FORMATS: Mapping[str, Callable[[SavedSession], str]] = {"md": to_markdown, "ipynb": to_notebook, "sql": to_sql}
"""What `sessions export --to` offers."""


def ending(turn: SavedTurn) -> str:
    """What came of the turn, in one sentence."""
    end = turn.end
    if isinstance(end, Failed):
        return f"Failed ({end.type}): {end.message}" if end.message else f"Failed ({end.type})."
    rows = f"{end.row_count:,} row{'' if end.row_count == 1 else 's'}" if end.columns else "no result"
    if isinstance(end, Abstained):
        return f"Withheld: {end.reason} Best guess: {rows}, {turn.sure}."
    return f"Answered: {rows}, {turn.sure}."


def remarks_on(saved: SavedSession, number: int) -> list[str]:
    """What the user said of a turn's answer and of its rows, a line each."""
    lines = []
    for judged in saved.judged:
        if judged.turn == number:
            lines.append(
                f"Said to be {'right' if judged.right else 'wrong'}"
                + (f": {judged.reason}" * bool(judged.reason))
                + "."
            )
    for label in saved.labels:
        if label.turn == number:
            lines += [f"Name: {label.name}"] * bool(label.name) + [f"Note: {label.note}"] * bool(label.note)
            lines += ["Pinned."] * label.pinned + ["Put away."] * label.away
    lines += [
        f"Row {one.row}: {one.state}" + (f", {one.note}" if one.note else "")
        for one in sorted(saved.marked, key=lambda one: one.row)
        if one.turn == number
    ]
    return lines


def flat_sql(turn: SavedTurn) -> str | None:
    """The turn's SQL with every token expanded; None where it failed or was computed in Python."""
    return None if isinstance(turn.end, Failed) else turn.end.sql


def logic_of(turn: SavedTurn) -> str | None:
    """The logic that ran: the proposed one, or what the user made of it; None where a later edit outdated it."""
    if not turn.edits:
        return turn.proposed.logic
    return turn.edits[-1].text if turn.edits[-1].view == "logic" else None


def _without_sql(turn: SavedTurn) -> str:
    composed = not isinstance(turn.end, Failed) and turn.end.sql_hash
    return f"Its SQL was put together from rows, and is not saved. {RESTORE}" if composed else "No SQL stands for it."


def _safe(text: str) -> str:
    """The text without what could steer the terminal that it is printed to."""
    return printable(text.replace("\r\n", "\n"), lines=True)


def _facts(saved: SavedSession) -> list[str]:
    started, tau = saved.started, f", τ {saved.thresholds}" if saved.thresholds else ""
    return [
        *([f"name: {saved.name}"] if saved.name else []),
        f"database: {started.database} ({started.profile})",
        f"database now: {started.now}",
        f"held: {started.created}, planner {started.planner}{tau}",
    ]


def _spellings(turn: SavedTurn) -> list[tuple[str, str, str]]:
    spellings = [("Logic", logic_of(turn), ""), ("Plan", turn.plan, "python"), ("SQL", flat_sql(turn), "sql")]
    return [(title, text, language) for title, text, language in spellings if text]


def _plain(text: str) -> str:
    """One line that Markdown shows as it stands."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _fenced(text: str, language: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def _markdown_table(result: ResultSaved) -> str:
    titles = beside(result.columns, result.asked)
    rows = [titles, ("---",) * len(titles), *result.rows]
    return "\n".join("| " + " | ".join(_cell_text(value) for value in row) + " |" for row in rows)


def _cell_text(value: Any) -> str:
    return "" if value is None else str(value) if value == "---" else _plain(str(value))


def _cell(kind: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
    return {**cell, "execution_count": None, "outputs": []} if kind == "code" else cell


def _comment(text: str) -> str:
    return "\n".join(f"-- {line}" for line in text.splitlines())


def _statement(sql: str) -> str:
    # The line end keeps a comment at the end of the SQL from hiding the semicolon.
    return f"{sql}\n;"
