"""How an answer of a language model arrives, whatever API its server speaks: in pieces."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from ehrtui.planning.claude.spending import Usage


@dataclass(frozen=True)
class Words:
    """More words of the answer."""

    text: str


@dataclass(frozen=True)
class Calling:
    """More of a tool's call: the calls are told apart by `at`; `id` and `name` are those that its first piece has, and
    `arguments` is a piece of JSON text."""

    at: int
    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Used:
    """Tokens to count."""

    usage: Usage


@dataclass(frozen=True)
class Stopped:
    """Why the answer ends: "end_turn", "tool_use", "max_tokens" or "refusal"."""

    why: str


Piece: TypeAlias = Words | Calling | Used | Stopped


class Transport(Protocol):
    """One way to a server. What it sends, it logs."""

    def request(self, body: dict[str, Any], tools: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """A request as JSON values, just as it would leave; `body` and `tools` are the Messages API's."""
        ...

    def stream(self, request: dict[str, Any], why: str, stopped: threading.Event) -> Generator[Piece]:
        """Send it, and read the answer; a busy server is not asked again once it is `stopped`. Raises whatever
        `failure_of` understands."""
        ...
