"""Text in lines that can be changed: the base of the prompt and of the editors."""

from __future__ import annotations

from textual.geometry import Offset
from textual.widgets import TextArea


class Lines(TextArea):
    """A text area whose undo may take away lines that the cursor stands on."""

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """See `TextArea`. While lines are taken back, a scrollbar that goes asks for this before the cursor has moved
        to a line that there is: it is asked again behind that."""
        if self.cursor_location[0] >= self.document.line_count:
            return Offset(0, 0)
        return super().scroll_cursor_visible(center, animate)
