"""What a session may be called, and which one is called so. A name stands in the session's own file, as an event."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from pathlib import Path

from ehrtui.errors import SessionError
from ehrtui.paths import open_regular
from ehrtui.session.events import SessionNamed, to_json
from ehrtui.session.stream import EventStream
from ehrtui.shipped import shipped
from ehrtui.terminal import printable

LONGEST = 60
"""Letters of a name."""
_ID = re.compile(r"[\d-]+|\d{8}-.*")
_LINE = f'{{"event":"{SessionNamed.__name__}"'.encode()
"""How the line of a name begins."""


class SessionName:
    """The name of one conversation's session, told to its readers and to its file at `path`, if it has one."""

    def __init__(self, stream: EventStream, path: Path | None) -> None:
        self._stream = stream
        self._path = path
        self.text = ""

    def give(self, name: str) -> None:
        """Call the session so from now on; "": by its id alone. Raises SessionError where it cannot be called so."""
        if self._path is None:
            raise SessionError(
                "This session is not saved, and has no name.",
                why="A name stands in the session's file.",
                next_step="Open the database without --no-save.",
            )
        self.take_up(free_name(name, self._path.parent, but=self._path.stem, now=self.text))

    def take_up(self, name: str) -> None:
        """Go on with a session of that name: its name is the name of this one, too."""
        if name != self.text:
            self.text = name
            self._stream.emit(SessionNamed(name))


def is_id_or_file(text: str) -> bool:
    """Whether a text is written as ids or files are, and so never the name of a session."""
    return bool(_ID.fullmatch(text)) or text.endswith(".jsonl") or any(sign in text for sign in "/\\")


def free_name(text: str, directory: Path, *, but: str, now: str = "") -> str:
    """The name as it is kept, for session `but`, which is called `now`: no other one in the directory is called so.
    Raises SessionError where one is, and for what no session can be called."""
    name = checked_name(text) if text.strip() else ""
    if _key(name) in ("", _key(now)):
        return name
    others = [path for path in named(name, directory) if path.stem != but]
    if others or any(_key(path.stem) == _key(name) for path in shipped("sessions").glob("*.jsonl")):
        raise SessionError(
            f"The name {name} is taken.",
            why=f"The session {others[0].stem} is called so." if others else "An example that ships is called so.",
            next_step="Choose another name; `ehrtui sessions` lists those there are.",
        )
    return name


def checked_name(text: str) -> str:
    """A name as it is kept. Raises SessionError for what no session can be called."""
    name = re.sub(" +", " ", unicodedata.normalize("NFC", text)).strip()
    why = ""
    if not name:
        why = "It has no letters."
    elif printable(name) != name:
        why = "It has characters that cannot be seen, or that change how others look."
    elif len(name) > LONGEST:
        why = f"It has more than {LONGEST} letters."
    elif is_id_or_file(name) or name[0] in "-.":
        why = "It is written as an id, a file or an option is."
    if why:
        raise SessionError(
            f"No session can be called {printable(name[:LONGEST])}." if name else "That is no name for a session.",
            why=why,
            next_step='Choose a short name in plain letters, for example "heart failure".',
        )
    return name


def name_of(path: Path) -> str:
    """What the session in a file is called; "" for nothing, and for a file that cannot be read."""
    name = ""
    try:
        with open_regular(path) as file:
            for line in file:
                if line.startswith(_LINE) and line.endswith(b"\n"):
                    told = json.loads(line).get("name")
                    name = told if isinstance(told, str) else name
    except (OSError, ValueError, RecursionError):
        return ""
    return name


def named(name: str, directory: Path) -> list[Path]:
    """The session files in the directory of that name, whatever its capitals, the latest first: a session that goes on
    with an earlier one has its name."""
    wanted = _key(name)
    files = sorted(directory.glob("*.jsonl"), reverse=True) if directory.is_dir() else []
    return [path for path in files if wanted and _key(name_of(path)) == wanted]


def rename(path: Path, name: str) -> None:
    """Call the session in a file so from now on. A torn last line, which nobody can read, makes way. Raises
    SessionError."""
    line = json.dumps(to_json(SessionNamed(name)), ensure_ascii=False, separators=(",", ":")) + "\n"
    try:
        with path.open("r+b") as file:
            content = file.read()
            file.seek(content.rfind(b"\n") + 1)
            file.truncate()
            file.write(line.encode("utf-8", "backslashreplace"))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise SessionError(f"{path.name} cannot be written.", why=error.strerror or "") from error


def _key(name: str) -> str:
    return " ".join(name.casefold().split())
