"""The session file: the stream of events, one JSON object a line, written as the conversation goes on.

Every event is handed to the operating system at once, and synced to the disk at every turn's end, so that a killed
process or a power cut loses at most the turn in hand. A full disk, or a directory that vanished, never stops the
conversation: the whole session is kept in memory, and what is not on the disk yet is tried again at every turn's end.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from ehrtui.paths import keep_private, own_directory
from ehrtui.session.events import REMARKS, TURN_ENDS, Event, SessionNamed, SessionStarted, to_json

FORMAT = 1
"""The version of the session file; readers refuse any other."""


def state_directory(state: Path | None) -> Path:
    """Where ehrtui keeps sessions: `state`, or the user's directory for such files, which is closed to others where it
    is there. Raises UsageError where that cannot be used."""
    if state is not None:
        return own_directory(state)
    from platformdirs import user_state_path  # on nobody's start-up path

    directory = own_directory(user_state_path("ehrtui"))
    if directory.is_dir():
        keep_private(directory)
    return directory


def new_session_id(created: datetime) -> str:
    """A name for a session that sorts by time: "20261103-141502-5f3a9c"."""
    return f"{created:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


class SessionLog:
    """Writes one session to `path`. The file appears with the first turn, readable by its owner alone.

    `problem` says why something is not on the disk yet, "" when all of it is. While it is `held`, what is written waits
    for what comes after that.
    """

    def __init__(self, path: Path, first: SessionStarted) -> None:
        self.path = path
        self.problem = ""
        self.held = False
        self._begun = False
        self._content = bytearray(_line(first))
        self._written = 0
        self._descriptor: int | None = None
        self._writing = threading.Lock()

    def write(self, event: Event) -> None:
        """Add an event, from any thread. Never raises for what may be wrong with the disk: see `problem`."""
        with self._writing:
            self._content += _line(event)
            self._begun = self._begun or not isinstance(event, SessionNamed)
            if self.held or not self._begun:
                return
            complete = isinstance(event, (*TURN_ENDS, *REMARKS, SessionNamed))
            if complete or not self.problem:
                self._save(sync=complete)

    def close(self) -> None:
        """Try once more to save what is missing, and close the file."""
        if self.problem:
            self._save(sync=True)
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _save(self, *, sync: bool) -> None:
        try:
            if sync and self._vanished():
                self._start_anew()
            if self._descriptor is None:
                self._descriptor = self._create()
            # A write that the disk cuts short is continued where it stopped, so the file never repeats anything.
            while self._written < len(self._content):
                self._written += os.write(self._descriptor, self._content[self._written :])
            if sync:
                os.fsync(self._descriptor)
            self.problem = ""
        except OSError as error:
            self.problem = error.strerror or type(error).__name__

    def _create(self) -> int:
        keep_private(self.path.parent)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        with suppress(OSError):  # a file system without modes
            self.path.chmod(0o600)  # a umask may have taken away what its owner needs
        return descriptor

    def _vanished(self) -> bool:
        """True when the file that is open is no longer the one at `path`."""
        if self._descriptor is None:
            return False
        try:
            return not os.path.samestat(os.fstat(self._descriptor), self.path.stat())
        except FileNotFoundError:
            return True

    def _start_anew(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self._written = 0


def _line(event: Event) -> bytes:
    # Lone surrogates become \udcXX, which is how JSON spells them.
    text = json.dumps(to_json(event), ensure_ascii=False, separators=(",", ":"))
    return (text + "\n").encode("utf-8", "backslashreplace")
