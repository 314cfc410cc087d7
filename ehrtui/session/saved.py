"""Saved sessions: find them, list them, read them back as turns."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from pathlib import Path

from ehrtui.errors import SessionError
from ehrtui.paths import is_file
from ehrtui.session.draft import why_unscored
from ehrtui.session.events import (
    REMARKS,
    TURN_ENDS,
    Abstained,
    Answered,
    Event,
    Failed,
    Judged,
    Labelled,
    Marked,
    PlanEdited,
    PlanProposed,
    PlanRevised,
    QuestionAsked,
    ResultSaved,
    SessionNamed,
    SessionStarted,
    from_json,
)
from ehrtui.session.failure import CANCELLED
from ehrtui.session.labels import last_of
from ehrtui.session.log import FORMAT, state_directory
from ehrtui.session.naming import named
from ehrtui.session.remarks import kept_of
from ehrtui.shipped import shipped

_FIRST_LINE = 10_000
"""Bytes of a first line that are looked at."""
_SQLITE = b"SQLite format 3"
"""What every SQLite file begins with."""
_NEXT_STEP = "Open another session: `ehrtui sessions` lists them."


@dataclass(frozen=True)
class SavedTurn:
    """One finished run of a turn in a session file; `result` holds its rows where the session was told to keep them."""

    asked: QuestionAsked
    proposed: PlanProposed
    edits: tuple[PlanEdited, ...]
    end: Answered | Abstained | Failed
    result: ResultSaved | None = None
    revisions: tuple[PlanRevised, ...] = ()

    @property
    def number(self) -> int:
        """The turn's number, from 1."""
        return self.asked.turn

    @property
    def plan(self) -> str:
        """The plan that was run: the last revision's or edit's, or the proposed one; "" where there was none, or it is
        not told. Revisions that are not told come after it."""
        told = [revision.plan for revision in self.revisions if not revision.plan_hash]
        if told:
            return told[-1]
        return self.edits[-1].plan if self.edits else self.proposed.plan

    @property
    def untold(self) -> tuple[PlanRevised, ...]:
        """The last revisions of `plan`, which hold stored values, so that only their hashes are saved."""
        return tuple(reversed(list(takewhile(lambda revision: revision.plan_hash, reversed(self.revisions)))))

    @property
    def accepted(self) -> str:
        """The hash of the repair, with a stored value, that the user accepted for the plan; "" where there is none."""
        return self.edits[-1].plan_hash if self.edits else ""

    @property
    def sure(self) -> str:
        """How sure its answer was, in words; "" where it failed."""
        if isinstance(self.end, Failed):
            return ""
        unscored = why_unscored(self.asked.kind, self.edits[-1].view if self.edits else "")
        return unscored or ("" if self.end.confidence is None else f"confidence {self.end.confidence:.2f}")

    @property
    def was_cancelled(self) -> bool:
        """True where the user stopped it."""
        return isinstance(self.end, Failed) and self.end.type == CANCELLED


@dataclass(frozen=True)
class SavedSession:
    """A session file that was read: its first event, its finished turns in order, and what could not be read of it.

    `runs` are all runs in the order in which they happened; a turn that was run again is in `turns` as it ran last.
    `judged` is what the user said of answers, `marked` of rows of them, and `labels` of turns, the last of each; `name`
    is what the session is called, "" for its id alone.
    """

    path: Path
    started: SessionStarted
    turns: tuple[SavedTurn, ...]
    runs: tuple[SavedTurn, ...]
    notices: tuple[str, ...]
    judged: tuple[Judged, ...] = ()
    marked: tuple[Marked, ...] = ()
    labels: tuple[Labelled, ...] = ()
    name: str = ""

    @property
    def began(self) -> str:
        """When it began, as its clock showed it: "2026-11-03 14:15"."""
        return self.started.created[:16].replace("T", " ")

    @property
    def thresholds(self) -> str:
        """The threshold of its turns, "0.70"; from the least to the greatest, where it was moved, and "" where that is
        not known."""
        found = sorted({turn.asked.threshold for turn in self.turns} - {None})  # type: ignore[type-var]
        return "–".join(f"{one:.2f}" for one in dict.fromkeys((found[0], found[-1]))) if found else ""


