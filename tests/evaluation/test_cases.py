"""Files of questions: what is read from them, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ehrtui.errors import UsageError
from ehrtui.evaluation.cases import GoldTurn, digest, of_database, read_cases
from ehrtui.evaluation.complexity import level_of

GOOD = {"id": "a", "question": "who?", "answer": [[1]], "is_impossible": False}


def write(path: Path, *records: Any) -> Path:
    path.write_text(json.dumps(records))
    return path


def test_a_question_stands_alone_and_a_conversation_has_turns(tmp_path: Path) -> None:
    turns = [
        {"question": "which stays?", "seqsql": "SELECT 1", "sql": "SELECT 1", "answer": [[1]], "n_rows": 1},
        {"seqsql": "SELECT PREV_RESULT1", "sql": "SELECT 2", "answer": [[2]], "n_rows": 300},
    ]
    single, chat = read_cases(
        write(tmp_path / "q.json", {**GOOD, "template": "who?"}, {"id": 2, "turns": turns, "template": None})
    )
    assert (single.id, single.family, single.conversation) == ("a", "who?", False)
    assert single.turns == (GoldTurn("who?", "question", ((1,),)),)
    assert (chat.id, chat.family, chat.conversation) == ("2", "", True)
    first, second = chat.turns
    assert (first.text, first.kind, first.answer) == ("which stays?", "question", ((1,),))
    # Of 300 rows the file holds one: the gold query says the rest.
    assert (second.text, second.kind, second.answer, second.sql) == ("SELECT PREV_RESULT1", "sql", None, "SELECT 2")


def test_a_question_without_an_id_is_known_by_its_number(tmp_path: Path) -> None:
    records = [{key: value for key, value in GOOD.items() if key != "id"}] * 2
    assert [case.id for case in read_cases(write(tmp_path / "q.json", *records))] == ["1", "2"]


def test_what_cannot_be_answered_has_neither_rows_nor_a_query(tmp_path: Path) -> None:
    record = {**GOOD, "answer": [[1]], "sql": "SELECT 1", "is_impossible": True}
    (case,) = read_cases(write(tmp_path / "q.json", record))
    assert not case.turns[0].answerable


def test_what_else_is_right_is_read(tmp_path: Path) -> None:
    record = {**GOOD, "accept": [[], [["one", 1]]], "expect": "empty", "db_id": "north", "gold_note": "a slip"}
    case, plain = read_cases(write(tmp_path / "q.json", record, {**GOOD, "id": "b"}))
    (turn,) = case.turns
    assert (turn.accept, turn.empty, turn.cohorts) == (((), (("one", 1),)), True, ())
    assert (case.database, case.noted) == ("north", True)
    assert (plain.turns[0].accept, plain.turns[0].empty, plain.database, plain.noted) == ((), False, "", False)


def test_records_of_one_conversation_are_its_turns(tmp_path: Path) -> None:
    chat = {"conversation": "c", "db_id": "north", "cohort": [1, 2], "accept_cohorts": [[1]]}
    first = {**GOOD, **chat, "accept_answers": [[[2]]]}
    second = {**GOOD, **chat, "id": "b", "question": "how many?", "cohort": []}
    alone, case = read_cases(write(tmp_path / "q.json", {**GOOD, "id": "x"}, first, second))
    assert not alone.conversation
    assert (case.id, case.database, case.conversation) == ("c", "north", True)
    assert [turn.text for turn in case.turns] == ["who?", "how many?"]
    assert [turn.cohorts for turn in case.turns] == [((1, 2), (1,)), ((), (1,))]
    assert case.turns[0].accept == (((2,),),)


def test_only_what_is_asked_of_a_database_is_taken(tmp_path: Path) -> None:
    records = [{**GOOD, "id": name, "db_id": name} for name in ("north", "south")]
    cases = read_cases(write(tmp_path / "q.json", *records, GOOD))
    assert [case.id for case in of_database(cases, "North")] == ["north", "a"]
    with pytest.raises(UsageError, match="named west") as caught:
        of_database(cases[:2], "west")
    assert "north, south" in caught.value.why


@pytest.mark.parametrize(
    "record",
    [
        1,
        [],
        {"id": 1},
        {"question": "who?"},
        {"question": "who?", "answer": None},
        {**GOOD, "question": 5},
        {**GOOD, "question": ""},
        {**GOOD, "answer": 5},
        {**GOOD, "answer": [5]},
        {**GOOD, "answer": [[[1]]]},
        {**GOOD, "answer": [[1], [1, 2]]},
        {**GOOD, "accept": 5},
        {**GOOD, "accept": [5]},
        {**GOOD, "accept": [[5]]},
        {**GOOD, "accept_answers": [[[{}]]]},
        {**GOOD, "cohort": 5},
        {**GOOD, "cohort": [[5]]},
        {**GOOD, "cohort": [5], "accept_cohorts": [5]},
        {**GOOD, "db_id": 5},
        {**GOOD, "answer": [[float("nan")]]},
        {**GOOD, "sql": ["SELECT 1"]},
        {**GOOD, "id": [1]},
        {**GOOD, "template": 3},
        {"id": 1, "turns": []},
        {"id": 1, "turns": "who?"},
        {"id": 1, "turns": [3]},
    ],
)
def test_a_record_that_is_no_question_is_refused_with_its_number(tmp_path: Path, record: object) -> None:
    with pytest.raises(UsageError) as caught:
        read_cases(write(tmp_path / "q.json", GOOD, record))
    assert "Number 2" in caught.value.why


@pytest.mark.parametrize("text", ["", "{", '{"a": 1}', "[" * 100_000, '"text"', "\xff"])
def test_a_file_that_holds_no_questions_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "questions.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError):
        read_cases(path)


def test_a_file_that_is_not_there_and_ids_that_are_not_distinct_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_cases(tmp_path / "nowhere.json")
    with pytest.raises(UsageError, match="same"):
        read_cases(write(tmp_path / "q.json", GOOD, GOOD))


def test_the_digest_changes_with_a_question_and_with_a_gold_answer(tmp_path: Path) -> None:
    (case,) = read_cases(write(tmp_path / "q.json", GOOD))
    (turn,) = case.turns
    others = [replace(turn, text="why?"), replace(turn, answer=((2,),))]
    assert len({digest([case]), *(digest([replace(case, turns=(other,))]) for other in others)}) == 3


@pytest.mark.parametrize(
    ("sql", "level"),
    [
        ("SELECT 1 FROM a", 1),
        ("SELECT 1 FROM a JOIN b ON a.x = b.x WHERE a.y IN (SELECT y FROM A)", 2),
        ("WITH c AS (SELECT * FROM a) SELECT * FROM c, b", 2),
        ("SELECT * FROM a, b, c, d, e", 4),
        ("SELECT (SELECT count(*) FROM a) - 1", 1),
        ("not SQL (", 0),
        (None, 0),
    ],
)
def test_the_level_is_the_number_of_tables_that_a_query_reads(sql: str | None, level: int) -> None:
    assert level_of(sql) == level
