"""Opening the database that a conversation is to be about. It loads little, so that the tables are known first: all
that reads questions takes longer to load than a database to open."""

from __future__ import annotations

from pathlib import Path

from ehrtui.cache import cache_directory
from ehrtui.engines.engine import Engine, Limits
from ehrtui.engines.opening import open_engine
from ehrtui.settings import Settings


def open_target(target: str, state: Path | None, settings: Settings) -> Engine:
    """The engine of `target` within the limits of the `settings`. What was prepared for it is looked for under `state`,
    or in the user's cache. Raises DatabaseError, and UsageError where neither can be used."""
    limits = Limits(settings.turn_seconds, settings.result_rows, settings.result_bytes, settings.reserve_bytes)
    return open_engine(target, limits=limits, cache=cache_directory("prepared", state))
