"""The model behind the planner, over a real server: what arrives, what is counted and logged, and what goes wrong."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest

from ehrtui.errors import EgressError, QueryCancelled
from ehrtui.planning.claude.model import Model
from ehrtui.planning.claude.server import Server, server_of
from ehrtui.planning.claude.spending import Price, Spending, Usage, price_of
from ehrtui.privacy.egress import EgressLog
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.request import ToolUse
from tests.claude.server import (
    Answer,
    Cut,
    Endless,
    Malformed,
    Redirect,
    Stalled,
    Status,
    Text,
    Tools,
    in_turn,
    serving,
)

pytest.importorskip("anthropic")

BODY: dict[str, Any] = {"messages": [{"role": "user", "content": "hello"}]}


def model_at(address: str, *, retries: int = 0, seconds: float = 20.0, budget: float | None = None) -> Model:
    name = "claude-sonnet-test"
    server = Server(address, name, "a-key", seconds=seconds, retries=retries)
    return Model(server, EgressLog(), Spending(name, budget), Pace(0))


def test_words_arrive_in_pieces_and_are_counted_and_logged() -> None:
    pieces: list[str] = []
    with serving(in_turn(Text("one two three four"))) as server:
        model = model_at(server.address)
        reply = model.ask(BODY, why="a test", said=pieces.append)
        assert (reply.text, reply.stop, reply.uses) == ("one two three four", "end_turn", ())
        assert len(pieces) > 1
        assert "".join(pieces) == reply.text
        assert [sent.body for sent in model.log.sent] == server.bodies
        assert [sent.why for sent in model.log.sent] == ["a test"]
    assert model.spending.usage == Usage(input=1000, output=50)
    assert model.spending.cost() == pytest.approx(0.00375)


def test_no_redirect_is_followed() -> None:
    with serving(in_turn(Text("hello"))) as other, serving(in_turn(Redirect(f"{other.address}/v1/messages"))) as server:
        with pytest.raises(EgressError):
            model_at(server.address).ask(BODY, why="a test")
        assert len(server.bodies) == 1
        assert other.bodies == []


def test_no_proxy_reads_what_is_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(in_turn(Text("hello"))) as proxy, serving(in_turn(Text("hello"))) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.address)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert model_at(server.address).ask(BODY, why="a test").text == "hello"
        assert len(server.bodies) == 1
        assert proxy.bodies == []


def test_tools_are_called_in_parallel() -> None:
    calls = (("search", {"text": "a"}), ("search", {"text": "b"}))
    with serving(in_turn(Tools(calls, "Let me look."))) as server:
        reply = model_at(server.address).ask(BODY, why="a test")
    assert reply.stop == "tool_use"
    assert reply.uses == (ToolUse("toolu_0", "search", {"text": "a"}), ToolUse("toolu_1", "search", {"text": "b"}))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Status(400, "invalid_request_error"), "cannot read the request"),
        (Status(400, "invalid_request_error", "prompt is too long: 300000 tokens"), "too long for the language model"),
        (Status(401, "authentication_error"), "does not accept the key"),
        (Status(403, "permission_error"), "does not accept the key"),
        (Status(404, "not_found_error"), "has no model claude-sonnet-test"),
        (Status(429, "rate_limit_error"), "asks to wait"),
        (Status(500), "overloaded or broken (500)"),
        (Status(529, "overloaded_error"), "overloaded or broken (529)"),
        (Cut("half an ans"), "cut off"),
        (Malformed(), "cut off"),
        (Malformed(b'event: x\ndata: {"type": \n\n'), "cannot be understood"),
        (Endless(), "does not end"),
    ],
)
def test_what_goes_wrong_is_said_in_words(answer: Answer, said: str) -> None:
    with serving(in_turn(answer)) as server, pytest.raises(EgressError, match=re.escape(said)) as error:
        model_at(server.address).ask(BODY, why="a test")
    assert "It went wrong" not in str(error.value)


def test_a_server_that_falls_silent_is_given_up() -> None:
    with (
        serving(in_turn(Stalled("half an ans"))) as server,
        pytest.raises(EgressError, match="does not answer in time"),
    ):
        model_at(server.address, seconds=0.2).ask(BODY, why="a test")


def test_a_server_that_is_not_there_is_said() -> None:
    with serving(in_turn(Text("gone"))) as server:
        pass
    model = model_at(server.address, retries=2)
    with pytest.raises(EgressError, match="cannot be reached"):
        model.ask(BODY, why="a test")
    assert model.log.bytes == 0


def test_a_busy_server_is_asked_again_and_each_request_is_logged() -> None:
    with serving(in_turn(Status(529, "overloaded_error"), Text("done"))) as server:
        model = model_at(server.address, retries=1)
        assert model.ask(BODY, why="a test").text == "done"
        assert [sent.body for sent in model.log.sent] == server.bodies
        assert len(server.bodies) == 2


def test_it_is_stopped_in_the_middle_of_an_answer_and_what_was_used_is_counted() -> None:
    with serving(in_turn(Stalled("half an answer"))) as server:
        model = model_at(server.address)

        def stop() -> None:
            server.streaming.wait(20)
            model.cancel()

        stopper = threading.Thread(target=stop)
        stopper.start()
        with pytest.raises(QueryCancelled):
            model.ask(BODY, why="a test")
        stopper.join()
    assert model.spending.usage.input in (0, 1000)  # the stop may come before the first event was read
    assert model.log.bytes > 0


def test_nothing_is_sent_once_the_budget_is_spent() -> None:
    with serving(in_turn(Text("done"))) as server:
        model = model_at(server.address, budget=0.001)
        model.ask(BODY, why="a test")
        with pytest.raises(EgressError, match="budget of"):
            model.ask(BODY, why="a test")
        assert len(server.bodies) == 1


def test_prices_are_of_the_longest_name_that_fits() -> None:
    price = price_of("claude-haiku-4-5")
    assert price is not None
    assert price.of(Usage(input=1_000_000, cached=1_000_000, written=1_000_000, output=1_000_000)) == pytest.approx(
        price.input * 2.35 + price.output
    )
    assert price_of("some-local-model") is None
    assert Price(1, 2).of(Usage()) == 0


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://env.example:81")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    assert server_of(None, None).host == "env.example:81"
    assert server_of("http://127.0.0.1:5", "m") == Server("http://127.0.0.1:5", "m", "secret", seconds=600)
    assert "secret" not in repr(server_of(None, None))
