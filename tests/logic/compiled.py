"""What a form of query logic runs."""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.algebra.lower import lowered
from ehrtui.logic.algebra.stayless import with_own_ages
from ehrtui.logic.model import Logic
from ehrtui.logic.steps import EarlierTurn, SqlStep
from ehrtui.schema.profile import Profile


def compile_logic(logic: Logic, profile: Profile, *, now: str, turns: Mapping[int, EarlierTurn]) -> tuple[SqlStep, ...]:
    """The steps that answer it, the last named "answer"."""
    return compile_statement(with_own_ages(lowered(logic), profile), profile, now=now, turns=turns)
