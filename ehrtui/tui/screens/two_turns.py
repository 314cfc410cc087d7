"""Two turns side by side: what was asked, what came of it, and how many rows they share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.formatting import cut, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.screens.boxed import Overlay
from ehrtui.tui.widgets.result_table import ResultTable
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from ehrtui.session.turn import Turn
    from ehrtui.tui.widgets.result_table import ReadRows
    from ehrtui.values import Told

LONGEST = 600
"""Characters of a question, and of its logic, that are shown."""


class TwoTurns(Overlay[None]):
    """Both turns with their outcomes, in a word, and their rows, as is `told` of them; `shared` says in a sentence what
    they share, in a thread."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("two")
    DEFAULT_CSS = """
    TwoTurns {
        #two {
            width: 96%; height: 94%; border: heavy $primary; padding: 0 1; background: $surface;
            Horizontal { height: 1fr; }
        }
        .side { width: 1fr; height: 1fr; padding: 0 1; }
        .told { height: auto; max-height: 10; }
        #shared { height: 1; color: $accent; padding: 0 1; }
    }
    """

    def __init__(
        self,
        turns: tuple[Turn, Turn],
        outcomes: tuple[str, str],
        read: tuple[ReadRows, ReadRows],
        told: tuple[Told, Told],
        shared: Callable[[], str],
    ) -> None:
        super().__init__()
        self._turns = turns
        self._outcomes = outcomes
        self._read = read
        self._told = told
        self._shared = shared

    def compose(self) -> ComposeResult:
        """A column for each turn, and what they share below."""
        with Vertical(id="two") as box:
            with Horizontal():
                for turn, outcome in zip(self._turns, self._outcomes, strict=True):
                    with Vertical(classes="side"):
                        yield Static(_head(turn, outcome), classes="told")
                        yield ResultTable()
            yield Static(id="shared")
        box.border_title = " and ".join(f"A{turn.number}" for turn in self._turns)
        box.border_subtitle = "Tab to the other · ↑ ↓ ← → move · Esc closes"

    def on_mount(self) -> None:
        """Show the rows, and find out what they share."""
        tables = list(self.query(ResultTable))
        for table, turn, read, told in zip(tables, self._turns, self._read, self._told, strict=True):
            if turn.decision == "answered" and turn.row_count:
                table.show(turn.shown_columns, turn.row_count, read, told=told, asked=len(turn.columns))
        tables[0].focus()
        in_thread(self, self._shared, self._say, lambda error: self._say(error.what), group="shared")

    def _say(self, text: str) -> None:
        self.query_one("#shared", Static).update(Content(text))

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)


def _head(turn: Turn, outcome: str) -> Content:
    question = cut(printable(turn.question[:LONGEST]).replace("␊", " "), LONGEST)
    logic = turn.proposal.logic or ""
    lines = [Content.assemble((f"A{turn.number} ", "bold"), question)]
    if logic and logic != turn.question:
        lines.append(Content.styled(f"⟶ {printable(logic[:LONGEST]).replace('␊', ' ')}", "dim"))
    sure = f" · confidence {turn.confidence:.2f}" if turn.is_scored else ""
    lines.append(Content(f"{outcome}{sure}"))
    return Content("\n").join(lines)
