"""Statements to SQL, through a profile: a short list of named steps, the last of which is the answer.

Each step is one SELECT that may name earlier steps as tables. The same steps make the code plan, one statement each,
and the flat SQL, one WITH clause each.
"""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.logic.algebra import differences, outcomes  # noqa: F401  register their statements
from ehrtui.logic.algebra.check import check
from ehrtui.logic.algebra.concepts import NO_CONCEPTS, Concepts, with_meanings
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.algebra.places import Places
from ehrtui.logic.algebra.tables import table
from ehrtui.logic.steps import Compilation, EarlierTurn, SqlStep
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
    statement = with_meanings(statement, concepts, places)
    check(statement, profile, now, places)
    at = Compilation(profile, now, turns)
    table(statement, at, "answer")
    return tuple(at.steps)
