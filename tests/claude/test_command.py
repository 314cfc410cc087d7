"""`ehrtui ask` with a language model, as a process of its own: consent, the answer, and what is said without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.claude import models
from tests.claude.server import Answer, Status, Text, Tools, in_turn, serving
from tests.commands.conftest import Ehrtui, ehrtui, json_lines
from tests.small_mimic import NOW

pytest.importorskip("anthropic")
__all__ = ["ehrtui"]

READY, SEARCHED = Text("I am ready to plan."), Tools((("search", {"text": "aspirin"}),))
QUESTION = "how many times was patient 101 admitted?"

PLANNED = Text("```sql\nSELECT 1\n```")


def test_without_consent_nothing_is_sent_and_with_it_the_model_answers(ehrtui: Ehrtui, mimic_path: Path) -> None:
    with serving(models.judging(models.mending, 4)) as server:
        options = ("--planner", "claude", "--base-url", server.address, "--now", NOW, "--json", "--threshold", "0")
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
