"""What the user does with the answer that is shown: arranges its rows, opens what is behind a value, copies it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ehrtui.tui.drilling import draft_behind, has_records, logic_behind
from ehrtui.tui.jobs import Job, arranged_rows
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.screen import Screen

    from ehrtui.engines.arranging import Arrangement
    from ehrtui.engines.engine import Result, Row, Scalar
    from ehrtui.session.draft import Draft
    from ehrtui.session.turn import Turn
    from ehrtui.tui.answer_rows import AnswerRows
    from ehrtui.tui.controls.one_job import OneJob
    from ehrtui.tui.controls.plan_runs import PlanRuns
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.messages import Copied


MOST_PATIENTS = 5_000
"""Rows of an answer whose patients are a key away from each other."""


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

    @property
    def _panel(self) -> AnswerPanel:
        return self._screen.query_one(AnswerPanel)

    def arrange(self, arrangement: Arrangement, what: str) -> None:
        """Sort or filter the rows, which `what` says in a word; without an arrangement, show them as they are."""
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
            lambda result: self._arranged(turn, arrangement, result),
        )

    def _arranged(self, turn: Turn, arrangement: Arrangement, result: Result) -> None:
        """Show the arranged rows, unless another turn is shown by now."""
        shown = self._panel.turn
        if shown is not None and shown.number == turn.number:
            self._panel.rearrange(arrangement, result.row_count, self._rows.arranged(result.name))
        else:
            self._rows.forget(result.name)

    def open(self, row: Row, column: int) -> None:
        """Show what is behind a value, which is run as a turn of its own where it was not yet."""
        logic, conversation = self.behind(row, column), self._desk.conversation
        if logic is not None:
            self._open(logic, lambda: draft_behind(conversation, logic, self._rows.next_name()))

    def open_select(self, sql: str) -> None:
        """Show the rows of a SELECT that was made of a value, as `open` does."""
        self._open(sql, lambda: self._desk.conversation.opened(sql, "sql"))

    def _open(self, text: str, draft: Callable[[], Draft | None]) -> None:
        """Show what query logic or SQL gives, which is run as a turn of its own where it was not yet."""
        desk, turn = self._desk, self._desk.turn()
        if turn is None:
            return
        if desk.busy:
            self._showing.busy()
        elif (number := desk.trail.at(turn.number, text)) is not None and number in desk.answered(text):
            self._go_to(number)
        else:
            in_thread(
                self._screen,
                draft,
                lambda draft: self._opened(draft, turn),
                self._showing.trouble,
                group="open",
            )

    def _opened(self, draft: Draft | None, turn: Turn) -> None:
        if draft is None:
            self._screen.notify("Nothing is behind this value: the database has no record of it.", timeout=4)
        else:
            self._runs.run_behind(draft, turn.number)

    def patient_column(self, columns: Sequence[str]) -> int | None:
        """The column that says of which patient, or else of which stay, a row is."""
        from ehrtui.conversation.patients import patient_column, stay_column

        profile = self._desk.conversation.profile
        found = patient_column(columns, profile)
        return stay_column(columns, profile) if found is None else found

    def show_patient(self, row: int, column: int) -> None:
        """Show the patient of a row over everything, and the other patients of what is shown a key away. Of a stay,
        what happened from its beginning on."""
        conversation, table = self._desk.conversation, self._panel.rows.table
        here = table.row_values(row)
        read = self._panel.rows.reader
        if here is None or read is None:
            return

        def work() -> tuple[list[Scalar], int, str] | None:
            from ehrtui.conversation.patients import patient_column, whose_stays

            at = here[column]
            ids = list(dict.fromkeys(each[column] for each in read(0, MOST_PATIENTS) if each[column] is not None))
            if patient_column((table.columns[column],), conversation.profile) is None:
                stays = whose_stays(conversation, table.columns[column], list(dict.fromkeys((*ids, at))))
                if at not in stays:
                    return None
                whose, since = stays[at]
                ids = list(dict.fromkeys(stays[each][0] for each in ids if each in stays))
                return (ids, ids.index(whose), since) if whose in ids else ([whose], 0, since)
            return (ids, ids.index(at), "") if at in ids else ([at], 0, "")

        def show(found: tuple[list[Scalar], int, str] | None) -> None:
            from ehrtui.conversation.patients import patient
            from ehrtui.tui.screens.patient import PatientView

            if found is None:
                self._screen.notify("The database does not say whose stay this is.", timeout=4)
                return
            ids, at, since = found
            self._screen.app.push_screen(
                PatientView(ids, at, partial(patient, conversation), since), self._records_wanted
            )

        in_thread(self._screen, work, show, self._showing.trouble, group="patient")

    def _records_wanted(self, wanted: tuple[str, str, Scalar] | None) -> None:
        """Show a patient's records of a role and name, as `open` does."""
        from ehrtui.conversation.patients import records_logic

        conversation = self._desk.conversation
        if wanted is not None and (logic := records_logic(conversation.profile, *wanted)):
            self._open(logic, lambda: draft_behind(conversation, logic, self._rows.next_name()))

    def behind(self, row: Row, column: int) -> str | None:
        """The query logic of what is behind a value of the shown turn's answer; None where nothing is known to be. That
        there is no record of it is known a moment after it was first asked for."""
        turn = self._desk.turn()
        if turn is None or len(row) != len(turn.shown_columns):  # the rows of the turn before are still there
            return None
        logic = logic_behind(turn, row, column, self._desk.conversation.profile)
        if logic is None:
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
        """Show the answer that this one was opened from."""
        turn = self._desk.turn()
        if turn is not None and (above := self._desk.trail.to(turn.number)[:-1]):
            self._go_to(above[-1])

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
