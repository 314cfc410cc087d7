"""What holds for the sentence of any statement, whether or not a database knows its words."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ehrtui.logic.algebra.model import (
    PATIENT,
    Aggregate,
    All,
    AnyOf,
    Has,
    Item,
    Not,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Times,
    Value,
)
from ehrtui.logic.english.sentence import sentence
from ehrtui.logic.model import Calendar, Window
from ehrtui.schema.profile import GENERIC
from tests.logic.algebra.test_properties import asked
from tests.logic.algebra.written import statements

_many = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
_QUOTED = re.compile("“[^“”]*”")
_RAW = re.compile(r"""["=<>{}\[\]|\\;:!_]|\w\(|  | ,|None|True|False|Own|Value\(|\*(?![\s,?])""")
"""What no sentence has outside the names that it quotes. A family of codes ends in a star."""


def bare(text: str) -> str:
    """A sentence without the stored names in quotation marks."""
    return _QUOTED.sub("“”", text)


@_many
@given(statements())
def test_every_statement_has_a_sentence_that_can_be_read_aloud(statement: Statement) -> None:
    said = sentence(statement, GENERIC)
    assert said == sentence(statement, GENERIC)
    assert said.endswith(("?", "."))
    assert said[0] == said[0].upper()
    assert said.isprintable()
    assert said == " ".join(said.split())
    assert said.count("“") == said.count("”")


def _counted(unit: str, conditions: list[object]) -> Statement:
    where = conditions[0] if len(conditions) == 1 else All(tuple(conditions))  # type: ignore[arg-type]
    return Single((Aggregate("count", Set(unit, where=where)),))  # type: ignore[arg-type]


@_many
@given(asked)
def test_nothing_of_the_language_is_in_the_sentence_of_a_typed_statement(asked: tuple[str, list[object]]) -> None:
    said = sentence(_counted(*asked), GENERIC)
    assert not _RAW.search(bare(said)), said


@_many
@given(asked)
def test_a_count_and_a_list_are_asked_differently(asked: tuple[str, list[object]]) -> None:
    counted = _counted(*asked)
    assert isinstance(counted, Single)
    (number,) = counted.columns
    assert isinstance(number, Aggregate)
    assert isinstance(number.of, Set)
    assert sentence(counted, GENERIC) != sentence(Rows(number.of, (Own("id"),)), GENERIC)


_limits = st.floats(-50, 50, allow_nan=False).map(lambda number: round(number, 3))
_signs = st.sampled_from(["=", "!=", ">", ">=", "<", "<="])
_fields = st.sampled_from(["value", "age", "length", "days supply"])
_units = st.sampled_from(["lab", "prescription", "hospital stay", "icu procedure"])


@_many
@given(_units, _fields, _signs, _signs, _limits, _limits, st.booleans())
def test_other_limits_give_other_sentences(
    unit: str, field: str, sign: object, other_sign: object, limit: float, other: float, counted: bool
) -> None:
    assume((sign, limit) != (other_sign, other))
    one, two = (
        Set(unit, where=Test(Own(field), each, Value(bound)))  # type: ignore[arg-type]
        for each, bound in ((sign, limit), (other_sign, other))
    )
    if counted:
        assert sentence(Single((Aggregate("count", one),)), GENERIC) != sentence(
            Single((Aggregate("count", two),)), GENERIC
        )
    assert sentence(Rows(Set(PATIENT, where=Has(one)), (Own("id"),)), GENERIC) != sentence(
        Rows(Set(PATIENT, where=Has(two)), (Own("id"),)), GENERIC
    )


_things = st.builds(
    lambda unit, name, where: Set(unit, (Item("name", name),), where),
    st.sampled_from(["lab", "diagnosis", "prescription", "procedure", "allergy"]),
    st.sampled_from(["potassium", "anemia", "vancomycin"]),
    st.none()
    | st.builds(Window, st.sampled_from(["in", "since", "before"]), st.builds(Calendar, st.integers(2150, 2154))),
)
_had = st.builds(Has, _things, st.none() | st.builds(Times, st.sampled_from([">=", "=", "<="]), st.integers(1, 9)))


@_many
@given(_had)
def test_a_negation_is_heard(has: Has) -> None:
    have, lack = (Single((Aggregate("count", Set(PATIENT, where=where)),)) for where in (has, Not(has)))
    assert sentence(have, GENERIC) != sentence(lack, GENERIC)
    if has.times is None:
        assert sentence(lack, GENERIC).startswith("Of all patients, how many ")


@_many
@given(_had, _had)
def test_and_is_not_or(one: Has, other: Has) -> None:
    assume(one != other)
    both, either = (Rows(Set(PATIENT, where=where((one, other))), (Own("id"),)) for where in (All, AnyOf))
    assert sentence(both, GENERIC) != sentence(either, GENERIC)
    assert " either " in sentence(either, GENERIC)


@_many
@given(_had, _had)
def test_other_times_and_items_give_other_sentences(one: Has, other: Has) -> None:
    assume(one != other)
    first, second = (Single((Aggregate("count", Set(PATIENT, where=where)),)) for where in (one, other))
    assert sentence(first, GENERIC) != sentence(second, GENERIC)
