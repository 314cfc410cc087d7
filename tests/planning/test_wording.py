"""How a question is worded: as the benchmark words its own, or as people do."""

from __future__ import annotations

import pytest

from ehrtui.planning.proposal import Link
from ehrtui.planning.reader.wording import foreign_words, in_benchmark_wording, own_words


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
    assert in_benchmark_wording(question, foreign_words(question, [])) is benchmark
