"""The typed events of a session, in the order they happen.

The screen, the line mode, `ask --json` and the session file are readers of this one stream. An event holds questions,
plans, SQL, counts and fingerprints, never rows of the database.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from ehrtui.errors import SessionError
from ehrtui.session.turn import Turn


@dataclass(frozen=True)
class SessionStarted:
    """The first event: which format, database and clock this session is about. `now` is "YYYY-MM-DD HH:MM:SS"."""

    format: int
    session: str
    database: str
    fingerprint: str
    profile: str
    now: str
    planner: str
    created: str


@dataclass(frozen=True)
class QuestionAsked:
    """The user put a turn: a question, or logic, a plan or SQL of their own (`kind`); or opened it from the answer of
    turn `opened_from`. Answers less sure than `threshold` were withheld then; None in files of earlier versions."""

    turn: int
    text: str
    kind: str
    opened_from: int | None = None
    threshold: float | None = None


@dataclass(frozen=True)
class PlanProposed:
    """A planner answered with a plan (maybe with none: see `reason`). `confidence` is None where the user wrote it, and
    so is that of an answer to what the user wrote or changed; files of earlier versions have 1 there."""

    turn: int
    planner: str
    plan: str
    logic: str | None
    sql: str | None
    confidence: float | None
    unexplained: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class PlanArriving:
    """More words of a language model, as it writes a plan: placeholders stand for private values. Never saved."""

    text: str


@dataclass(frozen=True)
class EgressSent:
    """A request for the turn left the machine at `at` (local time) to `host`: so many `bytes`, and `why`."""

    turn: int
    at: str
    host: str
    why: str
    bytes: int


@dataclass(frozen=True)
class PlanEdited:
    """The user changed the logic, the plan or the SQL (`view`) before it ran; `plan` is what will run. In a session
    file text and plan are "" where they may hold a stored value that nobody typed, and the plan has its `plan_hash`."""

    turn: int
    view: str
    text: str
    plan: str
    plan_hash: str = ""


@dataclass(frozen=True)
class StepStarted:
    """Step `index` (from 1) of a turn's plan begins at `line`."""

    turn: int
    index: int
    line: int
    code: str


@dataclass(frozen=True)
class StepFinished:
    """Step `index` ended; `rows` is None where its value is not a table or list; `error` is "" where it went well;
    `reused` where its tools gave what they gave in the run before."""

    turn: int
    index: int
    rows: int | None
    ms: float
    confidence: float | None
    error: str = ""
    reused: bool = False


@dataclass(frozen=True)
class ErrorTraced:
    """A plan failed: what, of which type, at which line and code line."""

    turn: int
    type: str
    message: str
    line: int | None
    code: str


@dataclass(frozen=True)
class DuckExplained:
    """The rubber duck's most probable cause of the error, and what to try."""

    turn: int
    cause: str
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True)
class RowsArriving:
    """The first `count` rows of a large answer can be read (`Conversation.arriving_rows`); it has at least so many, and
    the others are being counted. Never saved."""

    turn: int
    columns: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class RowsReady:
    """All rows of a large answer can be read: `row_count` is their true number. Only the fingerprint is still being
    computed. Never saved."""

    turn: int
    columns: tuple[str, ...]
    row_count: int


@dataclass(frozen=True)
class PlanRevised:
    """The rubber duck's repair for `cause` (a short name): `plan` runs in place of the one that failed. In a session
    file it is "" where it may hold a stored value, and has its `plan_hash`."""

    turn: int
    plan: str
    cause: str
    plan_hash: str = ""


@dataclass(frozen=True)
class Answered:
    """The turn has an answer: `row_count` rows whose order-free hash is `fingerprint` ("" where that was cancelled).

    In a session file, SQL that a plan put together while it ran is None, and has its `sql_hash`."""

    turn: int
    columns: tuple[str, ...]
    row_count: int
    fingerprint: str
    sql: str | None
    seqsql: str | None
    confidence: float | None
    elapsed_ms: float
    sql_hash: str = ""


@dataclass(frozen=True)
class Abstained:
    """The turn's answer is withheld, for `reason`. A best guess, if there is one, has the other fields of an answer."""

    turn: int
    reason: str
    columns: tuple[str, ...]
    row_count: int
    fingerprint: str
    sql: str | None
    seqsql: str | None
    confidence: float | None
    elapsed_ms: float
    sql_hash: str = ""


@dataclass(frozen=True)
class Failed:
    """The turn has no answer, because of an error."""

    turn: int
    type: str
    message: str
    elapsed_ms: float


