"""The authorizer of a SQLite connection: statements may read, and nothing else.

`mode=ro` alone does not stop ATTACH, PRAGMA or functions that touch files; SQLite asks an authorizer about each while
it compiles a statement.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

RESULTS = "results"
"""The name under which the database of kept results is attached."""

_SQLITE_RECURSIVE = 33
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, _SQLITE_RECURSIVE}
_DENIED_FUNCTIONS = {"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "sqlite_log", "optimize"}
# Virtual tables read these of their own; the others describe the schema.
_READING_PRAGMAS = {
    "data_version",
    "page_size",
    "table_info",
    "table_xinfo",
    "table_list",
    "foreign_key_list",
    "index_list",
    "index_info",
    "index_xinfo",
}
_VALUELESS_PRAGMAS = {"data_version", "page_size"}
_NAMES = {
    sqlite3.SQLITE_INSERT: "INSERT",
    sqlite3.SQLITE_UPDATE: "UPDATE",
    sqlite3.SQLITE_DELETE: "DELETE",
    sqlite3.SQLITE_ATTACH: "ATTACH",
    sqlite3.SQLITE_DETACH: "DETACH",
    sqlite3.SQLITE_TRANSACTION: "A transaction",
}


class Allowance(Enum):
    """Who is asking: a statement from outside, the filling of a kept result with one, or the host itself."""

    READ = 1
    FILL = 2
    HOST = 3


class Guard:
    """Install with `connection.set_authorizer(guard)`. `refused` names what the last refusal was about. While `halted`,
    it refuses everything: views that nest many times take long to compile, which nothing else can stop."""

    def __init__(self) -> None:
        self.refused = ""
        self.halted = False
        self._allowance = Allowance.READ

    @contextmanager
    def allowing(self, allowance: Allowance) -> Iterator[None]:
        """Widen what may be compiled and run while the context lasts."""
        before, self._allowance = self._allowance, allowance
        try:
            yield
        finally:
            self._allowance = before

    def __call__(
        self, action: int, first: str | None, second: str | None, database: str | None, trigger: str | None
    ) -> int:
        """SQLite's question: may a statement take `action` on `first` and `second`?"""
        if self.halted:
            return sqlite3.SQLITE_DENY
        if self._allowance is Allowance.HOST or action in _READING:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            return self._decide((second or "").lower() not in _DENIED_FUNCTIONS, f"The function {second}")
        if action == sqlite3.SQLITE_PRAGMA:
            return self._decide(_is_reading_pragma(first, second), f"PRAGMA {first}")
        if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master":
            # SQLite asks this while it connects a virtual table (json_each…); it never lets the catalogue be set.
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_INSERT and self._allowance is Allowance.FILL:
            return self._decide(database == RESULTS, "INSERT")
        return self._decide(False, _NAMES.get(action, "A statement that changes something"))

    def _decide(self, allowed: bool, what: str) -> int:
        if allowed:
            return sqlite3.SQLITE_OK
        self.refused = what
        return sqlite3.SQLITE_DENY


def _is_reading_pragma(name: str | None, value: str | None) -> bool:
    name = (name or "").lower()
    return name in _READING_PRAGMAS and not (name in _VALUELESS_PRAGMAS and value)
