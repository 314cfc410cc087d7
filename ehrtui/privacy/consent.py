"""Consent: asked once for each database and server, before the first request is sent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ehrtui.cache import replacing
from ehrtui.paths import make_private

MASKED = """What is sent: the names of tables and columns, your question and the queries of earlier turns with
placeholders in place of identifiers, dates, numbers and names, that a plan failed, what is wrong in its own text, and
whether an answer has no, one, a few or many rows and is of the type that was said. What is never sent: results, and
any value of the database that its profile does not call shareable."""
AS_IT_IS = """What is sent: your questions, queries and errors as they are, and the first rows of answers, with names,
identifiers and dates of patients."""
_MOST_READ = 1_000_000


@dataclass(frozen=True)
class Request:
    """A request that is about to be sent to `host`: its `body` as JSON values, `masked` or as it is."""

    host: str
    masked: bool
    body: Mapping[str, Any]


class Consents:
    """The consents that were given, in the file at `path`. A file that cannot be read holds none. `ask` asks the user
    for one that is not there, in the thread that is about to send the request; unless it is set, nobody is asked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.ask: Callable[[Request], bool] = lambda _: False

    def given(self, database: str, host: str, *, masked: bool = True) -> bool:
        """True where it was given for the database (its path or URL) and the server's host; where the requests are not
        `masked`, for such ones."""
        return _key(database, host, masked) in self._read()

    def give(self, database: str, host: str, *, masked: bool = True) -> None:
        """Remember that it was given. Raises OSError."""
        make_private(self._path.parent)
        keys = sorted({*self._read(), _key(database, host, masked)})
        with replacing(self._path) as part:
            part.write_text(json.dumps(keys), encoding="utf-8")

    def _read(self) -> frozenset[str]:
        try:
            with self._path.open(encoding="utf-8") as file:
                data = json.loads(file.read(_MOST_READ))
        except (OSError, ValueError, RecursionError):
            return frozenset()
        return frozenset(one for one in data if isinstance(one, str)) if isinstance(data, list) else frozenset()


def _key(database: str, host: str, masked: bool) -> str:
    """A hash, so that the file does not tell which databases there are."""
    return hashlib.sha256(f"{database}\0{host}\0{'' if masked else 'as it is'}".encode("utf-8", "replace")).hexdigest()
