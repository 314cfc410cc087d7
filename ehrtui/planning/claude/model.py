"""The language model behind the planner: one request after the other, streamed, counted, logged, and cancelled at once.

Any server that speaks the Messages API will do. The SDK is imported with the first request: it takes a second or two.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ehrtui.errors import EgressError, QueryCancelled
from ehrtui.planning.claude.failures import failure_of, not_installed
from ehrtui.planning.claude.spending import Spending, Usage
from ehrtui.privacy.egress import EgressLog, is_loopback
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.request import ToolUse

DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_ADDRESS = "https://api.anthropic.com"
_LONGEST_ANSWER = 200_000
"""Characters of one answer; a longer one is cut off, with the connection."""
_PATIENCE = 0.05


@dataclass(frozen=True)
class Server:
    """Where the model is: its `address` (base URL), the `model`'s name, and the `key` ("" where none is needed).
    `seconds` is the longest silence, `retries` how often a busy server is asked again."""

    address: str = DEFAULT_ADDRESS
    model: str = DEFAULT_MODEL
    key: str = field(default="", repr=False)
    seconds: float = 120.0
    retries: int = 2

    @property
    def host(self) -> str:
        """The host's name, with its port where one is given."""
        return urlsplit(self.address).netloc.rpartition("@")[2]


def server_of(address: str | None, model: str | None) -> Server:
    """The server that options name, or else the environment (ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY)."""
    return Server(
        address=address or os.environ.get("ANTHROPIC_BASE_URL") or DEFAULT_ADDRESS,
        model=model or DEFAULT_MODEL,
        key=os.environ.get("ANTHROPIC_API_KEY", ""),
    )


@dataclass(frozen=True)
class Reply:
    """What the model answered: its words, the tools that it calls, and why it stopped ("end_turn", "tool_use",
    "max_tokens", "refusal")."""

    text: str
    uses: tuple[ToolUse, ...]
    stop: str


@dataclass
class _Arriving:
    """An answer so far; `tools` are (id, name, JSON text) by block."""

    text: list[str] = field(default_factory=list)
    tools: dict[int, list[str]] = field(default_factory=dict)
    stop: str = ""
    size: int = 0


