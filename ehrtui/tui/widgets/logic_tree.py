"""The logic as a tree of criteria with what each leaves, whose lines can be changed by key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import set_cell_size
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Input, Static

from ehrtui.errors import LogicError
from ehrtui.tui.formatting import cut, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.widgets.keys_in_order import do_own_binding

if TYPE_CHECKING:
    from ehrtui.logic.algebra.model import Condition, Statement
    from ehrtui.logic.algebra.tallies import Tally

_COUNTED = re.compile(r"(.*\S)\s{2,}([\d,]+.*)")
"""A line of the tree with its number, and what stands behind that."""
_LONGEST = 1_000


class Criterion(Input):
    """Where a criterion is written."""

    BINDINGS = bindings("criterion")
    DEFAULT_CSS = """
    Criterion, Criterion:focus { border: none; padding: 0; height: 1; background: transparent; }
    """

    class Left(Message):
        """The user does not want to add one after all."""

    async def on_key(self, event: events.Key) -> None:
        """In the order in which they were typed."""
        await do_own_binding(self, event)

    def action_leave(self) -> None:
        """Nothing is added."""
        self.post_message(self.Left())


class Lines(VerticalScroll, can_focus=True):
    """The lines of the tree, one of which is marked."""

    BINDINGS = bindings("tree")
    DEFAULT_CSS = "Lines { height: auto; max-height: 100%; scrollbar-size-vertical: 1; }"

    class Moved(Message):
        """Another line is to be marked: so many further down."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    @dataclass
    class Wanted(Message):
        """The marked line is to be changed."""

        change: str

    def compose(self) -> ComposeResult:
        """All lines in one text."""
        yield Static()

    def action_cursor(self, by: int) -> None:
        """Mark another line."""
        self.post_message(self.Moved(by))

    def action_change(self, change: str) -> None:
        """Change the marked line."""
        self.post_message(self.Wanted(change))


