import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.tui.formatting import bar, count, duration, printable, short_count, value_text


@given(st.text(alphabet=st.characters()))
def test_printable_text_has_no_character_that_a_terminal_obeys(text):
    shown = printable(text)
    assert len(shown) == len(text)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs")]
    assert not set(shown) & set("\u202e\u2066\u200f\x9b")


def test_an_escape_sequence_in_a_value_stays_text():
    assert value_text("a\x1b[31mred\nb") == "a␛[31mred␊b"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "NULL"),
        (b"\0\1", "<2 bytes>"),
        (7, "7"),
        (0.1 + 0.2, "0.3"),
        (98.6, "98.6"),
        (5.0, "5.0"),
        (1234567.25, "1234567.2"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        ("x" * 600, "x" * 500 + "…"),
    ],
)
def test_a_value_is_written_on_one_line(value, text):
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(None, ""), (129, "129"), (76_074, "76k"), (758_355, "758k"), (3_100_000, "3.1M"), (45_000_000, "45M")],
)
def test_short_counts(number, text):
    assert short_count(number) == text


def test_counts_and_times_read_well():
    assert [count(1, "row"), count(31215, "row")] == ["1 row", "31,215 rows"]
    assert [duration(2.4), duration(1400), duration(125_000)] == ["2 ms", "1.4 s", "2 min 5 s"]


@given(st.floats(allow_nan=False), st.integers(1, 60), st.one_of(st.none(), st.floats(0, 1)))
def test_a_bar_is_as_wide_as_asked(fraction, width, mark):
    drawn = bar(fraction, width, mark=mark)
    assert len(drawn) == width
    assert ("│" in drawn) == (mark is not None)


def test_a_bar_shows_its_fraction_and_the_mark():
    assert bar(0.5, 10) == "▇▇▇▇▇░░░░░"
    assert bar(0.5, 10, mark=0.7) == "▇▇▇▇▇░░│░░"
