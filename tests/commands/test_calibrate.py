"""`ehrtui calibrate` on a small hospital: what people say there, and what is true there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Ehrtui, json_lines
from tests.small_mimic import NOW

QUESTION = "what is the gender of patient 102?"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """The same question of sixty people, of whom every third holds another answer to be true."""
    records = [{"id": at, "question": QUESTION, "answer": [["m" if at % 3 == 0 else "f"]]} for at in range(60)]
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(records))
    return path


def confidence(ehrtui: Ehrtui, mimic_path: Path) -> float:
    (turn,) = json_lines(ehrtui("ask", mimic_path, QUESTION, "--now", NOW, "--json").stdout)
    return float(turn["confidence"])


def test_the_confidence_follows_the_answers_of_the_house(ehrtui: Ehrtui, mimic_path: Path, questions: Path) -> None:
    before = confidence(ehrtui, mimic_path)
    done = ehrtui("calibrate", mimic_path, questions, "--now", NOW)
    assert done.returncode == 0, done.stderr
    assert "60 answers" in done.stdout
    after = confidence(ehrtui, mimic_path)
    assert before > 0.9
    assert after == pytest.approx(1 / 3, abs=0.05)  # the patient is a man
    assert ehrtui("calibrate", mimic_path, "--forget", "--now", NOW).returncode == 0
    assert confidence(ehrtui, mimic_path) == before


def test_a_calibration_may_be_written_elsewhere(ehrtui: Ehrtui, mimic_path: Path, questions: Path) -> None:
    before = confidence(ehrtui, mimic_path)
    out = questions.with_name("own.toml")
    assert ehrtui("calibrate", mimic_path, questions, "--out", out, "--now", NOW).returncode == 0
    assert "[weights]" in out.read_text()
    assert confidence(ehrtui, mimic_path) == before


@pytest.mark.parametrize(
    "records",
    [
        [],
        [{"id": 1, "question": QUESTION, "answer": [["f"]]}],
        [{"id": at, "question": QUESTION, "answer": [["x"]]} for at in range(60)],
    ],
    ids=["none", "too few", "all alike"],
)
def test_too_little_to_calibrate_on_is_refused(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path, records: list[dict[str, Any]]
) -> None:
    path = tmp_path / "few.json"
    path.write_text(json.dumps(records))
    done = ehrtui("calibrate", mimic_path, path, "--now", NOW)
    assert done.returncode == 1
    assert "too few" in done.stderr
    assert not list(tmp_path.rglob("*.toml"))


def test_no_questions_and_a_broken_calibration_are_said(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    done = ehrtui("calibrate", mimic_path, "--now", NOW)
    assert done.returncode == 1
    assert "file of questions" in done.stderr
    folder = tmp_path / "home" / "state" / "ehrtui" / "calibration"
    folder.mkdir(parents=True)
    (folder / "mimic-iii-ehrsql.toml").write_text("intercept = 'high'")
    done = ehrtui("ask", mimic_path, QUESTION, "--now", NOW)
    assert done.returncode == 0
    assert "The shipped one is used" in done.stderr