class LogicTree(Vertical):
    """Shows a line of query logic; what the user makes of it is told as another line."""

    DEFAULT_CSS = """
    LogicTree {
        height: auto; max-height: 60%; padding: 0 1; background: $boost; display: none;
        Static { width: 1fr; }
        Criterion, #tree-note { display: none; height: 1; }
        #tree-note { color: $warning; }
        Criterion.-asked, #tree-note.-said { display: block; }
    }
    """

    @dataclass
    class Changed(Message):
        """What the logic is now."""

        logic: str

    @dataclass
    class Undone(Message):
        """The last change is to be taken back, or made again (`again`)."""

        again: bool

    @dataclass
    class Added(Message):
        """A criterion, in query logic or in words, is to stand at a line, where sets are of a `unit`."""

        line: int
        unit: str
        text: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._logic = ""
        self._counts: Mapping[str, Tally] = {}
        self._marked = 0
        self._locked = False

    def compose(self) -> ComposeResult:
        """The lines, a note, and the place for a criterion."""
        yield Lines()
        yield Static(id="tree-note")
        yield Criterion(placeholder='with lab "creatinine", age >= 65, or: on warfarin', max_length=_LONGEST)

    def show(self, logic: str, counts: Mapping[str, Tally], *, locked: bool = False) -> None:
        """Show the tree of a line of query logic, "": none. While it runs it is `locked`."""
        if logic != self._logic:
            self.say("")
        self._logic, self._counts, self._locked = logic, counts, locked
        self._draw()

    def on_resize(self) -> None:
        """The numbers are seen in any width."""
        self._draw()

    def on_descendant_focus(self) -> None:
        """The marked line is seen."""
        self._draw()

    def on_descendant_blur(self) -> None:
        """No line is marked where no key goes to one."""
        self._draw()

    def _draw(self) -> None:
        from ehrtui.tui.counted_tree import tree_text

        text = tree_text(self._logic, self._counts) if self._logic else ""
        self.display = bool(text)
        if not text:
            return
        lines = Lines.__name__
        place = self.query_one(lines, Lines)
        focused = self.has_focus_within
        mark = 2 if focused else 0
        room = max((self.parent.content_size.width if self.parent is not None else 0) - 4 - mark, 1)  # type: ignore[attr-defined]
        shown = [_fitted(printable(line), room) for line in text.split("\n")]
        self._marked = min(max(self._marked, 0), len(shown) - 1)
        content = Content("\n").join(
            Content.styled(f"▸ {line}" if at == self._marked else f"  {line}", "reverse" if at == self._marked else "")
            if focused
            else Content(line)
            for at, line in enumerate(shown)
        )
        place.query_one(Static).update(content)
        if focused:
            place.scroll_to_region(Region(0, self._marked, 1, 1), animate=False)

    def say(self, text: str) -> None:
        """Put a note under the lines; "" takes it away."""
        note = self.query_one("#tree-note", Static)
        note.set_class(bool(text), "-said")
        note.update(Content(printable(text)))

    # --- changes ---

    def on_lines_moved(self, message: Lines.Moved) -> None:
        """Mark another line."""
        message.stop()
        self._marked += message.by
        self.say("")
        self._draw()

    def on_lines_wanted(self, message: Lines.Wanted) -> None:
        """Change the marked line, or say why it cannot be changed so."""
        message.stop()
        change = message.change
        if change in ("undo", "redo"):
            self.post_message(self.Undone(change == "redo"))
        elif self._locked:
            self.say("It runs: Esc stops it.")
        elif change == "add":
            field = self.query_one(Criterion)
            field.add_class("-asked")
            field.focus()
        else:
            self._attempt(lambda statement: _changed(change, statement, self._marked))

    def add(self, line: int, criteria: tuple[Condition, ...]) -> None:
        """Take up criteria at a line."""
        from ehrtui.logic.algebra.criteria import added

        self._attempt(lambda statement: added(statement, line, criteria))

    def _attempt(self, change: Callable[[Statement], tuple[Statement, int]]) -> None:
        from ehrtui.logic.algebra.render import render_statement
        from ehrtui.logic.written import statement_of

        try:
            statement, line = change(statement_of(self._logic))
        except LogicError as error:
            self.say(" ".join(part for part in (error.what, error.next_step) if part))
            return
        self._marked = line
        self.show(render_statement(statement), self._counts)
        self.post_message(self.Changed(self._logic))

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """A criterion was written."""
        from ehrtui.logic.algebra.criteria import unit_at
        from ehrtui.logic.written import statement_of

        message.stop()
        text = message.value.strip()
        self._close()
        if text:
            unit = unit_at(statement_of(self._logic), self._marked)
            self.post_message(self.Added(self._marked, unit, text))

    def on_criterion_left(self, message: Criterion.Left) -> None:
        """None was written."""
        message.stop()
        self._close()

    def _close(self) -> None:
        field = self.query_one(Criterion)
        field.value = ""
        field.remove_class("-asked")
        self.query_one(Lines).focus()


def _changed(change: str, statement: Statement, line: int) -> tuple[Statement, int]:
    """The statement with a line of its tree changed, and where the line is then."""
    from ehrtui.logic.algebra import criteria

    match change:
        case "up" | "down":
            return criteria.moved(statement, line, -1 if change == "up" else 1)
        case "group":
            return criteria.grouped(statement, line)
    plain = {
        "negate": criteria.negated,
        "switch": criteria.switched,
        "turn": criteria.turned,
        "apart": criteria.apart,
        "remove": criteria.removed,
    }
    return plain[change](statement, line), line


def _fitted(line: str, width: int) -> str:
    """A line of the tree in so many cells: its number is whole, and what is counted as long as there is room."""
    found = _COUNTED.fullmatch(line)
    if found is None:
        return cut(line, width)
    label, number = found.groups()
    return set_cell_size(cut(label, width - len(number) - 2), width - len(number)) + number
