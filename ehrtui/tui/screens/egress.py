"""What left this machine for a language model: every request, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.formatting import printable
from ehrtui.tui.screens.boxed import Boxed, boxed

if TYPE_CHECKING:
    from ehrtui.privacy.egress import Sent

MOST_SHOWN = 20_000
"""Bytes of one request; the log holds all."""


class Egress(Boxed[None]):
    """All requests that were `sent`, and what was `spent` on them in all, in words. Leave with Esc, Enter or q."""

    def __init__(self, sent: Sequence[Sent], spent: str) -> None:
        super().__init__()
        self._sent = sent
        self._spent = spent

    def compose(self) -> ComposeResult:
        """All requests, the latest first."""
        keys = f"{self._spent} · ↑ ↓ scroll · Esc closes" if self._spent else "↑ ↓ scroll · Esc closes"
        yield boxed(Static(egress_content(self._sent)), "What left this machine", keys)


def egress_content(sent: Sequence[Sent]) -> Content:
    """When, where to, why, how many bytes, and the bytes."""
    if not sent:
        return Content("Nothing has left this machine.")
    parts: list[Content] = []
    for one in reversed(sent):
        parts.append(Content.styled(f"{one.at}  {one.host}  {one.why}  {one.size:,} bytes", "$primary bold"))
        text = one.body[:MOST_SHOWN].decode("utf-8", "replace")
        more = f" … and {one.size - MOST_SHOWN:,} bytes more" if one.size > MOST_SHOWN else ""
        parts.append(Content(printable(text) + more + "\n"))
    return Content("\n").join(parts)
