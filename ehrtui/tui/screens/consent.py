"""Consent, before the first request of all leaves: what will be sent, where to, and this very request."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from ehrtui.privacy.consent import AS_IT_IS, MASKED
from ehrtui.tui.formatting import printable
from ehrtui.tui.screens.boxed import Boxed, boxed

if TYPE_CHECKING:
    from ehrtui.privacy.consent import Request

_LOOK = 0.1
"""Seconds between two looks whether somebody still waits."""


class Consent(Boxed[bool], inherit_bindings=False):
    """y consents; Esc, n and q do not."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("y", "dismiss(True)", "consent"),
        ("escape,n,q", "dismiss(False)", "do not"),
        ("ctrl+q", "app.quit", "quit"),
    ]
    DEFAULT_CSS = "Consent VerticalScroll { border: heavy $warning; }"

    def __init__(self, request: Request) -> None:
        super().__init__()
        self._request = request

    def compose(self) -> ComposeResult:
        """What is sent, and the request that waits."""
        title = f"Send questions about this database to {self._request.host}?"
        yield boxed(
            Static(_content(self._request)), title, "↑ ↓ scroll · y consents, once for this database · Esc does not"
        )


def asker(node: Any, waits: Callable[[], bool]) -> Callable[[Request], bool]:
    """Asks the user over the screen `node`, from the thread that is about to send; False as soon as nobody `waits` for
    the answer any more."""

    def ask(request: Request) -> bool:
        answers: queue.Queue[bool] = queue.Queue()
        node.call_later(lambda: node.app.push_screen(Consent(request), lambda given: answers.put(bool(given))))
        while waits() and node.is_running:
            try:
                return answers.get(timeout=_LOOK)
            except queue.Empty:
                continue
        return False

    return ask


def _content(request: Request) -> Content:
    said = MASKED if request.masked else AS_IT_IS
    waiting = Content.styled("The first request, which waits for you; your question comes first:", "$primary bold")
    asked = sorted(request.body.items(), key=lambda part: part[0] != "messages")
    lines = json.dumps(dict(asked), ensure_ascii=False, indent=1).replace("\\n", "\n").split("\n")
    return Content("\n").join(
        [Content(" ".join(said.split())), Content(), waiting, *(Content(printable(line)) for line in lines)]
    )
