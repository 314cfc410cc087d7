"""Answers as files: the form is told by the name's end, and who else is on the machine cannot read them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ehrtui.errors import UsageError
from ehrtui.export.answer import Answer
from ehrtui.export.notebook import to_notebook
from ehrtui.export.parquet import to_parquet
from ehrtui.export.pictures import picture
from ehrtui.export.texts import to_csv, to_markdown, to_sql

FORMS: Mapping[str, Callable[..., bytes]] = {
    ".csv": to_csv,
    ".parquet": to_parquet,
    ".md": to_markdown,
    ".ipynb": to_notebook,
    ".sql": to_sql,
    ".svg": picture("svg"),
    ".png": picture("png"),
}
ROWS_ALONE = (".csv", ".parquet", ".svg", ".png")
"""Forms that are nothing without values."""


def form_of(path: Path) -> str:
    """The form that a file's name asks for. Raises UsageError for any other."""
    form = path.suffix.lower()
    if form not in FORMS:
        raise UsageError(
            f"{path.name or path} says no form to export in.", next_step=f"End its name in {', '.join(FORMS)}."
        )
    return form


def write(answer: Answer, path: Path, *, values: bool, over: bool) -> str:
    """Write an answer to a file of its owner's alone, `over` one that is there already or not, and say what was
    written. Forms that tell what was asked have its values only with `values`."""
    form = form_of(path)
    content = FORMS[form](answer, values=values or form in ROWS_ALONE)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if over else os.O_EXCL), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except FileExistsError as error:
        raise UsageError(f"{path.name} is there already.", next_step="Choose another name.") from error
    except OSError as error:
        raise UsageError(f"{path.name} cannot be written.", why=error.strerror or "") from error
    inside = "with its rows" if values or form in ROWS_ALONE else "without its rows"
    notes = "".join(f" ({note})" for note in answer.notes)
    return f"A{answer.turn} is in {path}, {inside}{notes}."