@dataclass(frozen=True)
class Unreadable:
    """A file among the sessions that is not one, and why."""

    path: Path
    why: str


def read_session(path: Path) -> SavedSession:
    """Read a session file. A torn last line and an unfinished last turn are left out, with a notice for each.

    Raises SessionError for a file that cannot be read, is of another format version or is no session file.
    """
    events, notices = _events(path)
    started = events[0]
    if not isinstance(started, SessionStarted):
        raise _not_a_session(path, "Its first line does not start a session.")
    _check_now(path, started.now)
    turns: list[SavedTurn] = []
    runs: list[SavedTurn] = []
    open_run: list[Event] = []
    remarks = [event for event in events if isinstance(event, REMARKS)]
    for event in events[1:]:
        if isinstance(event, (*REMARKS, SessionNamed)):
            continue
        open_run.append(event)
        if isinstance(event, TURN_ENDS):
            run = _run(path, len(turns), open_run)
            runs.append(run)
            open_run = []
            if run.number > len(turns):
                turns.append(run)
            elif not run.was_cancelled:  # then the turn was left as it was
                turns[run.number - 1] = run
    if open_run:
        again = isinstance(open_run[0], QuestionAsked) and open_run[0].turn <= len(turns)
        what = "The last run of an earlier turn" if again else f"Turn {len(turns) + 1}"
        notices.append(f"{what} was never finished and is left out.")
    fitting = [one for one in remarks if 1 <= one.turn <= len(turns)]
    judged, marked = kept_of(one for one in fitting if not isinstance(one, Labelled))
    labels = last_of(one for one in fitting if isinstance(one, Labelled))
    name = next((event.name for event in reversed(events) if isinstance(event, SessionNamed)), "")
    return SavedSession(path, started, tuple(turns), tuple(runs), tuple(notices), judged, marked, labels, name)


def find_session(session: str, state: Path | None) -> Path:
    """The file of a session, by id or the beginning of one, by its name, by path, or by the name of a shipped example.

    Raises SessionError where there is none, or where several ids begin so.
    """
    found = _called(session, state)
    if len(found) == 1:
        return found[0]
    if found:
        raise SessionError(
            f"Several sessions begin with {session}.",
            why=", ".join(path.stem for path in found[:5]),
            next_step="Give more of the session's id.",
        )
    raise SessionError(
        f"There is no session {session}.", why="Neither a file, a session nor an id is so called.", next_step=_NEXT_STEP
    )


def is_session(session: str, state: Path | None) -> bool:
    """Whether there is a session, or several, that `find_session` would find by this."""
    return bool(_called(session, state))


def _called(session: str, state: Path | None) -> list[Path]:
    directory = state_directory(state) / "sessions"
    found = [path for path in _files(directory) if path.stem == session] or named(session, directory)[:1]
    found = found or [path for path in (Path(session),) if is_file(path)]
    found = found or [path for path in _files(shipped("sessions")) if path.stem == session]
    return found or [path for path in _files(directory) if session and path.stem.startswith(session)]


def saved_sessions(state: Path | None) -> list[SavedSession | Unreadable]:
    """All sessions of the state directory, the latest first."""
    sessions: list[SavedSession | Unreadable] = []
    for path in reversed(_files(state_directory(state) / "sessions")):
        try:
            sessions.append(read_session(path))
        except SessionError as error:
            sessions.append(Unreadable(path, error.why or error.what))
    return sessions


def last_session(fingerprint: str, state: Path | None) -> SavedSession | None:
    """The latest saved session about the database with this fingerprint in which anything was asked."""
    for path in reversed(_files(state_directory(state) / "sessions")):
        try:
            if _begins_with(path, fingerprint) and (session := read_session(path)).turns:
                return session
        except SessionError:
            continue
    return None


