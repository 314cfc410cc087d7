"""The context of an answer: more columns behind those that were asked, and never other rows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.compile import compile_statement, compile_with_context
from ehrtui.logic.algebra.lower import lowered
from ehrtui.logic.algebra.model import PATIENT, Aggregate, Groups, Item, Order, Own, Pick, Rows, Set, Single, Statement
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.parse import parse
from tests.logic.algebra.cases import Case, cases, filled, multiset
from tests.logic.algebra.conftest import Database

_slow = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


_COUNT, _MEAN = Aggregate("count", None), Aggregate("mean", None, Own("value"))


def _sets() -> st.SearchStrategy[Set]:
    items = st.sampled_from([(), (Item("name", "Creatinine"),), (Item("name", "Creatinine"), Item("name", "Lactate"))])
    per = st.sampled_from([PATIENT, "hospital stay", "all", "day"])
    pick = st.builds(Pick, st.integers(1, 3), st.none() | st.just(Own("value")), st.booleans(), per)
    return st.builds(Set, st.sampled_from(["lab", "prescription"]), items, st.none(), st.none() | pick)


def _statements() -> st.SearchStrategy[Statement]:
    fields = st.lists(st.sampled_from(["name", "value", "time"]), min_size=1, max_size=3, unique=True)
    order = st.none() | st.builds(Order, st.just(Own("time")), st.booleans(), st.none())
    listed = st.builds(
        lambda of, names, once, order: Rows(of, tuple(map(Own, names)), once, order),
        _sets(), fields, st.booleans(), order,
    )  # fmt: skip
    keys = st.sampled_from([(Own("name"),), (Own("gender"),), (Own("gender"), Own("name"))])
    ranked = st.none() | st.builds(Order, st.just(_COUNT), st.booleans(), st.none() | st.integers(1, 3), st.just(True))
    shown = st.sampled_from(["all", "keys", "numbers"])
    grouped = st.builds(Groups, _sets(), keys, st.sampled_from([(_COUNT,), (_COUNT, _MEAN)]), st.none(), ranked, shown)
    functions = st.sampled_from(["count", "mean", "median", "sd", "minimum", "percentile"])
    one = st.builds(
        lambda of, function: Aggregate(function, of, *(() if function == "count" else (Own("value"), 40))),
        _sets(), functions,
    )  # fmt: skip
    return listed | grouped | one.map(lambda number: Single((number,)))


def _whole(statement: Statement, database: Database) -> tuple[tuple[str, ...], list[tuple[Any, ...]], int] | None:
    """Columns and rows of the context, and how many columns were asked; None where there is none."""
    steps = compile_with_context(statement, database.profile, now=database.now, turns={})
    if steps is None:
        return None
    found = database.connection.execute(flat_sql(steps[:-1]))
    asked = database.connection.execute(f"SELECT * FROM ({flat_sql(steps)}) LIMIT 0").description
    return tuple(column[0].lower() for column in found.description), found.fetchall(), len(asked)


def _assert_same_answer(statement: Statement, database: Database) -> None:
    plain = database.connection.execute(
        flat_sql(compile_statement(statement, database.profile, now=database.now, turns={}))
    )
    whole = _whole(statement, database)
    if whole is None:
        return
    columns, rows, asked = whole
    assert columns[:asked] == tuple(column[0].lower() for column in plain.description)
    assert len(columns) > asked
    assert len(set(columns)) == len(columns)
    assert multiset([row[:asked] for row in rows]) == multiset(plain.fetchall())


@pytest.mark.parametrize("case", cases("native"), ids=lambda case: case.logic)
def test_the_answer_keeps_its_rows_and_columns(native: Database, case: Case) -> None:
    _assert_same_answer(parse_statement(filled(case.logic, native.connection)), native)


@pytest.mark.parametrize("case", cases("units"), ids=lambda case: case.logic)
def test_the_answer_keeps_them_where_stays_and_patients_share_a_table(units: Database, case: Case) -> None:
    _assert_same_answer(parse_statement(filled(case.logic, units.connection)), units)


@_slow
@given(statement=_statements())
def test_no_logic_gets_other_rows_by_its_context(native: Database, statement: Statement) -> None:
    try:
        _assert_same_answer(statement, native)
    except LogicError:  # what the plain statement cannot say either
        assert compile_with_context(statement, native.profile, now=native.now, turns={}) is None


@pytest.mark.parametrize(
    ("logic", "beside"),
    [
        ('value of lab "Creatinine"', ["valueuom", "charttime", "subject_id"]),
        ('value of lab "Creatinine" for patient 1038', ["valueuom", "charttime"]),
        ('value of lab "Creatinine" or "Potassium" for patient 1038', ["name", "valueuom", "charttime"]),
        ("gender of patients", ["subject_id"]),
        ("length of icu stay", ["icustay_id", "intime", "subject_id"]),
        ("name of prescription for patient 1038", ["records", "first_time", "last_time"]),
        ("name of prescription", ["records", "patients"]),
        ("top 3 prescription", ["records", "share"]),
        ("count admission by insurance", ["share"]),
        ('mean value of lab "Creatinine"', ["unit", "records", "patients"]),
        ('mean value of lab "Creatinine" by gender', ["unit", "records"]),
        ('mean value per month of lab "Creatinine"', ["month", "unit", "records"]),
        ('any lab "Creatinine" for patient 1038', ["records"]),
        ('(last value of lab "Creatinine" for patient 1038) - (first value of lab "Creatinine" for patient 1038)',
         ["last_creatinine", "first_creatinine"]),
        ("count admission", ["patients"]),
        ('survival over 1 year after lab "Creatinine"', ["patients"]),
        ("top 3 diagnosis by mortality over 1 years", ["mortality", "patients"]),
    ],
)  # fmt: skip
def test_what_stands_beside_an_answer(native: Database, logic: str, beside: list[str]) -> None:
    whole = _whole(lowered(parse(logic)), native)
    assert whole is not None
    columns, rows, asked = whole
    assert list(columns[asked:]) == beside
    assert rows


@pytest.mark.parametrize("logic", ["gender of patient 1038", "count patients", "time of admission for patient 1038"])
def test_nothing_is_added_where_nothing_lacks(native: Database, logic: str) -> None:
    whole = _whole(lowered(parse(logic)), native)
    assert whole is None or whole[0][whole[2] :] == ("hadm_id",)


def test_a_series_is_in_the_order_of_time(native: Database) -> None:
    whole = _whole(lowered(parse('value of lab "Creatinine" for patient 1038')), native)
    assert whole is not None
    columns, rows, _ = whole
    times = [row[columns.index("charttime")] for row in rows]
    assert len(times) > 2
    assert times == sorted(times)
