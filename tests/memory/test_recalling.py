"""Recall: what an approved or imported case changes in how a question is understood, and what it must not change."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.database import Database
from ehrtui.memory.case import APPROVED, IMPORTED, Case, Source
from ehrtui.memory.store import CaseStore
from ehrtui.planning.proposal import PastTurn
from tests import small_mimic

Opened = Callable[..., Database]
COUNT = Case("how many souls swallowed <drug>", "count patients with prescription <drug>")
RECORDS = Case("how many souls swallowed <drug>", "count prescription <drug>")


def keep(database: Database, cases: Iterable[tuple[Case, Source]]) -> CaseStore:
    assert database.memory is not None
    database.memory.store.add(database.profile.name, cases)
    return database.memory.store


def approved(day: int = 1) -> Source:
    return Source(f"{APPROVED}session {day}", f"2026-01-{day:02}")


def imported(name: str = "a.json", questions: int = 1) -> Source:
    return Source(IMPORTED + name, "2026-01-01", questions)


def test_an_approved_case_explains_the_same_question_about_other_values(opened: Opened) -> None:
    database = opened()
    question = "How many souls swallowed aspirin?"
    before = database.planner.propose(question, ())
    assert before.reason
    keep(database, [(COUNT, approved())])
    after = database.planner.propose(question, ())
    assert after.logic == 'count patients with prescription "aspirin"'
    assert not after.reason
    assert not after.unexplained
    assert after.confidence > 0.7 > before.confidence
    assert after.case is not None
    assert after.case.question == COUNT.question
    assert after.case.sources == ("approved in session 1",)


def test_without_memory_nothing_is_recalled(opened: Opened) -> None:
    keep(opened(), [(COUNT, approved())])
    alone = opened(memory=False).planner.propose("How many souls swallowed aspirin?", ())
    assert alone.case is None
    assert alone.reason


def test_a_forgotten_case_helps_no_more(opened: Opened) -> None:
    database = opened()
    store = keep(database, [(COUNT, approved())])
    assert database.planner.propose("how many souls swallowed aspirin", ()).case is not None
    store.forget(1)
    assert database.planner.propose("how many souls swallowed aspirin", ()).case is None


def test_a_case_helps_in_another_database_of_the_family(opened: Opened, tmp_path: Path) -> None:
    keep(opened(), [(COUNT, approved())])
    path = small_mimic.build(tmp_path / "other.sqlite")
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE prescriptions SET drug = 'warfarin' WHERE drug = 'aspirin'")
        other.commit()
    found = opened(path).planner.propose("how many souls swallowed warfarin", ())
    assert found.logic == 'count patients with prescription "warfarin"'


def test_a_case_of_another_family_is_not_seen(opened: Opened) -> None:
    database = opened()
    assert database.memory is not None
    database.memory.store.add("another family", [(COUNT, approved())])
    assert database.planner.propose("how many souls swallowed aspirin", ()).case is None


def test_a_case_that_agrees_is_shown_and_changes_nothing_else(opened: Opened) -> None:
    database = opened()
    question = "how many patients were prescribed aspirin?"
    own = database.planner.propose(question, ())
    keep(database, [(Case("how many patients were prescribed <drug>", COUNT.logic), approved())])
    found = database.planner.propose(question, ())
    assert found.case is not None
    assert (found.logic, found.confidence, found.readings) == (own.logic, own.confidence, own.readings)


def test_a_near_case_must_have_the_words_that_are_not_understood(opened: Opened) -> None:
    database = opened()
    keep(database, [(Case("how many souls gobbled <drug>", COUNT.logic), approved())])
    assert database.planner.propose("how many souls swallowed aspirin", ()).case is None
    near = database.planner.propose("how many souls gobbled the aspirin", ())
    assert near.logic == 'count patients with prescription "aspirin"'
    assert near.case is not None
    assert near.case.likeness < 1


def test_words_with_a_meaning_are_never_taken_for_one_another(opened: Opened) -> None:
    database = opened()
    keep(database, [(Case("the first funky <lab> value of <patient>", "first value of lab <lab> for patient <patient>"),
                     approved())])  # fmt: skip
    assert database.planner.propose("the last funky creatinine value of patient 101", ()).case is None
    assert database.planner.propose("the first funky creatinine value of patient 101", ()).case is not None


def test_the_latest_approval_wins(opened: Opened) -> None:
    database = opened()
    keep(database, [(COUNT, approved(2)), (RECORDS, approved(1)), (RECORDS, imported(questions=50))])
    assert database.planner.propose("how many souls swallowed aspirin", ()).logic == COUNT.logic.replace(
        "<drug>", '"aspirin"'
    )


def test_of_one_day_the_case_that_was_approved_last_wins(opened: Opened) -> None:
    database = opened()
    for case in (COUNT, RECORDS, COUNT):
        keep(database, [(case, approved())])
        found = database.planner.propose("how many souls swallowed aspirin", ())
        assert found.logic == case.logic.replace("<drug>", '"aspirin"')


def test_imported_cases_that_contradict_each_other_decide_nothing(opened: Opened) -> None:
    database = opened()
    other = Case(COUNT.question, "name of prescription <drug>")
    keep(database, [(COUNT, imported("a.json", 3)), (other, imported("b.json", 2))])
    assert database.planner.propose("how many souls swallowed aspirin", ()).case is None
    keep(database, [(COUNT, imported("c.json", 3))])
    assert database.planner.propose("how many souls swallowed aspirin", ()).case is not None


def test_a_case_with_sql_is_run_as_sql(opened: Opened) -> None:
    database = opened()
    sql = "SELECT count(DISTINCT subject_id) FROM prescriptions JOIN admissions USING (subject_id) WHERE drug = <drug>"
    keep(database, [(Case("how many souls swallowed <drug>", sql=sql), imported())])
    found = database.planner.propose("how many souls swallowed aspirin", ())
    assert found.logic is None
    assert found.sql == sql.replace("<drug>", "'aspirin'")


def test_a_known_form_stands_on_its_own_in_a_conversation(opened: Opened) -> None:
    database = opened()
    keep(database, [(COUNT, approved())])
    past = PastTurn(1, "…", 'last value of lab "creatinine" for patient 101', "SELECT 1", ("valuenum",), 1, "answered")
    found = database.planner.propose("how many souls swallowed aspirin", (past,))
    assert found.logic == 'count patients with prescription "aspirin"'


@pytest.mark.parametrize(
    "question", ["and for patient 102?", "only the last one of A1", "how many of those patients died?"]
)
def test_a_follow_up_is_left_to_the_planner(opened: Opened, question: str) -> None:
    database = opened()
    past = PastTurn(1, "…", 'value of lab "creatinine" for patient 101', "SELECT 1", ("valuenum",), 1, "answered")
    own = database.planner.propose(question, (past,))
    keep(database, [(COUNT, approved())])
    assert database.planner.propose(question, (past,)) == own


@pytest.mark.parametrize(
    "case",
    [
        Case("how many souls swallowed <drug>", "count patients with nonsense <drug>"),
        Case("how many souls swallowed <drug>", "count patients with prescription <drug> <time>"),
        Case("how many souls swallowed <drug>", "rows of A7"),
        Case("how many souls swallowed <drug>", ""),
        Case("how many souls swallowed <<drug>>", '"' * 500),
    ],
)
def test_a_case_that_means_nothing_here_is_passed_over(opened: Opened, case: Case) -> None:
    database = opened()
    keep(database, [(case, approved())])
    assert database.planner.propose("how many souls swallowed aspirin", ()).case is None


def test_no_case_answers_for_a_time_before_the_records(opened: Opened) -> None:
    database = opened()
    keep(
        database,
        [
            (
                Case(
                    "how many patients were prescribed <drug> <time>", "count patients with prescription <drug> <time>"
                ),
                approved(),
            )
        ],
    )
    held = database.planner.propose("how many patients were prescribed aspirin in 2105?", ())
    before = database.planner.propose("how many patients were prescribed aspirin in 1998?", ())
    assert not held.reason
    assert before.refusal is not None
    assert before.refusal.kind == "span"
    assert before.case is None
