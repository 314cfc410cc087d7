"""`ehrtui eval` on a small hospital, with questions whose answers can be read off its tables."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.commands.conftest import Ehrtui, json_lines
from tests.small_mimic import NOW

SVG = "{http://www.w3.org/2000/svg}"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
COUNT = {
    "question": "how many patients were prescribed furosemide in 2104?",
    "sql": "SELECT count(DISTINCT subject_id) FROM prescriptions WHERE drug = 'furosemide' AND startdate LIKE '2104%'",
    "template": "count of a drug",
}
GENDER = {"question": "what is the gender of patient 102?", "answer": [["f"]], "template": "gender of a patient"}
PHONE = {"question": "what is the phone number of patient 102?", "answer": None, "is_impossible": True}
CHAT = {
    "template": "drugs of a patient",
    "turns": [
        {"question": "which drugs were prescribed to patient 102?", "answer": [["furosemide"], ["potassium chloride"]]},
        {"seqsql": "SELECT count(*) FROM (PREV_RESULT1)", "sql": "SELECT 2", "answer": [[2]], "n_rows": 1},
        {"question": "how many are there in A1?", "answer": [[3]]},
    ],
}


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return write(tmp_path / "questions.json", COUNT, GENDER, PHONE)


def write(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text(json.dumps([{"id": f"q{at}", **record} for at, record in enumerate(records)]))
    return path


def scores(ehrtui: Ehrtui, *arguments: object) -> dict[str, Any]:
    done = ehrtui("eval", *arguments, "--now", NOW, "--json")
    assert done.returncode == 0, done.stderr
    (found,) = json_lines(done.stdout)
    return found


def test_questions_are_scored_against_rows_or_against_a_gold_query(
    ehrtui: Ehrtui, mimic_path: Path, questions: Path
) -> None:
    found = scores(ehrtui, mimic_path, questions)
    assert (found["ex"], found["sr"], found["cr"]) == (0.5, 0.5, 1.0)
    assert (found["precision"], found["coverage"], found["rejected"]) == (0.5, 1.0, 1.0)
    assert (found["levels"]["I"]["questions"], found["levels"]["I"]["ex"]) == (1, 1.0)
    assert {family: one["ex"] for family, one in found["families"].items()} == {
        "count of a drug": 1.0,
        "gender of a patient": 0.0,
    }
    (wrong,) = found["wrong"]
    assert (wrong["question"], wrong["gold"]["rows"], wrong["guess"]["rows"]) == (GENDER["question"], [["f"]], [["m"]])
    assert found["conversations"] is None


def test_the_turns_of_a_conversation_are_asked_in_order(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    found = scores(ehrtui, mimic_path, write(tmp_path / "chats.json", CHAT))["conversations"]
    assert (found["conversations"], found["turns"], found["im"], found["iff"]) == (1, 3, 0.0, 3.0)
    assert found["qm"] == pytest.approx(2 / 3)


def test_people_get_tables_and_what_was_wrong(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "all.json", COUNT, GENDER, PHONE, CHAT)
    options = ("--wrong", "--by-family", "--curves", "--leave-one-family-out")
    done = ehrtui("eval", mimic_path, path, "--now", NOW, *options)
    assert done.returncode == 0, done.stderr
    text = done.stdout
    for part in ("leaving one family out", "HCAcc@70", "QM, turns right", "gender of a patient", "confidence", "risk"):
        assert part in text
    listed = text[text.index(str(GENDER["question"])) :]
    assert listed.index("gold") < listed.index("1 row: f") < listed.index("guess") < listed.index("1 row: m")


def test_a_question_cannot_steer_the_terminal(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    hostile = "how many patients are there? \x1b[2J [/bold] \ud800"
    path = write(tmp_path / "q.json", {"question": hostile, "answer": [["\x1b[2J"]], "template": "\x1b[2J [/]"})
    done = ehrtui("eval", mimic_path, path, "--wrong", "--by-family")
    assert done.returncode == 0, done.stderr
    assert "[/bold]" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_the_curves_are_drawn_to_a_picture(ehrtui: Ehrtui, mimic_path: Path, questions: Path, tmp_path: Path) -> None:
    found = scores(ehrtui, mimic_path, questions, "--chart", tmp_path / "curves.svg")
    picture = ElementTree.parse(tmp_path / "curves.svg").getroot()
    (title,) = picture.iter(f"{SVG}title")
    guesses = sum(each["count"] for each in found["reliability"])
    assert f"{guesses} guesses" in (title.text or "")
    bars = [bar for bar in picture.iter(f"{SVG}rect") if bar.get("fill") == "#4477aa"]
    assert len(bars) == len(found["reliability"])
    refused = ehrtui("eval", mimic_path, questions, "--chart", tmp_path / "nowhere" / "curves.svg")
    assert refused.returncode == 2
    assert "The chart cannot be written" in refused.stderr


def test_a_run_goes_on_where_an_earlier_one_ended(
    ehrtui: Ehrtui, mimic_path: Path, questions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "results.jsonl"
    assert scores(ehrtui, mimic_path, questions, "--out", out, "--limit", 1)["questions"] == 1
    # What is there already is taken as it is: here, as if the answer had been wrong.
    out.write_text(out.read_text().replace('"correct": true', '"correct": false'))
    found = scores(ehrtui, mimic_path, questions, "--out", out)
    assert (found["questions"], found["ex"]) == (3, 0.0)
    *_, gender, _ = json_lines(out.read_text())
    assert gender["turns"][0]["gold"] == {"rows": [], "count": 1}  # rows are kept with --with-results alone
    assert len(out.read_text().splitlines()) == 4
    questions.write_text(questions.read_text().replace("102", "103"))
    refused = ehrtui("eval", mimic_path, questions, "--now", NOW, "--out", out)
    assert refused.returncode == 2
    assert "Different: the questions." in refused.stderr


def test_ctrl_c_scores_and_keeps_what_was_asked(mimic_path: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "slow.json", COUNT, {"question": ENDLESS, "answer": [[0]]})
    out = tmp_path / "results.jsonl"
    command = [sys.executable, "-m", "ehrtui", "eval", str(mimic_path), str(path), "--now", NOW, "--out", str(out)]
    with subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not out.exists() or out.read_text().count("\n") < 2:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate()
    assert process.returncode == 130
    assert json.loads(printed)["questions"] == 1
    assert "Stopped after 1 of 2" in errors
    assert len(out.read_text().splitlines()) == 2


def test_families_can_be_chosen(ehrtui: Ehrtui, mimic_path: Path, questions: Path) -> None:
    assert scores(ehrtui, mimic_path, questions, "--family", "GENDER")["questions"] == 1
    refused = ehrtui("eval", mimic_path, questions, "--family", "nothing of that name")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "There is no question to ask." in refused.stderr


@pytest.mark.parametrize("content", ["", "{", "[]", "[3]", '[{"question": "who?"}]', "[" * 100_000])
def test_bad_questions_are_refused_in_words(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path, content: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content)
    refused = ehrtui("eval", mimic_path, path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "Traceback" not in refused.stderr
    assert "bad.json" in refused.stderr


def test_a_gold_query_that_does_not_run_is_named(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    path = write(
        tmp_path / "q.json", {"question": "how many patients are there?", "sql": "SELECT count(*) FROM nowhere"}
    )
    refused = ehrtui("eval", mimic_path, path)
    assert refused.returncode == 2
    assert "gold query of question q0" in refused.stderr
