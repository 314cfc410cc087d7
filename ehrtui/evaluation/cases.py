"""Questions with gold answers, in the EHRSQL format, and when an answer equals a gold one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ehrtui.errors import UsageError


@dataclass(frozen=True)
class Case:
    """A question. `answer` is the gold rows, None where the database cannot answer it; `family` groups questions of
    one form ("" where the file does not say)."""

    id: str
    question: str
    answer: tuple[tuple[Any, ...], ...] | None
    family: str = ""


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a JSON file: a list of {id, question, answer, is_impossible, template}. Raises UsageError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"The questions in {path.name} cannot be read.", why=str(error)) from error
    try:
        return tuple(_case(record) for record in data)
    except (TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            f"{path.name} is not a list of questions with answers.",
            why=f"{type(error).__name__}: {error}",
            next_step='Each is an object with "id", "question", "answer" (rows, or null) and "is_impossible".',
        ) from error


def same_answer(rows: Iterable[Sequence[Any]], gold: Iterable[Sequence[Any]]) -> bool:
    """EX: the same set of rows, whatever their order; numbers agree to three digits, text without regard to case."""
    return {tuple(map(_comparable, row)) for row in rows} == {tuple(map(_comparable, row)) for row in gold}


def _case(record: dict[str, Any]) -> Case:
    answer = None if record["is_impossible"] else tuple(tuple(row) for row in record["answer"])
    return Case(str(record["id"]), str(record["question"]), answer, str(record.get("template") or ""))


def _comparable(value: Any) -> Any:
    if isinstance(value, (int, float)):
        return round(float(value), 3)
    return value.lower() if isinstance(value, str) else value
