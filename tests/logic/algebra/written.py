"""Hypothesis strategies: any statement that text can say, whether or not a database knows its words."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Age,
    Aggregate,
    All,
    Among,
    Answer,
    AnyOf,
    Arms,
    Attrition,
    Band,
    Characteristics,
    Cohort,
    Combined,
    Comparison,
    Condition,
    Difference,
    Groups,
    Has,
    Histogram,
    InAnswer,
    Interval,
    Is,
    Item,
    Like,
    Listing,
    Math,
    Measure,
    Near,
    Neighbour,
    Not,
    Of,
    Order,
    Overlap,
    Own,
    Part,
    PartOf,
    Pick,
    Picked,
    Prevalence,
    Related,
    Relation,
    Rows,
    Set,
    Single,
    State,
    Statement,
    Summary,
    Survival,
    Test,
    Times,
    TimeUnit,
    Value,
    Whether,
)
from ehrtui.logic.model import Calendar, Relative, Window

_FIELDS = (
    "value",
    "time",
    "end time",
    "age",
    "gender",
    "length",
    "discharge location",
    "first care unit",
    "id",
    "name",
)
_ROLES = ("lab", "diagnosis", "prescription", "icu procedure", "vital", "allergy")
_PLACED = ("mean", "median", "sd", "iqr", "sum", "minimum", "maximum")

_texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
_ints = st.integers(min_value=-9999, max_value=99_999)
_numbers = _ints | st.floats(min_value=-1000, max_value=1000, allow_nan=False).map(lambda x: round(x, 3) + 0.5)
_counts = st.integers(min_value=1, max_value=40)
_spans = _counts | st.sampled_from([0.5, 1.5])
_units_of_time = st.sampled_from(get_args(TimeUnit))
_own = st.sampled_from(_FIELDS).map(Own)
_values = (_texts | _numbers).map(Value)
_items = st.builds(Item, st.sampled_from(["name", "like", "code", "concept"]), _texts)
_whens = st.builds(
    Calendar, st.integers(1900, 2200), st.none() | st.integers(1, 12), st.none()
) | st.builds(Relative, st.sampled_from(["year", "month", "week"]), st.sampled_from([0, 1]))  # fmt: skip
_windows = st.builds(Window, st.sampled_from(["in", "since", "until", "before", "after"]), _whens)
_of_group = (
    st.just(Aggregate("count", None))
    | st.builds(Aggregate, st.sampled_from(_PLACED), st.none(), _own)
    | st.builds(lambda unit: Aggregate("distinct", None, Own(unit)), st.sampled_from(UNITS))
    | st.just(Aggregate("share", None))
    | st.builds(lambda n, over: Aggregate("percentile", None, over, n), st.sampled_from([5, 50, 97.5]), _own)
)


def _picks(measures: st.SearchStrategy[Measure]) -> st.SearchStrategy[Pick]:
    ties = st.none() | st.booleans()
    per = st.sampled_from([PATIENT, HOSPITAL, ICU, "day", "all"])
    firsts = st.builds(lambda nth, back, per, ties: Pick(nth, None, back, per, ties), _counts, st.booleans(), per, ties)
    some = st.builds(
        lambda n, back, per, ties: Pick(n, None, back, per, ties, True), st.integers(2, 9), st.booleans(), per, ties
    )
    extremes = st.builds(Pick, _counts, measures, st.booleans(), per, ties, st.booleans())
    return firsts | some | extremes


def _flat(condition: Any) -> list[Any]:
    return [each for one in condition.of for each in _flat(one)] if isinstance(condition, All) else [condition]


def sets(
    conditions: st.SearchStrategy[Condition], measures: st.SearchStrategy[Measure], *, units: tuple[str, ...] = ()
) -> st.SearchStrategy[Set]:
    """Sets of the units, by default of any unit and role."""

    def made(unit: str, items: list[Item], ids: list[int | str], where: list[Any], pick: Pick | None) -> Set:
        # An "and" behind a set is two conditions of it.
        parts = [each for one in where for each in _flat(one)]
        if unit in UNITS and ids:
            parts.insert(0, Among(Own("id"), tuple(ids)))
        condition = None if not parts else parts[0] if len(parts) == 1 else All(tuple(parts))
        return Set(unit, tuple(items) if unit not in UNITS else (), condition, pick)

    ids = st.lists(st.integers(1, 9999) | _texts, max_size=2)
    where = st.lists(conditions, max_size=2)
    items = st.lists(_items, max_size=2)
    pick = st.none() | _picks(measures)
    return st.builds(made, st.sampled_from(units or (*UNITS, *_ROLES)), items, ids, where, pick)


def _relations() -> st.SearchStrategy[Relation]:
    kinds = st.sampled_from(["after", "before"]).map(Relation)
    near = st.builds(Relation, st.sampled_from(["after", "before", "around"]), _spans, _units_of_time, st.booleans())
    same = st.sampled_from(["", "minute", "hour", "day", "week", "month", "year"]).map(
        lambda u: Relation("same", None, u)
    )
    return kinds | near | same


def _conditions(conditions: st.SearchStrategy[Any], measures: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    inner = sets(conditions, measures)
    several = st.lists(conditions, min_size=2, max_size=3).map(tuple)
    times = st.builds(
        Times,
        st.sampled_from([">=", "=", "<="]),
        _counts,
        st.sampled_from(["times", "days", "stays"]),
        st.none() | st.tuples(_spans, _units_of_time),
        st.booleans(),
    )
    stays = st.sampled_from([HOSPITAL, ICU]).map(lambda unit: Relation("stay", None, unit))
    events = st.lists(_relations() | stays | st.just(Relation("overlapping")), min_size=1, max_size=2).map(tuple)
    return st.one_of(
        st.builds(All, several),
        st.builds(AnyOf, several),
        st.builds(Not, conditions),
        st.builds(Test, measures, st.sampled_from(get_args(Comparison)), measures),
        st.builds(Among, measures, st.lists(_texts | _numbers, min_size=1, max_size=3).map(tuple)),
        st.builds(Like, measures, _texts),
        st.builds(Is, measures, st.sampled_from(get_args(State))),
        st.builds(Has, inner, st.none() | times),
        st.builds(Of, inner),
        st.builds(InAnswer, _counts, st.sampled_from([*UNITS, *_ROLES])),
        st.builds(Near, _relations(), measures),
        st.builds(Related, inner, events, st.booleans()),
    )


def _measures(conditions: st.SearchStrategy[Any], measures: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    inner = sets(conditions, measures)
    picked = inner.flatmap(lambda of: _picks(_own).map(lambda pick: Set(of.unit, of.items, of.where, pick)))
    columns = measures.filter(lambda measure: not isinstance(measure, Value))
    over = st.builds(Rows, inner, st.lists(columns, min_size=1, max_size=2).map(tuple))
    return st.one_of(
        st.builds(lambda f, of, m: Aggregate(f, of, m), st.sampled_from(_PLACED), inner, measures),
        st.builds(lambda of: Aggregate("count", of), inner),
        st.builds(lambda of, m: Aggregate("distinct", of, m), inner, measures),
        st.builds(lambda of, c: Aggregate("percent", of, c), inner, conditions),
        st.builds(lambda of, m, n: Aggregate("percentile", of, m, n), inner, measures, st.sampled_from([5, 97.5])),
        st.builds(lambda f, of: Aggregate(f, of), st.sampled_from(["count", "mean"]), over),
        st.builds(Picked, measures, picked),
        st.builds(Interval, _units_of_time, measures, measures),
        st.builds(Age, measures),
        st.builds(Math, st.sampled_from(["+", "-", "*", "/", "%", "else"]), measures, measures),
        st.builds(Whether, conditions),
        st.builds(Neighbour, st.sampled_from(["previous", "next"]), _own, st.none() | inner),
        st.builds(PartOf, st.sampled_from(get_args(Part)), measures),
        st.builds(lambda m, width: Band(m, width=width), measures, st.sampled_from([5, 0.5])),
        st.builds(lambda m, edges: Band(m, edges=edges), measures, st.sampled_from([(18.0,), (18.0, 40.0, 65.5)])),
        measures.filter(lambda m: not isinstance(m, Own | PartOf)).map(lambda m: Single((m,))),
    )


def _level(depth: int) -> tuple[st.SearchStrategy[Any], st.SearchStrategy[Any]]:
    """Conditions and measures of at most so many levels."""
    conditions: st.SearchStrategy[Any] = _windows | st.builds(
        Test, _own, st.sampled_from(get_args(Comparison)), _values
    )
    measures: st.SearchStrategy[Any] = _own | _values
    for _ in range(depth):
        conditions, measures = (
            conditions | _conditions(conditions, measures),
            measures | _measures(conditions, measures),
        )
    return conditions, measures


def statements() -> st.SearchStrategy[Statement]:
    """Statements of every kind, three levels deep."""
    conditions, measures = _level(2)
    of = sets(conditions, measures)
    # A number or a text that stands alone would be one more identifier of the set before it; a field, one of its rows.
    columns = measures.filter(lambda measure: not isinstance(measure, Value | Own))
    several = st.lists(columns, min_size=1, max_size=3).map(tuple)
    firsts = st.none() | _counts
    by_row = st.builds(
        lambda by, down, first, ties: Order(by, down, first, ties and first is not None),
        measures, st.booleans(), firsts, st.booleans(),
    )  # fmt: skip
    by_group = st.builds(
        lambda by, down, first, ties: Order(by, down, first, ties and first is not None),
        _of_group, st.booleans(), firsts, st.booleans(),
    )  # fmt: skip
    having = st.builds(Test, _of_group, st.sampled_from(get_args(Comparison)), _numbers.map(Value))
    fields = st.lists(_own, min_size=1, max_size=2).map(tuple)
    rows = st.builds(Rows, of, fields | several, st.booleans(), st.none() | by_row)
    groups = st.builds(
        Groups, of, several, st.lists(_of_group, min_size=1, max_size=2).map(tuple), st.none() | having,
        st.none() | by_group, st.sampled_from(["all", "keys", "numbers"]),
    )  # fmt: skip
    # "year of value" asks for a field of rows, not for a part of a time that belongs to none.
    numbers = several.filter(lambda columns: not isinstance(columns[0], PartOf)).map(Single)
    simple: st.SearchStrategy[Statement] = rows | groups | numbers
    answers = st.builds(Answer, _counts, st.none() | st.integers(-3, 9))
    sides = rows | answers
    combined = st.builds(Combined, sides, st.sampled_from(["except", "and", "or", "beside"]), sides)
    difference = st.builds(
        lambda c, left, right: Difference(Aggregate("percent", None, c), left, right), conditions, of, of
    )
    survival = st.builds(
        Survival, _counts, st.sampled_from(["day", "month", "year"]), of, st.none() | of, st.booleans()
    )
    names = st.sampled_from(["", "AKI", 'said "so"'])
    cohorts = st.lists(st.builds(Cohort, of, names), min_size=1, max_size=3).map(tuple)
    some = st.lists(columns, max_size=2).map(tuple)
    workflows = (
        st.builds(Listing, of, st.none() | of)
        | st.builds(Summary, of)
        | st.builds(Arms, cohorts, st.lists(_of_group, min_size=1, max_size=2).map(tuple))
        | st.builds(Characteristics, cohorts, some)
        | st.builds(
            Histogram, measures.filter(lambda one: not isinstance(one, Value)), of, st.sampled_from([None, 2.5])
        )
        | st.builds(Prevalence, conditions, of, some, st.sampled_from([0, 5]))
        | st.builds(Attrition, of, st.lists(conditions, max_size=2).map(tuple))
        | st.builds(Overlap, st.builds(Cohort, of, names), st.builds(Cohort, of, names))
    )
    return simple | answers | combined | difference | survival | workflows
