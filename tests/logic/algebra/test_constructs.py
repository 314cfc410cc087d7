"""Every construct of the algebra gives the rows that hand-written SQL gives, on two schemas."""

from __future__ import annotations

import pytest

from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.algebra.render import render_statement
from tests.logic.algebra.cases import Case, cases, filled, multiset
from tests.logic.algebra.conftest import Database


def _named(case: Case) -> str:
    return case.logic


@pytest.mark.parametrize("case", cases("native"), ids=_named)
def test_the_rows_are_those_of_the_sql(native: Database, case: Case) -> None:
    wanted = native.fetch(filled(case.sql, native.connection))
    assert wanted, "the SQL finds nothing here, so that it shows nothing"
    assert multiset(native.rows(filled(case.logic, native.connection))) == multiset(wanted)


@pytest.mark.parametrize("case", cases("units"), ids=_named)
def test_the_rows_are_those_of_the_sql_where_stays_and_patients_share_a_table(units: Database, case: Case) -> None:
    wanted = units.fetch(filled(case.sql, units.connection))
    assert wanted, "the SQL finds nothing here, so that it shows nothing"
    assert multiset(units.rows(filled(case.logic, units.connection))) == multiset(wanted)


@pytest.mark.parametrize("case", [*cases("native"), *cases("units"), *cases("mimic_iv")], ids=_named)
def test_its_text_reads_back(case: Case) -> None:
    statement = parse_statement(case.logic.replace("{hadm}", "1").replace("{icu}", "2"))
    assert parse_statement(render_statement(statement)) == statement
