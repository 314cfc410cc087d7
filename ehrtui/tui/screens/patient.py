"""One patient, over everything: a page, or all that happened in the order of time. The next patient of the answer and
the one before are a key away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from ehrtui.conversation.timeline import during, stay_of, stays_of
from ehrtui.errors import EhrtuiError
from ehrtui.tui.drilling import PatientPlace
from ehrtui.tui.formatting import value_text
from ehrtui.tui.keys import bindings
from ehrtui.tui.patient_page import EVENTS, event_row, events, first_at, page, stay_named
from ehrtui.tui.screens.boxed import Box, Overlay
from ehrtui.tui.widgets.result_table import ResultTable
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from ehrtui.conversation.patients import Patient, Record, Stay
    from ehrtui.engines.engine import Scalar

AROUND_TITLE = 6
"""Cells of the border that no title takes."""
LEGEND = "H over, L under its range · ~ usual of adults"
"""What the signs beside values mean."""


@dataclass(frozen=True)
class Left:
    """Where the patients were left, and what is to be opened from there: the `records` of a role and an item of the
    last one, or all that was shown (`shown`, the roles of it); None where nothing is."""

    place: PatientPlace
    records: tuple[str, str] | None = None
    shown: tuple[str, ...] | None = None


class PatientView(Overlay[Left]):
    """`read` gives all of a patient, by id; `place` says which there are and where to begin: in what happened `since` a
    time, where one is given."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("patient")
    DEFAULT_CSS = """
    PatientView {
        Box { width: 100%; height: 1fr; margin: 0 0 1 0; padding: 0 1; }
        ResultTable { display: none; }
        Input { dock: bottom; height: 1; border: none; padding: 0; display: none; }
        Input:focus { border: none; }
    }
    """

    def __init__(
        self, place: PatientPlace, read: Callable[[Scalar, Callable[[], bool]], Patient], since: str = ""
    ) -> None:
        super().__init__()
        self._since = since
        self._left: PatientPlace | None = place
        self._ids, self._rows, self._stays = place.ids, place.rows, place.stays
        self._at = place.at
        self._stay = place.stay
        self._read = read
        self._patient: Patient | None = None
        self._events: list[tuple[str, Record]] = []

    def compose(self) -> ComposeResult:
        """The page or what happened, and lines to search in it and to go to a date."""
        with Box(id="page"):
            yield Static()
            yield ResultTable()
            yield Input(placeholder="Only names with …", id="search")
            yield Input(placeholder="Go to a date: 2104, 2104-05, 2104-05-03 …", id="date")

    def on_mount(self) -> None:
        """Read the first."""
        self.query_one("#page").border_subtitle = LEGEND
        self._open()

    @property
    def _in_events(self) -> bool:
        return self.query_one(ResultTable).display

    def on_resize(self) -> None:
        """In any width; the cursor stays."""
        row = self.query_one(ResultTable).row
        self._entitle()
        self._draw()
        self.query_one(ResultTable).go_to(row, 0)

    def _open(self) -> None:
        at, id = self._at, self._ids[self._at]
        self._entitle()
        if self._patient is not None and self._patient.id == id:
            self._opened(at, self._patient)
            return
        self._patient = None
        self.refresh_bindings()
        self.query_one(Static).update(Content.styled("Reading …", "dim"))
        in_thread(
            self,
            lambda: self._read(id, lambda: self._at != at or not self.is_running),
            lambda patient: self._opened(at, patient),
            self._failed,
            group="patient",
        )

    def _entitle(self) -> None:
        """Say who is shown, and in which stay."""
        title = f"Patient {value_text(self._ids[self._at])} · {self._at + 1:,} of {len(self._ids):,}"
        named, days = stay_named(self._stay) if self._stay is not None else ("", "")
        titles = (f"{title} · {named}, {days}", f"{title} · {named}") if named else (title,)
        room = self.size.width - AROUND_TITLE
        self.query_one("#page", Box).border_title = next((one for one in titles if cell_len(one) <= room), titles[-1])

    def _opened(self, at: int, patient: Patient) -> None:
        if at == self._at:
            self._patient = patient
            self.refresh_bindings()
            self._draw()
            self.query_one("#page", Box).scroll_home(animate=False)
            if self._left is not None:
                self._begin(self._left)
                self._left = None

    def _begin(self, place: PatientPlace) -> None:
        """Go to where the user was, or what is to be shown."""
        search = self.query_one("#search", Input)
        with search.prevent(Input.Changed):
            search.value, search.display = place.search, bool(place.search)
        if self._since or place.in_events:
            self._show_events(True)
        if self._since:
            self._go_to(self._since)
        else:
            self._draw()
            self.query_one(ResultTable).go_to(place.row, 0)

    def _failed(self, error: EhrtuiError) -> None:
        if self._patient is None:
            self.query_one(Static).update(Content(error.what))

    def _draw(self) -> None:
        if self._patient is None:
            return
        search, patient = self.query_one("#search", Input).value, during(self._patient, self._stay)
        if self._in_events:
            self._events = events(patient, search)
            room = self.query_one("#page").content_size.width - 1
            rows = [event_row(role, record, room) for role, record in self._events]
            self.query_one(ResultTable).show(
                EVENTS, len(rows), lambda offset, count: rows[offset : offset + count], known=rows
            )
        else:
            width = max(self.query_one("#page").content_size.width - 1, 20)
            self.query_one(Static).update(page(patient, width, search, self._stay))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Letters that are typed into a line are no keys, only events are opened, and only what there is becomes a
        turn."""
        if action == "open":
            return self.is_mounted and self.query_one(ResultTable).has_focus
        typing = self.is_mounted and isinstance(self.focused, Input)
        if action == "keep" and (self._patient is None or not self._patient.records):
            return False
        return action == "leave" or not typing

    def on_result_table_cell_picked(self) -> None:
        """Two clicks open the records, too."""
        self.action_open()

    def action_turn(self, by: int) -> None:
        """The next patient of the answer, or the one before; of an answer that lists stays, the next one of these."""
        at = min(max(self._at + by, 0), len(self._ids) - 1)
        if at != self._at:
            self._at, self._stay = at, self._stays[at] if self._stays else None
            self._open()

    def action_stay(self) -> None:
        """Only the patient's first stay, or the one after that which is shown; after the last, everything again."""
        if self._patient is not None:
            stays = (None, *stays_of(self._patient))
            now = next((at for at, stay in enumerate(stays) if _is_same(stay, self._stay)), 0)
            self._show_stay(stays[(now + 1) % len(stays)])

    def _show_stay(self, stay: Stay | None) -> None:
        self._stay = stay
        self._entitle()
        self._draw()
        self.query_one("#page", Box).scroll_home(animate=False)

    def action_events(self) -> None:
        """All that happened in the order of time; or the page again."""
        self._show_events(not self._in_events)

    def _show_events(self, shown: bool) -> None:
        table = self.query_one(ResultTable)
        table.display = shown
        self.query_one(Static).display = not shown
        self._draw()
        self._take_focus()

    def _take_focus(self) -> None:
        self.query_one(ResultTable if self._in_events else "#page").focus()

    def action_open(self) -> None:
        """Of a stay, what happened in it; of all else, the records of the name under the cursor."""
        at = self.query_one(ResultTable).row
        if at < len(self._events):
            role, record = self._events[at]
            stay = stay_of(role, record)
            if stay is not None and not _is_same(stay, self._stay):
                self._show_stay(stay)
            else:
                self.dismiss(Left(self._place, records=(role, record.item)))

    def action_keep(self) -> None:
        """Make what is shown a turn."""
        if self._patient is None:
            return
        if shown := events(during(self._patient, self._stay), self.query_one("#search", Input).value):
            self.dismiss(Left(self._place, shown=tuple(dict.fromkeys(role for role, _ in shown))))

    @property
    def _place(self) -> PatientPlace:
        """Where the user is."""
        search, row = self.query_one("#search", Input).value, self.query_one(ResultTable).row
        return PatientPlace(
            self._ids,
            self._at,
            self._rows,
            self._in_events,
            row if self._in_events else 0,
            search,
            self._stays,
            self._stay,
        )

    def action_search(self) -> None:
        """Show only what has these letters in its name."""
        self._ask("search")

    def action_date(self) -> None:
        """Go to what happened at a date."""
        if not self._in_events:
            self._show_events(True)
        self._ask("date")

    def _ask(self, line: str) -> None:
        found = self.query_one(f"#{line}", Input)
        found.display = True
        found.focus()

    def action_leave(self) -> None:
        """No longer search; else, close."""
        lines = [line for line in self.query(Input) if line.display]
        for line in lines:
            line.value, line.display = "", False
        if lines:
            self._take_focus()
        else:
            self.dismiss(Left(self._place))

    def on_input_changed(self, message: Input.Changed) -> None:
        """Search, or go there, while it is typed."""
        if message.input.id == "search":
            self._draw()
        elif message.value:
            self._go_to(message.value)

    def _go_to(self, when: str) -> None:
        self.query_one(ResultTable).begin_at(first_at(self._events, when))

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Keep what was searched for or gone to, and give the keys back."""
        if message.input.id == "date":
            message.input.value, message.input.display = "", False
        self._take_focus()


def _is_same(one: Stay | None, other: Stay | None) -> bool:
    """Whether two are the same stay, whatever is known of its times."""
    return (one and (one.kind, one.id)) == (other and (other.kind, other.id))
