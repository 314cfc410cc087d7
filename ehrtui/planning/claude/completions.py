"""The way to servers that speak OpenAI's chat completions, as nearly all that run a model on one's own machine do.

Only what they all understand is asked of them: messages and, where they take them, tools; never a tool's choice, never
a form of the answer. No redirect is followed, no proxy is asked, and no package is needed.
"""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from ehrtui.errors import EgressError
from ehrtui.planning.claude.failures import Declined, silence
from ehrtui.planning.claude.server import Server
from ehrtui.planning.claude.spending import LETTERS, Usage
from ehrtui.planning.claude.transport import Calling, Piece, Stopped, Used, Words

_PATH = "/chat/completions"
_LONGEST_LINE = 1_000_000
_LONGEST = 20_000_000
"""Bytes of one answer, with what a model thinks aloud and whatever else is no word of it."""
_BUSY = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_WAIT = 0.5
"""Seconds before a busy server is asked again; twice as many each time."""
_STOPS = {"length": "max_tokens", "content_filter": "refusal", "tool_calls": "tool_use", "function_call": "tool_use"}


class Completions:
    """Asks `server`; `sent` is told why and what leaves."""

    def __init__(self, server: Server, sent: Callable[[str, bytes], None]) -> None:
        self._server = server
        self._sent = sent
        self._streams = True

    def request(self, body: dict[str, Any], tools: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """See `Transport.request`."""
        told = "\n\n".join(block["text"] for block in body.get("system", ()))
        messages = [{"role": "system", "content": told}] if told else []
        for message in body["messages"]:
            messages += _messages(message["role"], message["content"])
        wanted: dict[str, Any] = {"model": self._server.model, "max_tokens": 4096, "messages": messages}
        if tools:
            wanted["tools"] = [{"type": "function", "function": _function(tool)} for tool in tools]
        return wanted

    def stream(self, request: dict[str, Any], why: str, stopped: threading.Event) -> Generator[Piece]:
        """See `Transport.stream`. A server that does not stream gives its answer in one piece."""
        streamed = {**request, "stream": True, "stream_options": {"include_usage": True}}
        if self._streams:
            try:
                yield from self._answer(streamed, why, stopped)
                return
            except Declined as declined:
                if "stream" not in str(declined).lower():
                    raise
        yield from self._answer({**request, "stream": False}, why, stopped)
        self._streams = False

    def _answer(self, request: dict[str, Any], why: str, stopped: threading.Event) -> Generator[Piece]:
        """The answer to one request, which is sent again to a busy server."""
        body = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
        for attempt in range(self._server.retries + 1):
            with closing(self._connected()) as connection:
                response = self._posted(connection, body, why)
                if response.status == http.client.OK:
                    yield from _counted(_received(response), len(body))
                    return
                declined = Declined(response.status, response.read(10_000).decode("utf-8", "replace"))
            last = attempt == self._server.retries
            if last or declined.is_about_tools or response.status not in _BUSY or stopped.wait(_WAIT * 2**attempt):
                raise declined

    def _connected(self) -> http.client.HTTPConnection:
        """Raises EgressError where there is no such server."""
        parts = urlsplit(self._server.address)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        try:
            connection = kind(parts.hostname or "", parts.port, timeout=self._server.seconds)
            connection.connect()
        except TimeoutError:
            raise
        except (OSError, ValueError, http.client.InvalidURL) as error:
            raise silence(self._server.host) from error
        return connection

    def _posted(self, connection: http.client.HTTPConnection, body: bytes, why: str) -> http.client.HTTPResponse:
        path = urlsplit(self._server.address).path.rstrip("/").removesuffix(_PATH)
        heads = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        if self._server.key:
            heads["Authorization"] = f"Bearer {self._server.key}"
        self._sent(why, body)
        try:
            connection.request("POST", f"{path if path.endswith('/v1') else path + '/v1'}{_PATH}", body, heads)
            return connection.getresponse()
        except ConnectionError as error:
            raise silence(self._server.host) from error


def _messages(role: str, content: Any) -> Iterator[dict[str, Any]]:
    """One message of the Messages API as such of chat completions: the result of each tool is one of its own."""
    if isinstance(content, str):
        yield {"role": role, "content": content}
        return
    uses = [block for block in content if block["type"] == "tool_use"]
    if uses:
        calls = [
            {
                "id": use["id"],
                "type": "function",
                "function": {"name": use["name"], "arguments": json.dumps(use["input"], ensure_ascii=False)},
            }
            for use in uses
        ]
        said = "".join(block["text"] for block in content if block["type"] == "text")
        yield {"role": role, "content": said, "tool_calls": calls}
    for block in content:
        if block["type"] == "tool_result":
            yield {"role": "tool", "tool_call_id": block["tool_use_id"], "content": block["content"]}


def _function(tool: dict[str, Any]) -> dict[str, Any]:
    return {"name": tool["name"], "description": tool["description"], "parameters": tool["input_schema"]}


def _received(response: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    """The chunks of an answer; one that comes whole is one chunk. Raises ValueError where it is none."""
    if "event-stream" not in (response.getheader("content-type") or ""):
        yield _object(response.read(_LONGEST))
        return
    read = 0
    while line := _line(response):
        read += len(line)
        if read > _LONGEST:
            raise EgressError("The language model's answer does not end.", next_step="Ask again, or in other words.")
        data = line.removeprefix(b"data:").strip()
        if not line.startswith(b"data:") or not data:
            continue
        if data == b"[DONE]":
            yield {"done": True}
            return
        yield _object(data)


def _line(response: http.client.HTTPResponse) -> bytes:
    """The next line, b"" where there is none, or where the connection has ended."""
    try:
        return response.readline(_LONGEST_LINE)
    except (ConnectionError, http.client.IncompleteRead):
        return b""


def _object(text: bytes) -> dict[str, Any]:
    """Raises ValueError, and Declined where it is an error that the server tells in the midst of an answer."""
    try:
        chunk = json.loads(text)
    except RecursionError as error:
        raise ValueError("too deep") from error
    if not isinstance(chunk, dict):
        raise ValueError("no object")
    if wrong := chunk.get("error"):
        code = wrong.get("code") if isinstance(wrong, dict) else None
        raise Declined(code if isinstance(code, int) else 500, str(wrong)[:10_000])
    return chunk


def _counted(chunks: Iterator[dict[str, Any]], size: int) -> Iterator[Piece]:
    """The pieces that the chunks bring. Tokens are told at the end, if at all: until then those that are read are
    guessed by the `size` of the request in bytes, and without a word of the server those that are written too."""
    guess = Usage(input=size // LETTERS)
    yield Used(guess)
    told: Usage | None = None
    written, stop, calls = 0, "", _Calls()
    for chunk in chunks:
        told = _usage(chunk.get("usage")) or told
        if chunk.get("done"):
            stop = stop or "end_turn"
        for choice in _listed(chunk.get("choices"))[:1]:
            said = choice.get("delta") or choice.get("message") or {}
            pieces: list[Words | Calling] = [*_words(said.get("content")), *calls.of(said.get("tool_calls"))]
            written += sum(len(piece.text if isinstance(piece, Words) else piece.arguments) for piece in pieces)
            yield from pieces
            if reason := choice.get("finish_reason"):
                stop = _STOPS.get(reason, "end_turn")
    yield Used(told - guess if told else Usage(output=-(-written // LETTERS)))
    if stop:
        yield Stopped(stop)


def _words(content: Any) -> tuple[Words, ...]:
    if isinstance(content, str) and content:
        return (Words(content),)
    return tuple(Words(str(part.get("text") or "")) for part in _listed(content))


class _Calls:
    """Tells the calls of an answer apart: some servers give all of them one index, but each its id."""

    def __init__(self) -> None:
        self._ids: list[tuple[Any, str]] = []

    def of(self, calls: Any) -> Iterator[Calling]:
        """The pieces of calls in a chunk."""
        for call in _listed(calls):
            index, id, function = call.get("index"), str(call.get("id") or ""), call.get("function")
            known = [at for at, (other, its) in enumerate(self._ids) if other == index and id in ("", its)]
            if not known or (index is None and not id):
                self._ids.append((index, id or f"call_{len(self._ids)}"))
                known = [len(self._ids) - 1]
            told = function if isinstance(function, dict) else {}
            arguments = told.get("arguments") or ""
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            yield Calling(known[-1], self._ids[known[-1]][1], str(told.get("name") or ""), text)


def _usage(told: Any) -> Usage | None:
    if not isinstance(told, dict):
        return None
    details = told.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else 0
    return Usage(max(0, _count(told.get("prompt_tokens")) - cached), cached, 0, _count(told.get("completion_tokens")))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _listed(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
