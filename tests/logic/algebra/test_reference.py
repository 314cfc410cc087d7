"""What the reference page says is so, and the page is current."""

from __future__ import annotations

from typing import Any

import pytest

from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.algebra.render import render_statement
from tests.logic.algebra import reference_page

_DATA = reference_page.reference()
_CASES = [case for section in _DATA["section"] for case in section["case"]]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["logic"])
def test_a_statement_of_the_page_gives_its_rows(case: dict[str, Any]) -> None:
    connection, profile = reference_page.opened(_DATA)
    columns, rows = reference_page.answered(case["logic"], connection, profile, _DATA["now"])
    connection.close()
    assert columns == case["columns"]
    wanted = [tuple(None if value == "" else value for value in row) for row in case["rows"]]
    assert sorted(map(repr, rows)) == sorted(map(repr, wanted))


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["logic"])
def test_a_statement_of_the_page_reads_back(case: dict[str, Any]) -> None:
    statement = parse_statement(case["logic"])
    assert parse_statement(render_statement(statement)) == statement


def test_the_page_is_current() -> None:
    assert reference_page.PAGE.read_text(encoding="utf-8") == reference_page.page(_DATA)
