"""The footer: what runs now, and the keys of the focused panel that work now."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from ehrtui.tui.keys import KEYS, key_name

MORE = "…"
"""Stands where the line is too short for all keys; F1 has them."""


class KeyLine(Widget):
    """One line, rebuilt whenever the working keys change."""

    DEFAULT_CSS = "KeyLine { width: 1fr; height: 1; background: $panel; padding: 0 1; }"

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._status = ""
        self._keys: list[tuple[str, str]] | None = None
        self._drawn: list[str | tuple[str, str]] = []
        self._said = Content()

    def on_mount(self) -> None:
        """Follow the bindings of the screen."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._keys_changed())

    def _keys_changed(self) -> None:
        self._keys = None
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
        """Write the status and as many keys as fit, those of the focused panel first."""
        parts: list[str | tuple[str, str]] = [(f"{self._status}  ", "$accent bold")] if self._status else []
        room = self.size.width - 4 - len(self._status) - len(MORE)
        self._keys = self.working_keys() if self._keys is None else self._keys
        for key, label in self._keys:
            if room < len(key) + len(label) + 3:
                parts.append((MORE, "dim"))
                break
            room -= len(key) + len(label) + 3
            parts += [(key, "$accent bold"), f" {label}  "]
        if parts != self._drawn:
            self._drawn = parts
            self._said = Content.assemble(*parts)
            self.refresh()

    def render(self) -> Content:
        """What fits."""
        return self._said

    def working_keys(self) -> list[tuple[str, str]]:
        """Names and labels of the keys that work now: the focused panel's, then those that work everywhere."""
        order = {key.action: at for at, key in enumerate(KEYS)}
        shown: dict[str, tuple[int, int, str, str]] = {}
        for binding in self.screen.active_bindings.values():
            key = binding.binding
            if key.show and key.action in order and binding.enabled and key.action not in shown:
                everywhere = 1 if not isinstance(binding.node, Widget) or binding.node is self.screen else 0
                shown[key.action] = (everywhere, order[key.action], key_name(key.key), key.description)
        return [(name, label) for _, _, name, label in sorted(shown.values())]
