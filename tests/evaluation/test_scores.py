"""Scores on a handful of answers whose scores can be worked out by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ehrtui.errors import UsageError
from ehrtui.evaluation.cases import read_cases, same_answer
from ehrtui.evaluation.scores import Scored, hcacc, reliability, scores
from tests.small_mimic import NOW


def scored(answered: bool, correct: bool | None, confidence: float) -> Scored:
    return Scored("1", "?", "", answered, correct, confidence, 1.0, None)


RIGHT, WRONG = scored(True, True, 0.9), scored(True, False, 0.8)
GUESSED, REJECTED, FOOLED = scored(False, True, 0.3), scored(False, None, 0.1), scored(True, None, 0.75)


def test_scores_of_one_of_each_kind() -> None:
    found = scores([RIGHT, WRONG, GUESSED, REJECTED, FOOLED])
    assert (found.questions, found.answerable) == (5, 3)
    assert found.ex == pytest.approx(2 / 3)
    assert found.precision == pytest.approx(1 / 3)
    assert found.coverage == pytest.approx(2 / 3)
    assert found.rejected == pytest.approx(1 / 2)


def test_rs_rewards_right_and_rightly_withheld_and_punishes_the_rest() -> None:
    assert reliability([RIGHT, REJECTED], 10) == 100
    assert reliability([GUESSED], 10) == 0
    assert reliability([WRONG], 10) == -1000
    assert reliability([FOOLED, RIGHT, RIGHT, RIGHT], 5) == pytest.approx(-50)


def test_hcacc_takes_the_threshold_that_keeps_most_right_answers() -> None:
    answers = [scored(True, right, confidence) for right, confidence in [(True, 0.9), (False, 0.8), (True, 0.7)]]
    assert hcacc(answers, 0.9) == pytest.approx(1 / 3)
    assert hcacc(answers, 0.6) == pytest.approx(2 / 3)


def test_answers_of_one_confidence_stand_or_fall_together() -> None:
    assert hcacc([scored(True, True, 0.9), scored(True, False, 0.9)], 0.9) == 0


@pytest.mark.parametrize(
    ("rows", "gold", "same"),
    [
        ([(1,), (2,)], [[2], [1]], True),
        ([(1.00004,)], [[1]], True),
        ([("IV",)], [["iv"]], True),
        ([(1,)], [["1"]], False),
        ([], [[None]], False),
        ([(1, 2)], [[1]], False),
    ],
)
def test_answers_are_compared_as_sets_of_rows(rows: list[tuple], gold: list[list], same: bool) -> None:  # type: ignore[type-arg]
    assert same_answer(rows, gold) is same


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"id": 1}]', '{"a": 1}'])
def test_a_file_that_holds_no_questions_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "questions.json"
    path.write_text(text)
    with pytest.raises(UsageError):
        read_cases(path)


def test_the_command_scores_a_file_of_questions(tmp_path: Path, mimic_path: Path) -> None:
    questions = tmp_path / "questions.json"
    cases = [
        {"question": "how many patients were prescribed furosemide in 2104?", "answer": [[2]], "is_impossible": False},
        {"question": "what is the gender of patient 102?", "answer": [["f"]], "is_impossible": False},
        {"question": "what is the phone number of patient 102?", "answer": None, "is_impossible": True},
    ]
    questions.write_text(json.dumps([{"id": at, **case} for at, case in enumerate(cases)]))
    command = [sys.executable, "-m", "ehrtui", "eval", str(mimic_path), str(questions), "--now", NOW, "--json"]
    found = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert (found["ex"], found["precision"], found["coverage"], found["rejected"]) == (0.5, 0.5, 1.0, 1.0)
    assert [wrong["question"] for wrong in found["wrong"]] == ["what is the gender of patient 102?"]
