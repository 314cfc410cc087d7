"""Files of questions: what is read from them, what is refused, and when two answers are the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from string import ascii_letters
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import UsageError
from ehrtui.evaluation.cases import GoldTurn, digest, read_cases, same_answer
from ehrtui.evaluation.levels import level_of

GOOD = {"id": "a", "question": "who?", "answer": [[1]], "is_impossible": False}
VALUES = st.one_of(st.none(), st.integers(), st.text(ascii_letters), st.floats(allow_nan=False), st.binary())
ROWS = st.lists(st.tuples(VALUES, VALUES))


def write(path: Path, *records: Any) -> Path:
    path.write_text(json.dumps(records))
    return path


@pytest.mark.parametrize(
    ("rows", "gold", "same"),
    [
        ([(1,), (2,)], [[2], [1]], True),
        ([(1.00004,)], [[1]], True),
        ([("IV",)], [["iv"]], True),
        ([(1,)], [["1"]], False),
        ([], [[None]], False),
        ([(1, 2)], [[1]], False),
        ([(10**400,)], [[10**400]], True),
        ([(b"\x00",)], [["\x00"]], False),
    ],
)
def test_answers_are_compared_as_sets_of_rows(rows: list[tuple[Any, ...]], gold: list[list[Any]], same: bool) -> None:
    assert same_answer(rows, gold) is same


@given(ROWS, st.randoms())
def test_order_repetition_and_case_do_not_matter(rows: list[tuple[Any, ...]], chance: Any) -> None:
    other = [tuple(value.upper() if isinstance(value, str) else value for value in row) for row in rows * 2]
    chance.shuffle(other)
    assert same_answer(rows, other)


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
