"""The typed events of a session, in the order they happen.

The screen, the line mode, `ask --json` and the session file are readers of this one stream. An event holds questions,
plans, SQL, counts and fingerprints, never rows of the database.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias

from ehrtui.errors import SessionError


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
    """The user put a turn: a question, or logic, a plan or SQL of their own (`kind`)."""

    turn: int
    text: str
    kind: str


@dataclass(frozen=True)
class PlanProposed:
    """A planner answered with a plan (maybe with none: see `reason`)."""

    turn: int
    planner: str
    plan: str
    logic: str | None
    sql: str | None
    confidence: float
    unexplained: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class PlanEdited:
    """The user changed the logic, the plan or the SQL (`view`) before it ran; `plan` is what will run."""

    turn: int
    view: str
    text: str
    plan: str


@dataclass(frozen=True)
class StepStarted:
    """Step `index` (from 1) of a turn's plan begins at `line`."""

    turn: int
    index: int
    line: int
    code: str


@dataclass(frozen=True)
class StepFinished:
    """Step `index` ended; `rows` is None where its value is not a table or list; `error` is "" where it went well."""

    turn: int
    index: int
    rows: int | None
    ms: float
    confidence: float | None
    error: str = ""


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
class Answered:
    """The turn has an answer: `row_count` rows whose order-free hash is `fingerprint`."""

    turn: int
    columns: tuple[str, ...]
    row_count: int
    fingerprint: str
    sql: str | None
    seqsql: str | None
    confidence: float
    elapsed_ms: float


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
    confidence: float
    elapsed_ms: float


@dataclass(frozen=True)
class Failed:
    """The turn has no answer, because of an error."""

    turn: int
    type: str
    message: str
    elapsed_ms: float


@dataclass(frozen=True)
class ResultSaved:
    """The rows of a turn; written only with `--with-results`."""

    turn: int
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


Event: TypeAlias = (
    SessionStarted
    | QuestionAsked
    | PlanProposed
    | PlanEdited
    | StepStarted
    | StepFinished
    | ErrorTraced
    | DuckExplained
    | Answered
    | Abstained
    | Failed
    | ResultSaved
)

_TYPES: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        SessionStarted,
        QuestionAsked,
        PlanProposed,
        PlanEdited,
        StepStarted,
        StepFinished,
        ErrorTraced,
        DuckExplained,
        Answered,
        Abstained,
        Failed,
        ResultSaved,
    )
}

TURN_ENDS = (Answered, Abstained, Failed)
"""The events that end a turn: what came before them is complete."""


def to_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object; `event` names its type."""
    return {"event": type(event).__name__, **asdict(event)}


def from_json(data: object) -> Event:
    """The event of a JSON object. Raises SessionError for an unknown type or missing fields; unknown fields are
    ignored, so that a newer ehrtui's files can be read."""
    if not isinstance(data, dict) or data.get("event") not in _TYPES:
        raise SessionError("A line of the session file is not an event.", why=f"Its type is {_shown(data)}.")
    kind = _TYPES[data["event"]]
    known = {field.name for field in fields(kind)}
    values = {name: _frozen(value) for name, value in data.items() if name in known}
    try:
        event: Event = kind(**values)
    except TypeError as error:
        raise SessionError(f"A {kind.__name__} of the session file lacks a field.", why=str(error)) from error
    return event


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def _shown(data: object) -> str:
    return repr(data.get("event"))[:40] if isinstance(data, dict) else type(data).__name__
