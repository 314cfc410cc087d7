"""A server on loopback that speaks the Messages API, or chat completions as one of several servers do: streaming,
tools, and everything that goes wrong on the way. What it answers is scripted; what it was sent is kept, byte for byte.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Text:
    """An answer in words, streamed in small pieces; `stop` is why it ends."""

    text: str
    stop: str = "end_turn"


@dataclass(frozen=True)
class Tools:
    """Calls of tools in parallel, as (name, arguments), after some words."""

    calls: tuple[tuple[str, dict[str, Any]], ...]
    text: str = ""


@dataclass(frozen=True)
class Status:
    """An error of the API."""

    code: int
    kind: str = "api_error"
    message: str = "It went wrong."


@dataclass(frozen=True)
class Redirect:
    """A way to another address."""

    address: str


@dataclass(frozen=True)
class Cut:
    """A stream that ends in the middle of a text."""

    text: str


@dataclass(frozen=True)
class Malformed:
    """A body that is not what the API says."""

    body: bytes = b"<html>hello</html>"


@dataclass(frozen=True)
class Stalled:
    """A stream that stops without ending, until the server does."""

    text: str


@dataclass(frozen=True)
class Endless:
    """A stream of words that never ends."""


@dataclass(frozen=True)
class Way:
    """How a server speaks an API: whether it `streams` answers, takes `tools`, tells each call by an `index` of its
    own, and tells what was used."""

    streams: bool = True
    tools: bool = True
    index: bool = True
    usage: bool = True


Answer: TypeAlias = Text | Tools | Status | Redirect | Cut | Malformed | Stalled | Endless
Model: TypeAlias = Callable[[dict[str, Any]], Answer]
"""What a scripted model answers to the body of a request."""


@dataclass
class Server:
    """A running server: its `address`, and the head and body of every request so far."""

    address: str
    heads: list[bytes] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    streaming: threading.Event = field(default_factory=threading.Event)
    """Set when the first piece of an answer that does not end has left."""

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The bodies, as JSON."""
        return [json.loads(body) for body in self.bodies]

    @property
    def traffic(self) -> str:
        """Everything that was received."""
        return b"\n".join([*self.heads, *self.bodies]).decode("utf-8", "replace")


MESSAGES = {"/v1/messages": Way()}
"""The ways of a server, by their paths."""


