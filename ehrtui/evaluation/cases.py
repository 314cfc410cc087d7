"""Questions with gold answers, in the format of EHRSQL and EHR-SeqSQL and with what people accept besides."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from ehrtui.errors import UsageError
from ehrtui.evaluation.rightness import Rows

Item = TypeVar("Item")

_EXPECTED = (
    'Each is an object with "question" and "answer" (rows, or null), "sql" or "is_impossible"; a conversation has '
    '"turns", a list of such objects.'
)


@dataclass(frozen=True)
class GoldTurn:
    """What is put to a conversation, as a question or as SQL with `PREV_` tokens, and what should come of it.

    `answer` is the gold rows, None where the file leaves them to the gold query `sql`; both are None where the
    database cannot answer. `accept` are further right answers. With `empty`, there is nothing to be found: to say so,
    to count 0, to give no rows and to decline are all right. `cohorts` are the sets of patients any of whom the answer
    may be about, none where the file does not say.
    """

    text: str
    kind: Literal["question", "sql"]
    answer: Rows | None
    sql: str | None = None
    accept: tuple[Rows, ...] = ()
    empty: bool = False
    cohorts: tuple[tuple[Any, ...], ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether the database can answer."""
        return self.answer is not None or self.sql is not None


@dataclass(frozen=True)
class Case:
    """A question, or a conversation of several turns. `family` groups cases of one form, `database` names what is asked
    (both "" where the file does not say); `conversation` is False for a question that stands alone. `noted` says that
    the gold is known to be at odds with the question."""

    id: str
    turns: tuple[GoldTurn, ...]
    family: str = ""
    conversation: bool = False
    database: str = ""
    noted: bool = False


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a JSON file, which is a list of {id, question, answer, sql, is_impossible, template, …} or of
    {id, turns, template, …}; records that name the same `conversation` are its turns. Raises UsageError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        why = (error.strerror or "") if isinstance(error, OSError) else f"The file is not JSON: {error}."
        next_step = "Give a JSON file with a list of questions."
        raise UsageError(f"The questions in {path} cannot be read.", why=why, next_step=next_step) from error
    if not isinstance(data, list):
        raise UsageError(f"{path.name} is not a list of questions with answers.", next_step=_EXPECTED)
    cases = tuple(_case(record, number, path.name) for number, record in _gathered(data))
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise UsageError(f'Two questions in {path.name} have the same "id".', why=f"The id is {case.id[:80]!r}.")
        seen.add(case.id)
    return cases


def of_database(cases: Sequence[Case], name: str) -> tuple[Case, ...]:
    """The cases that are asked of the database `name`, and those that do not say of which. Raises UsageError where none
    is asked of it."""
    found = tuple(case for case in cases if case.database.casefold() in (name.casefold(), ""))
    if not found:
        named = ", ".join(sorted({case.database for case in cases}))
        raise UsageError(
            f"No question is asked of a database named {name}.",
            why=f"The questions are of {named}.",
            next_step="Say which of these it is with --db-id.",
        )
    return found


def digest(cases: Sequence[Case]) -> str:
    """A hash that changes with any question or gold answer."""
    text = json.dumps([asdict(case) for case in cases], default=repr)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _gathered(data: list[Any]) -> list[tuple[int, Any]]:
    """The records with their numbers, from 1; those of one conversation as one record with turns, where its first
    stands."""
    found: list[tuple[int, Any]] = []
    conversations: dict[str, list[Any]] = {}
    for number, record in enumerate(data, start=1):
        name = record.get("conversation") if isinstance(record, dict) and not record.get("turns") else None
        if not isinstance(name, str):
            found.append((number, record))
        elif name in conversations:
            conversations[name].append(record)
        else:
            conversations[name] = [record]
            found.append((number, {"id": name, "db_id": record.get("db_id"), "turns": conversations[name]}))
    return found


def _case(record: Any, number: int, name: str) -> Case:
    try:
        if not isinstance(record, dict):
            raise ValueError("It is not an object.")
        id, turns = record.get("id", number), record.get("turns")
        family, database = (record.get(key) for key in ("template", "db_id"))
        if not isinstance(id, (str, int)) or not all(
            isinstance(text, (str, type(None))) for text in (family, database)
        ):
            raise ValueError('Its "id", its "template" or its "db_id" is not a text.')
        conversation = turns is not None
        turns = turns if conversation else [record]
        if not isinstance(turns, list) or not turns or not all(isinstance(turn, dict) for turn in turns):
            raise ValueError('Its "turns" are not a list of objects.')
        return Case(
            id=str(id),
            turns=tuple(map(_turn, turns)),
            family=family or "",
            conversation=conversation,
            database=database or "",
            noted=any(one.get("gold_note") for one in (record, *turns)),
        )
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
    impossible = bool(record.get("is_impossible"))
    answer = None if impossible else _answer(record)
    if answer is None and not sql and not impossible:
        raise ValueError('It has neither an "answer" nor "sql", and is not marked as "is_impossible".')
    return GoldTurn(
        text=question or tokens or "",
        kind="question" if question else "sql",
        answer=answer,
        sql=None if impossible else sql or None,
        accept=() if impossible else tuple(_lists(record, "accept", _rows) + _lists(record, "accept_answers", _rows)),
        empty=record.get("expect") == "empty",
        cohorts=_cohorts(record),
    )


def _answer(record: dict[str, Any]) -> Rows | None:
    """The gold rows; None where there are none, or only the first ones of as many as `n_rows` says."""
    answer, count = record.get("answer"), record.get("n_rows")
    if answer is None:
        return None
    rows = _rows(answer, "answer")
    return None if isinstance(count, int) and count > len(rows) and record.get("sql") else rows


def _cohorts(record: dict[str, Any]) -> tuple[tuple[Any, ...], ...]:
    if record.get("cohort") is None:
        return ()
    return (_patients(record["cohort"], "cohort"), *_lists(record, "accept_cohorts", _patients))


def _lists(record: dict[str, Any], key: str, read: Callable[[Any, str], Item]) -> list[Item]:
    found = record.get(key) or []
    if not isinstance(found, list):
        raise ValueError(f'Its "{key}" is not a list.')
    return [read(one, key) for one in found]


def _rows(rows: Any, key: str) -> Rows:
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise ValueError(f'Its "{key}" is not a list of rows.')
    if not all(_is_scalar(value) for row in rows for value in row):
        raise ValueError(f'A value of its "{key}" is neither text nor a number.')
    if len({len(row) for row in rows}) > 1:
        raise ValueError(f'The rows of its "{key}" are not equally long.')
    return tuple(map(tuple, rows))


def _patients(patients: Any, key: str) -> tuple[Any, ...]:
    if not isinstance(patients, list) or not all(map(_is_scalar, patients)):
        raise ValueError(f'Its "{key}" is not a list of patients.')
    return tuple(patients)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (str, int, type(None))) or (isinstance(value, float) and math.isfinite(value))
