"""The database now, found within a moment: what would be long in reading is left out, and that is said."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from ehrtui.engines.engine import Engine, Row
from ehrtui.errors import QueryCancelled
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile, database_now

_SECONDS = 3.0
"""For the latest events of all tables. An index tells them at once, a packed file of a hospital in a minute."""
_SECONDS_EACH = 0.4
"""For one of them, until all were tried: large tables must not take the time of small ones."""
_NAMED = 3
"""Tables that are named of those that are left out."""


def today(engine: Engine, profile: Profile, schema: Schema, seconds: float = _SECONDS) -> tuple[str, str]:
    """The database now, and what the user should know of how it was found, "" where it is sure. Raises DatabaseError
    and QueryError."""
    end = time.monotonic() + seconds
    known: dict[str, list[Row]] = {}
    missed: dict[str, None] = {}
    now = ""

    def read(each: float, select: str) -> list[Row]:
        if select not in known:
            known[select] = _read_until(min(end, time.monotonic() + each), engine, select)
        return known[select]

    for each in (_SECONDS_EACH, seconds):
        known = {select: rows for select, rows in known.items() if rows}
        missed.clear()
        now = database_now(profile, schema, partial(read, each), missed.setdefault)
    if missed and not any(latest for rows in known.values() for (latest,) in rows):  # nothing to go by
        missed.clear()
        now = database_now(profile, schema, _until_found(engine), missed.setdefault)
    if not missed:
        return now, ""
    names = ", ".join(list(missed)[:_NAMED]) + ("…" if len(missed) > _NAMED else "")
    return now, (
        f"Today is taken to be {now[:10]}, the latest day of the tables that are read at once; in {names} there may be "
        'later ones. To say another: --now "YYYY-MM-DD HH:MM:SS".'
    )


def _until_found(engine: Engine) -> Callable[[str], list[Row]]:
    """Reads SELECTs to their ends until one of them finds something, and what is left for a moment more."""
    found: list[object] = []
    end = time.monotonic() + _SECONDS

    def read(select: str) -> list[Row]:
        rows = _read_until(end, engine, select) if any(found) else engine.read(select)
        found.extend(latest for (latest,) in rows)
        return rows

    return read


def _read_until(end: float, engine: Engine, select: str) -> list[Row]:
    """The rows of a SELECT, none where it is not over by then."""

    def is_late() -> bool:
        return time.monotonic() >= end

    try:
        return [] if is_late() else engine.read(select, stopped=is_late)
    except QueryCancelled:
        if is_late():
            return []
        raise
