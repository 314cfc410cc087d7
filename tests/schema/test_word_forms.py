"""Words in one form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.schema.word_forms import stem


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("ulcers", "ulcer"),
        ("biopsies", "biopsy"),
        ("abscesses", "abscess"),
        ("crutches", "crutch"),
        ("sepsis", "sepsis"),
        ("virus", "virus"),
        ("loss", "loss"),
        ("pus", "pus"),
        ("gas", "gas"),
        ("anaemia", "anemia"),
        ("oedema", "edema"),
        ("diarrhoea", "diarrhea"),
        ("oesophagus", "esophagus"),
        ("haemorrhage", "hemorrhage"),
        ("cbc", "cbc"),
        ("b12", "b12"),
    ],
)
def test_plurals_and_british_spellings_have_the_form_of_the_plain_word(word: str, form: str) -> None:
    assert stem(word) == form


@given(st.from_regex(r"[a-z]{4,11}[b-df-gj-np-rtvwk]", fullmatch=True))
def test_a_word_and_its_plural_have_one_form(word: str) -> None:
    assert stem(word + "s") == stem(word)
