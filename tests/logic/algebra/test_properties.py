"""What holds for any logic: the order of conditions, more conditions, counts, shares, numbers of statistics."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    All,
    AnyOf,
    Condition,
    Groups,
    Has,
    Item,
    Near,
    Not,
    Of,
    Own,
    Related,
    Relation,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Times,
    Value,
)
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.model import Calendar, Window
from tests.logic.algebra.cases import multiset
from tests.logic.algebra.conftest import Database

_slow = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))

_LIMITS = st.sampled_from([0.9, 1.5, 2.0, 3.3, 4.0, 5.0])
_COMPARED = st.sampled_from([">", ">=", "<", "<=", "=", "!="])
_windows = st.builds(Window, st.sampled_from(["in", "since", "before"]), st.builds(Calendar, st.integers(2150, 2154)))


def _records() -> st.SearchStrategy[Set]:
    lab = st.sampled_from(["Creatinine", "Potassium", "Lactate"])
    limit = st.builds(Test, st.just(Own("value")), _COMPARED, _LIMITS.map(Value))
    first_day = st.just(Near(Relation("after", 24, "hour"), Own("icu admission time")))
    where = st.none() | limit | _windows | first_day | limit.map(Not)
    labs = st.builds(lambda name, where: Set("lab", (Item("name", name),), where), lab, where)
    drug = st.sampled_from(["furosemide*", "vancomycin*", "heparin*"])
    later = st.builds(
        lambda event, n: Related(event, (Relation("after", n, "day"),)), labs, st.sampled_from([1, 3, 30])
    ) | st.builds(lambda name: Related(Set("prescription", (Item("like", name),)), (Relation("overlapping"),)), drug)
    drugs = st.builds(
        lambda name, where: Set("prescription", (Item("like", name),), where), drug, st.none() | _windows | later
    )
    code = st.sampled_from(["428.*", "584.9", "401-486", "0389"])
    ranked = st.builds(Test, st.just(Own("rank")), st.just("<="), st.integers(1, 3).map(Value))
    ill = st.builds(lambda code, where: Set("diagnosis", (Item("code", code),), where), code, st.none() | ranked)
    return labs | drugs | ill


def _conditions(unit: str) -> st.SearchStrategy[Condition]:
    times = st.builds(Times, st.sampled_from([">=", "=", "<="]), st.integers(0, 3))
    has = st.builds(Has, _records(), st.none() | times)
    own = st.builds(lambda sex: Test(Own("gender"), "=", Value(sex)), st.sampled_from(["F", "male"]))
    fields = own | st.builds(lambda years: Test(Own("age"), ">=", Value(years)), st.integers(20, 80))
    base: st.SearchStrategy[Any] = has | fields
    if unit != PATIENT:
        base |= _windows | has.map(lambda had: Of(Set(PATIENT, where=had)))
    several = lambda inner: st.lists(inner, min_size=2, max_size=3).map(tuple)  # noqa: E731
    return st.recursive(
        base, lambda inner: inner.map(Not) | several(inner).map(AnyOf) | several(inner).map(All), max_leaves=4
    )


units_of = st.sampled_from([PATIENT, HOSPITAL, ICU])
asked = units_of.flatmap(lambda unit: st.tuples(st.just(unit), st.lists(_conditions(unit), min_size=1, max_size=3)))


def rows_of(database: Database, statement: Statement) -> list[tuple[Any, ...]]:
    return database.fetch(flat_sql(compile_statement(statement, database.profile, now=database.now, turns={})))


def listed(database: Database, of: Set) -> Counter[tuple[Any, ...]]:
    return Counter(rows_of(database, Rows(of, (Own("id"),))))


def _set(unit: str, conditions: list[Condition]) -> Set:
    return Set(unit, where=conditions[0] if len(conditions) == 1 else All(tuple(conditions)))


@_slow
@given(asked, st.randoms(use_true_random=False))
def test_the_order_of_conditions_does_not_matter(native: Database, asked: Any, chance: Any) -> None:
    unit, conditions = asked
    mixed = chance.sample(conditions, len(conditions))
    assert listed(native, _set(unit, conditions)) == listed(native, _set(unit, mixed))


@_slow
@given(asked)
def test_one_condition_more_never_adds_rows_and_no_row_is_there_twice(native: Database, asked: Any) -> None:
    unit, conditions = asked
    every, all_but_one = listed(native, _set(unit, conditions)), listed(native, Set(unit))
    if len(conditions) > 1:
        all_but_one = listed(native, _set(unit, conditions[:-1]))
    assert every <= all_but_one
    assert not every or max(every.values()) == 1


@_slow
@given(asked)
def test_a_count_is_the_length_of_the_list(native: Database, asked: Any) -> None:
    of = _set(*asked)
    ((count,),) = rows_of(native, Single((Aggregate("count", of),)))
    assert count == listed(native, of).total()


@_slow
@given(_records())
def test_a_count_of_records_is_the_length_of_their_list(native: Database, of: Set) -> None:
    ((count,),) = rows_of(native, Single((Aggregate("count", of),)))
    assert count == len(rows_of(native, Rows(of, (Own("name"), Own("time")))))


@_slow
@given(units_of.flatmap(lambda unit: st.tuples(st.just(unit), _records())))
def test_with_and_without_a_thing_are_all(native: Database, asked: Any) -> None:
    unit, thing = asked
    have, have_not = Set(unit, where=Has(thing)), Set(unit, where=Not(Has(thing)))
    assert listed(native, have) + listed(native, have_not) == listed(native, Set(unit))


@_slow
@given(st.sampled_from([HOSPITAL, ICU]), st.sampled_from(["gender", "insurance", "admission type"]), st.data())
def test_counts_of_groups_and_shares_add_up(native: Database, unit: str, key: str, data: st.DataObject) -> None:
    of = _set(unit, [data.draw(_conditions(unit))])
    groups = rows_of(native, Groups(of, (Own(key),), (Aggregate("count", None),)))
    assert sum(count for _, count in groups) == listed(native, of).total()
    assume(groups)
    values = [value for value, _ in groups]
    shares = [Aggregate("percent", of, Test(Own(key), "=", Value(value))) for value in values]
    (found,) = rows_of(native, Single(tuple(shares)))
    assert sum(found) == pytest.approx(100)


@_slow
@given(st.lists(st.integers(1, 9), min_size=1, max_size=3), _records())
def test_at_least_so_many_times_is_not_fewer(native: Database, counts: list[int], of: Set) -> None:
    for count in counts:
        least = Set(PATIENT, where=Has(of, Times(">=", count)))
        most = Set(PATIENT, where=Has(of, Times("<=", count - 1)))
        assert listed(native, least) + listed(native, most) == listed(native, Set(PATIENT))


_NUMBERS = (("mean", None), ("median", None), ("sd", None), ("iqr", None), ("minimum", None), ("maximum", None))


@_slow
@given(
    st.sampled_from(["Creatinine", "Potassium", "Lactate"]), _COMPARED, _LIMITS, st.integers(0, 100),
)  # fmt: skip
def test_numbers_are_those_of_statistics(native: Database, lab: str, sign: Any, limit: float, percent: int) -> None:
    of = Set("lab", (Item("name", lab),), Test(Own("value"), sign, Value(limit)))
    values = sorted(value for (value,) in rows_of(native, Rows(of, (Own("value"),))))
    assume(values)
    asked = [Aggregate(function, of, Own("value"), argument) for function, argument in _NUMBERS]  # type: ignore[arg-type]
    (found,) = rows_of(native, Single((*asked, Aggregate("percentile", of, Own("value"), percent))))
    wanted = (
        statistics.fmean(values), statistics.median(values), statistics.stdev(values) if len(values) > 1 else None,
        _interpolated(values, 75) - _interpolated(values, 25), values[0], values[-1], _interpolated(values, percent),
    )  # fmt: skip
    assert found == pytest.approx(wanted)


def _interpolated(values: list[float], percent: float) -> float:
    """The percentile as numpy has it by default, of sorted values."""
    place = (len(values) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


@_slow
@given(st.sampled_from(UNITS).flatmap(lambda unit: st.tuples(st.just(unit), _conditions(unit))))
def test_the_text_of_a_logic_gives_its_rows(native: Database, asked: Any) -> None:
    unit, condition = asked
    statement = Rows(Set(unit, where=condition), (Own("id"), Own("gender")))
    assert multiset(native.rows(render_statement(statement))) == multiset(rows_of(native, statement))
