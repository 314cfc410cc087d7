"""Answers that the user wants as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ehrtui.tui.boxes import open_over
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.errors import EhrtuiError
    from ehrtui.session.turn import Turn
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.screens.export_box import ExportBox


class Exports:
    """Asks for a file, and writes to it."""

    def __init__(self, screen: Screen[None], desk: Desk, showing: Showing) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing

    def open(self) -> None:
        """Ask for the file of the shown turn."""
        from ehrtui.charts.drawing import name_of
        from ehrtui.tui.screens.export_box import ExportBox

        turn, charted = self._desk.turn(), self._screen.query_one(AnswerPanel).charted
        if turn is None:
            return
        chart = name_of(charted) if charted is not None else ""
        open_over(self._screen, ExportBox(turn.number, lambda said, box: self._write(turn, said, chart, box)))

    def _write(self, turn: Turn, said: str, chart: str, box: ExportBox) -> None:
        from ehrtui.tui.screens.export_box import WITH_VALUES

        values = said.endswith(f" {WITH_VALUES}")
        path = Path(said.removesuffix(f" {WITH_VALUES}").strip()).expanduser()

        def written(told: str) -> None:
            box.dismiss(None)
            self._screen.notify(told, markup=False, timeout=6)

        def refused(error: EhrtuiError) -> None:
            if box.is_current:
                box.refuse(error)
            else:  # it was left meanwhile
                self._showing.trouble(error)

        in_thread(
            self._screen,
            lambda: self._desk.conversation.export(turn, path, values=values, chart=chart),
            written,
            refused,
            group="export",
        )
