"""The egress log: every byte that was sent to a language model, when, where to and why."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Sent:
    """One request: the moment it left (local time, ISO 8601), the `host` it went to, `why`, and its `body`, byte for
    byte."""

    at: str
    host: str
    why: str
    body: bytes

    @property
    def size(self) -> int:
        """Bytes of the body."""
        return len(self.body)


class EgressLog:
    """What a process has sent so far; in memory, from any thread."""

    def __init__(self) -> None:
        self._sent: list[Sent] = []
        self._lock = threading.Lock()

    def add(self, host: str, why: str, body: bytes) -> Sent:
        """Log a request that is about to leave."""
        sent = Sent(datetime.now().astimezone().isoformat(timespec="seconds"), host, why, body)
        with self._lock:
            self._sent.append(sent)
        return sent

    @property
    def sent(self) -> tuple[Sent, ...]:
        """All requests, in order."""
        with self._lock:
            return tuple(self._sent)

    @property
    def bytes(self) -> int:
        """All bytes that left."""
        return sum(sent.size for sent in self.sent)


def is_loopback(address: str) -> bool:
    """True for the address (a URL) of a server on this machine."""
    return (urlsplit(address).hostname or "") in _LOOPBACK
