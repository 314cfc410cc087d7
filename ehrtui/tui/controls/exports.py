"""Answers that the user wants as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ehrtui.tui.boxes import open_over
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.session.turn import Turn
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk

WITH_VALUES = " values"


class Exports:
    """Asks for a file, and writes to it."""

    def __init__(self, screen: Screen[None], desk: Desk, showing: Showing) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing

    def open(self) -> None:
        """Ask for the file of the shown turn."""
        from ehrtui.charts.drawing import name_of
        from ehrtui.tui.screens.reason_box import ReasonBox

        turn, charted = self._desk.turn(), self._screen.query_one(AnswerPanel).charted
        if turn is None:
            return
        about = (
            "The name's end says the form: .csv .parquet .md .ipynb .sql .svg .png. A document or notebook has the "
            f"rows only with “{WITH_VALUES.strip()}” behind its name; small counts are hidden."
        )

        chart = name_of(charted) if charted is not None else ""

        def named(said: str | None) -> None:
            if said is not None and said.strip():
                self._write(turn, said.strip(), chart)

        open_over(self._screen, ReasonBox(f"Export A{turn.number}", about, f"a{turn.number}.csv"), named)

    def _write(self, turn: Turn, said: str, chart: str) -> None:
        values = said.endswith(WITH_VALUES)
        path = Path(said.removesuffix(WITH_VALUES).strip()).expanduser()
        in_thread(
            self._screen,
            lambda: self._desk.conversation.export(turn, path, values=values, chart=chart),
            lambda told: self._screen.notify(told, markup=False, timeout=6),
            self._showing.trouble,
            group="export",
        )
