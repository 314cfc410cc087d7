"""The text of query logic: what is rendered reads back as the same value, and errors point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import LogicError
from ehrtui.logic.model import (
    After,
    Aggregate,
    Calendar,
    Combined,
    Count,
    Elapsed,
    Exists,
    Field,
    Fields,
    Filter,
    Has,
    Link,
    Logic,
    Meaning,
    Mortality,
    Ordered,
    Patients,
    Peak,
    Percentile,
    Query,
    Relative,
    Rows,
    Source,
    Stay,
    StayCost,
    Survival,
    Times,
    Top,
    Window,
)
from ehrtui.logic.parse import parse
from ehrtui.logic.render import render

numbers = st.integers(1, 40)
ordinals = st.one_of(st.none(), st.integers(1, 12), st.integers(-12, -1))
calendars = st.one_of(
    st.builds(Calendar, st.integers(1000, 9999)),
    st.builds(Calendar, st.integers(1000, 9999), st.integers(0, 99)),
    st.builds(Calendar, st.integers(1000, 9999), st.integers(0, 99), st.integers(0, 99)),
    st.builds(Calendar, st.integers(1000, 9999), st.integers(1, 12), st.integers(1, 31), st.just("09:05:00")),
)
parts = st.one_of(st.none(), numbers)
relatives = st.one_of(
    st.builds(Relative, st.sampled_from(["year", "month", "week"]), st.integers(0, 1), month=parts, day=parts),
    st.builds(Relative, st.just("day"), st.integers(0, 1)),
    st.builds(
        Relative, st.sampled_from(["year", "month", "week", "day", "hour"]), st.integers(1, 9999), ago=st.just(True)
    ),
)
windows = st.builds(Window, st.sampled_from(["in", "since", "until", "before", "after"]), calendars | relatives)
stays = st.builds(Stay, st.sampled_from(["hospital", "icu"]), ordinals, st.none() | numbers)
roles = st.sampled_from(
    ["lab", "prescription", "diagnosis", "icu_stay", "vital", "ward_stay", "icu_procedure", "icu", "order2"]
)
amounts = st.integers(-99, 99) | st.floats(allow_nan=False, allow_infinity=False)
states = st.sampled_from(["normal", "abnormal", "present", "missing", "minimum", "maximum"])
fields = st.sampled_from(
    [
        "value",
        "name",
        "time",
        "end time",
        "dose unit",
        "route",
        "length",
        "first care unit",
        "icd9 code",
        "place of birth",
    ]
)
filters = st.one_of(
    st.builds(Filter, fields, st.just("is"), states),
    st.builds(Filter, fields, st.sampled_from(["=", ">", ">=", "<", "<="]), amounts | st.text(max_size=8)),
)
names = st.lists(st.text(max_size=12), max_size=3).map(tuple)
some_filters = st.lists(filters, max_size=2).map(tuple)
sources = st.builds(Source, roles, names, st.one_of(st.none(), numbers), some_filters)
units = st.sampled_from(["year", "month", "week", "day", "hour"])
links = st.one_of(
    st.builds(Link, st.just("within"), units, numbers),
    st.builds(Link, st.sampled_from(["same", "together"]), units | st.sampled_from(["hospital stay", "icu stay"])),
    st.just(Link("ever")),
    st.just(Link("simultaneous")),
)
window_lists = st.lists(windows, max_size=2).map(tuple)
repeats = st.none() | st.builds(Times, numbers, st.booleans())
events = st.builds(Has, sources, st.none() | stays, window_lists)
in_order = links.filter(lambda link: link.kind not in ("simultaneous", "together"))
afters = st.one_of(
    st.none(),
    st.builds(After, events, links, st.booleans()),
    st.builds(After, events, in_order, st.booleans(), st.just(True)),
)
tails = {"during": st.none() | stays, "windows": window_lists, "times": repeats, "after": afters}
conditions = st.builds(Has, sources, **tails, negated=st.booleans())
ages = st.tuples(st.none() | st.integers(0, 120), st.none() | st.integers(0, 120))
ids = st.lists(st.integers(0, 10**9) | st.text(max_size=10), min_size=1, max_size=3).map(tuple)
patients = st.builds(
    Patients,
    ids=st.just(()) | ids,
    turn=st.none() | numbers,
    sex=st.sampled_from([None, "female", "male"]),
    age=st.none() | ages,
    conditions=st.lists(conditions, max_size=2).map(tuple),
)
functions = st.sampled_from(["minimum", "maximum", "mean", "median", "sum"])
groups = st.sampled_from(["", "gender", "admission type", "name", "first care unit", "mean"])
record_queries = st.one_of(
    st.builds(
        Query,
        st.builds(Field, fields) | st.builds(Fields, st.lists(fields, min_size=2, max_size=4).map(tuple)),
        sources,
        patients,
        **tails,
        ordinal=ordinals,
    ),
    st.builds(Query, st.just(Exists()) | st.builds(Top, numbers), sources, patients, **tails),
    st.builds(
        Query,
        st.builds(Count, st.sampled_from(["patients", "records", "names"]), st.none() | units)
        | st.builds(Aggregate, functions, fields, st.none() | units),
        sources,
        patients,
        **tails,
        by=groups,
    ),
)
patient_queries = st.builds(
    Query,
    st.sampled_from([Exists(), Field("id"), Field("gender"), Aggregate("mean", "age")]),
    st.just(Source("patient")),
    patients,
) | st.builds(Query, st.just(Count("patients")), st.just(Source("patient")), patients, by=groups)
rows = st.builds(Rows, numbers, ordinals, st.booleans()) | st.builds(Rows, numbers, function=functions)
queries = record_queries | patient_queries
sides = queries | rows
ids_of_one = st.integers(0, 10**9) | st.text(max_size=10)
others = st.one_of(
    st.builds(Combined, sides, st.sampled_from(["-", "%", ">", "<", "=", "except", "and", "or"]), sides),
    st.builds(
        Ordered,
        sides,
        groups,
        st.booleans(),
        st.none() | numbers,
    ),
    st.builds(Elapsed, st.sampled_from(["day", "hour"]), queries),
    st.builds(Meaning, st.text(max_size=12)),
    st.builds(StayCost, functions, sources, window_lists),
    st.builds(Peak, functions, units, sources, window_lists),
    st.builds(Percentile, amounts, sources, ids_of_one, st.none() | stays),
    st.builds(Survival, numbers, sources, st.none() | sources, st.booleans(), units),
    st.builds(Mortality, numbers, numbers, sources, units),
)


@given(queries | rows | others)
def test_what_is_rendered_reads_back_as_the_same_logic(logic: Logic) -> None:
    assert parse(render(logic)) == logic


def test_a_query_reads_like_a_sentence() -> None:
    query = Query(
        Field("value"),
        Source("lab", ("lactate",)),
        Patients(ids=(10045,)),
        Stay("icu", -1),
        (Window("since", Calendar(2104, 5)), Window("until", Relative("month", 3, ago=True))),
        ordinal=1,
    )
    assert render(query) == (
        'first value of lab "lactate" for patient 10045 during last icu stay since 2104-05 until 3 months ago'
    )


@given(st.text(max_size=60))
def test_any_text_either_reads_or_is_refused_with_a_position(text: str) -> None:
    logic, refusal = None, None
    try:
        logic = parse(text)
    except LogicError as error:
        refusal = error
    if refusal is not None:
        assert refusal.position is not None
        assert 0 <= refusal.position <= len(text)
        assert refusal.what
    else:
        assert logic is not None
        assert parse(render(logic)) == logic


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ('first value of lab "lactate" for patient', 40),
        ("gender of patient 3 maybe", 20),
        ('value of lab "lactate" since yestermorn', 29),
        ("count patients with", 19),
        ('value of lab "unfinished', 13),
        ("count patients with at least " + "9" * 5000 + " admission", 29),
        ("patients aged > 1e400", 16),
        ("rows of A" + "9" * 5000, 8),
    ],
)
def test_an_error_points_at_the_first_word_that_makes_no_sense(text: str, position: int) -> None:
    with pytest.raises(LogicError) as caught:
        parse(text)
    assert caught.value.position == position
    assert caught.value.next_step
