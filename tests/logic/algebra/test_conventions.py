"""What a profile's conventions settle: ties of a pick, what is listed once, who counts as having been treated."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.compile import flat_sql
from tests.logic.algebra.conftest import Database

LATER = 'distinct name of prescription where within 400 days after (lab "Creatinine")'


def _rows(database: Database, logic: str, **conventions: Any) -> list[tuple[Any, ...]]:
    profile = replace(database.profile, **conventions)
    return database.fetch(flat_sql(compile_statement(parse_statement(logic), profile, now=database.now, turns={})))


def test_fields_that_are_listed_once_are_so_alone(native: Database) -> None:
    every = _rows(native, "route of prescription")
    once = _rows(native, "route of prescription", once=("route",))
    assert sorted(once) == sorted(set(every))
    assert len(once) < len(every)
    assert len(_rows(native, "route, time of prescription", once=("route",))) == len(every)


def test_names_after_an_event_may_be_listed_as_often_as_they_occur(native: Database) -> None:
    once, repeated = _rows(native, LATER), _rows(native, LATER, repeats=("prescription",))
    assert len(repeated) > len(once) == len(set(repeated))
    assert _rows(native, LATER, repeats=("procedure",)) == once
    alone = "distinct name of prescription"
    assert _rows(native, alone, repeats=("prescription",)) == _rows(native, alone)


@pytest.mark.parametrize("ties", [("name",), ("lab.name",)])
def test_ties_are_kept_for_a_field_or_for_that_of_one_role(native: Database, ties: tuple[str, ...]) -> None:
    logic = "name of first lab per patient"
    assert len(_rows(native, logic, ties=ties)) > len(_rows(native, logic, ties=("vital.name",)))
