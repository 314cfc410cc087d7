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


def test_what_people_accept_besides_is_right_too(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    other = {**GENDER, "accept": [[["x"]], [["M"]]]}
    found = scores(ehrtui, mimic_path, write(tmp_path / "q.json", other, COUNT))
    assert (found["ex"], found["people_ex"]) == (1, 1)


def test_where_nothing_is_to_be_found_the_figure_0_is_right(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    nobody = {"seqsql": "SELECT 0", "answer": None, "is_impossible": True}
    found = scores(ehrtui, mimic_path, write(tmp_path / "q.json", {"turns": [{**nobody, "expect": "empty"}, nobody]}))
    assert (found["answerable"], found["rejected"], found["wrong_shown"]) == (0, 0.5, 0.5)
    named = {"seqsql": "SELECT 'none'", "answer": [["none"]], "expect": "empty"}
    found = scores(ehrtui, mimic_path, write(tmp_path / "q.json", {"turns": [named, {**nobody, **named}]}))
    assert (found["answerable"], found["ex"], found["rejected"]) == (1, 1, 0)


def test_a_row_that_is_shown_too_often_is_right_as_a_set_alone(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    twice = {"turns": [{"seqsql": "SELECT 1 AS a, 'x' AS b UNION ALL SELECT 1, 'x'", "answer": [[1, "x"]]}]}
    beside = {"turns": [{"seqsql": "SELECT 1 AS a, 'x' AS b", "answer": [["X"]]}]}
    found = scores(ehrtui, mimic_path, write(tmp_path / "q.json", twice, beside))
    assert [(wrong["case"], wrong["people"]) for wrong in found["wrong"]] == [("q1", True)]
    assert (found["ex"], found["people_ex"], found["people_sr"], found["people_wrong_shown"]) == (0.5,) * 4


def test_a_file_over_several_databases_is_asked_of_one(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    own, other = {**GENDER, "db_id": mimic_path.stem.upper()}, {**COUNT, "db_id": "elsewhere"}
    path = write(tmp_path / "q.json", own, other, other)
    done = ehrtui("eval", mimic_path, path, "--now", NOW, "--json")
    assert json.loads(done.stdout)["questions"] == 1
    assert "2 questions asked of another database left out." in done.stderr
    assert scores(ehrtui, mimic_path, path, "--db-id", "elsewhere")["questions"] == 2
    strange = ehrtui("eval", mimic_path, path, "--db-id", "nowhere")
    assert (strange.returncode, strange.stdout) == (2, "")
    assert "--db-id" in strange.stderr
    # A file of one database is asked of any, as long as nobody says otherwise.
    assert scores(ehrtui, mimic_path, write(path, other))["questions"] == 1


def test_questions_with_a_note_on_their_gold_can_be_left_out(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "q.json", COUNT, {**GENDER, "gold_note": "the gold says otherwise"})
    assert scores(ehrtui, mimic_path, path)["questions"] == 2
    done = ehrtui("eval", mimic_path, path, "--now", NOW, "--json", "--clean")
    assert json.loads(done.stdout)["ex"] == 1
    assert "1 question with a note on the gold answer left out." in done.stderr


def test_the_patients_of_an_answer_are_scored(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    asked = {"seqsql": "SELECT 5 AS n, subject_id FROM patients WHERE subject_id IN (101, 102)", "answer": [[1]]}
    chat = {"turns": [{**asked, "cohort": [101], "accept_cohorts": [[101, 102, 103, 104]]}]}
    assert scores(ehrtui, mimic_path, write(tmp_path / "q.json", chat))["f1"] == pytest.approx(2 / 3)
    chat["turns"].append({**asked, "seqsql": "SELECT 2", "cohort": [101]})
    assert scores(ehrtui, mimic_path, write(tmp_path / "q.json", chat))["f1"] == pytest.approx(1 / 3)


def test_the_patients_of_what_builds_on_an_earlier_answer_are_found_again(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    first = {"question": "patients with chf", "answer": [[1]], "cohort": [101, 102, 104]}
    split = {"question": "split them by aspirin, yes/no: n, mean age", "answer": [[1]], "cohort": [101, 102, 104]}
    asked = write(tmp_path / "q.json", {"turns": [first, split]})
    assert scores(ehrtui, mimic_path, asked)["f1"] == pytest.approx(1.0)


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
    assert "conversations         1 (3 turns)" in text
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
