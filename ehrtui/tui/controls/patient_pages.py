"""The patients of the answer that is shown, one after the other, over everything."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from ehrtui.tui.boxes import open_over
from ehrtui.tui.drilling import PatientPlace
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from textual.screen import Screen

    from ehrtui.conversation.patients import Stay
    from ehrtui.engines.engine import Scalar
    from ehrtui.session.turn import Turn
    from ehrtui.tui.answer_rows import AnswerRows
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.screens.patient import Left

MOST_PATIENTS = 5_000
"""Rows of an answer whose patients are a key away from each other."""


class PatientPages:
    """Shows the patient or the stay of a row, and the others of the answer a key away. `open_records` opens what a
    query logic gives, `open_select` what SQL does; the way back from there leads to a place among the patients."""

    def __init__(
        self,
        screen: Screen[None],
        desk: Desk,
        showing: Showing,
        rows: AnswerRows,
        open_records: Callable[[str, PatientPlace], None],
        open_select: Callable[[str, PatientPlace], None],
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing
        self._rows = rows
        self._open_records = open_records
        self._open_select = open_select

    def show(self, row: int, column: int, *, of_stay: bool) -> None:
        """Show the patient of a row; where the `column` is that `of_stay`s, what happened from its beginning on."""
        self._show(row, column, of_stay=of_stay, within=False)

    def show_stay(self, row: int, column: int) -> None:
        """Show what happened in the stay of a row, and the other stays of the answer a key away."""
        self._show(row, column, of_stay=True, within=True)

    def _show(self, row: int, column: int, *, of_stay: bool, within: bool) -> None:
        panel = self._screen.query_one(AnswerPanel)
        table, read = panel.rows.table, panel.rows.reader
        here = table.row_values(row)
        if here is None or read is None:
            return
        title, at = table.columns[column], here[column]
        above = self._above()

        def work() -> tuple[PatientPlace, str] | None:
            values = {place: each[column] for place, each in enumerate(read(0, MOST_PATIENTS))}
            whose = self._whose(title, list({**values, row: at}.values()), of_stay=of_stay)
            if at not in whose:
                return None
            if within:
                return self._among_others(_stays({**values, row: at}, whose, at), above), ""
            place, since = _patients({**values, row: at}, whose, at)
            return self._among(place, above), since

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

    def _whose(
        self, title: str, values: Sequence[Scalar], *, of_stay: bool
    ) -> dict[Scalar, tuple[Scalar, Stay | None]]:
        """Whose the values of a column are, patients or stays, and which stays."""
        from ehrtui.conversation.patients import whose_stays

        known = list(dict.fromkeys(value for value in values if value is not None))
        if of_stay:
            return {**whose_stays(self._desk.conversation, title, known)}
        return {value: (value, None) for value in known}

    def _among(self, place: PatientPlace, above: Sequence[Turn]) -> PatientPlace:
        """A single patient among those of the nearest answer `above` that has more."""
        (id, *others) = place.ids
        ids = self._cohort(id, above) if not others else ()
        return PatientPlace(ids, ids.index(id)) if ids else place

    def _among_others(self, place: PatientPlace, above: Sequence[Turn]) -> PatientPlace:
        """The stays of a single patient, between the patients of that answer who stand before and after."""
        (id, *others) = dict.fromkeys(place.ids)
        ids = self._cohort(id, above) if not others else ()
        if not ids:
            return place
        at = ids.index(id)
        before, after = ids[:at], ids[at + 1 :]
        no_rows, none = (None,) * len(before), (None,) * len(after)
        return replace(
            place,
            ids=(*before, *place.ids, *after),
            at=at + place.at,
            rows=(*no_rows, *place.rows, *none),
            stays=(*no_rows, *place.stays, *none),
        )

    def _cohort(self, id: Scalar, above: Sequence[Turn]) -> tuple[Scalar, ...]:
        """The patients of the nearest answer `above` that has this one and more; none where there is no such answer."""
        from ehrtui.conversation.patients import patient_column

        for turn in above:
            column = patient_column(turn.shown_columns, self._desk.conversation.profile)
            if column is not None and turn.result:
                read = self._rows.of(turn.number)
                ids = tuple(dict.fromkeys(row[column] for row in read(0, MOST_PATIENTS) if row[column] is not None))
                if id in ids and len(ids) > 1:
                    return ids
        return ()

    def _left(self, before: PatientPlace, left: Left | None) -> None:
        """Put the cursor on the patient or the stay that was shown last; show what is wanted of it."""
        from ehrtui.conversation.patients import records_logic

        if left is None:
            return
        place = left.place
        row = place.rows[place.at] if place.rows and place.at != before.at else None
        if row is not None:
            table = self._screen.query_one(AnswerPanel).rows.table
            table.go_to(row, table.column)
        if left.records is not None:
            logic = records_logic(self._desk.conversation.profile, *left.records, place.ids[place.at])
            if logic:
                self._open_records(logic, place)
        elif left.shown is not None:
            self._open_shown(left.shown, place)

    def _open_shown(self, roles: Sequence[str], place: PatientPlace) -> None:
        """Make a turn of what was shown."""
        from ehrtui.conversation.timeline import events_sql

        conversation, id = self._desk.conversation, place.ids[place.at]
        in_thread(
            self._screen,
            lambda: events_sql(conversation, id, roles, place.stay, place.search),
            lambda sql: self._open_select(sql, place),
            self._showing.trouble,
            group="patient",
        )


_Whose: TypeAlias = "Mapping[Scalar, tuple[Scalar, Stay | None]]"


def _patients(values: Mapping[int, Scalar], whose: _Whose, at: Scalar) -> tuple[PatientPlace, str]:
    """The patients that the values of a column, by their rows, tell of, from that of `at` on, and when its stay began
    ("" where it is none)."""
    rows: dict[Scalar, int] = {}
    for row, value in values.items():
        if value in whose:
            rows.setdefault(whose[value][0], row)
    id, stay = whose[at]
    return PatientPlace(tuple(rows), list(rows).index(id), tuple(rows.values())), stay.start if stay else ""


def _stays(values: Mapping[int, Scalar], whose: _Whose, at: Scalar) -> PatientPlace:
    """The stays that the values of a column, by their rows, tell of, from `at` on, each with what happened in it."""
    rows: dict[Scalar, int] = {}
    for row, value in values.items():
        if value in whose:
            rows.setdefault(value, row)
    return PatientPlace(
        ids=tuple(whose[value][0] for value in rows),
        at=list(rows).index(at),
        rows=tuple(rows.values()),
        in_events=True,
        stays=tuple(whose[value][1] for value in rows),
        stay=whose[at][1],
    )