def questions_of(fingerprint: str, state: Path | None, most: int = 500) -> tuple[tuple[str, str], ...]:
    """What was asked of the database with this fingerprint in saved sessions, with the day: each question once, the
    latest first, no more than `most`."""
    found: dict[str, str] = {}
    for path in reversed(_files(state_directory(state) / "sessions")):
        if len(found) >= most:
            break
        try:
            session = read_session(path) if _begins_with(path, fingerprint) else None
        except SessionError:
            continue
        for turn in reversed(session.turns if session else ()):
            found.setdefault(turn.asked.text, session.started.created[:10] if session else "")
    return tuple(found.items())[:most]


def _begins_with(path: Path, fingerprint: str) -> bool:
    """Whether the file's first line is about that database; the rest, which may be long, is not read."""
    try:
        with path.open("rb") as file:
            return json.dumps(fingerprint).encode() in file.readline(_FIRST_LINE)
    except OSError:
        return False


def _files(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.jsonl")) if directory.is_dir() else []


def _events(path: Path) -> tuple[list[Event], list[str]]:
    """All events of the file, and a notice where its last line is torn."""
    try:
        if not path.is_file():
            raise SessionError(f"{path.name} is not a file.", next_step=_NEXT_STEP)
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise SessionError(f"{path.name} cannot be read.", why=error.strerror or "", next_step=_NEXT_STEP) from error
    torn = not _is_json(lines[-1])  # in a file that was written in full, nothing follows the last line end
    notices = ["The last line is torn and is left out; nothing else is lost."] if torn and lines[-1] else []
    if torn:
        lines.pop()
    if not lines:
        raise _not_a_session(path, "It has no complete line.")
    events: list[Event] = []
    for number, line in enumerate(lines, start=1):
        data = _json(path, number, line)
        if number == 1:
            _check_format(path, data)
        try:
            events.append(from_json(data))
        except SessionError as error:
            raise _not_a_session(path, f"Line {number}: {error.what} {error.why}") from error
    return events, notices


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _json(path: Path, number: int, line: bytes) -> object:
    try:
        data: object = json.loads(line)
    except (ValueError, RecursionError) as error:  # ValueError: no JSON, no UTF-8, or a number beyond all bounds
        if line.startswith(_SQLITE):
            raise SessionError(
                f"{path.name} is not a session file of ehrtui.",
                why="It is a SQLite database.",
                next_step="Name the session first: ehrtui replay SESSION DB; `ehrtui sessions` lists them.",
            ) from error
        raise _not_a_session(path, f"Line {number} is not JSON.") from error
    return data


def _check_format(path: Path, first: object) -> None:
    version = first.get("format") if isinstance(first, dict) else None
    if isinstance(version, int) and version != FORMAT:
        raise SessionError(
            f"{path.name} has format version {str(version)[:20]}.",
            why=f"This ehrtui reads version {FORMAT}.",
            next_step="Open it with the ehrtui that wrote it, or install a newer one.",
        )


def _check_now(path: Path, now: str) -> None:
    try:
        datetime.strptime(now, "%Y-%m-%d %H:%M:%S")
    except ValueError as error:
        raise _not_a_session(path, "Its database now is not an instant.") from error


def _run(path: Path, turns: int, events: list[Event]) -> SavedTurn:
    """One run: of the next turn, or again of one of the `turns` so far."""
    asked, proposed, end = (events[0], events[1], events[-1]) if len(events) > 2 else (None, None, None)
    if (
        not isinstance(asked, QuestionAsked)
        or not isinstance(proposed, PlanProposed)
        or not isinstance(end, TURN_ENDS)
        or not asked.turn == proposed.turn == end.turn
        or not 1 <= end.turn <= turns + 1
    ):
        raise _not_a_session(path, f"The events after turn {turns} are not in order.")
    edits = tuple(event for event in events if isinstance(event, PlanEdited))
    result = next((event for event in events if isinstance(event, ResultSaved)), None)
    revisions = tuple(event for event in events if isinstance(event, PlanRevised))
    return SavedTurn(asked, proposed, edits, end, result, revisions)


def _not_a_session(path: Path, why: str) -> SessionError:
    return SessionError(f"{path.name} is not a session file of ehrtui.", why=why, next_step=_NEXT_STEP)
