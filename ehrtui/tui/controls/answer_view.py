"""What the user does with the answer that is shown: arranges its rows, opens what is behind a value, copies it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.tui.controls.patient_pages import PatientPages
from ehrtui.tui.drilling import Place, counted, draft_behind, has_records, lists_stays, logic_behind
from ehrtui.tui.jobs import Job, arranged_rows
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.screen import Screen

    from ehrtui.engines.arranging import Arrangement
    from ehrtui.engines.engine import Result, Row
    from ehrtui.session.draft import Draft
    from ehrtui.session.turn import Turn
    from ehrtui.tui.answer_rows import AnswerRows
    from ehrtui.tui.controls.one_job import OneJob
    from ehrtui.tui.controls.plan_runs import PlanRuns
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.drilling import Counted, PatientPlace
    from ehrtui.tui.messages import Copied


class AnswerView:
    """Never changes the answer: later turns build on all of its rows."""

    def __init__(
        self, screen: Screen[None], desk: Desk, showing: Showing, rows: AnswerRows, job: OneJob, runs: PlanRuns
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing
        self._rows = rows
        self._job = job
        self._runs = runs
        self._there: dict[tuple[int, str], bool] = {}
        """Whether the database holds a record of what is behind a value, by the run of the turn and the query logic, as
        far as it was looked up."""
        self._looking = False
        self._left: dict[int, Place] = {}
        """Where each turn was opened from, by its number."""
        self._patients = PatientPages(screen, desk, showing, rows, self.open_records, self.open_select)

    @property
    def _panel(self) -> AnswerPanel:
        return self._screen.query_one(AnswerPanel)

    def arrange(self, arrangement: Arrangement, what: str, at: tuple[int, int] | None = None) -> None:
        """Sort or filter the rows, which `what` says in a word, with the cursor `at` a cell, or else in the first row;
        without an arrangement, show them as they are."""
        turn, conversation = self._panel.turn, self._desk.conversation
        if turn is None:
            return
        if not arrangement:
            self._rows.forget()
            self._panel.rearrange(arrangement, turn.row_count, self._rows.of(turn.number))
            return
        name = self._rows.next_name()
        self._job.start(
            what,
            lambda job: arranged_rows(conversation, turn, arrangement, name, job),
            lambda result: self._arranged(turn, arrangement, result, at),
        )

    def _arranged(self, turn: Turn, arrangement: Arrangement, result: Result, at: tuple[int, int] | None) -> None:
        """Show the arranged rows, unless another turn is shown by now."""
        shown = self._panel.turn
        if shown is not None and shown.number == turn.number:
            self._panel.rearrange(arrangement, result.row_count, self._rows.arranged(result.name))
            if at is not None:
                self._panel.rows.table.go_to(*at)
        else:
            self._rows.forget(result.name)

    def open(self, row: Row, column: int) -> None:
        """Show what is behind a value, which is run as a turn of its own where it was not yet; of a stay, what happened
        in it."""
        logic, conversation, turn = self.behind(row, column), self._desk.conversation, self._desk.turn()
        if logic is None and self._is_stay(column):
            self._patients.show_stay(self._panel.rows.table.row, column)
        elif logic is not None and turn is not None:
            told = counted(turn.number, turn.shown_columns, row, column)
            self._open(logic, lambda: draft_behind(conversation, logic, self._rows.next_name()), told=told)

    def open_select(self, sql: str, place: PatientPlace | None = None) -> None:
        """Show the rows of a SELECT that was made of a value, as `open` does; the way back leads to the `place` among
        the patients, where one is given."""
        self._open(sql, lambda: self._desk.conversation.opened(sql, "sql"), place)

    def _open(
        self,
        text: str,
        draft: Callable[[], Draft | None],
        patient: PatientPlace | None = None,
        told: Counted | None = None,
    ) -> None:
        """Show what query logic or SQL gives, which is run as a turn of its own where it was not yet."""
        desk, turn, rows = self._desk, self._desk.turn(), self._panel.rows
        if turn is None:
            return
        place = Place(rows.arrangement, rows.table.row, rows.table.column, patient, self._panel.drawn)
        if desk.busy:
            self._showing.busy()
        elif (number := desk.trail.at(turn.number, text)) is not None and number in desk.answered(text):
            self._left[number] = place
            self._go_to(number)
        else:
            in_thread(
                self._screen,
                draft,
                lambda draft: self._opened(draft, turn, place, told),
                self._showing.trouble,
                group="open",
            )

    def _opened(self, draft: Draft | None, turn: Turn, place: Place, told: Counted | None) -> None:
        if draft is None:
            self._screen.notify("Nothing is behind this value: the database has no record of it.", timeout=4)
        else:
            self._left[self._desk.next_number] = place
            self._desk.counted[self._desk.next_number] = told
            self._runs.run_behind(draft, turn.number)

    def patient_column(self, columns: Sequence[str]) -> int | None:
        """The column that says of which patient, or else of which stay, a row is."""
        from ehrtui.conversation.patients import patient_column, stay_column

        profile = self._desk.conversation.profile
        found = patient_column(columns, profile)
        return stay_column(columns, profile) if found is None else found

    def show_patient(self, row: int, column: int) -> None:
        """Show the patient of a row over everything: `column` names patients, or else stays."""
        from ehrtui.conversation.patients import patient_column

        titles = self._panel.rows.table.columns[column : column + 1]
        of_patients = patient_column(titles, self._desk.conversation.profile) is not None
        self._patients.show(row, column, of_stay=not of_patients or self._is_stay(column))

    def open_records(self, logic: str, place: PatientPlace) -> None:
        """Show a patient's records, as `open` does; the way back leads to the `place` among the patients."""
        conversation = self._desk.conversation
        self._open(logic, lambda: draft_behind(conversation, logic, self._rows.next_name()), place)

    def opens(self, row: Row, column: int) -> bool:
        """Whether anything is known to be behind a value of the shown turn's answer, or it is a stay."""
        return self.behind(row, column) is not None or (row[column] is not None and self._is_stay(column))

    def _is_stay(self, column: int) -> bool:
        """Whether a column of the shown turn's answer names stays. Where patients have ids of the same name, or each
        kind of records has, that is known of lists of stays alone."""
        from ehrtui.conversation.patients import patient_column, stay_column

        turn, profile = self._desk.turn(), self._desk.conversation.profile
        if turn is None or not self._panel.rows.display:
            return False
        titles = turn.shown_columns[column : column + 1]
        if stay_column(titles, profile) is None:
            return False
        shared = patient_column(titles, profile) is not None or titles[0].lower() == "id"
        return not shared or lists_stays(turn)

    def behind(self, row: Row, column: int) -> str | None:
        """The query logic of what is behind a value of the shown turn's answer; None where nothing is known to be. That
        there is no record of it is known a moment after it was first asked for."""
        turn = self._desk.turn()
        if turn is None or len(row) != len(turn.shown_columns):  # the rows of the turn before are still there
            return None
        logic = logic_behind(turn, row, column, self._desk.conversation.profile)
        if logic is None or (self._is_stay(column) and lists_stays(turn)):
            return None
        if (turn.order, logic) not in self._there and not self._looking:
            self._look(turn.order, logic)
        return logic if self._there.get((turn.order, logic), True) else None

    def _look(self, order: int, logic: str) -> None:
        conversation, self._looking = self._desk.conversation, True

        def looked(there: bool) -> None:
            self._there[order, logic], self._looking = there, False
            self._panel.refresh_bindings()

        in_thread(
            self._screen,
            lambda: has_records(conversation, logic),
            looked,
            lambda error: looked(True),
            group="behind",
        )

    def close(self) -> None:
        """Show the answer that this one was opened from, where the user was in it then."""
        turn = self._desk.turn()
        if turn is None or not (above := self._desk.trail.to(turn.number)[:-1]):
            return
        self._go_to(above[-1])
        place = self._left.get(turn.number)
        if place is None:
            return
        at = place.row, place.column
        if place.arrangement:
            self.arrange(place.arrangement, "arranging", at)
        else:
            self._panel.rows.table.go_to(*at)
        if place.drawn is not None:
            self._panel.draw_again(place.drawn)
        if place.patient is not None:
            self._patients.show_at(place.patient)

    def _go_to(self, number: int) -> None:
        self._desk.shown = number
        self._showing.show()
        self._panel.take_focus()

    def copy(self, read: Callable[[], Copied]) -> None:
        """Read what is to be copied, and copy it."""

        def work(job: Job) -> Copied:
            return read()

        self._job.start("copying", work, self.copied)

    def copied(self, copied: Copied) -> None:
        """To the clipboard, by OSC 52."""
        self._screen.app.copy_to_clipboard(copied.text.encode("utf-8", "replace").decode("utf-8"))
        self._screen.notify(f"Copied {copied.what}.", timeout=2, markup=False)
