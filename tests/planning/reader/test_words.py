"""Templates of the lexicon, and numbers in words and figures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ehrtui.planning.reader.lexicon import expanded, inflected, tokens
from ehrtui.planning.reader.meanings import Often, Span
from ehrtui.planning.reader.numbers import find_numbers, number


@pytest.mark.parametrize(
    ("template", "phrases"),
    [
        ("a|b", {"a", "b"}),
        ("[the] end", {"end", "the end"}),
        ("[a|the] end", {"end", "a end", "the end"}),
        ("stay*", {"stay", "stays"}),
        ("give+", {"give", "gives", "gave", "given", "giving"}),
        ("stop+", {"stop", "stops", "stopped", "stopping"}),
        ("(in|out)patient*", {"inpatient", "inpatients", "outpatient", "outpatients"}),
    ],
)
def test_a_template_stands_for_its_phrases(template: str, phrases: set[str]) -> None:
    assert phrases <= {" ".join(phrase) for phrase in expanded(template)}


_WORD = st.text("abcdefghilmnoprstuvy", min_size=3, max_size=7)


@settings(deadline=None)
@given(st.lists(_WORD, min_size=1, max_size=3), st.lists(_WORD, max_size=2))
def test_alternatives_are_each_a_phrase_and_what_is_optional_may_be_left_out(ones: list[str], may: list[str]) -> None:
    template = f"{'|'.join(ones)}{''.join(f' [{word}]' for word in may)}"
    found = set(expanded(template))
    for one in ones:
        assert {(one,), (one, *may)} <= found


@settings(deadline=None)
@given(_WORD)
def test_a_verb_is_one_of_its_own_forms(verb: str) -> None:
    assert verb in inflected(verb)
    assert len(inflected(verb)) >= 3


@settings(deadline=None)
@given(st.integers(0, 99_999))
def test_a_number_is_read_as_it_is_written(value: int) -> None:
    assert number(str(value)) == value
    assert number(f"{value}.5") == value + 0.5


@settings(deadline=None)
@given(st.integers(2, 40))
def test_how_often_is_read_in_figures(count: int) -> None:
    found = [node.sense for node in find_numbers(list(tokens(f"at least {count} times"))) if node.kind == "often"]
    assert Often(">=", count) in found


@settings(deadline=None)
@given(st.integers(2, 60), st.sampled_from(["hour", "day", "week", "month", "year"]))
def test_a_span_has_its_unit(count: int, unit: str) -> None:
    found = [node.sense for node in find_numbers(list(tokens(f"for {count} {unit}s"))) if node.kind == "span"]
    assert [(span.count, span.unit) for span in found if isinstance(span, Span)][:1] == [(count, unit)]


@settings(deadline=None)
@given(st.text(max_size=40))
def test_numbers_are_looked_for_in_any_text(text: str) -> None:
    words = list(tokens(text.lower()))
    for node in find_numbers(words):
        assert 0 <= node.start < node.end <= len(words)
