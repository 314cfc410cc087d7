"""The language model behind the planner: one request after the other, streamed, counted, logged, and cancelled at once,
whatever API its server speaks."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, assert_never

from ehrtui.errors import EgressError, QueryCancelled
from ehrtui.planning.claude.failures import failure_of
from ehrtui.planning.claude.messages import Messages
from ehrtui.planning.claude.server import Server
from ehrtui.planning.claude.spending import Spending
from ehrtui.planning.claude.transport import Calling, Piece, Stopped, Transport, Used, Words
from ehrtui.privacy.egress import EgressLog
from ehrtui.privacy.pace import Pace
from ehrtui.privacy.request import ToolUse

_LONGEST_ANSWER = 200_000
"""Characters of one answer; a longer one is cut off, with the connection."""
_PATIENCE = 0.05


@dataclass(frozen=True)
class Reply:
    """What the model answered: its words, the tools that it calls, and why it stopped ("end_turn", "tool_use",
    "max_tokens", "refusal")."""

    text: str
    uses: tuple[ToolUse, ...]
    stop: str


@dataclass
class _Arriving:
    """An answer so far; `tools` are (id, name, JSON text) by their places."""

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
        self._transport = self._way()
        self._asked: set[threading.Event] = set()

    def request(self, body: dict[str, Any], tools: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """What would be sent, as JSON values."""
        return self._transport.request(body, tools)

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
        request = self.request(body, tools)
        pieces: queue.Queue[Piece | Exception | None] = queue.Queue()
        stopped = threading.Event()
        self._asked.add(stopped)
        try:
            self.pace.leave(stopped)
            if not stopped.is_set():
                read = threading.Thread(target=_read, args=(self._transport, request, why, pieces, stopped))
                read.daemon = True
                read.start()
            return self._received(pieces, stopped, said)
        finally:
            stopped.set()
            self._asked.discard(stopped)

    def cancel(self) -> None:
        """Stop waiting for the answers that are on their way, from any thread; the connections are closed."""
        for stopped in tuple(self._asked):
            stopped.set()

    def _way(self) -> Transport:
        def sent(why: str, body: bytes) -> None:
            self.log.add(self.server.host, why, body)

        if self.server.api == "messages":
            return Messages(self.server, sent)
        from ehrtui.planning.claude.completions import Completions  # with all of HTTP, which the SDK has by itself

        return Completions(self.server, sent)

    def _received(
        self,
        pieces: queue.Queue[Piece | Exception | None],
        stopped: threading.Event,
        said: Callable[[str], None],
    ) -> Reply:
        arriving = _Arriving()
        while True:
            if stopped.is_set():
                raise QueryCancelled("The language model was stopped.", next_step="Ask again, or in other words.")
            try:
                piece = pieces.get(timeout=_PATIENCE)
            except queue.Empty:
                continue
            if isinstance(piece, Exception):
                raise failure_of(piece, self.server) from piece
            if piece is None:
                return _reply(arriving)
            if isinstance(piece, Used):
                self.spending.add(piece.usage)
            else:
                _take(arriving, piece)
            if isinstance(piece, Words):
                said(piece.text)
            if arriving.size > _LONGEST_ANSWER:
                raise EgressError(
                    "The language model's answer does not end.", next_step="Ask again, or in other words."
                )


def _read(
    transport: Transport,
    request: dict[str, Any],
    why: str,
    pieces: queue.Queue[Piece | Exception | None],
    stopped: threading.Event,
) -> None:
    """In a thread of its own, which ends with the stream: a blocked read must not keep anyone waiting."""
    try:
        with closing(transport.stream(request, why, stopped)) as stream:
            for piece in stream:
                if stopped.is_set():
                    return
                pieces.put(piece)
        pieces.put(None)
    except Exception as error:  # whatever the way raises is for the thread that waits
        pieces.put(error)


def _take(arriving: _Arriving, piece: Words | Calling | Stopped) -> None:
    match piece:
        case Words(text):
            arriving.text.append(text)
            arriving.size += len(text)
        case Calling(at, id, name, arguments):
            if id:
                arriving.tools.setdefault(at, [id, name, ""])
            if at in arriving.tools:
                arriving.tools[at][2] += arguments
            arriving.size += len(arguments)
        case Stopped(why):
            arriving.stop = why
        case _:
            assert_never(piece)


def _reply(arriving: _Arriving) -> Reply:
    if not arriving.stop:  # nothing is raised where a stream is cut
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
