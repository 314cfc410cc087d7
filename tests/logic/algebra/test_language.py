"""The text of the algebra: what is rendered reads back as the same statement, and any text is read or refused."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import Groups, Statement, Test
from ehrtui.logic.algebra.parse import parse_statement, read_statement
from ehrtui.logic.algebra.render import render_statement
from tests.logic.algebra.cases import cases
from tests.logic.algebra.written import statements


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(statements())
def test_what_is_rendered_reads_back(statement: Statement) -> None:
    assert parse_statement(render_statement(statement)) == statement


_WORDS = sorted({word for case in [*cases("native"), *cases("units")] for word in case.logic.split()})


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.sampled_from([*_WORDS, "(", ")", ",", "A1", "2104", "not", "the"]), max_size=25) | st.text(max_size=30)
)
def test_any_text_is_read_or_refused_with_a_place(words: list[str] | str) -> None:
    text = words if isinstance(words, str) else " ".join(words)
    refused: LogicError | None = None
    try:
        statement = parse_statement(text)
    except LogicError as error:
        refused = error
    if refused is None:
        assert parse_statement(render_statement(statement)) == statement
    else:
        assert refused.what
        assert refused.position is not None
        assert 0 <= refused.position <= len(text)


def test_a_condition_behind_another_keeps_its_set() -> None:
    """ "with" ends the reach of the set before it; anything else restricts the nearest one."""
    ill = "hospital stays with diagnosis where rank = 1 where age > 50"
    ill_and_old = "hospital stays with (diagnosis where rank = 1) where age > 50"
    assert parse_statement(ill) != parse_statement(ill_and_old)
    for text in (ill, ill_and_old):
        assert parse_statement(render_statement(parse_statement(text))) == parse_statement(text)


@pytest.mark.parametrize("span", ["1 hour", "2 hours", "0.5 days", "1 year"])
def test_a_span_of_time_is_said_as_people_say_it(span: str) -> None:
    for text in (f"labs within {span} after (prescriptions)", f"patients with at least 2 within {span} labs"):
        text = f"count of ({text})"
        assert render_statement(parse_statement(text)) == text


def test_every_part_has_its_place() -> None:
    text = "count of (labs where value > 5) by bands 1, 2 of value"
    statement, places = read_statement(text)
    assert isinstance(statement, Groups)
    assert isinstance(statement.of.where, Test)
    assert places.of(statement.of) == text.index("labs")
    assert places.of(statement.of.where) == text.index("value > 5")
    assert places.of(statement.of.where.right) == text.index("5")
    assert places.of(statement.by[0]) == text.index("bands")
