"""Sorting and filtering the rows of a kept result, over values as EHR databases have them."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ehrtui.engines.arranging import Arrangement, Condition, Order, arranged_select, parse_condition
from ehrtui.engines.opening import open_engine
from ehrtui.errors import UsageError
from tests.engines.conftest import write

# `value` holds numbers and words as text, as the laboratory's tables do; `code` has zeros that matter.
LABS = """
    CREATE TABLE labs (id INTEGER PRIMARY KEY, value TEXT, number REAL, code TEXT, "time %" TIMESTAMP, anything);
    INSERT INTO labs VALUES
        (1, '9.5', 9.5, '0389', '2103-12-31 23:59:00', 1), (2, '10', 10, '389', '2104-01-01 00:00:00', '1'),
        (3, 'POS', NULL, '4019', '2104-06-15 08:00:00', x'31'), (4, NULL, -3, NULL, '2104-06-15 09:30:00', NULL),
        (5, '7_0%', 7, 'V5861', NULL, 'It''s "so"'), (6, 'neg', 0.5, '250', '2105-01-01 00:00:00', 'É');
"""


@pytest.fixture(scope="module")
def arranged(tmp_path_factory):
    """The ids of the rows of LABS under an arrangement."""
    engine = open_engine(str(write(tmp_path_factory.mktemp("labs") / "labs.db", LABS)))
    engine.run("SELECT * FROM labs", "answer")

    def ids(arrangement):
        result = engine.run(arranged_select(engine.relation("answer"), arrangement), "view")
        return [row[0] for row in engine.page("view", 0, result.row_count)]

    yield ids
    engine.close()


def condition(column, text):
    return Arrangement().where(column, parse_condition(column, text))


@pytest.mark.parametrize(
    ("column", "text", "ids"),
    [
        ("number", "> 7", [1, 2]),
        ("number", ">=7", [1, 2, 5]),
        ("number", "< 7", [4, 6]),
        ("number", "<= 7", [4, 5, 6]),
        ("number", "= 10", [2]),
        ("number", "= 10.0", [2]),
        ("number", "!= 10", [1, 4, 5, 6]),
        ("number", "<> 10", [1, 4, 5, 6]),
        ("number", "= -3", [4]),
        ("number", "~ 5", [1, 6]),
        ("number", "null", [3]),
        ("number", " NOT  null ", [1, 2, 4, 5, 6]),
        ("number", "is null", [3]),
        ("number", "> POS", []),
        # Numbers in text are numbers, words are not.
        ("value", "> 9", [1, 2]),
        ("value", "< 10", [1]),
        ("value", "= 10", [2]),
        ("value", "= pos", [3]),
        ("value", "> n", [3, 6]),
        ("value", "!= neg", [1, 2, 3, 5]),
        ("value", '> "8"', [1, 3, 6]),
        # Nothing that is typed is a pattern.
        ("value", "~ _", [5]),
        ("value", "~ %", [5]),
        ("value", "~ \\", []),
        ("value", "po", [3]),
        # Codes keep their zeros.
        ("code", "= 0389", [1]),
        ("code", "= 389", [2]),
        # As much of a time as was typed.
        ("time %", "> 2104", [6]),
        ("time %", ">= 2104", [2, 3, 4, 6]),
        ("time %", "<= 2104", [1, 2, 3, 4]),
        ("time %", "= 2104-06", [3, 4]),
        ("time %", "= 2104-06-15T08", [3]),
        ("time %", "< 2104-06-15 09:30", [1, 2, 3]),
        ("time %", "~ 09:30", [4]),
        # Whatever else a cell holds.
        ("anything", "= 1", [1, 2]),
        ("anything", '= It\'s "so"', [5]),
        ("anything", "null", [4]),
    ],
)
def test_a_condition_finds_its_rows(arranged, column, text, ids):
    assert arranged(condition(column, text)) == ids


def test_conditions_combine_and_each_column_has_one(arranged):
    both = condition("number", "> 0").where("value", parse_condition("value", "~ e"))
    assert arranged(both) == [6]
    assert arranged(both.where("value", parse_condition("value", "~ 1"))) == [2]
    assert arranged(both.where("value", None)) == [1, 2, 5, 6]
    assert both.condition("value") == Condition("value", "~", "e")


def test_sorting_turns_round_and_ends_and_missing_values_come_last(arranged):
    up = Arrangement().turned("value")
    assert arranged(up) == [1, 2, 5, 3, 6, 4]  # numbers by size, then words
    down = up.turned("value")
    assert arranged(down) == [2, 1, 6, 3, 5, 4]
    assert not down.turned("value")
    assert down.turned("number").order == Order("number")
    assert arranged(Arrangement(order=Order("time %"))) == [1, 2, 3, 4, 6, 5]


def test_sorting_keeps_the_conditions(arranged):
    assert arranged(condition("number", "> 0").turned("number").turned("number")) == [2, 1, 5, 6]


@pytest.mark.parametrize("text", [">", " = ", "~", "!="])
def test_a_comparison_without_a_value_is_refused_with_an_example(text):
    with pytest.raises(UsageError) as caught:
        parse_condition("drug", text)
    assert "> 5" in caught.value.next_step


@pytest.mark.parametrize("text", ["", "  "])
def test_nothing_is_no_condition(text):
    assert parse_condition("drug", text) is None


@given(st.text(min_size=1, max_size=20), st.sampled_from([">", "<=", "=", "!=", "~", ""]))
def test_any_text_is_looked_for_as_it_is(arranged, text, operator):
    assume(operator or text.strip().strip("<>=!~").strip())  # an operator alone is refused
    found = parse_condition("anything", f"{operator} {text}") if text.strip() else None
    if found is not None:
        assert set(arranged(Arrangement((found,)))) <= {1, 2, 3, 4, 5, 6}
        assert parse_condition("anything", found.text) == found
