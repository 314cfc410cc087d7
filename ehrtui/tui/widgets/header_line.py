"""The first line: which database, read how, at which time, by which planner, and what left the machine."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.formatting import cut, printable


class HeaderLine(Static):
    """`mimic.db · MIMIC-III · now 2105-12-31 · offline · egress 0 B · τ 0.70`."""

    DEFAULT_CSS = (
        "HeaderLine { height: 1; background: $panel; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }"
    )

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._said: tuple[str, ...] = ()

    def on_resize(self) -> None:
        """Fit the facts to the width."""
        if self._said:
            self._draw(*self._said)

    def say(self, label: str, *facts: str) -> None:
        """The label in bold, then the facts; where they do not all fit, the first are left out, and the label is cut:
        what is shown of the facts is whole."""
        if self._said != (label, *facts):
            self._said = (label, *facts)
            self._draw(*self._said)

    def _draw(self, label: str, *facts: str) -> None:
        shown = [f" · {printable(fact)}" for fact in facts]
        while len(shown) > 1 and cell_len(label + "".join(shown)) > self.content_size.width:
            shown = shown[1:]
        room = max(self.content_size.width - cell_len("".join(shown)), 1)
        self.update(Content.assemble((cut(printable(label), room), "bold"), *shown), layout=False)
