"""An answer as CSV, Markdown or SQL."""

from __future__ import annotations

import csv
import io
import re

from ehrtui.errors import UsageError
from ehrtui.export.answer import Answer, shown
from ehrtui.terminal import beside, printable

_MARKUP = re.compile(r"([\\`*_\[\]<>#|])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What begins a formula in a spreadsheet."""


def to_csv(answer: Answer, *, values: bool) -> bytes:
    """The rows with a line of titles, in UTF-8. Texts that a spreadsheet would compute stand behind an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_cell(one) for one in answer.columns])
    if values:
        writer.writerows(
            [[_cell(value) if isinstance(value, str) else shown(value) for value in row] for row in answer.rows]
        )
    return out.getvalue().encode("utf-8", "replace")


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def to_markdown(answer: Answer, *, values: bool) -> bytes:
    """What was asked, what the answer rests on, its logic and SQL; with `values` the rows."""
    parts = [f"# {_plain(answer.question)}", "\n".join(f"- {_plain(line)}" for line in answer.facts)]
    parts += [f"## Query logic\n\n{_fenced(answer.logic, '')}"] if answer.logic else []
    parts += [f"## SQL\n\n{_fenced(answer.sql, 'sql')}"] if answer.sql else []
    if values:
        titles = beside([_plain(one) for one in answer.columns], answer.asked)
        lines = [titles, ["---"] * len(titles), *([_plain(shown(value)) for value in row] for row in answer.rows)]
        parts.append("## Answer\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines))
    return _safe("\n\n".join(parts))


def to_sql(answer: Answer, *, values: bool) -> bytes:
    """The SQL, which runs alone, under what it answers. It never has values."""
    if not answer.sql:
        raise UsageError(f"A{answer.turn} has no SQL.", why="It was computed in Python.", next_step="Export it as csv.")
    lines = [*answer.facts, *([f"logic: {answer.logic}"] if answer.logic else [])]
    comment = "\n".join(f"-- {line}" for line in lines)
    return _safe(f"{comment}\n{answer.sql.rstrip().removesuffix(';')}\n;")


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _fenced(text: str, language: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def _safe(text: str) -> bytes:
    return (printable(text, lines=True) + "\n").encode("utf-8", "replace")
