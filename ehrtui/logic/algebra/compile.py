"""Statements to SQL, through a profile: a short list of named steps, the last of which is the answer.

Each step is one SELECT that may name earlier steps as tables. The same steps make the code plan, one statement each,
and the flat SQL, one WITH clause each.
"""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import differences, outcomes, sql, summaries, survival  # noqa: F401  register their statements
from ehrtui.logic.algebra.check import check
from ehrtui.logic.algebra.cohorts import with_names
from ehrtui.logic.algebra.concepts import NO_CONCEPTS, Concepts, names_of_members, with_meanings
from ehrtui.logic.algebra.context import with_context
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.algebra.places import Places
from ehrtui.logic.algebra.scope import add
from ehrtui.logic.algebra.switched import switched_on
from ehrtui.logic.algebra.tables import table
from ehrtui.logic.steps import CONTEXT, Compilation, EarlierTurn, SqlStep
from ehrtui.schema.profile import Profile


def compile_statement(
    statement: Statement,
    profile: Profile,
    *,
    now: str,
    turns: Mapping[int, EarlierTurn],
    places: Places | None = None,
    concepts: Concepts = NO_CONCEPTS,
) -> tuple[SqlStep, ...]:
    """The steps that answer a statement, the last named "answer". Tokens (`PREV_RESULTn`) stand for earlier turns;
    `concepts` says what named concepts stand for.

    Raises LogicError for what cannot mean anything (`check`), a unit or field that the profile lacks, an impossible
    time, a turn without a result; with its position where `places` knows it.
    """
    at = Compilation(profile, now, turns)
    _compile(statement, at, places, concepts)
    return tuple(at.steps)


def can_be_compiled(
    statement: Statement, profile: Profile, *, now: str, turns: Mapping[int, EarlierTurn], concepts: Concepts
) -> None:
    """Raise the LogicError that `compile_statement` raises for a statement, if any; no SQL is spelled, which takes most
    of its time."""
    _compile(statement, Compilation(profile, now, turns, spelled=False), None, concepts)


def _compile(statement: Statement, at: Compilation, places: Places | None, concepts: Concepts) -> None:
    named = with_names(switched_on(statement))
    if places is not None and (position := places.of(statement)) is not None:
        places.note(named, position)
    statement = with_meanings(named, concepts, places)
    at.called = names_of_members(named, concepts)
    check(statement, at.profile, at.now, places)
    table(statement, at, "answer")


def compile_with_context(
    statement: Statement,
    profile: Profile,
    *,
    now: str,
    turns: Mapping[int, EarlierTurn],
    concepts: Concepts = NO_CONCEPTS,
) -> tuple[SqlStep, ...] | None:
    """The steps that answer a statement which `compile_statement` compiles: the last but one, "context", has what
    people need beside the answer, its first columns are those that were asked, and "answer" selects these. None where
    there is nothing to add."""
    named = with_names(switched_on(statement))
    statement = with_meanings(named, concepts, None)
    at = Compilation(profile, now, turns, called=names_of_members(named, concepts))
    try:
        whole = with_context(statement, at)
        if whole is None:
            return None
        in_order = whole.asked == tuple(range(len(whole.asked)))
        columns = table(whole.statement, at, CONTEXT if in_order else "context_rows")
    except LogicError:  # the answer stands without it
        return None
    asked = [columns[place] for place in whole.asked]
    if not in_order:
        columns = [*asked, *(one for one in columns if one not in asked)]
        add(at, CONTEXT, sql.selected(_same(columns), sql.table(at.steps[-1].name)))
    add(at, "answer", sql.selected(_same(asked), sql.table(CONTEXT)))
    return tuple(at.steps)


def _same(columns: list[str]) -> list[tuple[str, sql.Sql]]:
    return [(one, sql.column("", one)) for one in columns]
