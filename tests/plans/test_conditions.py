from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import ToolError
from ehrtui.plans.filter_conditions import OPERATORS, Condition, parse_conditions

COLUMNS = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]{0,10}", fullmatch=True).filter(
    lambda name: name.lower() not in ("max", "min")
)
VALUES = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)


def quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


@given(st.lists(st.tuples(COLUMNS, st.sampled_from(("=", "!=", ">=", "<=", "<", ">", " like ")), VALUES), min_size=1))
def test_quoted_values_come_back_whatever_they_contain(parts: list[tuple[str, str, str]]) -> None:
    text = "||".join(f"{column}{operator}{quoted(value)}" for column, operator, value in parts)
    found = [(each.column, each.operator, each.values) for each in parse_conditions(text)]
    assert found == [(column, operator.strip(), (value,)) for column, operator, value in parts]


@given(COLUMNS, st.lists(st.one_of(VALUES, st.integers(), st.floats(allow_nan=False, allow_infinity=False))))
def test_a_python_list_comes_back_from_an_f_string(column: str, values: list[str | int | float]) -> None:
    printable = [value for value in values if not isinstance(value, str) or value.isprintable()]
    (found,) = parse_conditions(f"{column} in {printable}")
    assert found.values == tuple(str(value) for value in printable)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_position(text: str) -> None:
    try:
        conditions = parse_conditions(text)
    except ToolError as error:
        position = re.search(r"at position (\d+)", error.what)
        assert position is not None
        assert 0 <= int(position[1]) <= len(text)
    else:
        assert conditions
        assert all(each.operator in OPERATORS for each in conditions)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hadm_id=1003", Condition("hadm_id", "=", ("1003",))),
        ("  HADM_ID  >=  1003  ", Condition("HADM_ID", ">=", ("1003",), 2)),
        ("drug=potassium chl. (20 meq, iv)", Condition("drug", "=", ("potassium chl. (20 meq, iv)",))),
        ("drug=a=b", Condition("drug", "=", ("a=b",))),
        ("drug=o'neil's", Condition("drug", "=", ("o'neil's",))),
        ("drug = 'a||b'", Condition("drug", "=", ("a||b",))),
        ("drug=''", Condition("drug", "=", ("",))),
        ("drug like %sol%", Condition("drug", "like", ("%sol%",))),
        ("drug == a", Condition("drug", "=", ("a",))),
        ("drug <> a", Condition("drug", "!=", ("a",))),
        ("hadm_id in [1, 2]", Condition("hadm_id", "in", ("1", "2"))),
        ("hadm_id in (1, 2)", Condition("hadm_id", "in", ("1", "2"))),
        ("hadm_id in []", Condition("hadm_id", "in", ())),
        ("hadm_id in [1, None]", Condition("hadm_id", "in", ("1",))),
        (
            "drug in [heparin sodium, 'd5w, 5%', \"o'neil\"]",
            Condition("drug", "in", ("heparin sodium", "d5w, 5%", "o'neil")),
        ),
        ("dischtime is null", Condition("dischtime", "is null")),
        ("dischtime IS  NOT NULL", Condition("dischtime", "is not null")),
        ("max(charttime)", Condition("charttime", "max")),
        ("MIN( charttime )", Condition("charttime", "min")),
        ('"count(*)">3', Condition("count(*)", ">", ("3",))),
    ],
)
def test_one_condition(text: str, expected: Condition) -> None:
    assert parse_conditions(text) == (expected,)


def test_conditions_are_read_left_to_right_with_their_positions() -> None:
    conditions = parse_conditions("itemid=5 || max(charttime)||valuenum>2")
    assert [(each.column, each.operator, each.position) for each in conditions] == [
        ("itemid", "=", 0),
        ("charttime", "max", 12),
        ("valuenum", ">", 28),
    ]


@pytest.mark.parametrize(
    ("text", "position", "why"),
    [
        ("", 0, "A condition is"),
        ("drug", 0, "A condition is"),
        ("drug=a||", 8, "A condition is"),
        ("drug=a||route", 8, "A condition is"),
        ("drug=", 5, "no value"),
        ("drug=None", 5, "is null"),
        ("drug=[a, b]", 5, "in [a, b]"),
        ("drug in [a, b", 13, "not closed"),
        ("drug in [a,,b]", 11, "empty"),
        ("drug in [a] or", 10, "not closed"),
        ("max(charttime", 0, "A condition is"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_position(text: str, position: int, why: str) -> None:
    with pytest.raises(ToolError) as caught:
        parse_conditions(text)
    assert f"at position {position}:" in caught.value.what
    assert why in caught.value.why
