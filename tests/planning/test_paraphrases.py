"""Questions as hospital staff ask them, over the demo database, checked by SQL written by hand (`paraphrases.toml`)."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.paraphrases import SETS, Outcome, outcomes, questions, shares

LEAST_RIGHT = 0.9
LEAST_PRECISE = 0.9
LEAST_DECLINED = 1.0


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    return [one for name in SETS for one in outcomes(tmp_path_factory.mktemp(name), name)]


def test_the_questions_are_many_and_of_many_kinds() -> None:
    kinds = Counter(kind for name in SETS for kind, _, sql in questions(name) if sql)
    assert sum(kinds.values()) >= 240
    assert len(kinds) >= 14


def test_most_questions_get_the_gold_answer(found: list[Outcome]) -> None:
    right, _, _, _ = shares(found)
    wrong = [f"{one.question}: {one.logic}" for one in found if one.answerable and not one.right]
    assert right >= LEAST_RIGHT, "\n".join(wrong)


def test_a_wrong_answer_is_seldom_shown_and_the_unanswerable_is_declined(found: list[Outcome]) -> None:
    _, _, precise, declined = shares(found)
    wrong = [f"{one.question}: {one.logic}" for one in found if one.answered and not one.right]
    assert precise >= LEAST_PRECISE, "\n".join(wrong)
    assert declined >= LEAST_DECLINED, "\n".join(wrong)
