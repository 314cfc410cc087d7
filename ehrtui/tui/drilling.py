"""Opening what is behind a value of an answer, as a turn of its own, and the way back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ehrtui.tui.formatting import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ehrtui.conversation.conversation import Conversation
    from ehrtui.conversation.patients import Stay
    from ehrtui.engines.arranging import Arrangement
    from ehrtui.engines.engine import Row, Scalar
    from ehrtui.schema.profile import Profile
    from ehrtui.session.draft import Draft
    from ehrtui.session.turn import Turn
    from ehrtui.tui.plotting import Drawn


PATIENTS = "patients"
COUNTS = ("records", "hospital_stays", "icu_stays", PATIENTS)
"""Titles of columns that count rows."""
LOOK_SECONDS = 1.0
"""What it may take to find out that there is nothing to open."""


@dataclass(frozen=True)
class PatientPlace:
    """Where the user was among patients, or among stays: at the one in place `at`, on the page or in what happened
    (`in_events`), there in this `row`, with these words in the `search`, in one `stay` of the patient or in all there
    is. `rows` are the first of each in the answer, None where it is in another one; `stays` those in which each is
    looked at, none where patients are."""

    ids: tuple[Scalar, ...]
    at: int
    rows: tuple[int | None, ...] = ()
    in_events: bool = False
    row: int = 0
    search: str = ""
    stays: tuple[Stay | None, ...] = ()
    stay: Stay | None = None


@dataclass(frozen=True)
class Place:
    """Where in an answer the user was: in this `row` and `column` of its rows as they are in an `arrangement`, where
    among its patients (`patient`) and at which chart (`drawn`), None where these were not shown."""

    arrangement: Arrangement
    row: int
    column: int
    patient: PatientPlace | None = None
    drawn: Drawn | None = None


@dataclass(frozen=True)
class Counted:
    """A `number` of `what` ("records") that stood in an answer, of turn `origin`, where a value of it was opened."""

    origin: int
    what: str
    number: int


def counted(origin: int, columns: Sequence[str], row: Row, column: int) -> Counted | None:
    """Of how many the row of a value tells; None where it does not, or the value is a count of something else."""
    if isinstance(row[column], int) and columns[column] not in COUNTS:
        return None
    places = [column, *range(len(row))]
    found = next((at for at in places if columns[at] in COUNTS and isinstance(row[at], int)), None)
    return Counted(origin, columns[found].replace("_", " "), int(row[found] or 0)) if found is not None else None


def whose(told: Counted | None, turn: Turn, profile: Profile) -> str:
    """How the rows that were opened go with another number that was told of them; "" where it is theirs."""
    from ehrtui.conversation.patients import patient_column

    if told is None or told.number == turn.row_count:
        return ""
    patients = len(turn.columns) == 1 and patient_column(turn.columns, profile) == 0
    if patients and told.what != PATIENTS:
        return f"The {told.number:,} {told.what} in A{told.origin} are of {count(turn.row_count, 'patient')}."
    if told.number > turn.row_count:
        return f"These are {turn.row_count:,} of the {told.number:,} {told.what} in A{told.origin}."
    return ""


class Trail:
    """From which answers the turns of a conversation were opened, by their numbers."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def at(self, origin: int, text: str) -> int | None:
        """The last turn that was opened from the answer of turn `origin` as this; None where none was."""
        turns = self._conversation.turns
        return next((turn.number for turn in reversed(turns) if self._is(turn.number, origin, text)), None)

    def _is(self, number: int, origin: int, text: str) -> bool:
        draft = self._conversation.draft_of(number)
        return draft.opened_from == origin and draft.text == text

    def above(self, draft: Draft) -> tuple[int, ...]:
        """The turns that a draft was opened through, the first one first."""
        path: list[int] = []
        while (origin := draft.opened_from) is not None:
            path.insert(0, origin)
            draft = self._conversation.draft_of(origin)
        return tuple(path)

    def to(self, number: int) -> tuple[int, ...]:
        """The turns that lead to this one, which is the last: each was opened from the one before it."""
        return *self.above(self._conversation.draft_of(number)), number


def lists_stays(turn: Turn) -> bool:
    """Whether the rows of a turn's answer are stays, as its query logic says."""
    from ehrtui.errors import LogicError
    from ehrtui.logic.model import Query
    from ehrtui.logic.parse import parse
    from ehrtui.schema.kinds import kind_of

    try:
        logic = parse(turn.proposal.logic) if turn.proposal.logic else None
    except LogicError:
        return False
    return isinstance(logic, Query) and bool(kind_of(logic.source.role).stay)


def logic_behind(turn: Turn, row: Row, column: int, profile: Profile) -> str | None:
    """The query logic of what is behind the value in `column` of a `row` of the turn's answer; None where nothing is
    known to be. SQL and plans of the user's own tell only of the patients that they list."""
    from ehrtui.errors import LogicError
    from ehrtui.logic.behind import behind
    from ehrtui.logic.parse import parse
    from ehrtui.logic.render import render

    try:
        logic = parse(turn.proposal.logic) if turn.proposal.logic else None
    except LogicError:  # a language model's own words for its plan
        logic = None
    found = behind(logic, turn.shown_columns, row, column, profile)
    return render(found) if found is not None else _rows_behind(turn, row, column, profile)


def _rows_behind(turn: Turn, row: Row, column: int, profile: Profile) -> str | None:
    """The same of what the forms of query logic do not tell."""
    from ehrtui.errors import LogicError
    from ehrtui.logic.algebra.behind import rows_behind
    from ehrtui.logic.algebra.model import Rows
    from ehrtui.logic.algebra.render import each_row_text, render_statement
    from ehrtui.logic.written import statement_of

    try:
        statement = statement_of(turn.proposal.logic or "")
        found = rows_behind(statement, turn.number, turn.shown_columns, row, column, profile)
        texts = [render_statement(found)] if found is not None else []
        texts += [each_row_text(found)] if isinstance(found, Rows) else []
        return next((text for text in texts if statement_of(text) == found), None)
    except LogicError:
        return None


def has_records(conversation: Conversation, logic: str) -> bool:
    """Whether the database holds a record of what is behind a value: it is looked up for a moment, beside what runs;
    True where that does not tell."""
    from ehrtui.errors import EhrtuiError
    from ehrtui.session.dependencies import named_turns

    try:
        draft = conversation.opened(logic)
        if not draft.proposal.sql or named_turns(draft.plan):
            return True
        found = conversation.engine.stream(f"SELECT 1 FROM ({draft.proposal.sql}) LIMIT 1", seconds=LOOK_SECONDS)
        return next(found, None) is not None
    except EhrtuiError:
        return True


def draft_behind(conversation: Conversation, logic: str, name: str) -> Draft | None:
    """The plan of what is behind a value; None where the database holds no such record. That is looked up as the result
    `name`, but for what builds on a turn, which was counted. Raises EhrtuiError."""
    from ehrtui.session.dependencies import named_turns

    draft, engine = conversation.opened(logic), conversation.engine
    if not draft.proposal.sql or named_turns(draft.plan):
        return draft
    found = engine.run(f"SELECT 1 FROM ({draft.proposal.sql}) LIMIT 1", name).row_count
    engine.drop(name)
    return draft if found else None
