"""An editor for one view of a plan: query logic, Python or SQL, with colours from Pygments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from ehrtui.conversation.completing import Offer
from ehrtui.tui.formatting import printable
from ehrtui.tui.highlighting import CLASSES, Language, Span, spans
from ehrtui.tui.keys import bindings
from ehrtui.tui.widgets.keys_in_order import do_own_binding
from ehrtui.tui.widgets.lines import Lines


class Editor(Lines):
    """A text area that tells the user's changes from those made for him, and colours what it shows."""

    class Chosen(Message):
        """Another offer is marked, one was taken, or they were dismissed."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("completion"), *bindings("editor")]
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"editor--{name}" for name in CLASSES} | {"editor--error"}
    DEFAULT_CSS = """
    Editor {
        border: none;
        padding: 0;
        background: transparent;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
        .editor--keyword { color: $primary; text-style: bold; }
        .editor--string { color: $success; }
        .editor--number { color: $warning; }
        .editor--comment { text-style: italic dim; }
        .editor--function { color: $secondary-lighten-2; }
        .editor--reference { color: $accent; text-style: bold underline; }
        .editor--error { text-style: underline; color: $error; }
    }
    """

    def __init__(self, language: Language, id: str | None = None) -> None:
        super().__init__(id=id, soft_wrap=True, show_line_numbers=language == "python", highlight_cursor_line=False)
        self._lexed: Language = language
        self._spans_text: str | None = None
        self._spans: list[list[Span]] = []
        self._error_line: int | None = None
        self._marks: dict[int, str] = {}
        self.offers: tuple[Offer, ...] = ()
        self.at = 0
        self._offered_at = ""
        self.loaded = ""
        """The text that was put here last, to tell edits from."""

    def put(self, text: str, error_line: int | None = None) -> None:
        """Show `text`, not as an edit; `error_line` (from 1) is marked. The same text keeps cursor and undo."""
        self._error_line = error_line
        self.loaded = text
        if text != self.text:
            self.load_text(text)
        else:
            self._line_cache.clear()
            self.refresh()

    def follow(self, text: str) -> None:
        """Take `text` over as an edit that can be undone: the user changed another view."""
        self.loaded = text
        if text != self.text:
            self.replace(text, self.document.start, self.document.end)

    @property
    def before(self) -> str:
        """The text of the line up to the cursor."""
        row, column = self.cursor_location
        return self.document.get_line(row)[:column]

    def offer(self, offers: tuple[Offer, ...]) -> None:
        """Offer these at the cursor; none: no longer any."""
        self.offers, self.at, self._offered_at = offers, 0, self.before
        self.refresh_bindings()
        self.post_message(self.Chosen())

    def forget_offers(self) -> None:
        """Offer nothing any more where the cursor is no longer there."""
        if self.offers and self.before != self._offered_at:
            self.offer(())

    async def on_key(self, event: events.Key) -> None:
        """In the order in which they were typed."""
        await do_own_binding(self, event)

    def on_blur(self) -> None:
        """Offers are for who types."""
        if self.offers:
            self.offer(())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offers are taken and dismissed while there are some."""
        return bool(self.offers) if action in ("complete", "dismiss") else True

    def action_complete(self) -> None:
        """Write the marked offer in place of what was typed of it."""
        offer = self.offers[self.at]
        row, column = self.cursor_location
        self.offer(())
        self.replace(offer.text, (row, column - offer.replaced), (row, column), maintain_selection_offset=False)

    def action_dismiss(self) -> None:
        """Offer nothing."""
        self.offer(())

    def action_cursor_down(self, select: bool = False) -> None:
        """The next offer, or line."""
        if not self._mark_offer(1):
            super().action_cursor_down(select)

    def action_cursor_up(self, select: bool = False) -> None:
        """The offer, or line, before."""
        if not self._mark_offer(-1):
            super().action_cursor_up(select)

    def action_to_start(self) -> None:
        """The cursor to the first letter."""
        self.move_cursor(self.document.start)

    def action_to_end(self) -> None:
        """The cursor behind the last letter."""
        self.move_cursor(self.document.end)

    def _mark_offer(self, by: int) -> bool:
        if self.offers:
            self.at = (self.at + by) % len(self.offers)
            self.post_message(self.Chosen())
        return bool(self.offers)

    def mark_lines(self, marks: Mapping[int, str]) -> None:
        """Put a sign behind the numbers of these lines (from 1)."""
        if marks != self._marks:
            self._marks = dict(marks)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line with its number and its mark."""
        strip, at = super().render_line(y), self.gutter_width - 2
        number = strip.text[: max(at, 0)].strip()
        mark = self._marks.get(int(number)) if number.isdecimal() else None
        if mark is None:
            return strip
        return Strip.join([strip.crop(0, at), Strip([Segment(mark, self.rich_style)]), strip.crop(at + 1)])

    @property
    def edited(self) -> bool:
        """True when the text is not the one put here."""
        return self.text != self.loaded

    def get_line(self, line_index: int) -> Text:
        """The line with its colours; control characters are shown as pictures."""
        if self._spans_text != self.text:
            self._spans_text = self.text
            self._spans = spans(self._lexed, self._spans_text.replace("\r\n", "\n"))
        line = Text(printable(self.document.get_line(line_index)), end="", no_wrap=True)
        for start, end, name in self._spans[line_index] if line_index < len(self._spans) else ():
            line.stylize(self.get_component_rich_style(f"editor--{name}", partial=True), start, end)
        if self._error_line == line_index + 1:
            line.stylize(self.get_component_rich_style("editor--error", partial=True))
        return line
