"""How a question is worded: as the benchmark words its own, or as people do."""

from __future__ import annotations

import pytest

from ehrtui.planning.proposal import Link
from ehrtui.planning.reader.wording import foreign_words, in_benchmark_wording, own_words
from ehrtui.schema.value_file import index_of
from ehrtui.schema.value_index import Entry


def test_names_are_no_words_of_a_question():
    question = "How many patients were given furosemide?"
    start = question.index("furosemide")
    link = Link(start, start + len("furosemide"), "furosemide", "prescription", "furosemide")
    assert own_words(question, [link]) == ["how", "many", "patients", "were", "given"]
    assert own_words(question, [])[-1] == "furosemide"


@pytest.mark.parametrize(
    ("question", "benchmark"),
    [
        ("How many patients were prescribed drugs during this month?", True),
        ("how many patients were prescribed drugs during this month", False),
        ("How many of our patients were prescribed drugs?", False),
        ("Count drugs for 10017 during this month please.", False),
        ("Do bleeders and diabetics alike ever bounce?", False),
    ],
)
def test_a_sentence_is_the_benchmarks_where_few_words_are_foreign_to_it(question, benchmark):
    assert in_benchmark_wording(question, foreign_words(question, [], index_of([]))) is benchmark


@pytest.mark.parametrize(
    ("said", "title", "benchmark"),
    [
        ("chf nos", "chf nos", True),
        ("chf noss", "chf nos", True),  # misspelt
        ("influenza", "flu w resp manifest nec", True),  # as its long title begins
        ("heart failure", "chf nos", False),
        ("kidney failure", "renal failure nos", False),
    ],
)
def test_a_diagnosis_that_is_not_called_as_it_is_stored_is_in_peoples_words(said, title, benchmark):
    question = f"How many patients were diagnosed with {said} in 2104?"
    start = question.index(said)
    names = [
        Entry("diagnosis", "flu w resp manifest nec", "influenza with respiratory manifestations"),
        Entry("diagnosis", "chf nos", "heart failure"),  # which the vocabulary says of it
    ]
    link = Link(start, start + len(said), said, "diagnosis", title)
    assert in_benchmark_wording(question, foreign_words(question, [link], index_of(names))) is benchmark
