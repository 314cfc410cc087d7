"""Requests are built of parts, and each part is masked as what it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.engines.opening import open_engine
from ehrtui.privacy.consent import Consents
from ehrtui.privacy.egress import EgressLog, is_loopback
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.placeholders import Placeholders
from ehrtui.privacy.request import Example, Exchange, Fixed, Message, Received, Said, ToolRound, ToolUse, Trouble, build
from ehrtui.privacy.stored import StoredTexts
from ehrtui.privacy.vocabulary import speakable
from ehrtui.schema.detection import load_profile
from tests import small_mimic


@pytest.fixture(scope="module")
def mask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mask]:
    engine = open_engine(str(small_mimic.build(tmp_path_factory.mktemp("mimic") / "mimic.sqlite")))
    schema, profile = engine.schema(), load_profile(engine.schema(), engine.read)
    yield Mask(speakable(schema, profile, engine.read), StoredTexts(schema, profile, engine.read), Placeholders())
    engine.close()


def test_a_request_has_its_parts_in_order_and_a_legend_without_values(mask: Mask) -> None:
    body = build(
        (Fixed("Plan."),),
        (
            Message("user", (Fixed("Question: "), Said("drugs of patient 90125 since 2104-03-05"))),
            Message("assistant", (Received("answer = '<PATIENT_1>'"),)),
            Message("user", (Trouble("There is no column drg."),)),
        ),
        mask,
    )
    texts = [message["content"] for message in body["messages"]]
    assert texts == [
        "Question: drugs of patient <PATIENT_1> since <DATE_1>",
        "answer = '<PATIENT_1>'",
        "There is no column drg.",
    ]
    assert body["system"][0] == {"type": "text", "text": "Plan.", "cache_control": {"type": "ephemeral"}}
    assert "<DATE_1>: a day, YYYY-MM-DD" in body["system"][1]["text"]
    assert "90125" not in json.dumps(body)
    assert "2104" not in json.dumps(body)


def test_a_case_keeps_its_slots_and_nothing_else_with_a_digit(mask: Mask) -> None:
    text = "drugs of <patient 2> in <time: since year> and of 90210"
    body = build((), (Message("user", (Example(text),)),), mask)
    assert "<patient 2>" in body["messages"][0]["content"]
    assert "<time: since year>" in body["messages"][0]["content"]
    assert "90210" not in json.dumps(body)


def test_tools_are_called_in_parallel_and_answered_in_order(mask: Mask) -> None:
    uses = (ToolUse("t1", "search", {"text": "a"}), ToolUse("t2", "search", {"text": "b"}))
    body = build((), (ToolRound("", uses, (Fixed("one"), Fixed("two"))),), mask)
    called, answered = body["messages"]
    assert [block["id"] for block in called["content"]] == ["t1", "t2"]
    assert [block["content"] for block in answered["content"]] == ["one", "two"]


def test_with_privacy_off_the_words_go_out_as_they_are() -> None:
    body = build((), (Message("user", (Said("patient 5"), Trouble(" of 2104"))),), None)
    assert body["messages"][0]["content"] == "patient 5 of 2104"


@given(said=st.text(), example=st.text(), secret=st.integers(10**9, 10**10))
def test_no_part_lets_a_number_through(mask: Mask, said: str, example: str, secret: int) -> None:
    parts = (Said(f"{said} {secret}"), Example(f"{example} {secret}"))
    exchanges: tuple[Exchange, ...] = (Message("user", parts), ToolRound("", (ToolUse("i", "n", {}),), parts[:1]))
    assert str(secret) not in json.dumps(build((), exchanges, mask))


def test_consent_is_for_one_database_and_one_server(tmp_path: Path) -> None:
    path = tmp_path / "state" / "consent.json"
    assert not Consents(path).given("a.sqlite", "api.example")
    Consents(path).give("a.sqlite", "api.example")
    assert Consents(path).given("a.sqlite", "api.example")
    assert not Consents(path).given("b.sqlite", "api.example")
    assert not Consents(path).given("a.sqlite", "other.example")
    assert not Consents(path).given("a.sqlite", "api.example", masked=False)
    assert "sqlite" not in path.read_text()
    for broken in ("[", "{}", "[1]", "\udcff"):
        path.write_bytes(broken.encode("utf-8", "surrogatepass"))
        assert not Consents(path).given("a.sqlite", "api.example")


def test_the_log_adds_up_what_left() -> None:
    log = EgressLog()
    log.add("localhost", "the plan of a question", b"12345")
    log.add("localhost", "a repair", b"123")
    assert log.bytes == 8
    assert [(sent.host, sent.why, sent.size) for sent in log.sent] == [
        ("localhost", "the plan of a question", 5),
        ("localhost", "a repair", 3),
    ]


@pytest.mark.parametrize(
    ("address", "local"),
    [("http://127.0.0.1:80", True), ("http://localhost", True), ("http://[::1]:8080/v1", True),
     ("https://api.example", False), ("http://127.0.0.1.example", False), ("http://localhost@evil.example", False),
     ("", False)],
)  # fmt: skip
def test_only_this_machine_is_loopback(address: str, local: bool) -> None:
    assert is_loopback(address) is local
