"""`ehrtui ask` with a language model, as a process of its own: consent, the answer, and what is said without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.claude import models
from tests.claude.server import MESSAGES, Answer, Status, Text, Tools, Way, in_turn, serving
from tests.commands.conftest import Ehrtui, ehrtui, json_lines
from tests.small_mimic import NOW

pytest.importorskip("anthropic")
__all__ = ["ehrtui"]

READY, SEARCHED = Text("I am ready to plan."), Tools((("search", {"text": "aspirin"}),))
QUESTION = "how many times was patient 101 admitted?"

CHAT = "/v1/chat/completions"
PLANNED = Text("```sql\nSELECT 1\n```")


def test_without_consent_nothing_is_sent_and_with_it_the_model_answers(ehrtui: Ehrtui, mimic_path: Path) -> None:
    with serving(models.judging(models.mending, 4)) as server:
        options = ("--planner", "claude", "--base-url", server.address, "--now", NOW, "--json", "--threshold", "0.9")
        options = (*options, "--samples", "2")
        refused = ehrtui("ask", mimic_path, QUESTION, *options)
        assert refused.returncode == 2
        assert "You have not consented" in refused.stderr
        assert server.bodies == []
        answered = ehrtui("ask", mimic_path, QUESTION, *options, "--consent")
        (record,) = json_lines(answered.stdout)
        assert (answered.returncode, record["planner"], record["answer"]) == (0, "claude", [[5]])
        assert record["egress_bytes"] == sum(map(len, server.bodies)) > 0
        assert record["tokens"] == 3150  # a plan, its repair, and how sure it is
        again = ehrtui("ask", mimic_path, QUESTION, *options)
        assert again.returncode == 0
        assert "will be sent" not in again.stderr
        assert "101" not in server.traffic


def test_where_the_key_is_wrong_the_offline_planner_answers_and_it_is_said(ehrtui: Ehrtui, mimic_path: Path) -> None:
    with serving(in_turn(Status(401, "authentication_error"))) as server:
        options = ("--planner", "claude", "--base-url", server.address, "--now", NOW, "--json", "--consent")
        done = ehrtui("ask", mimic_path, "how many patients were prescribed furosemide?", *options)
    (record,) = json_lines(done.stdout)
    assert (record["planner"], record["decision"]) == ("offline", "answered")
    assert "does not accept the key" in done.stderr
    assert done.stderr.count("The offline planner answers.") == 1


def test_privacy_is_off_for_this_machine_alone(ehrtui: Ehrtui, mimic_path: Path) -> None:
    options = ("--planner", "claude", "--privacy", "off", "--consent")
    done = ehrtui("ask", mimic_path, QUESTION, *options, "--base-url", "https://model.invalid")
    assert done.returncode == 2
    assert "Privacy cannot be off for model.invalid" in done.stderr
    with serving(models.judging(models.good, 4)) as server:
        ehrtui("ask", mimic_path, QUESTION, *options, "--base-url", server.address)
        assert "patient 101" in server.traffic


@pytest.mark.parametrize(
    ("answers", "code", "said"),
    [
        ((READY, SEARCHED, PLANNED), 0, "plans       are written as asked"),
        ((READY, SEARCHED, Text("It is 4.")), 1, "plans       ✗ are not written as asked: try --strategy logic"),
        ((READY, Text("No."), PLANNED), 0, "tools       are not called"),
        ((READY, Status(400, "invalid_request_error"), PLANNED), 0, "tools       are not called"),
        ((Status(404, "not_found_error"),), 1, "has no model some-model"),
        ((Status(401, "authentication_error"),), 1, "does not accept the key"),
    ],
)
def test_the_doctor_says_what_is_missing(ehrtui: Ehrtui, answers: tuple[Answer, ...], code: int, said: str) -> None:
    with serving(in_turn(*answers)) as server:
        done = ehrtui("doctor", "--base-url", server.address, "--model", "some-model")
    assert (done.returncode, done.stderr) == (code, "")
    assert said in done.stdout


@pytest.mark.parametrize(
    ("ways", "api", "code", "said"),
    [
        (MESSAGES, "chat", 1, "advice      say --api messages"),
        ({CHAT: Way()}, "messages", 1, "advice      say --api chat"),
        ({CHAT: Way(streams=False, tools=False)}, "chat", 0, "tools       are not called"),
        ({CHAT: Way(streams=False)}, "chat", 0, "streaming   arrives in one piece"),
        ({**MESSAGES, CHAT: Way()}, "chat", 0, "Messages API (--api messages)"),
        ({}, "chat", 1, "has no model some-model. Or it has no chat completions"),
    ],
)
def test_the_doctor_says_which_ways_a_server_of_ones_own_offers(
    ehrtui: Ehrtui, ways: dict[str, Way], api: str, code: int, said: str
) -> None:
    with serving(models.probed, ways) as server:
        done = ehrtui("doctor", "--base-url", server.address, "--model", "some-model", "--api", api)
        other = {"/v1/messages": "messages", CHAT: "chat"}
        asked = {path for path in other if path.encode() in b"".join(server.heads)}
    assert (done.returncode, done.stderr) == (code, "")
    assert said in done.stdout
    assert len(asked) == 2
    for path, name in other.items():
        told = done.stdout.partition(f"(--api {name})")[2].partition("\n\n")[0]
        assert ("✗" not in told) == (path in ways)


def test_questions_are_answered_over_chat_completions(ehrtui: Ehrtui, mimic_path: Path) -> None:
    with serving(models.judging(models.mending, 4), {CHAT: Way(tools=False)}) as server:
        options = ("--planner", "claude", "--api", "chat", "--base-url", server.address, "--consent")
        done = ehrtui("ask", mimic_path, QUESTION, *options, "--now", NOW, "--json", "--threshold", "0.9")
        (record,) = json_lines(done.stdout)
        assert (done.returncode, record["planner"], record["answer"]) == (0, "claude", [[5]])
        assert record["egress_bytes"] == sum(map(len, server.bodies)) > 0
        assert record["tokens"] == 3150
        assert "101" not in server.traffic


def test_a_small_model_is_asked_for_query_logic_alone(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[claude]\nstrategy = "logic"\nsamples = 0\n')
    with serving(in_turn(Text("Logic: count of (hospital stays for patient <PATIENT_1>)"))) as server:
        options = ("--planner", "claude", "--base-url", server.address, "--consent", "--now", NOW, "--json")
        said = ehrtui("ask", mimic_path, QUESTION, *options, "--strategy", "logic")
        kept = ehrtui("ask", mimic_path, QUESTION, *options, "--config", config)
        assert all("```sql" not in request["system"][0]["text"] for request in server.requests)
    for done in (said, kept):
        (record,) = json_lines(done.stdout)
        assert (done.returncode, record["planner"], record["answer"]) == (0, "claude", [[2]])


def test_chat_completions_need_a_server_to_be_named(
    ehrtui: Ehrtui, mimic_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    options = ("--planner", "claude", "--api", "chat", "--now", NOW, "--json", "--consent")
    done = ehrtui("ask", mimic_path, "how many patients were prescribed furosemide?", *options)
    (record,) = json_lines(done.stdout)
    assert (done.returncode, record["planner"]) == (0, "offline")
    assert "There is no server for the language model. Name one with --base-url" in done.stderr


def test_the_doctor_misses_a_key(ehrtui: Ehrtui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    done = ehrtui("doctor")
    assert done.returncode == 1
    assert "missing     ✗ There is no key for the language model. Set ANTHROPIC_API_KEY" in done.stdout


def test_without_a_key_questions_are_answered_as_before_and_it_is_said_in_a_line(
    ehrtui: Ehrtui, mimic_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    question = "how many patients were prescribed furosemide?"
    done = ehrtui("ask", mimic_path, question, "--planner", "claude", "--now", NOW, "--json")
    alone = ehrtui("ask", mimic_path, question, "--now", NOW, "--json")
    (record,), (offline,) = json_lines(done.stdout), json_lines(alone.stdout)
    assert (done.returncode, record["planner"], record["answer"]) == (0, "offline", offline["answer"])
    (line,) = done.stderr.splitlines()
    assert "There is no key for the language model." in line
    assert line.endswith("The offline planner answers.")
