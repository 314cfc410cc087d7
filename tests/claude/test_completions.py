"""Chat completions, over a real server, as the servers that people run speak them: what arrives, what is sent, counted
and logged, and what goes wrong."""

from __future__ import annotations

import re
import socket
import struct
import threading
from typing import Any

import pytest

from ehrtui.errors import EgressError, QueryCancelled, TooLongError, UnreadableRequestError
from ehrtui.planning.claude.model import Model
from ehrtui.planning.claude.prompts import SEARCH
from ehrtui.planning.claude.server import Server, server_of
from ehrtui.planning.claude.spending import Spending, Usage
from ehrtui.privacy.egress import EgressLog
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.request import Fixed, Message, ToolRound, ToolUse, build
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
    Way,
    in_turn,
    serving,
)

PATH = "/v1/chat/completions"
CHAT = {PATH: Way()}
BODY: dict[str, Any] = build((Fixed("Be brief."),), (Message("user", (Fixed("hello"),)),), None)
CALLS = (("search", {"text": "a"}), ("search", {"text": "ä"}))


def model_at(address: str, *, retries: int = 0, seconds: float = 20.0, budget: float | None = None) -> Model:
    name = "claude-sonnet-test"
    server = Server(address, name, "a-key", seconds=seconds, retries=retries, api="chat")
    return Model(server, EgressLog(), Spending(name, budget), Pace(0))


def test_words_arrive_in_pieces_and_are_counted_and_logged() -> None:
    pieces: list[str] = []
    with serving(in_turn(Text("one two three four")), CHAT) as server:
        model = model_at(server.address)
        reply = model.ask(BODY, why="a test", said=pieces.append)
        assert (reply.text, reply.stop, reply.uses) == ("one two three four", "end_turn", ())
        assert len(pieces) > 1
        assert "".join(pieces) == reply.text
        assert [sent.body for sent in model.log.sent] == server.bodies
        assert [sent.why for sent in model.log.sent] == ["a test"]
        assert "Authorization: Bearer a-key" in server.traffic
    assert model.spending.usage == Usage(input=400, cached=600, output=50)


def test_the_request_is_the_same_conversation() -> None:
    use = ToolUse("call_7", "search", {"text": "ä"})
    body = build(
        (Fixed("Be brief."),),
        (
            Message("user", (Fixed("hello"),)),
            ToolRound("Let me look.", (use,), (Fixed("nothing"),)),
            Message("assistant", (Fixed("well"),)),
        ),
        None,
    )
    with serving(in_turn(Text("ready")), CHAT) as server:
        model = model_at(server.address)
        model.ask(body, why="a test", tools=(SEARCH,))
        (sent,) = server.requests
    assert sent == {**model.request(body, (SEARCH,)), "stream": True, "stream_options": {"include_usage": True}}
    assert [message["role"] for message in sent["messages"]] == ["system", "user", "assistant", "tool", "assistant"]
    (call,) = sent["messages"][2]["tool_calls"]
    assert call["function"] == {"name": "search", "arguments": '{"text": "ä"}'}
    assert sent["messages"][3] == {"role": "tool", "tool_call_id": "call_7", "content": "nothing"}
    assert sent["tools"][0]["function"]["parameters"] == SEARCH["input_schema"]
    assert "tool_choice" not in sent
    assert "response_format" not in sent


@pytest.mark.parametrize(
    "way",
    [Way(), Way(streams=False), Way(index=False), Way(usage=False), Way(streams=False, usage=False)],
)
def test_tools_are_called_in_parallel_however_a_server_tells_it(way: Way) -> None:
    with serving(in_turn(Tools(CALLS, "Let me look."), Text("ready")), {PATH: way}) as server:
        model = model_at(server.address)
        reply = model.ask(BODY, why="a test", tools=(SEARCH,))
        assert model.ask(BODY, why="a test").text == "ready"
        assert len(server.bodies) == (2 if way.streams else 3)  # it is asked to stream once
    assert (reply.text, reply.stop) == ("Let me look.", "tool_use")
    assert [(use.name, use.arguments) for use in reply.uses] == list(CALLS)
    assert len({use.id for use in reply.uses}) == 2
    assert model.spending.usage.tokens > 0
    assert model.spending.usage.output > 0


@pytest.mark.parametrize("path", ["", "/v1", "/v1/", "/v1/chat/completions"])
def test_the_address_may_be_given_as_people_give_it(path: str) -> None:
    with serving(in_turn(Text("ready")), CHAT) as server:
        assert model_at(server.address + path).ask(BODY, why="a test").text == "ready"


def test_a_server_without_tools_says_that_it_cannot_read_them() -> None:
    with serving(in_turn(Text("ready")), {PATH: Way(tools=False)}) as server:
        model = model_at(server.address, retries=2)
        with pytest.raises(UnreadableRequestError):
            model.ask(BODY, why="a test", tools=(SEARCH,))
        assert len(server.bodies) == 1
        assert model.ask(BODY, why="a test").text == "ready"


