"""Shorthand and slips of the keyboard are spelled out, and lead back to what was typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.planning.offline.shorthand import Spelling, rewritten, short_forms, spellings, typed_span
from ehrtui.planning.offline.words import read

VOCABULARY = ("patient", "patients", "admitted", "yesterday", "value")


def spelled_out(question: str) -> str:
    text = read(question)
    return rewritten(question, spellings(text.lower, text.words, VOCABULARY))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3 pts w/ sepsis", "3 patients with sepsis"),
        ("Pts dx'd", "patients diagnosed"),
        ("2-yr", "2 year"),
        ("within 6wks", "within 6 week"),
        ("pt d/c'd", "patient discharged"),
        ("w/o", "without"),
        ("65 y/o", "65 years old"),
        ("pateint admited yesteday", "patient admitted yesterday"),
        ("valve", "value"),
        ("vane", "vane"),
        ("hormone", "hormone"),
    ],
)
def test_short_forms_and_slips_are_spelled_out(typed: str, meant: str) -> None:
    assert spelled_out(typed) == meant


@given(st.lists(st.sampled_from(["pts", "w/", "of", "valeu", "creatinine", "10"]), min_size=1, max_size=8))
def test_every_word_leads_back_to_where_it_was_typed(words: list[str]) -> None:
    question = " ".join(words)
    text = read(question)
    found = spellings(text.lower, text.words, VOCABULARY)
    meant = rewritten(question, found)
    kept = [(word.text, word.start, word.end) for word in read(meant).words if word.text in ("of", "creatinine", "10")]
    for word, start, end in kept:
        begin, stop = typed_span(found, start, end)
        assert question[begin:stop] == word


def test_a_stretch_inside_a_spelling_is_the_whole_of_what_was_typed() -> None:
    found = [Spelling(2, 5, "patients"), Spelling(6, 8, "with")]
    assert rewritten("3 pts w/ flu", found) == "3 patients with flu"
    assert typed_span(found, 4, 7) == (2, 5)
    assert typed_span(found, 16, 19) == (9, 12)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("latest sats, HR and resp rate", "latest sats, heart rate and resp rate"),
        ("last hr, bp and sats", "last heart rate, bp and sats"),
        ("last BP of patient 7", "last systolic and diastolic blood pressure of patient 7"),
        ("BP above 140", "BP above 140"),
        ("20 ml/hr and rr", "20 ml/hr and rr"),
        ("within 6 HR", "within 6 HR"),
    ],
)
def test_short_vital_signs_are_spelled_out(typed: str, meant: str) -> None:
    assert rewritten(typed, short_forms(typed)) == meant
