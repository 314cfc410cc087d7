"""The first line: which database, read how, at which time, by which planner, and what left the machine."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.formatting import printable


class HeaderLine(Static):
    """`mimic.db · MIMIC-III · now 2105-12-31 · offline · egress 0 B · τ 0.70`."""

    DEFAULT_CSS = (
        "HeaderLine { height: 1; background: $panel; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }"
    )

    def say(self, label: str, *facts: str) -> None:
        """The label in bold, then the facts; where they do not all fit, the first is left out."""
        shown = [f" · {printable(fact)}" for fact in facts]
        if len(shown) > 1 and sum(map(len, [label, *shown])) > self.size.width - 2:
            shown = shown[1:]
        self.update(Content.assemble((printable(label), "bold"), *shown))
