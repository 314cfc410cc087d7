"""Query logic to SQL, through a profile.

The result is a short list of named steps, each a SELECT that may name earlier steps as tables: the patients in
question (`cohort`), the stays (`stays`), the records (`lab_rows`), and last the `answer`. The same steps make the code
plan, one statement each, and the flat SQL, one WITH clause each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ehrtui.logic.algebra.concepts import NO_CONCEPTS, Concepts
from ehrtui.logic.steps import EarlierTurn, SqlStep
from ehrtui.schema.profile import Profile

if TYPE_CHECKING:
    from ehrtui.logic.algebra.model import Statement
    from ehrtui.logic.algebra.places import Places


def steps_of(
    statement: Statement,
    profile: Profile,
    *,
    now: str,
    turns: Mapping[int, EarlierTurn],
    places: Places | None = None,
    concepts: Concepts = NO_CONCEPTS,
) -> tuple[tuple[SqlStep, ...], tuple[SqlStep, ...]]:
    """The steps that answer a statement, and those for people: "context" the last but one, which has more than the
    answer's columns; the steps of the answer alone where there is nothing to add. Raises LogicError, with its position
    where `places` knows it."""
    from ehrtui.logic.algebra.compile import compile_statement, compile_with_context

    steps = compile_statement(statement, profile, now=now, turns=turns, places=places, concepts=concepts)
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
