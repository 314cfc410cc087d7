"""Readings that no row can meet."""

from __future__ import annotations

import pytest

from ehrtui.logic.algebra.model import HOSPITAL, PATIENT, All, Among, AnyOf, Condition, Has, Own, Rows, Set, Test, Value
from ehrtui.planning.reader.contradictions import contradictory

MEDICARE = Test(Own("insurance"), "=", Value("medicare"))
PRIVATE = Test(Own("insurance"), "=", Value("private"))
EITHER = Among(Own("insurance"), ("medicare", "private"))
WIDOWED = Test(Own("marital status"), "=", Value("widowed"))


@pytest.mark.parametrize(
    ("where", "impossible"),
    [
        (All((MEDICARE, PRIVATE)), True),
        (All((EITHER, MEDICARE)), False),
        (All((EITHER, MEDICARE, PRIVATE)), True),
        (All((MEDICARE, WIDOWED)), False),
        (AnyOf((MEDICARE, PRIVATE)), False),
        (AnyOf((MEDICARE, All((PRIVATE, MEDICARE)))), True),
    ],
)
def test_two_values_of_one_attribute_contradict(where: Condition, impossible: bool) -> None:
    assert contradictory(Rows(Set(HOSPITAL, (), where), (Own("id"),))) is impossible
    assert contradictory(Rows(Set(PATIENT, (), Has(Set(HOSPITAL, (), where))), (Own("id"),))) is impossible


def test_values_of_different_stays_do_not_contradict() -> None:
    both = All((Has(Set(HOSPITAL, (), MEDICARE)), Has(Set(HOSPITAL, (), PRIVATE))))
    assert not contradictory(Rows(Set(PATIENT, (), both), (Own("id"),)))
