"""The ablations of the loop, and the strategies that it is compared with: what each tells the model and asks of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ehrtui.planning.claude.approach import Approach, Extra, Part, Strategy
from ehrtui.session import events
from tests.claude import models
from tests.claude.conftest import Scene, Talking
from tests.claude.server import Answer, Status, Text, Tools, in_turn, serving
from tests.commands.conftest import Ehrtui, ehrtui

__all__ = ["ehrtui"]

QUESTION = "how often did anybody come back after a relapse?"
FAILING = models.sql("SELECT frobnicate(subject_id) FROM admissions")
MENDED = models.sql(models.COUNT)


def said(scene: Scene, request: int) -> str:
    """The last message of a request."""
    return models.asked(scene.server.requests[request])


def system(scene: Scene) -> str:
    return str(scene.server.requests[0]["system"][0]["text"])


@pytest.mark.parametrize(
    ("part", "with_it"),
    [("knowledge", "Keys that join them:"), ("logic", "Query logic."), ("confidence", "`Confidence:`")],
)
def test_a_part_that_is_left_out_is_not_asked_for(talking: Talking, part: Part, with_it: str) -> None:
    for without in (frozenset[Part](), frozenset({part})):
        with talking(in_turn(MENDED), approach=Approach(without=without)) as scene:
            scene.conversation.ask(QUESTION)
            assert (with_it in system(scene)) is not bool(without)
            assert "admissions(" in system(scene)


def test_without_interaction_a_plan_that_fails_is_not_revised(talking: Talking) -> None:
    with talking(in_turn(FAILING, MENDED), approach=Approach(without=frozenset({"interaction"}))) as scene:
        assert scene.conversation.run(scene.conversation.ask(QUESTION)).decision == "failed"
        assert len(scene.server.bodies) == 1


def test_without_the_duck_the_error_alone_goes_back(talking: Talking) -> None:
    told = {}
    for without in (frozenset[Part](), frozenset[Part]({"duck"})):
        with talking(in_turn(FAILING, MENDED), approach=Approach(without=without)) as scene:
            assert scene.conversation.run(scene.conversation.ask(QUESTION)).decision == "answered"
            told[bool(without)] = said(scene, 1)
    assert "Cause:" in told[False]
    assert "A program that looked at it thinks" in told[False]
    assert "Cause:" not in told[True]
    assert "A program that looked at it thinks" not in told[True]
    assert "frobnicate" in told[True]


@pytest.mark.parametrize(
    ("strategy", "wanted", "revises"),
    [
        ("cot", "Think step by step", ""),
        ("react", "Thought:", "Observation: the plan failed"),
        ("self-debugging", "line by line", "Explain it line by line"),
    ],
)
def test_a_strategy_says_how_to_think(talking: Talking, strategy: Strategy, wanted: str, revises: str) -> None:
    with talking(in_turn(FAILING, MENDED), approach=Approach(strategy)) as scene:
        turn = scene.conversation.run(scene.conversation.ask(QUESTION))
        assert wanted in system(scene)
        assert turn.decision == ("answered" if revises else "failed")
        if revises:
            assert revises in said(scene, 1)


def test_reflexion_begins_anew_with_what_it_learnt(talking: Talking) -> None:
    model = in_turn(FAILING, Text("I used a function that is not there."), MENDED)
    with talking(model, approach=Approach("reflexion")) as scene:
        assert scene.conversation.run(scene.conversation.ask(QUESTION)).decision == "answered"
        assert "Reflect on it" in said(scene, 1)
        (message,) = scene.server.requests[2]["messages"]
        assert message["content"].endswith("- I used a function that is not there.\n")
        assert [event.why for event in scene.events if isinstance(event, events.EgressSent)][1] == "a reflection"


def test_text_to_sql_is_one_query(talking: Talking) -> None:
    answer = Text(f"```sql\n{models.COUNT};\n```")
    with talking(in_turn(answer), approach=Approach("text-to-sql")) as scene:
        turn = scene.conversation.run(scene.conversation.ask("how many patients are there?"))
        assert turn.plan == f'answer = SQLInterpreter("{models.COUNT}")'
        assert scene.conversation.rows(1, 0, 9) == [(5,)]
        assert "SQLInterpreter" not in system(scene)


def test_gathering_asks_for_knowledge_before_the_plan(talking: Talking) -> None:
    searched = Tools((("search", {"text": "furosemide"}),))
    approach = Approach(extras=frozenset({"gathering"}))
    with talking(in_turn(searched, Text("admissions holds it."), MENDED), approach=approach) as scene:
        turn = scene.conversation.run(scene.conversation.ask(QUESTION))
        assert (turn.decision, turn.proposal.planner) == ("answered", "claude")
        why = [event.why for event in scene.events if isinstance(event, events.EgressSent)]
        assert why == ["the knowledge for a question"] * 2 + ["the plan of a question"]
        assert "Give no plan yet." in said(scene, 0)
        assert scene.server.requests[2]["messages"][-2]["content"] == "admissions holds it."
        assert "Now answer the question" in said(scene, 2)


def test_demonstrations_are_plans_in_code_that_run(talking: Talking) -> None:
    for extras in (frozenset[Extra](), frozenset[Extra]({"demonstrations"})):
        with talking(in_turn(MENDED), approach=Approach(extras=extras)) as scene:
            scene.conversation.ask(QUESTION)
            shown = re.findall(r"```python\n(.*?)```", system(scene), re.DOTALL)
            assert len(shown) == 3 * len(extras)
            for code in shown:
                plan = code.replace("<PATIENT_1>", "101")
                assert scene.conversation.run(scene.conversation.propose(plan, "plan")).error is None


@pytest.mark.parametrize(("history", "told"), [("qs", True), ("qq", False)])
def test_of_earlier_turns_the_sql_is_told_or_not(talking: Talking, history: str, told: bool) -> None:
    model = in_turn(models.sql("SELECT subject_id FROM patients"))
    with talking(model, approach=Approach(history=history)) as scene:  # type: ignore[arg-type]
        for question in ("which patients are there?", "and those of A1?"):
            scene.conversation.run(scene.conversation.ask(question))
        assert "A1: which patients are there?" in said(scene, 1)
        assert ("SQL: SELECT subject_id" in said(scene, 1)) is told


def test_a_conversation_that_is_too_long_is_told_in_part_and_it_is_said(talking: Talking) -> None:
    too_long = Status(400, "invalid_request_error", "prompt is too long: 300000 tokens > 200000 maximum")
    plans: list[Answer] = [models.sql("SELECT subject_id FROM patients")] * 4
    with talking(in_turn(*plans, too_long, too_long, MENDED)) as scene:
        for number in range(5):
            turn = scene.conversation.run(scene.conversation.ask(f"which patients came back {'again ' * number}?"))
        assert (turn.proposal.planner, turn.decision) == ("claude", "answered")
        assert "A1:" in said(scene, 4)
        assert "A1:" not in said(scene, 6)
        assert "(Left out: 1 earlier.)" in said(scene, 6)
        notices = [event.text for event in scene.events if isinstance(event, events.Notice)]
        assert any("the latest 3 turns alone" in notice for notice in notices)


def test_a_question_that_is_too_long_is_left_to_the_offline_planner(talking: Talking) -> None:
    with talking(in_turn(Status(413, "request_too_large"))) as scene:
        assert scene.conversation.ask("how many patients are there?").proposal.planner == "offline"
        assert len(scene.server.bodies) == 4


def test_eval_keeps_the_results_of_approaches_apart(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.json"
    questions.write_text('[{"id": "1", "question": "how many patients are there?", "answer": [[5]]}]')
    with serving(in_turn(MENDED)) as server:
        options = ("--planner", "claude", "--base-url", server.address, "--consent", "--samples", "0", "--json")
        options = (*options, "--out", tmp_path / "results.jsonl")
        done = ehrtui("eval", mimic_path, questions, *options, "--strategy", "cot")
        other = ehrtui("eval", mimic_path, questions, *options, "--without", "duck")
        assert "Think step by step" in server.traffic
    assert done.returncode == 0
    assert other.returncode == 2
    assert "Different: the planner" in other.stderr
