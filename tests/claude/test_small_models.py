"""What smaller models write, and servers without tools: read as far as it can be read, told what is wrong otherwise."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.planning.claude.answers import Planned, read_answer
from ehrtui.planning.claude.approach import Approach
from ehrtui.planning.plan_text import plan_from_sql
from tests.claude import models
from tests.claude.conftest import Talking
from tests.claude.server import Text, Way, in_turn

QUERY = "SELECT COUNT(*)\nFROM patients"
PLAN = plan_from_sql(QUERY)
SURE = f"{PLAN}  # Confidence: 8"
LOGIC = "count of (patients)"
CHAT = {"/v1/chat/completions": Way(tools=False)}


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        (f"```sql\n{QUERY}\n```", Planned(plan=PLAN)),
        (f"```sql\n{QUERY}\n```\nThat is:\n```sql\n{QUERY}\n```", Planned(plan=PLAN)),
        (f"Type: number\nConfidence: 8\n```sql\n{QUERY}\n", Planned(plan=SURE, type="number")),
        (f"Type: number\n{QUERY}", Planned(plan=PLAN, type="number")),
        (f"<think>First ```sql\nSELECT 1\n``` hm</think>\n```sql\n{QUERY}\n```", Planned(plan=PLAN)),
        (f"Hm, SELECT 1?\n```sql\nSELECT 2\n```</think>```sql\n{QUERY}\n```", Planned(plan=PLAN)),
        (f"Hm, SELECT 1?\n</think>\n```sql\n{QUERY}\n```", Planned(plan=PLAN)),
        ("<think>It goes on and on", Planned(complaint="none")),
        (json.dumps({"sql": QUERY, "type": "number", "confidence": 8}), Planned(plan=SURE, type="number")),
        (f'```json\n{{"query": "{QUERY}", "Confidence": 8}}\n```', Planned(plan=SURE)),
        (f'```\n{{"logic": "{LOGIC}"}}\n```', Planned(logic=LOGIC)),
        (json.dumps({"python": "answer = 1"}), Planned(plan="answer = 1")),
        ('{"unanswerable": "no phones are kept"}', Planned(reason="no phones are kept")),
        ('{"name": "search", "arguments": {"text": "aspirin"}}', Planned(searches=("aspirin",))),
        (
            '<tool_call>{"name": "search", "arguments": {"text": "a"}}</tool_call>\n'
            '<tool_call>{"name": "search", "parameters": {"text": "b"}}</tool_call>',
            Planned(searches=("a", "b")),
        ),
        ('{"search": ["a", 3, "b"]}', Planned(searches=("a", "b"))),
        ("Search: aspirin\n- Search: `water tablet`", Planned(searches=("aspirin", "water tablet"))),
        (f"Search: aspirin\n```sql\n{QUERY}\n```", Planned(plan=PLAN)),
        ("With this question there is a problem.", Planned(complaint="none")),
        (f"WITH p AS (SELECT 1)\n{QUERY}", Planned(plan=plan_from_sql(f"WITH p AS (SELECT 1)\n{QUERY}"))),
        (f"Logic: {LOGIC}", Planned(logic=LOGIC)),
        ('{"sql": 3, "logic": null, "search": {}}', Planned(complaint="none")),
        ('{"answer": 42}', Planned(complaint="none")),
        ('```python\nanswer = {"logic": "x"}\n```', Planned(plan='answer = {"logic": "x"}')),
    ],
)
def test_what_is_meant_is_read_whatever_its_form(text: str, planned: Planned) -> None:
    assert read_answer(text) == planned


@given(st.text(alphabet='{}[]":,`<>/thinkSELECTsearch \n', max_size=300))
def test_any_text_is_read_as_one_thing_or_complained_of(text: str) -> None:
    planned = read_answer(text)
    assert sum(map(bool, (planned.plan or planned.logic, planned.reason, planned.complaint, planned.searches))) == 1


@pytest.mark.parametrize("text", ['{"a":' * 30_000, "<think>" * 20_000, "select\n" * 25_000, "with\n" * 25_000])
def test_a_long_text_without_sense_is_complained_of(text: str) -> None:
    assert read_answer(text) == Planned(complaint="none")


def test_names_are_searched_in_the_text_where_a_server_has_no_tools(talking: Talking) -> None:
    answers = (Text("Search: furosemid\nSearch: heart failure"), models.sql("SELECT COUNT(*) FROM patients"))
    with talking(in_turn(*answers), ways=CHAT, api="chat") as scene:
        turn = scene.conversation.run(scene.conversation.ask("how often was the water tablet given?"))
        assert turn.decision == "answered"
        refused, first, second = scene.server.requests
        assert "tools" in refused
        assert "tools" not in first
        told = second["messages"][-1]["content"]
        assert told.startswith("Search: furosemid\n“furosemide” (prescription: prescriptions.drug")
        assert "\nSearch: heart failure\n“chf nos”" in told


def test_one_that_searches_for_ever_is_told_to_plan(talking: Talking) -> None:
    with talking(in_turn(Text("Search: aspirin")), ways=CHAT, api="chat") as scene:
        turn = scene.conversation.run(scene.conversation.ask("which patients have an appointment on friday?"))
        assert turn.decision in ("abstained", "failed")
        assert any("searched often enough" in models.asked(body) for body in scene.server.requests)
        assert len(scene.server.bodies) < 70


def test_what_is_wrong_with_query_logic_is_told_with_placeholders_alone(talking: Talking) -> None:
    model = in_turn(
        Text('Logic: count of (hospital stays for patient <PATIENT_1> wiht lab "x")'),
        Text("Logic: count of (hospital stays for patient <PATIENT_1>)"),
    )
    with talking(model, approach=Approach("logic"), now=None) as scene:
        turn = scene.conversation.run(scene.conversation.ask("how often did patient 101 come back after a relapse?"))
        assert turn.decision == "answered"
        told = scene.server.requests[1]["messages"][-1]["content"]
        assert "cannot be compiled" in told
        assert "wiht" in told
        assert "101" not in scene.server.traffic
        assert "97000000" not in scene.server.traffic
