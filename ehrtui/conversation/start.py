"""Open a database and start a conversation about it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, open_database
from ehrtui.engines.engine import Engine
from ehrtui.session.events import SessionStarted
from ehrtui.session.log import FORMAT, SessionLog, new_session_id, state_directory
from ehrtui.session.places import keep_place
from ehrtui.settings import DEFAULTS, Settings


def start(
    target: str,
    *,
    now: str | None = None,
    profile: Path | None = None,
    planner: str | None = None,
    threshold: float | None = None,
    state: Path | None = None,
    save: bool = True,
    with_results: bool = False,
    settings: Settings = DEFAULTS,
    memory: bool = False,
    engine: Engine | None = None,
) -> Conversation:
    """A conversation over the database at `target` (a path or a URL), which is closed with it; `engine` has it open,
    where it was opened before.

    `now` is the database now ("YYYY-MM-DD HH:MM:SS", by default 23:59 on the day of the latest event); answers below
    `threshold` in [0, 1] are withheld. `planner` and `threshold` win over those of the `settings`. With `save`, the
    session is kept under `state`; `with_results` keeps the rows of its answers too; with `memory`, approved cases help
    the planner. Raises UsageError, DatabaseError and ProfileError.
    """
    planner = settings.planner if planner is None else planner
    threshold = settings.threshold if threshold is None else threshold
    database = open_database(
        target,
        now=now,
        profile=profile,
        planner=planner,
        state=state,
        settings=settings,
        memory=memory,
        engine=engine,
    )
    log = new_log(database, state) if save else None
    return Conversation(
        database,
        threshold=threshold,
        log=log,
        with_results=with_results,
        repair=settings.repair,
        release=database.close,
    )


def new_log(database: Database, state: Path | None) -> SessionLog:
    """The file of a new session about `database` under `state`, where it is remembered in which place that is."""
    created = datetime.now().astimezone()
    fingerprint = database.engine.fingerprint()
    keep_place(fingerprint, database.target, state)
    session = new_session_id(created)
    first = SessionStarted(
        format=FORMAT,
        session=session,
        database=database.engine.label,
        fingerprint=fingerprint,
        profile=database.profile.name,
        now=database.now,
        planner=database.planner.name,
        created=created.isoformat(timespec="seconds"),
    )
    return SessionLog(state_directory(state) / "sessions" / f"{session}.jsonl", first)
