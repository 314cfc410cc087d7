"""An answer on its way out of ehrtui: its rows, what they rest on, and what is hidden of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from ehrtui import __version__
from ehrtui.errors import LogicError, UsageError
from ehrtui.export.small_cells import hidden
from ehrtui.logic.algebra.model import TimeTo
from ehrtui.logic.written import statement_of

if TYPE_CHECKING:
    from ehrtui.engines.engine import Row, Scalar
    from ehrtui.logic.algebra.model import Statement
    from ehrtui.schema.profile import Profile
    from ehrtui.session.turn import Turn

_PAGE = 2_000
_MOST_ROWS = 5_000_000


class Answers(Protocol):
    """What is needed of a conversation: its rows, and over what it is."""

    profile: Profile
    now: str

    def shown_rows(self, turn: int, offset: int, count: int) -> list[Row]:
        """Rows of a turn as people see them."""


@dataclass(frozen=True)
class Answer:
    """The `rows` of a turn as people see them, the first `asked` columns of which are the answer, and their provenance:
    `question`, query `logic` and `sql` ("" where there is none), the `database` with its `profile` and clock (`now`),
    when it was exported (`created`) by which `version`. `notes` say what was left out, `chart` is the name of the
    chart that a picture shows ("" for the first that the rows have)."""

    turn: int
    question: str
    logic: str
    sql: str
    database: str
    profile: str
    now: str
    created: str
    version: str
    columns: tuple[str, ...]
    asked: int
    rows: tuple[Row, ...]
    fingerprint: str
    notes: tuple[str, ...] = ()
    chart: str = ""

    @property
    def facts(self) -> list[str]:
        """The provenance, a line each."""
        rows = f"{len(self.rows):,} row{'' if len(self.rows) == 1 else 's'}"
        lines = [
            f"question: {self.question}",
            f"database: {self.database} ({self.profile}), its now {self.now}",
            f"answer: {rows}" + (f", fingerprint {self.fingerprint}" if self.fingerprint else ""),
            f"exported: {self.created} by ehrtui {self.version}",
            *self.notes,
        ]
        return [" ".join(line.split()) for line in lines]


def answer_of(
    conversation: Answers, turn: Turn, *, path: str, least: int, created: datetime, chart: str = ""
) -> Answer:
    """The answer of a turn as it goes out, of the database at `path`; a picture of it shows the `chart` of this name.
    Of tables that count, numbers above 0 and below `least` are hidden with all that was reckoned of them. Raises
    UsageError where there is no answer."""
    if turn.result is None or turn.decision != "answered":
        raise UsageError(f"A{turn.number} has no answer to export.", next_step="Choose a turn that was answered.")
    if turn.row_count > _MOST_ROWS:
        raise UsageError(
            f"A{turn.number} has {turn.row_count:,} rows.",
            why=f"Up to {_MOST_ROWS:,} are exported.",
            next_step="Ask for fewer of them.",
        )
    pages = (conversation.shown_rows(turn.number, at, _PAGE) for at in range(0, turn.row_count, _PAGE))
    rows: Sequence[Row] = [row for page in pages for row in page]
    found = Answer(
        turn=turn.number,
        question=turn.question,
        logic=turn.proposal.logic or "",
        sql=turn.statement.flat if turn.statement else "",
        database=path,
        profile=conversation.profile.name,
        now=conversation.now,
        created=f"{created:%Y-%m-%d %H:%M:%S}",
        version=__version__,
        columns=turn.shown_columns,
        asked=len(turn.columns),
        rows=tuple(rows),
        fingerprint=turn.fingerprint,
        chart=chart,
    )
    statement = _statement(turn)
    kept, left_out = hidden(statement, found.columns, found.rows, least)
    if not left_out:
        return found
    few = f"{left_out} row{'' if left_out == 1 else 's'}"
    note = f"hidden: {few} with a count below {least}, and what is reckoned of it"
    if isinstance(statement, TimeTo):
        note = f"put together: {few} of fewer than {least} events or people, with the next one"
    return replace(found, rows=kept, notes=(*found.notes, note))


def _statement(turn: Turn) -> Statement | None:
    try:
        return statement_of(turn.proposal.logic or "")
    except LogicError:
        return None


def shown(value: Scalar) -> str:
    """A value as text; "" for NULL."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.hex()
    return str(value)
