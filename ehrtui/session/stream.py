"""The stream of events: from the conversation to its readers and to the session file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ehrtui.session.events import Event, Notice
from ehrtui.session.log import SessionLog


class EventStream:
    """Hands every event to the session file, if there is one, and to the readers, in the thread that emits it."""

    def __init__(self, log: SessionLog | None) -> None:
        self._log = log
        self._readers: list[Callable[[Event], None]] = []
        self._told = ""

    def subscribe(self, reader: Callable[[Event], None]) -> None:
        """Call `reader` with every event from now on."""
        self._readers.append(reader)

    def emit(self, event: Event, saved: Event | None = None) -> None:
        """Save and report an event; the file gets `saved` in its place, where given."""
        self.save(saved or event)
        self.tell(event)

    def save(self, event: Event) -> None:
        """Save an event that is not for the readers, and tell them once where the disk does not take it."""
        if self._log is None:
            return
        self._log.write(event)
        problem = self._log.problem
        if problem and not self._told:
            self.tell(Notice(f"The session cannot be saved ({problem}). Nothing is lost: it is tried again."))
        elif self._told and not problem:
            self.tell(Notice("The session is saved again, in full."))
        self._told = problem

    def tell(self, event: Event) -> None:
        """Report an event that is never saved."""
        for reader in tuple(self._readers):
            reader(event)

    @contextmanager
    def held(self) -> Iterator[None]:
        """What happens meanwhile is saved with what happens after it, and not at all where nothing does."""
        if self._log is None:
            yield
            return
        self._log.held = True
        try:
            yield
        finally:
            self._log.held = False

    def close(self) -> None:
        """Close the session file."""
        if self._log is not None:
            self._log.close()