@pytest.mark.parametrize(
    ("answer", "stop"), [(Text("x", "max_tokens"), "max_tokens"), (Text("x", "refusal"), "refusal")]
)
def test_why_it_stopped_is_told_alike(answer: Answer, stop: str) -> None:
    with serving(in_turn(answer), CHAT) as server:
        assert model_at(server.address).ask(BODY, why="a test").stop == stop


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Status(400, "invalid_request_error"), "cannot read the request"),
        (Status(422, "unprocessable"), "cannot read the request"),
        (Status(401, "authentication_error"), "Set OPENAI_API_KEY"),
        (Status(404, "not_found_error"), "Or it has no chat completions"),
        (Status(429, "rate_limit_error"), "asks to wait"),
        (Status(503), "overloaded or broken (503)"),
        (Redirect("http://127.0.0.1:9/v1/chat/completions"), "(307)"),
        (Cut("half an ans"), "cut off"),
        (Malformed(), "It is not one of chat completions"),
        (Malformed(b"[1]"), "cannot be understood"),
        (Malformed(b'{"choices": 7}'), "cut off"),
        (Malformed(b'{"choices": [{"message": {"content": 7, "tool_calls": [3, {}]}}]}'), "cut off"),
        (Malformed(b'{"error": {"code": 429, "message": "It went wrong."}}'), "asks to wait"),
        (Malformed(b'{"error": "It went wrong."}'), "overloaded or broken"),
        (Malformed(b"[" * 100_000), "cannot be understood"),
        (Endless(), "does not end"),
    ],
)
def test_what_goes_wrong_is_said_in_words(answer: Answer, said: str) -> None:
    with serving(in_turn(answer), CHAT) as server:
        model = model_at(server.address)
        with pytest.raises(EgressError, match=re.escape(said)) as error:
            model.ask(BODY, why="a test")
        assert [sent.body for sent in model.log.sent] == server.bodies
        assert len(server.bodies) == 1
    assert "It went wrong" not in str(error.value)


def test_a_conversation_that_is_too_long_is_told_apart() -> None:
    message = "the request exceeds the available context size, try increasing it"
    answer = Status(400, "exceed_context_size_error", message)
    with serving(in_turn(answer), CHAT) as server, pytest.raises(TooLongError):
        model_at(server.address).ask(BODY, why="a test")


def test_a_server_that_falls_silent_is_given_up() -> None:
    with (
        serving(in_turn(Stalled("half an ans")), CHAT) as server,
        pytest.raises(EgressError, match="does not answer in time"),
    ):
        model_at(server.address, seconds=0.2).ask(BODY, why="a test")


@pytest.mark.parametrize("address", ["", "http://", "http://127.0.0.1:99999", "http://127.0.0.1:x", "file:///etc"])
def test_a_server_that_cannot_be_is_said(address: str) -> None:
    model = model_at(address)
    with pytest.raises(EgressError, match="cannot be reached"):
        model.ask(BODY, why="a test")
    assert model.log.bytes == 0


@pytest.mark.parametrize(
    "answered",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Ty",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n20\r\ndata: {",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{",
    ],
)
@pytest.mark.parametrize("reset", [False, True])
def test_a_server_that_hangs_up_is_said_and_what_left_is_counted(answered: bytes, reset: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        model = model_at(f"http://127.0.0.1:{listening.getsockname()[1]}")

        def hang_up() -> None:
            connection, _ = listening.accept()
            connection.recv(10 if reset else 100_000)
            connection.sendall(answered)
            if reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        with pytest.raises(EgressError) as error:
            model.ask(BODY, why="a test")
        thread.join()
    assert error.value.why
    assert error.value.next_step
    assert len(model.log.sent) == 1


def test_a_server_that_is_not_there_is_said_and_nothing_counts_as_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        model = model_at(f"http://127.0.0.1:{listening.getsockname()[1]}")
    with pytest.raises(EgressError, match="cannot be reached"):
        model.ask(BODY, why="a test")
    assert model.log.sent == ()


def test_a_busy_server_is_asked_again_and_each_request_is_logged() -> None:
    with serving(in_turn(Status(503), Text("done")), CHAT) as server:
        model = model_at(server.address, retries=1)
        assert model.ask(BODY, why="a test").text == "done"
        assert [sent.body for sent in model.log.sent] == server.bodies
        assert len(server.bodies) == 2


def test_it_is_stopped_in_the_middle_of_an_answer_and_what_was_read_is_counted() -> None:
    with serving(in_turn(Stalled("half an answer")), CHAT) as server:
        model = model_at(server.address)
        heard = threading.Event()

        def stop() -> None:
            heard.wait(20)
            model.cancel()

        stopper = threading.Thread(target=stop)
        stopper.start()
        with pytest.raises(QueryCancelled):
            model.ask(BODY, why="a test", said=lambda _: heard.set())
        stopper.join()
        assert model.spending.usage == Usage(input=len(server.bodies[0]) // 4)


def test_nothing_is_sent_once_the_budget_is_spent() -> None:
    with serving(in_turn(Text("done")), CHAT) as server:
        model = model_at(server.address, budget=0.001)
        model.ask(BODY, why="a test")
        with pytest.raises(EgressError, match="budget of"):
            model.ask(BODY, why="a test")
        assert len(server.bodies) == 1


def test_no_proxy_and_no_other_host_reads_what_is_for_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        serving(in_turn(Text("other")), CHAT) as other,
        serving(in_turn(Redirect(other.address + PATH)), CHAT) as server,
    ):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, other.address)
        with pytest.raises(EgressError):
            model_at(server.address).ask(BODY, why="a test")
        assert (len(server.bodies), other.bodies) == (1, [])


def test_options_win_over_an_environment_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "another's")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://another.example")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert server_of(None, "m", "chat").address == ""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://env.example:81/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert server_of(None, "m", "chat").host == "env.example:81"
    assert server_of("http://127.0.0.1:5", "m", "chat").key == "secret"
    assert server_of("http://127.0.0.1:5", "m", "chat").seconds > server_of(None, "m", "chat").seconds