class Model:
    """Sends requests to `server` at the `pace` that is kept; every one is in `log`, and what it cost in `spending`.
    Where no server `is_asked`, nothing leaves this machine."""

    is_asked = True

    def __init__(self, server: Server, log: EgressLog, spending: Spending, pace: Pace) -> None:
        self.server = server
        self.log = log
        self.spending = spending
        self.pace = pace
        self._client: Any = None
        self._connecting = threading.Lock()
        self._asked: set[threading.Event] = set()
        self._reader = threading.local()

    def ask(
        self,
        body: dict[str, Any],
        *,
        why: str,
        tools: Sequence[dict[str, Any]] = (),
        said: Callable[[str], None] = lambda _: None,
    ) -> Reply:
        """Send one request, from any thread; `said` gets the words as they arrive. Raises EgressError where there is no
        answer, and QueryCancelled where `cancel` was called meanwhile: what was used until then is counted."""
        self.spending.check()
        client = self._connected()
        events: queue.Queue[Any] = queue.Queue()
        stopped = threading.Event()
        self._asked.add(stopped)
        more = {"tools": list(tools)} if tools else {}
        wanted = {"model": self.server.model, "max_tokens": 4096, "stream": True, **body, **more}

        def read() -> None:
            self._reader.why = why
            _read(client, wanted, events, stopped)

        try:
            self.pace.leave(stopped)
            if not stopped.is_set():
                threading.Thread(target=read, daemon=True).start()
            return self._received(events, stopped, said)
        finally:
            stopped.set()
            self._asked.discard(stopped)

    def cancel(self) -> None:
        """Stop waiting for the answers that are on their way, from any thread; the connections are closed."""
        for stopped in tuple(self._asked):
            stopped.set()

    def _received(self, events: queue.Queue[Any], stopped: threading.Event, said: Callable[[str], None]) -> Reply:
        arriving = _Arriving()
        while True:
            if stopped.is_set():
                raise QueryCancelled("The language model was stopped.", next_step="Ask again, or in other words.")
            try:
                event = events.get(timeout=_PATIENCE)
            except queue.Empty:
                continue
            if isinstance(event, Exception):
                raise failure_of(event, self.server.host, self.server.model) from event
            if event is None:
                return _reply(arriving)
            self._count(event)
            if new := _taken(arriving, event):
                said(new)
            if arriving.size > _LONGEST_ANSWER:
                raise EgressError(
                    "The language model's answer does not end.", next_step="Ask again, or in other words."
                )

    def _count(self, event: Any) -> None:
        usage = getattr(getattr(event, "message", None), "usage", None) or getattr(event, "usage", None)
        if usage is None:
            return
        if event.type == "message_start":
            self.spending.add(
                Usage(
                    input=(usage.input_tokens or 0),
                    cached=getattr(usage, "cache_read_input_tokens", 0) or 0,
                    written=getattr(usage, "cache_creation_input_tokens", 0) or 0,
                )
            )
        elif event.type == "message_delta":
            self.spending.add(Usage(output=usage.output_tokens or 0))

    def _connected(self) -> Any:
        with self._connecting:
            if self._client is None:
                try:
                    import anthropic
                except ImportError as error:
                    raise not_installed() from error
                address, key = self.server.address, self.server.key
                # A proxy of the environment may not read what is for this machine.
                proxies = ("all://", "http://", "https://") if is_loopback(address) else ()
                http = anthropic.DefaultHttpxClient(
                    base_url=address,
                    event_hooks={"request": [self._log]},
                    follow_redirects=False,  # consent is for this host alone
                    mounts=dict.fromkeys(proxies),
                )
                self._client = anthropic.Anthropic(
                    api_key=key or "none",
                    base_url=address,
                    timeout=self.server.seconds,
                    max_retries=self.server.retries,
                    http_client=http,
                )
            return self._client

    def _log(self, request: Any) -> None:
        """Called by the SDK, in the thread that reads, for every request that is to leave, those that are sent again
        too. It is logged when there is a connection, and its body leaves."""
        why, body = self._reader.why, bytes(request.content)

        def trace(event: str, info: dict[str, Any]) -> None:
            if event.endswith(".send_request_body.started") and info["request"].method == b"POST":
                self.log.add(self.server.host, why, body)

        request.extensions["trace"] = trace


def _read(client: Any, wanted: dict[str, Any], events: queue.Queue[Any], stopped: threading.Event) -> None:
    """In a thread of its own, which ends with the stream: a blocked read must not keep anyone waiting."""
    try:
        with client.messages.create(**wanted) as stream:
            for event in stream:
                if stopped.is_set():
                    return
                events.put(event)
        events.put(None)
    except Exception as error:  # whatever the SDK raises is for the thread that waits
        events.put(error)


def _taken(arriving: _Arriving, event: Any) -> str:
    """The words of one event of the stream, "" where it brings none; the rest is kept in `arriving`."""
    match event.type:
        case "content_block_start" if event.content_block.type == "tool_use":
            arriving.tools[event.index] = [event.content_block.id, event.content_block.name, ""]
        case "content_block_delta" if event.delta.type == "text_delta":
            arriving.text.append(event.delta.text)
            arriving.size += len(event.delta.text)
            return str(event.delta.text)
        case "content_block_delta" if event.delta.type == "input_json_delta" and event.index in arriving.tools:
            arriving.tools[event.index][2] += event.delta.partial_json
            arriving.size += len(event.delta.partial_json)
        case "message_delta":
            arriving.stop = event.delta.stop_reason or ""
    return ""


def _reply(arriving: _Arriving) -> Reply:
    import json

    if not arriving.stop:  # the SDK raises nothing where a stream is cut
        raise EgressError(
            "The answer of the language model was cut off.",
            why="The connection ended in the middle of it.",
            next_step="Ask again.",
        )
    uses = []
    for id, name, text in arriving.tools.values():
        try:
            arguments = json.loads(text or "{}")
        except (ValueError, RecursionError):
            arguments = None
        uses.append(ToolUse(id, name, arguments if isinstance(arguments, dict) else {}))
    return Reply("".join(arriving.text), tuple(uses), arriving.stop)
