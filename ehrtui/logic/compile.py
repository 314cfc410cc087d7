"""Query logic to SQL, through a profile.

The result is a short list of named steps, each a SELECT that may name earlier steps as tables: the patients in
question (`cohort`), the stays (`stays`), the records (`lab_rows`), and last the `answer`. The same steps make the code
plan, one statement each, and the flat SQL, one WITH clause each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ehrtui.logic.algebra.concepts import NO_CONCEPTS, Concepts
from ehrtui.logic.model import Logic
from ehrtui.logic.steps import EarlierTurn, SqlStep
from ehrtui.schema.profile import Profile

if TYPE_CHECKING:
    from ehrtui.logic.algebra.model import Statement


def compile_logic(
    logic: Logic,
    profile: Profile,
    *,
    now: str,
    turns: Mapping[int, EarlierTurn],
    concepts: Concepts = NO_CONCEPTS,
) -> tuple[SqlStep, ...]:
    """The steps that answer `logic`, the last named "answer". Tokens (`PREV_RESULTn`) stand for earlier turns;
    `concepts` says what named concepts stand for.

    Raises LogicError for a role or field that the profile lacks, an impossible time, or a turn without a result.
    """
    from ehrtui.logic.algebra.compile import compile_statement  # sqlglot: too heavy for a start-up path
    from ehrtui.logic.algebra.lower import lowered
    from ehrtui.logic.algebra.stayless import with_own_ages

    statement = with_own_ages(lowered(logic), profile)
    return compile_statement(statement, profile, now=now, turns=turns, concepts=concepts)


def shown_steps(
    logic: Logic,
    steps: tuple[SqlStep, ...],
    profile: Profile,
    *,
    now: str,
    turns: Mapping[int, EarlierTurn],
    concepts: Concepts = NO_CONCEPTS,
) -> tuple[SqlStep, ...]:
    """The steps for people: "context" the last but one, which has more than the answer's columns; the `steps` of the
    answer alone where there is nothing to add."""
    from ehrtui.logic.algebra.compile import compile_with_context
    from ehrtui.logic.algebra.lower import lowered

    return compile_with_context(lowered(logic), profile, now=now, turns=turns, concepts=concepts) or steps


def steps_of(
    statement: Statement,
    profile: Profile,
    *,
    now: str,
    turns: Mapping[int, EarlierTurn],
    concepts: Concepts = NO_CONCEPTS,
) -> tuple[tuple[SqlStep, ...], tuple[SqlStep, ...]]:
    """The steps that answer a statement, and those for people (see `shown_steps`). Raises LogicError."""
    from ehrtui.logic.algebra.compile import compile_statement, compile_with_context

    steps = compile_statement(statement, profile, now=now, turns=turns, concepts=concepts)
    shown = compile_with_context(statement, profile, now=now, turns=turns, concepts=concepts)
    return steps, shown or steps


def flat_sql(steps: tuple[SqlStep, ...]) -> str:
    """The steps as one statement."""
    *named, answer = steps
    if not named:
        return answer.sql
    # Lines are not indented: one of them may lie inside a stored name.
    clauses = ",\n".join(f"{step.name} AS (\n{step.sql}\n)" for step in named)
    return f"WITH {clauses}\n{answer.sql}"
