"""One value as large as there is room, of what it is, and the figures that help to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Digits, Static

from ehrtui.terminal import BESIDE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ehrtui.values import One

MARKED = "reverse"
_DIGITS = frozenset("0123456789+-.,:%")


class OneValue(Vertical):
    """The first value of a row, large, and below it the others; one of them all may be marked."""

    DEFAULT_CSS = """
    OneValue {
        height: auto;
        #value { height: auto; padding: 1 2; text-style: bold; color: $accent; }
        #digits { height: auto; padding: 1 2; color: $accent; }
        #beside { height: auto; padding: 0 2; color: $text-muted; }
    }
    """

    def compose(self) -> ComposeResult:
        """The places of a number or a text, and of what stands below it."""
        for place in (Digits(id="digits"), Static(id="value"), Static(id="beside")):
            place.display = False
            yield place

    def show(self, one: One, shown: Sequence[int], marked: int, width: int) -> None:
        """Show a single value, in `width` cells, and below it of what it is, in which unit; then what else helps to
        read it: its time, how many records it rests on. The figure of column `marked`, of those `shown`, is marked."""
        self.display = True
        text = f"{one.text}{one.unit}" if one.unit == "%" else one.text
        large = bool(text) and _DIGITS.issuperset(text) and len(text) * 3 < width
        digits, value, beside = (
            self.query_one(Digits),
            self.query_one("#value", Static),
            self.query_one("#beside", Static),
        )
        digits.display, value.display, beside.display = large, not large, True
        if large:
            digits.update(text)
        else:
            value.update(Content(text))
        what = ", ".join(dict.fromkeys(filter(None, ("" if one.unit == "%" else one.unit, one.noun))))
        told = [
            Content.styled(f"{BESIDE}{each}", MARKED if at == marked else "")
            for at, each in zip(shown[1:], one.beside, strict=True)
        ]
        below = [Content.styled(what, "bold"), *([Content("  ").join(told)] if told else [])]
        beside.update(Content("\n").join(below))

    def clear(self) -> None:
        """Show none."""
        self.display = False
        for place in self.children:
            place.display = False
