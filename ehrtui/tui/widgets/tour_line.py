"""The step of the tour, between the panels and the prompt: it takes its lines from the panels, and covers none."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class TourLine(Static):
    """Shown while the user is on the tour."""

    DEFAULT_CSS = """
    TourLine {
        display: none; height: auto; padding: 0 1; background: $boost;
        &.-shown { display: block; }
    }
    """

    def say(self, step: Content | None) -> None:
        """Show a step; None: no longer any."""
        self.set_class(step is not None, "-shown")
        self.update(step if step is not None else "")
        self.screen.refresh_bindings()
