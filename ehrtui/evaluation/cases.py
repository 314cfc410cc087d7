"""Questions with gold answers, in the format of EHRSQL and EHR-SeqSQL, and when an answer equals a gold one."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ehrtui.errors import UsageError

Rows: TypeAlias = tuple[tuple[Any, ...], ...]

_EXPECTED = (
    'Each is an object with "question" and "answer" (rows, or null), "sql" or "is_impossible"; a conversation has '
    '"turns", a list of such objects.'
)


@dataclass(frozen=True)
class GoldTurn:
    """What is put to a conversation, as a question or as SQL with `PREV_` tokens, and what should come of it.

    `answer` is the gold rows, None where the file leaves them to the gold query `sql`; both are None where the
    database cannot answer.
    """

    text: str
    kind: Literal["question", "sql"]
    answer: Rows | None
    sql: str | None = None

    @property
    def answerable(self) -> bool:
        """Whether the database can answer."""
        return self.answer is not None or self.sql is not None


@dataclass(frozen=True)
class Case:
    """A question, or a conversation of several turns. `family` groups cases of one form ("" where the file does not
    say); `conversation` is False for a question that stands alone."""

    id: str
    turns: tuple[GoldTurn, ...]
    family: str = ""
    conversation: bool = False


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a JSON file, which is a list of {id, question, answer, sql, is_impossible, template} or of
    {id, turns, template}. Raises UsageError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        why = (error.strerror or "") if isinstance(error, OSError) else f"The file is not JSON: {error}."
        next_step = "Give a JSON file with a list of questions."
        raise UsageError(f"The questions in {path} cannot be read.", why=why, next_step=next_step) from error
    if not isinstance(data, list):
        raise UsageError(f"{path.name} is not a list of questions with answers.", next_step=_EXPECTED)
    cases = tuple(_case(record, number, path.name) for number, record in enumerate(data, start=1))
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise UsageError(f'Two questions in {path.name} have the same "id".', why=f"The id is {case.id[:80]!r}.")
        seen.add(case.id)
    return cases


def digest(cases: Sequence[Case]) -> str:
    """A hash that changes with any question or gold answer."""
    text = json.dumps([asdict(case) for case in cases], default=repr)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def same_answer(rows: Iterable[Sequence[Any]], gold: Iterable[Sequence[Any]]) -> bool:
    """EX: the same set of rows, whatever their order; numbers agree to three digits, text without regard to case."""
    return {tuple(map(_comparable, row)) for row in rows} == {tuple(map(_comparable, row)) for row in gold}


def _comparable(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 3)
    return value.lower() if isinstance(value, str) else value


def _case(record: Any, number: int, name: str) -> Case:
    try:
        if not isinstance(record, dict):
            raise ValueError("It is not an object.")
        id, family, turns = record.get("id", number), record.get("template"), record.get("turns")
        if not isinstance(id, (str, int)) or not isinstance(family, (str, type(None))):
            raise ValueError('Its "id" or its "template" is not a text.')
        if turns is None:
            return Case(str(id), (_turn(record),), family or "")
        if not isinstance(turns, list) or not turns or not all(isinstance(turn, dict) for turn in turns):
            raise ValueError('Its "turns" are not a list of objects.')
        return Case(str(id), tuple(map(_turn, turns)), family or "", conversation=True)
    except ValueError as error:
        raise UsageError(
            f"{name} is not a list of questions with answers.",
            why=f"Number {number}: {error}",
            next_step=_EXPECTED,
        ) from error


def _turn(record: dict[str, Any]) -> GoldTurn:
    question, tokens, sql = (record.get(key) for key in ("question", "seqsql", "sql"))
    if not all(isinstance(text, (str, type(None))) for text in (question, tokens, sql)):
        raise ValueError('Its "question", "seqsql" or "sql" is not a text.')
    if not question and not tokens:
        raise ValueError('It has no "question".')
    answer = None
    if not record.get("is_impossible"):
        answer = _answer(record)
        if answer is None and not sql:
            raise ValueError('It has neither an "answer" nor "sql", and is not marked as "is_impossible".')
    return GoldTurn(
        text=question or tokens or "",
        kind="question" if question else "sql",
        answer=answer,
        sql=None if record.get("is_impossible") else sql or None,
    )


def _answer(record: dict[str, Any]) -> Rows | None:
    """The gold rows; None where there are none, or only the first ones of as many as `n_rows` says."""
    answer, count = record.get("answer"), record.get("n_rows")
    if answer is None:
        return None
    if not isinstance(answer, list) or not all(isinstance(row, list) for row in answer):
        raise ValueError('Its "answer" is not a list of rows.')
    if not all(_is_scalar(value) for row in answer for value in row):
        raise ValueError('A value of its "answer" is neither text nor a number.')
    if isinstance(count, int) and count > len(answer) and record.get("sql"):
        return None
    return tuple(map(tuple, answer))


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (str, int, type(None))) or (isinstance(value, float) and math.isfinite(value))
