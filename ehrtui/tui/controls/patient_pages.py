"""The patients of the answer that is shown, one after the other, over everything."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ehrtui.tui.boxes import open_over
from ehrtui.tui.drilling import PatientPlace
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from textual.screen import Screen

    from ehrtui.engines.engine import Scalar
    from ehrtui.session.turn import Turn
    from ehrtui.tui.answer_rows import AnswerRows
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.screens.patient import Left

MOST_PATIENTS = 5_000
"""Rows of an answer whose patients are a key away from each other."""


class PatientPages:
    """Shows the patient of a row, and the others of the answer a key away. `open_records` opens what a query logic
    gives; the way back from there leads to a place among the patients."""

    def __init__(
        self,
        screen: Screen[None],
        desk: Desk,
        showing: Showing,
        rows: AnswerRows,
        open_records: Callable[[str, PatientPlace], None],
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing
        self._rows = rows
        self._open_records = open_records

    def show(self, row: int, column: int) -> None:
        """Show the patient of a row. Of a stay, what happened from its beginning on."""
        panel = self._screen.query_one(AnswerPanel)
        table, read = panel.rows.table, panel.rows.reader
        here = table.row_values(row)
        if here is None or read is None:
            return
        title, at = table.columns[column], here[column]
        above = self._above()

        def work() -> tuple[PatientPlace, str] | None:
            values = {place: each[column] for place, each in enumerate(read(0, MOST_PATIENTS))}
            found = self._found(title, {**values, row: at}, at)
            return None if found is None else (self._among(found[0], above), found[1])

        def show(found: tuple[PatientPlace, str] | None) -> None:
            if found is None:
                self._screen.notify("The database does not say whose stay this is.", timeout=4)
            else:
                self.show_at(*found)

        in_thread(self._screen, work, show, self._showing.trouble, group="patient")

    def show_at(self, place: PatientPlace, since: str = "") -> None:
        """Show patients from a place on; what happened to the first one `since` a time, where one is given."""
        from ehrtui.conversation.patients import patient
        from ehrtui.tui.screens.patient import PatientView

        view = PatientView(place, partial(patient, self._desk.conversation), since)
        open_over(self._screen, view, partial(self._left, place))

    def _above(self) -> tuple[Turn, ...]:
        """The turns that the answer was opened through, the nearest first."""
        desk, turn = self._desk, self._desk.turn()
        path = desk.trail.to(turn.number)[:-1] if turn is not None else ()
        return tuple(desk.conversation.turns[number - 1] for number in reversed(path))

    def _found(self, title: str, values: Mapping[int, Scalar], at: Scalar) -> tuple[PatientPlace, str] | None:
        """The patients that the values of a column, by their rows, tell of, from that of `at` on, and when its stay
        began ("" where it is none); None where the database does not say who that is."""
        from ehrtui.conversation.patients import patient_column, whose_stays

        conversation = self._desk.conversation
        known = list(dict.fromkeys(value for value in values.values() if value is not None))
        whose: dict[Scalar, tuple[Scalar, str]] = {value: (value, "") for value in known}
        if patient_column((title,), conversation.profile) is None:
            whose = {**whose_stays(conversation, title, known)}
        if at not in whose:
            return None
        rows: dict[Scalar, int] = {}
        for row, value in values.items():
            if value in whose:
                rows.setdefault(whose[value][0], row)
        id, since = whose[at]
        return PatientPlace(tuple(rows), list(rows).index(id), tuple(rows.values())), since

    def _among(self, place: PatientPlace, above: Sequence[Turn]) -> PatientPlace:
        """A single patient among those of the nearest answer `above` that has more."""
        from ehrtui.conversation.patients import patient_column

        conversation = self._desk.conversation
        (id, *others) = place.ids
        for turn in above if not others else ():
            column = patient_column(turn.shown_columns, conversation.profile)
            if column is not None and turn.result:
                read = self._rows.of(turn.number)
                ids = tuple(dict.fromkeys(row[column] for row in read(0, MOST_PATIENTS) if row[column] is not None))
                if id in ids[:-1] or id in ids[1:]:
                    return PatientPlace(ids, ids.index(id))
        return place

    def _left(self, before: PatientPlace, left: Left | None) -> None:
        """Put the cursor on the patient who was shown last; show the records that are wanted."""
        from ehrtui.conversation.patients import records_logic

        if left is None:
            return
        place = left.place
        if place.rows and place.at != before.at:
            table = self._screen.query_one(AnswerPanel).rows.table
            table.go_to(place.rows[place.at], table.column)
        if left.records is not None:
            logic = records_logic(self._desk.conversation.profile, *left.records, place.ids[place.at])
            if logic:
                self._open_records(logic, place)
