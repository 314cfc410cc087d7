"""One patient, over everything; the next and the one before of the answer are a key away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from ehrtui.errors import EhrtuiError
from ehrtui.tui.formatting import cell_text
from ehrtui.tui.keys import bindings
from ehrtui.tui.patient_page import page
from ehrtui.tui.screens.boxed import Box, Overlay
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from ehrtui.conversation.patients import Patient
    from ehrtui.engines.engine import Scalar

HELP = "n next · b before · / searches · ↑ ↓ scroll · Esc closes"


class PatientView(Overlay[None]):
    """`read` gives all of a patient, by id; `ids` are those of the answer, of which the one at `at` comes first."""

    BINDINGS = bindings("patient")
    DEFAULT_CSS = """
    PatientView Box { width: 96%; height: 94%; }
    PatientView Input { dock: bottom; height: 1; border: none; padding: 0; display: none; }
    PatientView Input:focus { border: none; }
    """

    def __init__(self, ids: Sequence[Scalar], at: int, read: Callable[[Scalar, Callable[[], bool]], Patient]) -> None:
        super().__init__()
        self._ids = ids
        self._at = at
        self._read = read
        self._patient: Patient | None = None

    def compose(self) -> ComposeResult:
        """The page, and a line to search in it."""
        with Box(id="page"):
            yield Static()
            yield Input(placeholder="Only names with …", id="search")

    def on_mount(self) -> None:
        """Read the first."""
        self.query_one("#page").border_subtitle = HELP
        self._open()

    def on_resize(self) -> None:
        """In any width."""
        self._draw()

    def _open(self) -> None:
        at, id = self._at, self._ids[self._at]
        box = self.query_one("#page", Box)
        box.border_title = f"Patient {cell_text(id)} · {at + 1:,} of {len(self._ids):,}"
        self._patient = None
        self.query_one(Static).update(Content.styled("Reading …", "dim"))
        in_thread(
            self,
            lambda: self._read(id, lambda: self._at != at or not self.is_running),
            lambda patient: self._opened(at, patient),
            self._failed,
            group="patient",
        )

    def _opened(self, at: int, patient: Patient) -> None:
        if at == self._at:
            self._patient = patient
            self._draw()
            self.query_one("#page", Box).scroll_home(animate=False)

    def _failed(self, error: EhrtuiError) -> None:
        if self._patient is None:
            self.query_one(Static).update(Content(error.what))

    def _draw(self) -> None:
        if self._patient is not None:
            width = max(self.query_one("#page").content_size.width - 1, 20)
            self.query_one(Static).update(page(self._patient, width, self.query_one(Input).value))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Letters that are searched for are no keys."""
        typing = self.is_mounted and self.query_one(Input).has_focus
        return action == "leave" or not typing

    def action_turn(self, by: int) -> None:
        """The next patient of the answer, or the one before."""
        at = min(max(self._at + by, 0), len(self._ids) - 1)
        if at != self._at:
            self._at = at
            self._open()

    def action_search(self) -> None:
        """Show only what has these letters in its name."""
        line = self.query_one(Input)
        line.display = True
        line.focus()

    def action_leave(self) -> None:
        """No longer search; else, close."""
        line = self.query_one(Input)
        if line.display:
            line.value, line.display = "", False
            self.query_one("#page").focus()
        else:
            self.dismiss()

    def on_input_changed(self) -> None:
        """Search while it is typed."""
        self._draw()

    def on_input_submitted(self) -> None:
        """Keep what was searched for, and give the keys back."""
        self.query_one("#page").focus()
