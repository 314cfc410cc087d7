"""Where the databases were that sessions are about. A session file names its database and not its place, so that it can
be given away; the places are kept beside the sessions, on this machine alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ehrtui.paths import keep_private, open_regular
from ehrtui.session.log import state_directory

FILE = "databases.json"
"""The file of the state directory that holds them."""
MOST = 200
"""Databases whose places are kept, those seen last."""
_MOST_BYTES = 1_000_000


def keep_place(fingerprint: str, target: str, state: Path | None) -> None:
    """Remember that the database with this fingerprint is at `target`, where that is a file or a folder, as far as that
    can be written."""
    if not target or "://" in target:  # an address may name more than a place
        return
    place, known = str(Path(target).resolve()), _places(state)
    if known.get(fingerprint) == place:
        return
    kept = {**{key: value for key, value in known.items() if key != fingerprint}, fingerprint: place}
    path = state_directory(state) / FILE
    try:
        keep_private(path.parent)
        beside = path.with_suffix(f".{os.getpid()}")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
            json.dump(dict(list(kept.items())[-MOST:]), file, ensure_ascii=False)
        beside.replace(path)
    except (OSError, ValueError):
        return


def kept_place(fingerprint: str, state: Path | None) -> Path | None:
    """Where the database with this fingerprint was seen last on this machine; None where it never was."""
    place = _places(state).get(fingerprint)
    return Path(place) if place else None


def _places(state: Path | None) -> dict[str, str]:
    try:
        with open_regular(state_directory(state) / FILE) as file:
            told = json.loads(file.read(_MOST_BYTES).decode("utf-8", "surrogateescape"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {key: value for key, value in told.items() if isinstance(value, str)} if isinstance(told, dict) else {}
