"""The reader over the five-patient EHR: what the cheapest reading of a question finds, and that any text is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ehrtui.evaluation.rightness import same_answer, shows_answer
from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.planning.offline.words import read
from ehrtui.planning.reader.reader import Read, readings
from ehrtui.planning.reader.world import World
from tests.planning.answers import found


def read_of(world: World, question: str) -> list[Read]:
    return readings(read(question), world)


def answer(world: World, path: Path, question: str) -> list[tuple[Any, ...]]:
    """The rows of the cheapest reading."""
    statement = read_of(world, question)[0].statement
    steps = compile_statement(statement, world.profile, now=world.now, turns={}, concepts=world.concepts)
    return found(path, flat_sql(steps))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients", [(5,)]),
        ("number of women", [(3,)]),
        ("women with chf nos", [(101,)]),
        ("patients who got furosemide but never aspirin", [(102,), (104,)]),
        ("furosemide and aspirin, which patients", [(101,)]),
        ("how many patients over 65", [(1,)]),
        ("how many patients were prescribed furosemide two or more times", [(1,)]),
        ("how many patients were prescribed furosemide two or more times in 2104", [(0,)]),
        ("number of patients prescribed aspirin in 2104", [(1,)]),
        ("mean creatinine of patient 102", [(3.75,)]),
        ("min, max and mean creatinine of patient 102", [(2.9, 4.6, 3.75)]),
        ("last creatinine of patient 101", [(1.2,)]),
        ("sex of patient 102", [("m",)]),
        ("deaths by sex", [("m", 1)]),
        ("patients with creatinine above 4", [(102,)]),
        ("what share of patients are women", [(60.0,)]),
        ("admissions per year", [("2103", 1), ("2104", 3), ("2105", 3)]),
        ("patients given aspirin within 2 months after chf nos", [(101,)]),
    ],
)
def test_the_cheapest_reading_finds(world: World, ehr_path: Path, question: str, rows: list[tuple[Any, ...]]) -> None:
    shown = answer(world, ehr_path, question)
    assert shows_answer(shown, rows) or same_answer(shown, rows), shown


@pytest.mark.parametrize(
    ("plain", "other"),
    [
        ("how many patients got aspirin", "aspirin patients, how many"),
        ("last creatinine of patient 101", "patient 101 last creatinine"),
        ("mean creatinine of patient 102", "on average, what was the creatinine of patient 102"),
        ("number of women with chf nos", "how many women have chf nos?"),
    ],
)
def test_the_order_of_the_words_makes_no_difference(world: World, ehr_path: Path, plain: str, other: str) -> None:
    assert answer(world, ehr_path, plain) == answer(world, ehr_path, other)


@pytest.mark.parametrize("word", ["xylozanthin", "zebra", "quantum"])
def test_a_word_that_nobody_knows_is_paid_for(world: World, word: str) -> None:
    plain = read_of(world, "how many patients got aspirin")[0]
    odd = read_of(world, f"how many patients got aspirin {word}")[0]
    assert odd.price > plain.price + 1
    assert word in [passed for passed, _ in odd.passed]


_SAID = """how many patients women got aspirin furosemide chf nos creatinine last mean highest of 101 in 2104 at least
twice after before not and or , ? by per sex age > 4 days with without who died admitted ICU share % top 3"""
_WORDS = st.sampled_from(_SAID.split())


@settings(max_examples=40, deadline=None)
@given(st.lists(_WORDS, max_size=9).map(" ".join) | st.text(max_size=40))
def test_any_text_is_read_or_not_and_nothing_is_raised(world: World, text: str) -> None:
    made = read_of(world, text)
    prices = [one.price for one in made]
    assert prices == sorted(prices)
    assert len({one.statement for one in made}) == len(made)
    for one in made:
        for node in one.cover:
            start, end = one.places[node.start][0], one.places[node.end - 1][1]
            assert 0 <= start < end <= len(text)
        assert compile_statement(one.statement, world.profile, now=world.now, turns={}, concepts=world.concepts)
