"""The footer: what runs now, and the keys of the focused panel that work now; a click on one presses it."""

from __future__ import annotations

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.widget import Widget

from ehrtui.tui.keys import KEYS, key_name

MORE = "…"
"""Stands where the line is too short for all keys; F1 has them."""
ALWAYS = ("help", "app.quit")
"""What is found in the line however short it is, wherever it works."""
GAP = 2
"""Cells behind a key."""


class KeyLine(Widget):
    """One line, rebuilt whenever the working keys change."""

    DEFAULT_CSS = "KeyLine { width: 1fr; height: 1; background: $panel; padding: 0 1; }"

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._status = ""
        self._bindings_shown: list[Binding] | None = None
        self._drawn: list[str | tuple[str, str]] = []
        self._places: list[tuple[range, str]] = []
        """Where which key stands, for a click."""
        self._said = Content()

    def on_mount(self) -> None:
        """Follow the bindings of the screen."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._keys_changed())

    def _keys_changed(self) -> None:
        self._bindings_shown = None
        self.redraw()

    def say(self, status: str) -> None:
        """Put a few words in front of the keys ("● 3.2 s"); "" for none."""
        if status != self._status:
            self._status = status
            self.redraw()

    def on_resize(self) -> None:
        """Fit the keys to the width."""
        self.redraw()

    def redraw(self) -> None:
        """Write the status and as many keys as fit, those of the focused panel first; the way to the help and the one
        out always."""
        if not self.size.width:  # before the first layout
            return
        parts: list[str | tuple[str, str]] = [(f"{self._status}  ", "$accent bold")] if self._status else []
        self._bindings_shown = self.working() if self._bindings_shown is None else self._bindings_shown
        room = self.size.width - 2 - sum(len(part[0]) for part in parts)
        shown = _fitting(self._bindings_shown, room)
        at, self._places = self.size.width - 2 - room, []
        for binding in shown:
            name, label = (MORE, "") if binding is None else (key_name(binding.key), f" {binding.description}")
            parts += [(name, "dim" if binding is None else "$accent bold"), f"{label}  "]
            if binding is not None:
                self._places.append((range(at, at + len(name) + len(label)), binding.key))
            at += len(name) + len(label) + 2
        if parts != self._drawn:
            self._drawn = parts
            self._said = Content.assemble(*parts)
            self.refresh()

    def render(self) -> Content:
        """What fits."""
        return self._said

    def on_click(self, event: events.Click) -> None:
        """Press the key that was hit."""
        for place, key in self._places:
            if event.x - self.gutter.left in place:
                self.app.simulate_key(key)

    def working(self) -> list[Binding]:
        """The keys that work now: the focused panel's, then those that work everywhere."""
        order = {key.id: at for at, key in enumerate(KEYS)}
        shown: dict[str, tuple[int, int, Binding]] = {}
        for binding in self.screen.active_bindings.values():
            key = binding.binding
            if key.show and key.id in order and binding.enabled and key.action not in shown:
                everywhere = 1 if not isinstance(binding.node, Widget) or binding.node is self.screen else 0
                shown[key.action] = (everywhere, order[key.id], key)
        return [binding for _, _, binding in sorted(shown.values(), key=lambda each: each[:2])]

    def working_keys(self) -> list[tuple[str, str]]:
        """Names and labels of the keys that work now."""
        return [(key_name(binding.key), binding.description) for binding in self.working()]


def _fitting(bindings: list[Binding], room: int) -> list[Binding | None]:
    """Those for which there is room, in their order, and None where others are left out."""
    if sum(map(_width, bindings)) <= room + GAP:  # the last one needs no gap
        return list(bindings)
    always = [binding for binding in bindings if binding.action in ALWAYS]
    room -= sum(map(_width, always)) + len(MORE)
    shown: list[Binding | None] = []
    for binding in bindings:
        if binding in always:
            continue
        if _width(binding) > room:
            break
        room -= _width(binding)
        shown.append(binding)
    return [*shown, *always, None]


def _width(binding: Binding) -> int:
    return len(key_name(binding.key)) + 1 + len(binding.description) + GAP
