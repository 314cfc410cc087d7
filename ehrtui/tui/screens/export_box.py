"""The name of the file that an answer is written to, asked for until it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.formatting import printable
from ehrtui.tui.screens.reason_box import ReasonBox

if TYPE_CHECKING:
    from collections.abc import Callable

    from ehrtui.errors import EhrtuiError

WITH_VALUES = "values"
"""What is written behind a name for a document with its rows."""
ABOUT = (
    "The name's end says the form: .csv .parquet .md .ipynb .sql .svg .png. A document or notebook has the "
    f"rows only with “{WITH_VALUES}” behind its name; small counts are hidden."
)


class ExportBox(ReasonBox):
    """Enter gives the name to `write`, which closes the box, or refuses the name; Esc gives None."""

    DEFAULT_CSS = "ExportBox #refused { color: $error; display: none; max-height: 6; }"

    def __init__(self, number: int, write: Callable[[str, ExportBox], None]) -> None:
        super().__init__(f"Export A{number}", ABOUT, f"a{number}.csv")
        self._write = write
        self._writing = False

    def on_mount(self) -> None:
        """Have room for why it cannot be written."""
        self.query_one(Vertical).mount(Static(id="refused"))

    def take(self, said: str) -> None:
        """Have it written; an empty name leaves the box."""
        if not said.strip():
            self.dismiss(None)
        elif not self._writing:
            self._writing = True
            self._write(said.strip(), self)

    def refuse(self, error: EhrtuiError) -> None:
        """Say why it was not written; the name stays, to be changed."""
        self._writing = False
        refused = self.query_one("#refused", Static)
        refused.update(Content(printable(str(error).replace("\n", " "))))
        refused.display = True
