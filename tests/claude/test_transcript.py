"""Transcripts: what a model answered is answered again without a server, whatever the prompt says by then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ehrtui.errors import UsageError
from ehrtui.planning.claude.transcript import Transcript
from tests.claude import models
from tests.claude.conftest import Talking
from tests.commands.conftest import Ehrtui, ehrtui
from tests.small_mimic import NOW

__all__ = ["ehrtui"]

ASKED = (
    {"id": "a", "question": "how often did anybody come back after a relapse?", "answer": [[6]]},
    {"id": "b", "turns": [{"question": "which patients are there?", "answer": [[101], [102], [103], [104], [105]]},
                          {"question": "how many are those?", "answer": [[5]]}]},
    {"id": "c", "question": "how many patients are there?", "answer": [[5]]},
)  # fmt: skip


def _line(case: str, turn: int, query: str, step: int = 1, why: str = "the plan of a question") -> str:
    text = f"Type: number\nConfidence: 9\n```sql\n{query}\n```"
    answer = {"case": case, "turn": turn, "why": why, "step": step, "text": text, "uses": [], "stop": "end_turn"}
    return json.dumps(answer) + "\n"


def test_eval_answers_from_a_transcript_by_the_ids_of_questions(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    questions, transcript = tmp_path / "questions.json", tmp_path / "some.jsonl"
    questions.write_text(json.dumps(ASKED))
    transcript.write_text(
        _line("a", 1, "SELECT 6") + _line("b", 1, "SELECT subject_id FROM patients")
        + _line("b", 2, "SELECT COUNT(*) FROM PREV_RESULT1")
    )  # fmt: skip
    done = ehrtui(
        "eval", mimic_path, questions, "--planner", "claude", "--transcript", transcript, "--now", NOW, "--json"
    )
    scored = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert scored["questions"] == 3  # the third question was not recorded, and is not asked
    assert scored["ex"] == 1.0


def test_eval_of_a_model_prints_what_others_have_published(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    questions, transcript = tmp_path / "questions.json", tmp_path / "some.jsonl"
    questions.write_text(json.dumps(ASKED[2:]))
    transcript.write_text(_line("c", 1, "SELECT 5"))
    asked = ("eval", mimic_path, questions, "--now", NOW)
    model = ehrtui(*asked, "--planner", "both", "--transcript", transcript)
    assert "59 to 62 % (EHRAgent, TrustEHRAgent)" in " ".join(model.stdout.split())
    always = (*asked, "--planner", "claude", "--transcript", transcript)
    assert "language model             1.0 requests, " in ehrtui(*always).stdout
    scored = json.loads(ehrtui(*always, "--json").stdout)
    assert (bool(scored["published"]), scored["requests"]) == (True, 1)
    alone = ehrtui(*asked)
    assert "EHRAgent" not in alone.stdout
    assert "language model" not in alone.stdout
    assert alone.returncode == 0


def test_what_is_no_transcript_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"case": 1}\n')
    with pytest.raises(UsageError, match="is no transcript"):
        Transcript(path)


def test_a_step_that_was_not_recorded_is_left_to_the_offline_planner(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    questions, transcript = tmp_path / "questions.json", tmp_path / "some.jsonl"
    questions.write_text(json.dumps(ASKED[2:]))
    transcript.write_text(_line("c", 1, "SELECT 4711", why="a repair"))
    done = ehrtui(
        "eval", mimic_path, questions, "--planner", "claude", "--transcript", transcript, "--now", NOW, "--json"
    )
    assert json.loads(done.stdout)["ex"] == 1.0


def test_recorded_answers_name_no_value(talking: Talking, tmp_path: Path) -> None:
    with talking(models.good) as scene:
        model = scene.conversation.language_model
        assert model is not None
        transcript = Transcript(tmp_path / "new.jsonl")
        transcript.at("q1", 1)
        planner = model.planner
        recording = transcript.recording(
            planner.model.server, planner.model.log, planner.model.spending, planner.model.pace
        )
        planner.model = recording
        scene.conversation.ask("how many times was patient 101 admitted since 2103-01-01")
    written = (tmp_path / "new.jsonl").read_text()
    assert "<PATIENT_1>" in written
    assert "101" not in written
    transcript = Transcript(tmp_path / "new.jsonl")
    transcript.at("q1", 1)
    kept = transcript.next("the plan of a question")
    assert kept is not None
    assert kept.stop == "end_turn"
