"""What runs, while it does: a reader of the stream of events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.session.events import Event, RowsArriving, StepStarted

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console

    from ehrtui.conversation.conversation import Conversation


class Progress:
    """One line that says which step of a plan runs; gone when the turn has ended."""

    def __init__(self, conversation: Conversation, out: Console) -> None:
        self._status = out.status("…", spinner="line")
        self._over = False
        conversation.subscribe(self._hear)

    def __enter__(self) -> Progress:
        """From now on."""
        self._status.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """No longer."""
        self._over = True
        self._status.stop()

    def _hear(self, event: Event) -> None:
        if self._over:
            return
        if isinstance(event, StepStarted):
            self._status.update(f"step {event.index} · Ctrl-C stops it")
        elif isinstance(event, RowsArriving):
            self._status.update(f"more than {event.count:,} rows, counting · Ctrl-C stops it")
