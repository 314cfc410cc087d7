"""`ehrtui memory`, and what the memory does for `ask`, as processes of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ehrtui.memory.meanings import KeptMeaning
from ehrtui.memory.store import CaseStore
from tests import small_mimic
from tests.commands.conftest import Ehrtui, json_lines
from tests.small_mimic import NOW

RECORDS: list[dict[str, Any]] = [
    {"id": "a", "question": "how many souls got aspirin jabbed in 2104?", "is_impossible": False, "answer": [[1]],
     "sql": "SELECT count(DISTINCT subject_id) FROM prescriptions WHERE drug = 'aspirin' "
            "AND strftime('%Y', startdate) = '2104'"},
    {"id": "b", "question": "What was the last creatinine value of patient 101?", "is_impossible": False, "answer": [],
     "sql": "SELECT valuenum FROM labevents WHERE subject_id = 101 AND itemid = 50912 ORDER BY charttime DESC LIMIT 1"},
    {"id": "c", "question": "What is the phone number of patient 101?", "is_impossible": True, "answer": None,
     "sql": None},
    {"id": "d", "question": "how many souls have a row?", "is_impossible": False, "answer": [[5]],
     "sql": "SELECT nonsense FROM nowhere"},
]  # fmt: skip


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """A file of questions beside its database."""
    folder = tmp_path / "questions"
    folder.mkdir()
    small_mimic.build(folder / "small.sqlite")
    path = folder / "questions.json"
    path.write_text(json.dumps([{"db_id": "small", **record} for record in RECORDS]))
    return path


def test_an_imported_case_helps_ask_unless_told_otherwise(ehrtui: Ehrtui, questions: Path) -> None:
    done = ehrtui("memory", "import", questions, "--now", NOW, "--left-out")
    assert done.returncode == 0, done.stderr
    assert "2 of 4 questions are kept: 1 with query logic, 1 with SQL; 2 new cases." in done.stdout
    assert "What is the phone number of patient 101?" in done.stdout
    assert "how many souls have a row?" in done.stdout
    database = questions.parent / "small.sqlite"
    question = "how many souls got furosemide jabbed in 2104?"
    (helped,) = json_lines(ehrtui("ask", database, question, "--now", NOW, "--json").stdout)
    assert helped["decision"] == "answered"
    assert helped["answer"] == [[2]]
    assert helped["case"]["question"] == "how many souls got <drug> jabbed <time: in year>"
    assert helped["case"]["sources"] == ["imported from questions.json"]
    assert "imported from questions.json" in ehrtui("ask", database, question, "--now", NOW).stdout
    (alone,) = json_lines(ehrtui("ask", database, question, "--now", NOW, "--json", "--no-memory").stdout)
    assert alone["decision"] == "abstained"
    assert alone["case"] is None


def test_importing_again_changes_nothing(ehrtui: Ehrtui, questions: Path) -> None:
    ehrtui("memory", "import", questions, "--now", NOW)
    first = ehrtui("memory", "list").stdout
    again = ehrtui("memory", "import", questions, questions.parent / "small.sqlite", "--now", NOW)
    assert "0 new cases" in again.stdout
    assert ehrtui("memory", "list").stdout == first


def test_cases_are_listed_found_shown_edited_and_forgotten(ehrtui: Ehrtui, questions: Path) -> None:
    assert "No case is kept yet" in ehrtui("memory").stdout
    ehrtui("memory", "import", questions, "--now", NOW)
    assert "<lab>" in ehrtui("memory", "list", "--family", "MIMIC-III (EHRSQL)").stdout
    assert "<lab>" not in ehrtui("memory", "list", "--family", "other").stdout
    assert "jabbed" in ehrtui("memory", "search", "jabbed").stdout
    assert "<nth> <lab> value" not in ehrtui("memory", "search", "jabbed").stdout
    edited = ehrtui("memory", "edit", 2, "--question", "<nth> <lab>, of THE <patient>!")
    assert "<nth> <lab> of the <patient>" in edited.stdout
    refused = ehrtui("memory", "edit", 2, "--logic", 'last value of lab "creatinine" for patient 101')
    assert refused.returncode == 1
    assert "a name or a number" in refused.stderr
    assert "imported from questions.json" in ehrtui("memory", "show", 2).stdout
    assert ehrtui("memory", "forget", 1, 2).returncode == 0
    assert "No case is kept yet" in ehrtui("memory", "list").stdout
    assert "no case 2" in ehrtui("memory", "show", 2).stderr


def test_eval_goes_without_memory_unless_told_otherwise(ehrtui: Ehrtui, questions: Path) -> None:
    ehrtui("memory", "import", questions, "--now", NOW)
    asked = questions.parent / "asked.json"
    asked.write_text(json.dumps(RECORDS[:1]))
    database = questions.parent / "small.sqlite"
    (alone,) = json_lines(ehrtui("eval", database, asked, "--now", NOW, "--json").stdout)
    (helped,) = json_lines(ehrtui("eval", database, asked, "--now", NOW, "--json", "--memory").stdout)
    assert (alone["coverage"], helped["coverage"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[1]", '[{"question": 3}]', '[{"turns": [{"question": "q", "sql": "x"}]}]']
)
def test_a_file_without_questions_is_refused(ehrtui: Ehrtui, tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    done = ehrtui("memory", "import", tmp_path / "bad.json")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_database_that_is_not_beside_its_questions_is_asked_for(ehrtui: Ehrtui, questions: Path) -> None:
    (questions.parent / "small.sqlite").unlink()
    done = ehrtui("memory", "import", questions)
    assert done.returncode == 1
    assert "not beside it" in done.stderr


def test_a_broken_store_is_said_and_left_as_it_is(ehrtui: Ehrtui, questions: Path, tmp_path: Path) -> None:
    store = tmp_path / "state" / "memory.db"
    store.parent.mkdir()
    store.write_text("nothing of ours " * 100)
    for arguments in (("list",), ("meanings",), ("search", "x"), ("show", 1), ("forget", 1), ("import", questions)):
        done = ehrtui("memory", *arguments, "--state", store.parent)
        assert done.returncode == 1
        assert "Nothing of it was changed" in done.stderr
    database = questions.parent / "small.sqlite"
    asked = ehrtui("ask", database, "how many patients are there?", "--now", NOW, "--state", store.parent)
    assert asked.returncode == 0
    assert "memory.db" in asked.stderr
    assert store.read_text() == "nothing of ours " * 100


def test_what_words_mean_is_listed_and_forgotten(ehrtui: Ehrtui, tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert "No meaning is kept yet" in ehrtui("memory", "meanings", "--state", state).stdout
    logic = 'count of prescription "furosemide"'
    CaseStore(state / "memory.db").keep_meaning(
        KeptMeaning("MIMIC-III (EHRSQL)", "water pill", "prescription", logic, "chosen in session x", "2026-01-02")
    )
    listed = ehrtui("memory", "meanings", "--state", state).stdout
    assert 'prescription "furosemide"' in listed
    assert "chosen in session x, 2026-01-02" in listed
    database = small_mimic.build(tmp_path / "small.sqlite")
    asked = ("ask", database, "how many patients got a Water  pill?", "--now", NOW, "--json", "--state", state)
    assert json_lines(ehrtui(*asked).stdout)[0]["answer"] == [[3]]
    assert ehrtui("memory", "meanings", "--forget", "Water pill", "--state", state).returncode == 0
    again = ehrtui("memory", "meanings", "--forget", "water pill", "--state", state)
    assert again.returncode == 1
    assert "has no meaning of its own" in again.stderr
