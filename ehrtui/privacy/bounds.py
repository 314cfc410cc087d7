"""How many requests may leave: each may carry a little, so there is an end to them."""

from __future__ import annotations

import threading

from ehrtui.errors import EgressError


class Bounds:
    """Counts the requests of one conversation: at most `question` for each question and `session` in all. From any
    thread."""

    def __init__(self, question: int, session: int) -> None:
        self._most_question = question
        self._most_session = session
        self._question = 0
        self._session = 0
        self._lock = threading.Lock()

    def begin(self) -> None:
        """A new question begins."""
        with self._lock:
            self._question = 0

    def left(self) -> int:
        """How many more requests may leave for this question."""
        return min(self._most_question - self._question, self._most_session - self._session)

    def count(self, requests: int = 1) -> None:
        """So many requests are about to leave. Raises EgressError where they are too many."""
        with self._lock:
            if self._session + requests > self._most_session:
                raise EgressError(
                    f"The language model was asked {self._session:,} times in this session, which is enough.",
                    next_step="Start a new session, or raise session_requests in [claude] of the configuration file.",
                )
            if self._question + requests > self._most_question:
                raise EgressError(
                    f"The language model was asked {self._question:,} times about this question, which is enough.",
                    next_step="Put it in other words, or raise requests in [claude] of the configuration file.",
                )
            self._question += requests
            self._session += requests