@dataclass(frozen=True)
class ResultSaved:
    """The rows of a turn as people see them; written only with `--with-results`. The first `asked` columns are the
    answer's (None: all of them), the others stand beside it."""

    turn: int
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    asked: int | None = None


@dataclass(frozen=True)
class Judged:
    """The user said of a turn's answer that it is `right` or not, and why; None: nothing any more."""

    turn: int
    right: bool | None
    reason: str = ""


@dataclass(frozen=True)
class Marked:
    """The user marked row `row` (from 1) of a turn's answer as something to do: "done", "snoozed", "open" again; with
    a note. It is of the rows that have this `fingerprint`."""

    turn: int
    fingerprint: str
    row: int
    state: str
    note: str = ""


@dataclass(frozen=True)
class Labelled:
    """The user gave a turn a `name` and a `note`, put it to the top (`pinned`) or `away`, or `folded` away what was
    opened from it."""

    turn: int
    name: str = ""
    note: str = ""
    pinned: bool = False
    away: bool = False
    folded: bool = False


@dataclass(frozen=True)
class SessionNamed:
    """The user called the session so, from now on; "": by its id alone."""

    name: str


@dataclass(frozen=True)
class Notice:
    """Something that the user should know and that belongs to no turn (the session cannot be saved…); never saved."""

    text: str


Event: TypeAlias = (
    SessionStarted
    | QuestionAsked
    | PlanProposed
    | PlanArriving
    | EgressSent
    | PlanEdited
    | StepStarted
    | StepFinished
    | ErrorTraced
    | DuckExplained
    | PlanRevised
    | RowsArriving
    | RowsReady
    | Answered
    | Abstained
    | Failed
    | ResultSaved
    | Judged
    | Marked
    | Labelled
    | SessionNamed
    | Notice
)

_LARGEST = 2**63 - 1
_TYPES: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Event)}

TURN_ENDS = (Answered, Abstained, Failed)
"""The events that end a turn: what came before them is complete."""

REMARKS = (Judged, Marked, Labelled)
"""What the user says of turns that are over, at any time."""


def end_of(turn: Turn) -> Answered | Abstained | Failed:
    """The event that ends `turn`."""
    if turn.decision == "failed":
        error = turn.error
        return Failed(turn.number, error.type if error else "", error.message if error else "", turn.elapsed_ms)
    answer: dict[str, Any] = {
        "columns": turn.columns,
        "row_count": turn.row_count,
        "fingerprint": turn.fingerprint,
        "sql": turn.statement.flat if turn.statement else None,
        "seqsql": turn.statement.seq if turn.statement else None,
        "confidence": turn.confidence if turn.is_scored else None,
        "elapsed_ms": turn.elapsed_ms,
    }
    if turn.decision == "answered":
        return Answered(turn.number, **answer)
    return Abstained(turn.number, turn.error.message if turn.error else "", **answer)


def to_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object; `event` names its type."""
    return {"event": type(event).__name__, **asdict(event)}


def from_json(data: object) -> Event:
    """The event of a JSON object. Raises SessionError for an unknown type, and for missing or wrongly typed fields;
    unknown fields are ignored, so that a newer ehrtui's files can be read."""
    name = data.get("event") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(name, str) or name not in _TYPES:
        raise SessionError("A line of the session file is not an event.", why=f"Its type is {_shown(data)}.")
    hints = _hints(name)
    values = {field: _frozen(data[field]) for field in hints if field in data}
    for field, value in values.items():
        if not _fits(value, hints[field]):
            raise SessionError(
                f"A {name} of the session file is malformed.", why=f"Its field {field} has a wrong type."
            )
    try:
        event: Event = _TYPES[name](**values)
    except TypeError as error:
        raise SessionError(f"A {name} of the session file lacks a field.", why=str(error)) from error
    return event


@cache
def _hints(name: str) -> dict[str, Any]:
    return get_type_hints(_TYPES[name])


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def _fits(value: Any, hint: Any) -> bool:
    """True when a value read from JSON is of the annotated type (int counts as float; bool never as a number), and a
    number of 64 bits."""
    if hint is Any:
        return True
    if get_origin(hint) is UnionType:
        return any(_fits(value, option) for option in get_args(hint))
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(_fits(item, get_args(hint)[0]) for item in value)
    if isinstance(value, bool):
        return hint is bool
    if isinstance(value, int) and abs(value) > _LARGEST:
        return False
    if hint is float:
        return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    return isinstance(value, hint)


def _shown(data: object) -> str:
    return repr(data.get("event"))[:40] if isinstance(data, dict) else type(data).__name__