@contextmanager
def serving(model: Model, ways: Mapping[str, Way] = MESSAGES) -> Iterator[Server]:
    """A server whose answers `model` gives, in these `ways`, on a free port of loopback."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            server.heads.append(f"{self.requestline}\n{self.headers}".encode())
            server.bodies.append(body)
            way, asked = ways.get(self.path.partition("?")[0]), json.loads(body)
            if way is None:
                _answer(self, server, Status(404, "not_found_error"))
            elif asked.get("tools") and not way.tools:
                _answer(self, server, Status(500, "server_error", "tools param requires --jinja flag"))
            elif asked.get("stream") and not way.streams:
                _answer(self, server, Status(400, "invalid_request_error", "streaming is not supported"))
            elif "chat" in self.path:
                _answer_chat(self, server, model(asked), way, asked)
            else:
                _answer(self, server, model(asked))

        def log_message(self, format: str, *args: Any) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server = Server(f"http://127.0.0.1:{http.server_port}")
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()


def in_turn(*answers: Answer) -> Model:
    """A model that gives these answers one after the other, the last one again and again."""
    left = list(answers)

    def model(_: dict[str, Any]) -> Answer:
        return left.pop(0) if len(left) > 1 else left[0]

    return model


def _answer(handler: BaseHTTPRequestHandler, server: Server, answer: Answer) -> None:
    if isinstance(answer, Status | Redirect | Malformed):
        _without_events(handler, answer)
        return
    events = _events(answer)
    _stream(handler, server, answer, ((f"event: {one['type']}\n", one, "delta" in one["type"]) for one in events))


def _answer_chat(
    handler: BaseHTTPRequestHandler, server: Server, answer: Answer, way: Way, asked: dict[str, Any]
) -> None:
    """The answer to `asked` as chat completions."""
    if isinstance(answer, Status | Redirect | Malformed):
        _without_events(handler, answer)
    elif asked["stream"]:
        _stream(handler, server, answer, (("", one, True) for one in _chunks(answer, way)), b"data: [DONE]\n\n")
    else:
        (*_, whole) = _chunks(answer, way)
        _whole(handler, 200, json.dumps(whole).encode())


def _without_events(handler: BaseHTTPRequestHandler, answer: Status | Redirect | Malformed) -> None:
    match answer:
        case Status(code, kind, message):
            error = {"type": "error", "error": {"type": kind, "message": message}}
            _whole(handler, code, json.dumps(error).encode())
        case Redirect(address):
            _whole(handler, 307, b"", location=address)
        case Malformed(body):
            _whole(handler, 200, body)


def _stream(
    handler: BaseHTTPRequestHandler,
    server: Server,
    answer: Answer,
    events: Iterator[tuple[str, dict[str, Any], bool]],
    end: bytes = b"",
) -> None:
    """Stream events as (their head, their data, whether they are a piece of the answer)."""
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("connection", "close")
    handler.end_headers()
    handler.close_connection = True
    try:
        for head, event, piece in events:
            handler.wfile.write(f"{head}data: {json.dumps(event)}\n\n".encode())
            handler.wfile.flush()
            if piece:
                server.streaming.set()
            if isinstance(answer, Endless) and server.closing.is_set():
                return
        if isinstance(answer, Stalled):
            server.closing.wait()
        elif not isinstance(answer, Cut):
            handler.wfile.write(end)
    except OSError:
        pass  # the client has gone


def _chunks(answer: Text | Tools | Cut | Stalled | Endless, way: Way) -> Iterator[dict[str, Any]]:
    """The chunks of an answer as chat completions; the last one is the whole answer, where it does not stream."""

    def chunk(delta: dict[str, Any], stop: str | None = None) -> dict[str, Any]:
        told = {"choices": [{"index": 0, "delta" if way.streams else "message": delta, "finish_reason": stop}]}
        return told if way.streams or not way.usage else {**told, "usage": usage}

    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 600}}
    if isinstance(answer, Endless):
        yield from (chunk({"content": "more and "}) for _ in iter(int, 1))
        return
    calls = [
        {
            "index": number if way.index else 0,
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for number, (name, arguments) in enumerate(answer.calls if isinstance(answer, Tools) else ())
    ]
    stops = {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"}
    stop = "tool_calls" if calls else stops[answer.stop] if isinstance(answer, Text) else "stop"
    if not way.streams:
        yield chunk({"role": "assistant", "content": answer.text, "tool_calls": calls}, stop)
        return
    yield chunk({"role": "assistant", "content": None, "reasoning_content": "Hm."})
    for at in range(0, len(answer.text), 7):
        yield chunk({"content": answer.text[at : at + 7]})
    if isinstance(answer, Cut | Stalled):
        return
    for call in calls:
        yield from (chunk({"tool_calls": [part]}) for part in (_halves(call) if way.index else (call,)))
    yield chunk({}, stop)
    if way.usage:
        yield {"choices": [], "usage": usage}


def _halves(call: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    text = call["function"]["arguments"]
    first = {**call, "function": {**call["function"], "arguments": text[: len(text) // 2]}}
    return first, {"index": call["index"], "function": {"arguments": text[len(text) // 2 :]}}


def _whole(handler: BaseHTTPRequestHandler, code: int, body: bytes, **headers: str) -> None:
    handler.send_response(code)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def _events(answer: Text | Tools | Cut | Stalled | Endless) -> Iterator[dict[str, Any]]:
    usage = {"input_tokens": 1000, "output_tokens": 1, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": []}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    for index, (block, deltas) in enumerate(_blocks(answer)):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        if isinstance(answer, Cut | Stalled):
            return
        yield {"type": "content_block_stop", "index": index}
    stop = "tool_use" if isinstance(answer, Tools) else answer.stop if isinstance(answer, Text) else "end_turn"
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": 50},
    }
    yield {"type": "message_stop"}


def _blocks(
    answer: Text | Tools | Cut | Stalled | Endless,
) -> Iterator[tuple[dict[str, Any], Iterator[dict[str, Any]]]]:
    if isinstance(answer, Endless):
        yield {"type": "text", "text": ""}, ({"type": "text_delta", "text": "more and "} for _ in iter(int, 1))
        return
    if answer.text:
        pieces = [answer.text[at : at + 7] for at in range(0, len(answer.text), 7)]
        yield {"type": "text", "text": ""}, ({"type": "text_delta", "text": piece} for piece in pieces)
    for number, (name, arguments) in enumerate(answer.calls if isinstance(answer, Tools) else ()):
        text = json.dumps(arguments)
        halves = (text[: len(text) // 2], text[len(text) // 2 :])
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        yield block, ({"type": "input_json_delta", "partial_json": half} for half in halves)
