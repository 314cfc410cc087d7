"""The conversation: one line for each turn, with a block cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ehrtui.tui.formatting import count, cut, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.view import asked

if TYPE_CHECKING:
    from ehrtui.session.events import Labelled
    from ehrtui.session.turn import Turn

MARKS = {"stale": "≠", "answered": "✓", "empty": "∅", "abstained": "◌", "failed": "✗", "running": "●", "draft": "○"}
LEAST_QUESTION = 8
"""Cells of a question that are worth more than an even column of outcomes."""
MAX_VALUE = 12
"""Cells of a single value that are shown; the rest is in the answer."""
_STYLES = {
    "stale": "turn--abstained",
    "answered": "turn--answered",
    "empty": "turn--abstained",
    "abstained": "turn--abstained",
    "failed": "turn--failed",
}


@dataclass(frozen=True)
class Entry:
    """One line: the turn's number, its question, how it stands (`state`, a key of MARKS), what came of it; `above` are
    the turns that it was opened through, the first one first; `pinned` are at the top, and of what is `folded` that is
    not shown which was opened from it."""

    number: int
    question: str
    state: str
    outcome: str
    above: tuple[int, ...] = ()
    pinned: bool = False
    folded: bool = False


def entry(
    turn: Turn,
    approved: bool = False,
    only_null: bool = False,
    value: str = "",
    above: tuple[int, ...] = (),
    right: bool | None = None,
    label: Labelled | None = None,
) -> Entry:
    """The line of a finished turn: its single `value`, as far as that is known, its rows, or a word; marked where it is
    approved, where there is nothing but NULL in its rows, and where the user said that it is `right` or not; before its
    question stand its name and signs of its `label`."""
    stopped = turn.error is not None and turn.error.type == "Cancelled"
    empty = "no rows" if not turn.row_count else "only NULL" if only_null else ""
    words = {
        "stale": "stale",
        "answered": cut(value, MAX_VALUE) or count(turn.row_count, "row"),
        "empty": empty,
        "abstained": "abstained",
        "failed": "stopped" if stopped else "failed",
    }
    state = "stale" if turn.stale else "empty" if turn.decision == "answered" and empty else turn.decision
    signs = "★ " * approved + {True: "⊕ ", False: "⊖ ", None: ""}[right]
    pinned, folded = (label.pinned, label.folded) if label is not None else (False, False)
    if label is not None:
        signs = "◆ " * label.pinned + "¶ " * bool(label.note) + signs + (f"{label.name} · " if label.name else "")
    return Entry(turn.number, signs + asked(turn), state, words[state], above, pinned, folded)


class TurnList(ScrollView, can_focus=True):
    """The turns so far and the one that is running, each below the one that it was opened from; the turn under the
    cursor is shown in all panels."""

    BINDINGS = bindings("conversation")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "turn--cursor",
        "turn--shown",
        "turn--answered",
        "turn--abstained",
        "turn--failed",
    }
    DEFAULT_CSS = """
    TurnList {
        background: transparent;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        .turn--answered { color: $success; }
        .turn--abstained { color: $warning; }
        .turn--failed { color: $error; }
        .turn--shown { text-style: bold; }
        .turn--cursor { text-style: reverse; }
    }
    """

    @dataclass
    class Selected(Message):
        """The user wants to see turn `number`."""

        number: int

    @dataclass
    class Referred(Message):
        """The user wants to name turn `number` in the prompt."""

        number: int

    @dataclass
    class Decompose(Message):
        """The user wants the SQL of turn `number` as several turns."""

        number: int

    @dataclass
    class Approve(Message):
        """The user wants turn `number` in memory, or no longer."""

        number: int

    @dataclass
    class AskAnew(Message):
        """The user wants to change the question of turn `number`, and ask it as another turn."""

        number: int

    @dataclass
    class Compare(Message):
        """The user wants turn `number` beside another one."""

        number: int

    @dataclass
    class Lineage(Message):
        """The user wants to see what turn `number` builds on, and what builds on it."""

        number: int

    @dataclass
    class Label(Message):
        """The user wants to do `what` with turn `number`: "name", "note", "pin" it, or put it "away"."""

        number: int
        what: str

    @dataclass
    class Fold(Message):
        """What was opened from turn `number` is to be folded away, or shown again."""

        number: int

    class NameSession(Message):
        """The user wants to give the session a name."""

    class UndoLabel(Message):
        """The user takes the last of these back."""

    class Find(Message):
        """The user looks for a turn."""

    @dataclass
    class Judged(Message):
        """The user says that turn `number` is right, or wrong."""

        number: int
        right: bool

    class Opened(Message):
        """The user wants to go to the answer of the turn that is shown."""

    class Renew(Message):
        """The user wants all stale turns to run again."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, classes="panel")
        self.border_title = "Conversation"
        self._all: list[Entry] = []
        self._entries: list[Entry] = []
        self._at = 0
        self._shown: int | None = None

    def show(self, entries: list[Entry]) -> None:
        """Show these lines, but for those that are folded away; the cursor goes to the newest when there is one
        more."""
        before, self._all = self._entries, entries
        folded = {line.number for line in entries if line.folded}
        self._entries = entries = [line for line in entries if not folded.intersection(line.above)]
        if len(entries) != len(before):
            newest = max((line.number for line in entries), default=0)
            self._at = next((at for at, line in enumerate(entries) if line.number == newest), 0)
            self.virtual_size = Size(0, len(entries))
            self.refresh_bindings()
            self._keep_in_sight()
            self.refresh(layout=True)
            return
        for at, (old, new) in enumerate(zip(before, entries, strict=True)):
            if old != new:
                self.refresh_line(at)
            if old.state != new.state:
                self.refresh_bindings()

    def mark(self, number: int | None) -> None:
        """Mark the turn that the other panels show, and put the cursor on it."""
        self._shown = number
        for at, line in enumerate(self._entries):
            if line.number == number:
                self._at = at
        self._keep_in_sight()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without turns there is nothing to select."""
        if action == "fold":
            return bool(self._entries) and self._folds(self._entries[self._at]) is not None
        if action == "renew":
            return any(line.state == "stale" for line in self._entries)
        if action in ("approve", "judge"):
            return bool(self._entries) and self._entries[self._at].state in ("answered", "abstained", "stale")
        if action in ("ask_anew", "lineage", "label"):
            return bool(self._entries) and self._entries[self._at].state not in ("draft", "running")
        if action == "compare":
            return sum(line.state not in ("draft", "running") for line in self._all) > 1
        return bool(self._entries) if action in ("select", "refer", "decompose", "find") else True

    def action_cursor(self, lines: int) -> None:
        """Move the cursor, and show the turn that it comes to."""
        before = self._at
        self._at = min(max(self._at + lines, 0), max(len(self._entries) - 1, 0))
        self._keep_in_sight()
        if self._at != before:
            self.post_message(self.Selected(self._entries[self._at].number))

    def _keep_in_sight(self) -> None:
        self._at = min(self._at, max(len(self._entries) - 1, 0))
        height = max(self.scrollable_content_region.height, 1)
        self.scroll_to(y=min(max(self.scroll_offset.y, self._at - height + 1), self._at), animate=False, force=True)
        self.refresh()

    def action_select(self) -> None:
        """Show the turn under the cursor, and go to its answer."""
        self.post_message(self.Selected(self._entries[self._at].number))
        self.post_message(self.Opened())

    def _folds(self, line: Entry) -> int | None:
        """The turn whose drill-downs fold away from here: this one, or the one that it was opened from."""
        if any(line.number in other.above for other in self._all):
            return line.number
        return line.above[-1] if line.above else None

    def action_fold(self) -> None:
        """Fold the turns that were opened from this one away, or show them again."""
        if (number := self._folds(self._entries[self._at])) is not None:
            self.post_message(self.Fold(number))

    def action_ask_anew(self) -> None:
        """Put the question of the turn under the cursor into the prompt."""
        self.post_message(self.AskAnew(self._entries[self._at].number))

    def action_label(self, what: str) -> None:
        """Name or pin the turn under the cursor, write a note on it, or put it away."""
        self.post_message(self.Label(self._entries[self._at].number, what))

    def action_name_session(self) -> None:
        """Give the session a name."""
        self.post_message(self.NameSession())

    def action_undo_label(self) -> None:
        """Take the last of these back."""
        self.post_message(self.UndoLabel())

    def action_compare(self) -> None:
        """Put the turn under the cursor beside another one."""
        self.post_message(self.Compare(self._entries[self._at].number))

    def action_lineage(self) -> None:
        """Show what the turn under the cursor builds on, and what builds on it."""
        self.post_message(self.Lineage(self._entries[self._at].number))

    def action_find(self) -> None:
        """Find a turn."""
        self.post_message(self.Find())

    def action_refer(self) -> None:
        """Name the turn under the cursor in the prompt."""
        self.post_message(self.Referred(self._entries[self._at].number))

    def action_decompose(self) -> None:
        """Make several turns of the turn under the cursor."""
        self.post_message(self.Decompose(self._entries[self._at].number))

    def action_approve(self) -> None:
        """Keep the turn under the cursor in memory, or no longer."""
        self.post_message(self.Approve(self._entries[self._at].number))

    def action_judge(self, right: bool) -> None:
        """Say of the turn under the cursor that it is right, or wrong."""
        self.post_message(self.Judged(self._entries[self._at].number, right))

    def action_renew(self) -> None:
        """Run all stale turns again."""
        self.post_message(self.Renew())

    def on_click(self, event: events.Click) -> None:
        """A click selects, a second one goes to the answer."""
        at = event.y - self.gutter.top + self.scroll_offset.y
        if 0 <= at < len(self._entries):
            self._at = at
            if event.chain == 2:
                self.action_select()
            else:
                self.post_message(self.Selected(self._entries[at].number))

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._keep_in_sight()

    def render_line(self, y: int) -> Strip:
        """One turn a line: its name, the question as far as it fits, how it went."""
        width = self.scrollable_content_region.width
        at = y + self.scroll_offset.y
        if at >= len(self._entries):
            return Strip.blank(self.size.width, self.rich_style)
        line = self._entries[at]
        base = Style.null()
        if line.number == self._shown:
            base += self.get_component_rich_style("turn--shown", partial=True)
        if at == self._at and self.has_focus:
            base += self.get_component_rich_style("turn--cursor", partial=True)
        state = _STYLES.get(line.state)
        inside = f"{'  ' * (len(line.above) - 1)}└ " if line.above else ""
        name = f"{'▸' if line.number == self._shown else ' '}{inside}A{line.number:<3}"
        if line.folded:
            name += f"+{sum(line.number in other.above for other in self._all)} "
        outcome = _outcome(line, width - cell_len(name))
        room = max(width - cell_len(name) - cell_len(outcome), 0)
        question = printable(line.question[: room * 2].replace("\n", " "))
        style = base + self.get_component_rich_style(state, partial=True) if state else base
        segments = [
            Segment(name, base),
            Segment(set_cell_size(cut(question, room), room), base),
            Segment(outcome, style),
        ]
        return Strip(segments).crop(0, width).adjust_cell_length(self.size.width).apply_style(self.rich_style)


def _outcome(line: Entry, room: int) -> str:
    """`  ✓   12 rows`, in columns where the question beside it keeps some room, else as much as there is room for: a
    count is whole or not there."""
    mark = MARKS[line.state]
    said = (f"  {mark} {line.outcome:>10}", f" {mark} {line.outcome}", f" {mark}")
    least = (LEAST_QUESTION, 0, 0)
    return next((each for each, beside in zip(said, least, strict=True) if cell_len(each) + beside <= room), said[-1])
