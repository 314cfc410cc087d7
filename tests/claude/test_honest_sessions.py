"""An honest session of 200 turns tells nothing of a patient that the user did not type."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.errors import CaseError, LogicError
from ehrtui.planning.mentions import Choice
from ehrtui.session import events
from tests.claude import distinct, models
from tests.claude.conftest import Scene, conversation_with
from tests.claude.distinct import Distinct
from tests.claude.server import MESSAGES, Answer, Text, Tools, Way

TURNS = 200
CHAT = {"/v1/chat/completions": Way()}
_GET = "subject_id = <PATIENT_{}>"
_LOOP = 'names = []\nfor row in SQLInterpreter("{}"):\n    names.append(row[0])\nanswer = names'


def planning(body: dict[str, Any]) -> Answer:
    """Plans as a good model does: with tokens, with tools, in Python, and sometimes wrongly at first."""
    said = models.asked(body)
    if "How sure are you" in said:
        return Text("Level: 4")
    question = next(one["content"] for one in body["messages"] if one["role"] == "user")
    question = question.rsplit("Question: ", 1)[-1]
    named = next((f"subject_id = {name}" for name in _names(question, "PATIENT")), "1")
    before = max((int(number) for number in _turns(question)), default=0)
    if "The plan failed" in said:
        return models.sql(f"SELECT drug FROM prescriptions WHERE {named}", 6)
    if "relapse of" in question:
        if "tool_result" not in said and body["messages"][-1]["role"] != "tool":
            return Tools((("search", {"text": question.rsplit("relapse of ", 1)[-1].strip(" ?")}),), "Let me look.")
        return models.sql("SELECT COUNT(*) FROM prescriptions WHERE drug = 'x'")
    if "logic" in question:
        return Text(f"Logic: count of (patients in A{before})") if "cannot be" not in said else models.sql(models.COUNT)
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
        yield "ask", f"compare the age of patients with {drug} with those without it"
        yield "ask", f"what share of the patients with {drug} died within 30 days of it?"
        yield "ask", f"patients over 40 with {drug}"
        yield "ask", "and what percentage of them are women?"
        yield "ask", "hm, i meant the men"
        yield "ask", f"and in neither of the two, but with {drug}?"
        yield "ask", "which of them are in both?"
        yield "ask", "how many are they, in logic, of A{}, in that relapse?"
        yield "ask", "ok, and the other ones, as in the answer about the men?"
        yield "ask", f"kaplan-meier curve of {drug} patients after the relapse"
        yield "ask", "patients with diabetes or hypertension who are still in hospital"
        yield "ask", f"which patients still need {drug}?"
        yield "judge", ""
        yield "choose", f"how many patients had {drug}?"
        yield "alone", "how many patients are female?"
        yield "rerun", ""
        yield "logic", "patients in A{}"
        yield "put away", ""
        yield "ask", f"when did patient {patient} last get {drug}, and how much of it?"
        yield "ask", "and before that?"


def session(scene: Scene, database: Distinct) -> list[str]:
    """Have the session; all that was typed, or chosen of what was offered."""
    conversation, typed = scene.conversation, list[str]()
    for doing, text in itertools.islice(questions(database), TURNS + TURNS // 10):
        text = text.replace("{}", str(len(conversation.turns)))
        latest = len(conversation.turns)
        typed.append(text)
        if doing == "judge":
            conversation.remarks.judge(conversation.turns[-1], right=False, reason="it is another one")
        elif doing == "put away":
            conversation.labels.put_away(latest)
        elif doing == "rerun":
            conversation.rerun(latest)
            conversation.rerun_stale()
        else:
            _put(conversation, database, doing, text, typed)
        if len(conversation.turns) == TURNS:
            break
    return typed


def _put(conversation: Conversation, database: Distinct, doing: str, text: str, typed: list[str]) -> None:
    latest = len(conversation.turns)
    if doing == "open":
        rows = conversation.rows(latest, 0, 1)
        drug = str(rows[0][5]) if rows else database.drugs[0]
        conversation.run(conversation.opened(f'patients with prescription "{drug}"'))
        return
    if doing == "logic":
        try:
            conversation.run(conversation.propose(text, "logic"))
        except LogicError as error:
            conversation.refuse(text, "logic", error)
        return
    if doing == "edit":
        draft = conversation.edit(conversation.propose("how many patients are there?"), "logic", text)
    elif doing == "choose":
        (mention, *_) = conversation.propose(text).proposal.mentions
        chosen = mention.others[0] if mention.others else mention.taken
        typed += [item.text for item in chosen.items]
        draft = conversation.ask(text, choices=[Choice(mention.said, mention.role, chosen)])
    else:
        draft = conversation.ask(text, alone=doing == "alone")
    turn = conversation.run(draft)
    if turn.decision == "answered" and turn.number % 7 == 0:
        with suppress(CaseError):
            conversation.approvals.approve(turn, conversation.draft_of(turn.number))


@pytest.mark.parametrize(
    ("planner", "ways", "system"), [("claude", MESSAGES, "sqlite"), ("both", CHAT, "duckdb")], ids=["claude", "both"]
)
def test_an_honest_session_tells_nothing_of_a_patient_that_nobody_typed(
    planner: str, ways: Mapping[str, Way], system: str, tmp_path: Path
) -> None:
    database = distinct.build(tmp_path / "distinct.sqlite")
    path = database.path
    if system == "duckdb":
        pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install 'ehrtui[duckdb]'")
        path = distinct.in_duckdb(database)
    with conversation_with(
        planning,
        path,
        tmp_path / "state",
        planner=planner,
        now=None,
        samples=1,
        session_requests=10_000,
        ways=ways,
        api="messages" if ways is MESSAGES else "chat",
    ) as scene:
        typed = session(scene, database)
        turns = scene.conversation.turns
        sent = [one.body for one in scene.sent()]
        model = scene.conversation.language_model
        assert model is not None
        vocabulary = {word for phrase in (*model.speakable.phrases, *model.speakable.codes) for word in phrase.split()}
    planned = sum(turn.proposal.planner == "claude" for turn in turns)
    assert len(turns) == TURNS
    assert sum(turn.row_count > 0 for turn in turns) > 100
    assert planned > (120 if planner == "claude" else 50)
    assert sum(bool(turn.depends_on) for turn in turns) > 25
    assert len(scene.of(events.PlanRevised)) >= (10 if planner == "claude" else 5)
    assert sent == scene.server.bodies
    traffic = json.dumps(scene.server.requests, ensure_ascii=False)
    untyped = database.untyped(traffic, typed)
    assert untyped - vocabulary == set()
    told = [one for body in scene.server.requests for one in body["messages"] if one["role"] != "system"]
    rows = json.dumps(told, ensure_ascii=False)
    assert database.untyped(rows, typed) == set()  # of the vocabulary too, nothing but what a question leads to


def test_what_is_told_is_found(tmp_path: Path) -> None:
    database = distinct.build(tmp_path / "distinct.sqlite")
    assert min(map(len, database.of_patient.values())) >= 20
    for values in database.of_patient.values():
        for value in values:
            assert database.untyped(f"it was {value}.", ()) == set(value.lower().split())
            assert database.untyped(f'["{value}"]', (f"of {value}",)) == set()
