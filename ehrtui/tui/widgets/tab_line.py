"""One line of names of which one is chosen, marked by brackets as well as by style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static


class TabLine(Static):
    """Names to choose from by mouse; the keys belong to who uses it."""

    DEFAULT_CSS = "TabLine { height: 1; padding: 0 1; }"

    @dataclass
    class Chosen(Message):
        """The tab called `name` was clicked."""

        tabs: TabLine
        name: str

    def __init__(self, labels: Mapping[str, str], chosen: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self._labels = dict(labels)
        self._chosen = chosen
        self._notes: dict[str, str] = {}

    def on_mount(self) -> None:
        """Draw the first time."""
        self._draw()

    def choose(self, name: str, notes: Mapping[str, str] | None = None) -> None:
        """Mark `name`; `notes` are short signs behind the labels."""
        self._chosen, self._notes = name, dict(notes or {})
        self._draw()

    def _label(self, name: str) -> str:
        text = self._labels[name] + self._notes.get(name, "")
        return f"[{text}]" if name == self._chosen else f" {text} "

    def _draw(self) -> None:
        parts: list[str | tuple[str, str]] = []
        for name in self._labels:
            parts.append((self._label(name), "$primary bold" if name == self._chosen else "dim"))
            parts.append(("│", "dim"))
        self.update(Content.assemble(*parts[:-1]))

    def on_click(self, event: events.Click) -> None:
        """Tell which label was hit."""
        x = event.x - 1
        for name in self._labels:
            width = len(self._label(name)) + 1
            if 0 <= x < width:
                self.post_message(self.Chosen(self, name))
                return
            x -= width
