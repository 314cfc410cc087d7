"""Cases from a file of questions with gold SQL: each is run, and kept as far as it can be masked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ehrtui.cache import Progress
from ehrtui.conversation.database import Database
from ehrtui.engines.engine import Row
from ehrtui.errors import Cancelled, EhrtuiError, MaskingError, QueryCancelled
from ehrtui.evaluation.rightness import same_answer
from ehrtui.memory.approval import check_words
from ehrtui.memory.case import Case, Source, plain
from ehrtui.memory.masking import masked_with_logic, masked_with_sql
from ehrtui.memory.store import CaseStore
from ehrtui.planning.proposal import Proposal
from ehrtui.tokens.prev import expand

_READINGS = 4
"""How many readings of a question are compared with its gold answer."""
_EVERY = 2
"""Questions between two looks at whether to stop."""
_LARGE = 10
"""A count from here on is hardly right by chance."""
_ROWS = "imported"


@dataclass(frozen=True)
class Question:
    """A question with its gold SQL, "" where the database cannot answer it."""

    id: str
    text: str
    sql: str


@dataclass(frozen=True)
class LeftOut:
    """A question that did not become a case, and why."""

    id: str
    question: str
    why: str


@dataclass(frozen=True)
class Imported:
    """What came of a file: questions kept `with_logic` and `with_sql`, the `new` cases among theirs, the others."""

    with_logic: int
    with_sql: int
    new: int
    left_out: tuple[LeftOut, ...]


def import_cases(
    database: Database,
    questions: Sequence[Question],
    store: CaseStore,
    source: Source,
    *,
    progress: Progress,
    cancelled: Callable[[], bool],
) -> Imported:
    """Keep the cases of `questions`, all at once at the end: with the logic of the first reading that gives the answer
    of the gold SQL, else with the gold SQL. Raises Cancelled (then nothing is kept) and CaseError."""
    found: Counter[Case] = Counter()
    left_out: list[LeftOut] = []
    for at, question in enumerate(questions):
        if at % _EVERY == 0:
            progress("reading questions", at / len(questions))
            if cancelled():
                raise Cancelled("Importing was cancelled.", why="Nothing of the file was kept.")
        try:
            found[_case(database, question, cancelled)] += 1
        except QueryCancelled as error:
            raise Cancelled("Importing was cancelled.", why="Nothing of the file was kept.") from error
        except EhrtuiError as error:
            left_out.append(LeftOut(question.id, question.text, error.what))
    kept = [(case, Source(source.text, source.day, times)) for case, times in found.items()]
    with_logic = sum(times for case, times in found.items() if case.logic)
    new = store.add(database.profile.name, kept) if kept else 0
    return Imported(with_logic, found.total() - with_logic, new, tuple(left_out))


def _case(database: Database, question: Question, cancelled: Callable[[], bool]) -> Case:
    """The case of a question. Raises MaskingError, or what its SQL raises."""
    if not question.sql:
        raise MaskingError("It has no gold SQL: the database cannot answer it.")
    # The clock of a file is a literal; that of a case is the database now.
    sql = question.sql.replace(f"'{database.now}'", "current_time")
    gold = _rows(database, sql, cancelled)
    proposal = database.planner.propose(question.text, ())
    if proposal.slots is None:
        raise MaskingError(proposal.reason or "It leans on an earlier question.")
    check_words(question.text, proposal.unexplained)
    logic = _agreeing(database, proposal, gold, cancelled)
    if logic is not None:
        # What agreed by chance perhaps is no more than right for the very words of the question.
        slots = proposal.slots if _is_telling(gold) else plain(proposal.slots)
        try:
            return masked_with_logic(question.text, slots, logic)
        except MaskingError:
            pass  # the gold SQL may say what the logic leaves out
    return masked_with_sql(question.text, proposal.slots, sql)


def _agreeing(database: Database, proposal: Proposal, gold: list[Row], cancelled: Callable[[], bool]) -> str | None:
    """The logic of the first reading with the gold answer. With some answers many a reading agrees by chance: then only
    the planner's first counts, where it explains every word."""
    telling = _is_telling(gold)
    if not telling and proposal.unexplained:
        return None
    for reading in proposal.readings[: _READINGS if telling else 1]:
        try:
            sql = database.planner.propose_logic(reading.logic, ()).sql
            if sql is not None and same_answer(_rows(database, sql, cancelled), gold):
                return reading.logic
        except QueryCancelled:
            raise
        except EhrtuiError:
            continue
    return None


def _is_telling(gold: list[Row]) -> bool:
    """True for an answer that a wrong reading hardly gives: several rows, a text, a fraction or a larger number."""
    values = [value for row in gold for value in row if value is not None]
    return len(values) > 1 or any(not isinstance(value, int) or value >= _LARGE for value in values)


def _rows(database: Database, sql: str, cancelled: Callable[[], bool]) -> list[Row]:
    statement = expand(sql, {}, now=database.now, dialect=database.engine.dialect)
    result = database.engine.run(statement.run, _ROWS, stopped=cancelled)
    rows = database.engine.page(_ROWS, 0, result.row_count)
    database.engine.drop(_ROWS)
    return rows
