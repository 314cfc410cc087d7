"""An honest session of 200 turns tells nothing of a patient that the user did not type."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ehrtui.errors import CaseError
from ehrtui.session import events
from tests.claude import distinct, models
from tests.claude.conftest import Scene, conversation_with
from tests.claude.distinct import Distinct
from tests.claude.server import Answer, Text, Tools

TURNS = 200
_GET = "subject_id = <PATIENT_{}>"
_LOOP = 'names = []\nfor row in SQLInterpreter("{}"):\n    names.append(row[0])\nanswer = names'


def planning(body: dict[str, Any]) -> Answer:
    """Plans as a good model does: with tokens, with tools, in Python, and sometimes wrongly at first."""
    said = models.asked(body)
    if "How sure are you" in said:
        return Text("Level: 4")
    question = next(one["content"] for one in body["messages"] if isinstance(one["content"], str))
    question = question.rsplit("Question: ", 1)[-1]
    named = next((f"subject_id = {name}" for name in _names(question, "PATIENT")), "1")
    before = max((int(number) for number in _turns(question)), default=0)
    if "The plan failed" in said:
        return models.sql(f"SELECT drug FROM prescriptions WHERE {named}", 6)
    if "relapse of" in question:
        if "tool_result" not in said:
            return Tools((("search", {"text": question.rsplit("relapse of ", 1)[-1].strip(" ?")}),), "Let me look.")
        return models.sql("SELECT COUNT(*) FROM prescriptions WHERE drug = 'x'")
    if "looping" in question:
        return models.plan(_LOOP.format(f"SELECT drug FROM prescriptions WHERE {named}"), "Type: list")
    if "put together" in question:
        code = _LOOP.format(f"SELECT drug FROM prescriptions WHERE {named}").rsplit("\n", 1)[0]
        quoted = "', '".join(['" + "\', \'".join(names) + "'])
        return models.plan(
            f"{code}\nanswer = SQLInterpreter(\"SELECT * FROM prescriptions WHERE drug IN ('{quoted}')\")"
        )
    if "wrongly" in question:
        return models.sql(f"SELECT frob(drug) FROM prescriptions WHERE {named}")
    if "failing" in question:
        return models.plan(
            f'x = GetValue(SQLInterpreter("SELECT drug FROM prescriptions WHERE {named}"), "drug")\n[][5]'
        )
    if "shared" in question:
        return models.sql(f"SELECT DISTINCT subject_id FROM prescriptions WHERE drug IN (PREV_RESULT{before})")
    if "went on" in question:
        return models.sql(f"SELECT * FROM (PREV_QUERY{before}) AS q")
    return models.sql(f"SELECT drug FROM prescriptions WHERE {named}")


def _names(text: str, kind: str) -> list[str]:
    return [name for name in models.placeholders({"messages": [{"content": text}]}) if kind in name]


def _turns(text: str) -> list[str]:
    return [word.strip("?,")[1:] for word in text.split() if word[0] == "A" and word.strip("?,")[1:].isdigit()]


def questions(database: Distinct) -> Iterator[tuple[str, str]]:
    """What is done, and with which text; "{}" is the number of the turn before. Of all drugs, one alone is typed."""
    ids, drug = itertools.cycle(database.ids), database.drugs[0]
    while True:
        patient = next(ids)
        yield "ask", f"how did patient {patient} fare after the relapse?"
        yield "ask", "who shared what A{} got in that relapse?"
        yield "ask", f"drugs of patient {patient} in a relapse, looping"
        yield "ask", "who shared what A{} got in that relapse?"
        yield "ask", f"drugs of patient {patient} in a relapse, put together"
        yield "ask", "how A{} went on after the relapse"
        yield "ask", f"patient {patient} in a relapse, planned wrongly"
        yield "ask", "and who else shared A{} in a relapse?"
        yield "ask", f"patient {patient} in a relapse, failing"
        yield "ask", "which drugs did they get?"
        yield "ask", f"how many patients were prescribed {drug}?"
        yield "ask", "which of those patients are female?"
        yield "ask", f"relapse of {drug}?"
        yield "ask", f"SELECT drug FROM prescriptions WHERE subject_id = {patient}"
        yield "ask", "SELECT * FROM prescriptions WHERE drug IN (PREV_RESULT{})"
        yield "open", ""
        yield "ask", "and what happened to them later in the relapse?"
        yield "ask", f"last value of everything of patient {patient}"
        yield "edit", "name of prescription for patients of sex female"
        yield "ask", "what about the first one?"


def session(scene: Scene, database: Distinct) -> list[str]:
    """Have the session; all that was typed."""
    conversation, typed = scene.conversation, list[str]()
    for doing, text in itertools.islice(questions(database), TURNS):
        text = text.replace("{}", str(len(conversation.turns)))
        latest = len(conversation.turns)
        if doing == "open":
            rows = conversation.rows(latest, 0, 1)
            drug = str(rows[0][5]) if rows else database.drugs[0]
            conversation.run(conversation.opened(f'patients with prescription "{drug}"'))
            continue
        typed.append(text)
        draft = conversation.ask(text) if doing == "ask" else conversation.draft_of(latest)
        if doing == "edit":
            draft = conversation.edit(conversation.propose("how many patients are there?"), "logic", text)
        turn = conversation.run(draft)
        if turn.decision == "answered" and turn.number % 7 == 0:
            with suppress(CaseError):
                conversation.approvals.approve(turn, conversation.draft_of(turn.number))
    return typed


@pytest.mark.parametrize("planner", ["claude", "both"])
def test_an_honest_session_tells_nothing_of_a_patient_that_nobody_typed(planner: str, tmp_path: Path) -> None:
    database = distinct.build(tmp_path / "distinct.sqlite")
    with conversation_with(
        planning, database.path, tmp_path / "state", planner=planner, now=None, samples=1, session_requests=10_000
    ) as scene:
        typed = session(scene, database)
        turns = scene.conversation.turns
        sent = [one.body for one in scene.sent()]
        model = scene.conversation.language_model
        assert model is not None
        vocabulary = {word for phrase in (*model.speakable.phrases, *model.speakable.codes) for word in phrase.split()}
    assert len(turns) == TURNS
    assert sum(turn.row_count > 0 for turn in turns) > 100
    assert sum(turn.proposal.planner == "claude" for turn in turns) > (90 if planner == "claude" else 50)
    assert sum(bool(turn.depends_on) for turn in turns) > 40
    assert len(scene.of(events.PlanRevised)) >= (20 if planner == "claude" else 4)
    assert sent == scene.server.bodies
    traffic = json.dumps(scene.server.requests, ensure_ascii=False)
    untyped = database.untyped(traffic, typed)
    assert untyped - vocabulary == set()
    rows = json.dumps([body["messages"] for body in scene.server.requests], ensure_ascii=False)
    assert database.untyped(rows, typed) == set()  # of the vocabulary too, nothing but what a question leads to


def test_what_is_told_is_found(tmp_path: Path) -> None:
    database = distinct.build(tmp_path / "distinct.sqlite")
    assert min(map(len, database.of_patient.values())) >= 20
    for values in database.of_patient.values():
        for value in values:
            assert database.untyped(f"it was {value}.", ()) == set(value.lower().split())
            assert database.untyped(f'["{value}"]', (f"of {value}",)) == set()
