"""SQLite's errors in a clinician's words."""

from __future__ import annotations

import re
import sqlite3

from ehrtui.engines.nearest import nearest
from ehrtui.engines.statement import forbidden
from ehrtui.errors import DatabaseError, EhrtuiError, QueryError, QueryLimit
from ehrtui.schema.model import Schema

_FILE_TROUBLE = {
    sqlite3.SQLITE_CORRUPT: (
        "The database is damaged: a part of it cannot be read.",
        "Copy it again from its source, or recover it with: sqlite3 DB .recover",
    ),
    sqlite3.SQLITE_NOTADB: (
        "The file is not a SQLite database, or it is encrypted.",
        "Check that you have the right file.",
    ),
    sqlite3.SQLITE_BUSY: (
        "The database is locked by another program.",
        "Wait until the other program has finished writing, or close it; then try again.",
    ),
    sqlite3.SQLITE_LOCKED: (
        "The database is locked by another program.",
        "Wait until the other program has finished writing, or close it; then try again.",
    ),
    sqlite3.SQLITE_IOERR: (
        "The database could not be read from the disk.",
        "Check the disk and the network drive, and that the file is still there.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "The database, or a temporary file, could not be opened.",
        "Check that the file is still there, and that the temporary directory can be written.",
    ),
    sqlite3.SQLITE_READONLY: (
        "The database cannot be read without writing beside it, and its directory cannot be written.",
        "Copy it, with the files beside it, to a directory of your own.",
    ),
    sqlite3.SQLITE_PROTOCOL: (
        "The database is in use by another program in a way that shuts readers out.",
        "Close the other program, then try again.",
    ),
}
_LIMITS = {
    sqlite3.SQLITE_FULL: (
        "The result is too large to be kept: it reached the size limit, or the disk is full.",
        "Ask for fewer rows or columns, or free some space in the temporary directory.",
    ),
    sqlite3.SQLITE_TOOBIG: ("A value, or a row, is too large.", "Ask for smaller pieces, such as substr(…)."),
    sqlite3.SQLITE_NOMEM: ("The query needs more memory than there is.", "Ask for fewer rows or columns."),
}
_LONGEST = 500
"""Characters of what SQLite says: it quotes the query."""


def translated(error: Exception, *, refused: str, schema: Schema | None, trouble: str = "") -> EhrtuiError:
    """The error to raise for one of the sqlite3 module's. `refused` is what the authorizer refused, if it did,
    `trouble` what is wrong with the call of a function; `schema` serves to suggest names."""
    message = str(error)[:_LONGEST]
    if refused and ("not authorized" in message or "prohibited" in message):
        return forbidden(refused)
    if trouble and "user-defined" in message:
        return QueryError(trouble, next_step="Change the query.")
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if isinstance(error, MemoryError):
        primary = sqlite3.SQLITE_NOMEM
    if primary in _FILE_TROUBLE:
        what, next_step = _FILE_TROUBLE[primary]
        return DatabaseError(what, why=f"SQLite says: {message}.", next_step=next_step)
    if primary in _LIMITS:
        what, next_step = _LIMITS[primary]
        return QueryLimit(what, why=f"SQLite says: {message}.", next_step=next_step)
    return _mistake(message, schema)


def _mistake(message: str, schema: Schema | None) -> QueryError:
    """The query itself is wrong."""
    if found := re.fullmatch(r"no such column: (.+)", message, re.DOTALL):
        return _unknown_column(found[1], schema)
    if found := re.fullmatch(r"no such table: (.+)", message, re.DOTALL):
        return _unknown_table(found[1], schema)
    if found := re.fullmatch(r"ambiguous column name: (.+)", message, re.DOTALL):
        return QueryError(
            f"Several tables have a column {found[1]}.", next_step=f"Write the table before it: table.{found[1]}"
        )
    if found := re.fullmatch(r"no such function: (.+)", message, re.DOTALL):
        return QueryError(f"SQLite has no function {found[1]}.", next_step="Use one of SQLite's own functions.")
    if found := re.fullmatch(r'near "(.+)": syntax error', message, re.DOTALL):
        return QueryError(f"The SQL cannot be read at “{found[1]}”.", next_step="Look at the words just before it.")
    if message == "LIKE or GLOB pattern too complex":
        return QueryLimit("A pattern of LIKE or GLOB is too long.", next_step="Look for a shorter piece of text.")
    if message == "incomplete input":
        return QueryError(
            "The SQL ends too early.", next_step="Look for a missing parenthesis or an unfinished condition."
        )
    if "stack overflow" in message or message.startswith("Expression tree is too large"):
        return QueryError(
            "The SQL is nested too deeply, or joins too many conditions.",
            why=f"SQLite says: {message}.",
            next_step="Continue from the rows of an earlier turn (PREV_RESULTn), or write a list as IN (…).",
        )
    if "surrogates" in message or "null character" in message:
        return QueryError("The SQL holds a character that cannot be read.", next_step="Remove it, and type it again.")
    if "bindings" in message:
        return QueryError("The SQL has placeholders (?, :name) without values.", next_step="Write the values instead.")
    return QueryError("The query cannot be run.", why=f"SQLite says: {message}.", next_step="Change the query.")


def _unknown_column(written: str, schema: Schema | None) -> QueryError:
    qualifier, _, name = written.rpartition(".")
    tables = schema.tables if schema else ()
    own = [table for table in tables if table.name.lower() == qualifier.lower()]
    homes: dict[str, list[str]] = {}
    for table in own or tables:
        for column in table.columns:
            homes.setdefault(column.name, []).append(table.name)
    near = nearest(name, homes)
    return QueryError(
        f"There is no column {written} here.",
        why=f"{own[0].name} has: {', '.join(homes)}." if own else "None of the query's tables has it.",
        next_step="Did you mean " + " or ".join(f"{name} (in {_some(homes[name])})" for name in near) + "?"
        if near
        else "Look at the columns in the schema.",
    )


def _unknown_table(written: str, schema: Schema | None) -> QueryError:
    name = written.rpartition(".")[2]
    near = nearest(name, [table.name for table in schema.tables] if schema else [])
    return QueryError(
        f"There is no table {written}.",
        next_step=f"Did you mean {' or '.join(near)}?" if near else "Look at the tables in the schema.",
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + ("…" if len(names) > 3 else "")
