"""Ask questions with gold answers, and compare."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from ehrtui.commands.interrupts import heard
from ehrtui.commands.turns import conversation_on, rows_of, run_turn, shown_rows_of
from ehrtui.conversation.conversation import Conversation, Draft
from ehrtui.conversation.database import Database
from ehrtui.engines.address import name_of
from ehrtui.errors import LogicError, UsageError
from ehrtui.evaluation.cases import Case, GoldTurn, of_database, read_cases
from ehrtui.evaluation.complexity import level_of
from ehrtui.evaluation.rightness import Rows, is_nothing, patients_f1, same_answer, shows_answer
from ehrtui.evaluation.scores import Sample, Scored
from ehrtui.logic.algebra.model import PATIENT, Own
from ehrtui.logic.algebra.model import Rows as RowsOf
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.written import statement_of
from ehrtui.planning.claude.transcript import Transcript
from ehrtui.planning.follow.offers import standing_alone
from ehrtui.planning.reader.about import rows_about
from ehrtui.session.dependencies import named_turns
from ehrtui.session.scalars import json_value
from ehrtui.session.turn import Turn
from ehrtui.trust.estimator import Estimator

_SAMPLE_ROWS = 5
_ROUNDED = 0.01
"""How much of a confidence is lost where a plan states it."""


def chosen_cases(args: argparse.Namespace) -> tuple[Case, ...]:
    """The questions of the file that are asked of the database, and with `--clean` those without a note on their gold;
    how many others there are is said. Raises UsageError."""
    every = cases = read_cases(Path(args.questions))
    if args.db_id or len({case.database for case in cases} - {""}) > 1:
        cases = of_database(cases, args.db_id or Path(name_of(args.database)).stem)
        _say_left_out(len(every) - len(cases), "asked of another database")
    if args.clean:
        every, cases = cases, tuple(case for case in cases if not case.noted)
        _say_left_out(len(every) - len(cases), "with a note on the gold answer")
    return cases


def _say_left_out(count: int, which: str) -> None:
    if count:
        print(f"ehrtui: {count:,} question{'' if count == 1 else 's'} {which} left out.", file=sys.stderr)


def scored_case(
    case: Case, database: Database, args: argparse.Namespace, transcript: Transcript | None = None
) -> tuple[Scored, ...]:
    """The turns of a case, asked in order in a conversation of their own, about which a `transcript` is told. Raises
    UsageError where a gold query does not run."""
    scored = []
    with closing(conversation_on(database, args)) as conversation:
        for number, turn in enumerate(case.turns, 1):
            if transcript is not None:
                transcript.at(case.id, number)
            scored.append(_scored_turn(case, turn, conversation, database, args))
    return tuple(scored)


def _scored_turn(
    case: Case, asked: GoldTurn, conversation: Conversation, database: Database, args: argparse.Namespace
) -> Scored:
    draft = heard(lambda: conversation.ask(asked.text, asked.kind), conversation.cancel)
    turn = run_turn(conversation, draft)
    rows = _rows(conversation, turn)
    seen = tuple(shown_rows_of(conversation, turn, turn.row_count)) if turn.result else None
    gold = _gold(case, asked, database, args)
    golds = [] if gold is None else [gold, *asked.accept]
    nothing = asked.empty and rows is not None and is_nothing(rows)
    return Scored(
        case=case.id,
        turn=turn.number,
        question=asked.text,
        family=case.family,
        level=level_of(asked.sql),
        answerable=asked.answerable,
        empty=asked.empty,
        answered=turn.decision == "answered",
        correct=nothing or (rows is not None and any(same_answer(rows, gold) for gold in golds)),
        people=nothing or (seen is not None and any(shows_answer(seen, gold) for gold in golds)),
        ran=rows is not None,
        declined=bool(turn.proposal.reason),
        confidence=turn.confidence,
        ms=draft.planned_ms,
        logic=turn.proposal.logic,
        reason=turn.error.message if turn.error else "",
        gold=_sample(gold),
        guess=_sample(rows),
        doubts=turn.doubts if _is_doubted(draft, turn, conversation.estimator) else None,
        f1=patients_f1(_patients(turn, seen or (), conversation, database, args), asked.cohorts)
        if asked.cohorts
        else None,
        requests=len(draft.talk.sent) if draft.talk is not None else 0,
        tokens=draft.talk.usage.tokens if draft.talk is not None else 0,
    )


def _patients(turn: Turn, rows: Rows, before: Conversation, database: Database, args: argparse.Namespace) -> set[Any]:
    """The patients of an answer as people see it: what stands in its first column of patient identifiers; where it has
    none, those that its query logic is about, and that of the turns `before` it that it builds on."""
    names = {name.lower() for name in database.profile.patient_columns}
    places = [at for at, name in enumerate(turn.shown_columns) if name.lower() in names]
    if places:
        return {row[places[0]] for row in rows}
    people = _people_of(turn, before) if turn.result else ""
    if not people:
        return set()
    with closing(conversation_on(database, args)) as conversation:
        told = run_turn(conversation, conversation.propose(people, "logic"))
        return {patient for (patient,) in _rows(conversation, told) or ()}


def _people_of(turn: Turn, before: Conversation) -> str:
    """Query logic for the patients that a turn is about, which stands alone; "" where it is about none."""
    statements = {}
    for one in before.turns[: turn.number]:
        with suppress(LogicError):
            statements[one.number] = statement_of(one.proposal.logic or "")
    of = rows_about(statements[turn.number]) if turn.number in statements else None
    if of is None:
        return ""
    try:
        of = standing_alone(of, statements)
    except LogicError:  # it builds on rows that no query logic tells
        return ""
    return render_statement(RowsOf(of, (Own("id" if of.unit == PATIENT else PATIENT),), distinct=True))


def _is_doubted(draft: Draft, turn: Turn, estimator: Estimator) -> bool:
    """Whether the confidence comes from doubts alone: not, for one, where a contest of two readings lowered it."""
    if draft.in_own_words or named_turns(turn.plan) or turn.proposal.case:
        return False
    return not turn.choices or estimator.probability(turn.doubts) - turn.confidence < _ROUNDED


def _gold(case: Case, asked: GoldTurn, database: Database, args: argparse.Namespace) -> Rows | None:
    """The gold rows, from the gold query where the file leaves them to it; None where there is no answer."""
    if asked.answer is not None or asked.sql is None:
        return asked.answer
    with closing(conversation_on(database, args)) as conversation:
        turn = run_turn(conversation, conversation.propose(asked.sql, "sql"))
        rows = _rows(conversation, turn)
    if rows is None:
        raise UsageError(
            f"The gold query of question {case.id[:80]} does not run.", why=turn.error.message if turn.error else ""
        )
    return rows


def _rows(conversation: Conversation, turn: Turn) -> Rows | None:
    return tuple(rows_of(conversation, turn, turn.row_count)) if turn.result else None


def _sample(rows: Rows | None) -> Sample | None:
    if rows is None:
        return None
    return Sample(tuple(tuple(map(json_value, row)) for row in rows[:_SAMPLE_ROWS]), len(rows))
