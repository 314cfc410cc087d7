from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.engines.engine import Row
from ehrtui.engines.spelling import spelled
from ehrtui.session.fingerprint import fingerprint, fingerprint_of_texts, is_of_this_form
from ehrtui.session.first_form import first_fingerprint

scalars = st.none() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
rows = st.lists(st.tuples(scalars, scalars), max_size=20)


@given(rows, st.randoms())
def test_the_order_of_rows_does_not_matter(table: list[Row], order: random.Random) -> None:
    shuffled = table.copy()
    order.shuffle(shuffled)
    assert fingerprint(shuffled) == fingerprint(table)


@given(rows, st.integers(1, 20))
def test_the_pages_do_not_matter(table: list[Row], size: int) -> None:
    texts = [spelled(row) for row in table]
    pages = (texts[start : start + size] for start in range(0, len(texts), size))
    assert fingerprint_of_texts(pages) == fingerprint(table)


@pytest.mark.parametrize("text", ["male", "2105-01-01 00:00:00", "naïve café", "🫀"])
def test_a_letter_more_or_less_or_another_is_another_fingerprint(text: str) -> None:
    others = {text[:-1], text + " ", text[:-1] + "#", text.upper() + "#"}
    assert fingerprint([(text,)]) not in {fingerprint([(other,)]) for other in others}


def test_values_that_change_places_between_rows_are_another_fingerprint() -> None:
    assert fingerprint([(1, "a"), (2, "b")]) != fingerprint([(1, "b"), (2, "a")])


def test_it_is_the_same_on_every_platform_and_with_every_python() -> None:
    rows = [(1, -(2**40), 2**63 - 1, 0.1, 1e300, "", "interned", "ü🫀\ud800", b"\x00\xff", None), (float("inf"),) * 10]
    assert fingerprint(rows) == "2:2.7335a68b020dc593133e0cd3dac93eaf"
    alike = "".join(["inter", "ned"])  # an equal text that is another object
    assert fingerprint([(*rows[0][:6], alike, *rows[0][7:]), rows[1]]) == fingerprint(rows)
    assert fingerprint([("twice", "twice")]) == fingerprint([("twice", "".join(["twi", "ce"]))])


def test_the_form_is_told_from_the_first_one_which_stays_what_it_was() -> None:
    rows = [(1, -(2**40), 2**63 - 1, 0.1, 1e300, "", "interned", "ü🫀\ud800", b"\x00\xff", None), (float("inf"),) * 10]
    first = first_fingerprint([rows[:1], rows[1:]])
    assert first == "2:ad26478e634be37cac800bffcbf68732"
    assert not is_of_this_form(first)
    assert is_of_this_form(fingerprint(rows))


@given(rows, scalars)
def test_a_row_more_is_another_fingerprint(table: list[Row], value: object) -> None:
    assert fingerprint([*table, (value, value)]) != fingerprint(table)  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("one", "same"),
    [
        (1, 1.0),
        (0, -0.0),
        (0.1 + 0.2, 0.3),
        (1e11, 10**11),
        (sum([0.1] * 10), 1),
        (38.3889007568359, 38.38890075683591),
        (2455000.75 - 2454997.5, 3.25 + 4e-10),
        (0.1, 0.30000000000000004 - 0.2),
        (99.99999999999, 100),
        (1234567890123.0, 1234567890123),
        (1234567890.4, 1234567890),
    ],
)
def test_equal_numbers_are_equal_in_any_spelling(one: float, same: float) -> None:
    assert fingerprint([(one,)]) == fingerprint([(same,)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, "1"),
        ("a", b"a"),
        (None, ""),
        (None, 0),
        (1.5, 1.5001),
        (1.5, 1.50000001),
        (123456789, 123456788.4),
        (10**18, 10**18 + 1),
        (float("inf"), float("-inf")),
        ("a", "A"),
    ],
)
def test_different_values_are_different(one: object, other: object) -> None:
    assert fingerprint([(one,)]) != fingerprint([(other,)])  # type: ignore[list-item]


def test_values_do_not_run_into_each_other() -> None:
    assert fingerprint([("a", "b,c")]) != fingerprint([("a,b", "c")])
    assert fingerprint([(1, 2)]) != fingerprint([(2, 1)])
    assert fingerprint([(1,), (1,)]) != fingerprint([(1,)])
    assert fingerprint([]).startswith("0:")


def test_it_begins_with_the_row_count() -> None:
    assert fingerprint((n,) for n in range(1234)).startswith("1234:")
