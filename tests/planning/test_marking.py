"""Which stretches of a question are identifiers of patients, and which numbers are their ages."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.planning.offline.lexicon import lexicon, lexicon_of
from ehrtui.planning.offline.marking import mark
from ehrtui.planning.offline.words import Mark, read
from ehrtui.schema.profile import GENERIC, Role
from ehrtui.schema.value_file import index_of
from ehrtui.schema.value_index import Entry

INDEX = index_of(
    [
        Entry("diagnosis", "heart failure", "heart failure"),
        Entry("prescription", "aspirin", "aspirin"),
        Entry("lab", "glucose", "glucose"),
    ]
)


def found(question: str, kind: str) -> list[Mark]:
    return mark(read(question), INDEX, lexicon(), GENERIC).of(kind)


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("has 88123 had aspirin?", ["88123"]),
        ("when was 88123 admitted", ["88123"]),
        ("what drugs is 88123 on", ["88123"]),
        ("88123's last glucose", ["88123"]),
        ("last glucose of 88123 and 88124", ["88123", "88124"]),
        ("what was 014-20077 given by iv?", ["014-20077"]),
        ("gender of 014-2007", ["014-2007"]),
        ("did 88123 get aspirin after patient 101 did?", ["101"]),
        # numbers of other things
        ("patients with a platelet count over 88123", []),
        ("platelets < 88123", []),
        ("how long was admission 881234?", []),
        ("heparin 25000 units", []),
        ("how many patients weigh 100-200 kg?", []),
        ("how many patients were admitted in 2104?", []),
        ("who is in ward 55123?", []),
    ],
)
def test_an_identifier_needs_no_word_patient(question: str, ids: list[str]) -> None:
    assert [id for one in found(question, "patient") for id in one.value] == ids


@pytest.mark.parametrize(
    ("question", "age"),
    [
        ("show me patients with heart failure over 70", (71, None)),
        ("everyone with heart failure under 60", (None, 59)),
        ("anybody on aspirin above 80?", (81, None)),
        ("folks over 80 with heart failure", (81, None)),
        ("patients under the age of 75", (None, 74)),
        ("patients older than 75 yrs old", (76, None)),
        ("women with heart failure over 65 in 2104", (66, None)),
        # limits of values, doses and times
        ("patients with glucose over 70", None),
        ("patients with heart failure and glucose under 70", None),
        ("patients on aspirin over 81 mg", None),
        ("patients with heart failure over 30 days", None),
        ("patients with heart failure over 400", None),
        ("was the glucose over 70?", None),
    ],
)
def test_a_number_that_goes_with_people_is_their_age(question: str, age: tuple[int | None, int | None] | None) -> None:
    assert [one.value for one in found(question, "age")] == ([] if age is None else [age])


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("drugs of patient P0012", ("P0012",)),
        ("patients MRN-00771, MRN-00772 and mrn-00773", ("MRN-00771", "MRN-00772", "mrn-00773")),
        ("labs of patient 1c9e6679-7425-40de-944b-e07fc1f90ae7 in 2020", ("1c9e6679-7425-40de-944b-e07fc1f90ae7",)),
        ("patient 002-1234", ("002-1234",)),
        ("patients on b12 in 2104", ()),
        ("patients with an a1c above 8", ()),
    ],
)
def test_an_identifier_that_is_a_text_is_taken_as_typed(question: str, ids: tuple[str, ...]) -> None:
    profile = replace(GENERIC, patient_ids="text")
    marks = mark(read(question), INDEX, lexicon(), profile).of("patient")
    assert [one.value for one in marks] == ([ids] if ids else [])


@given(st.text(max_size=80), st.sampled_from(["integer", "text"]))
def test_marks_never_overlap_whatever_is_typed(text: str, ids: str) -> None:
    marks = list(mark(read(text), INDEX, lexicon(), replace(GENERIC, patient_ids=ids)))
    assert all(one.end <= other.start for one, other in pairwise(marks))


@pytest.mark.parametrize("words", [("measured", "in"), ("reported", "in"), ("given", "by")])
def test_a_columns_name_that_a_sentence_goes_on_from_names_no_field(words: tuple[str, ...]) -> None:
    with_units = replace(GENERIC, roles={"lab": Role("labs", fields={"unit": "uom", "route": "way"})})
    assert words not in lexicon_of(with_units).phrases
