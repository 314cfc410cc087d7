"""DuckDB's errors in a clinician's words, without the values that it quotes."""

from __future__ import annotations

import re

from ehrtui.errors import DatabaseError, EhrtuiError, QueryError, QueryLimit

_LINE = re.compile(r"CSV Error on Line: (\d+)")
_FILE = re.compile(r'(?:file|File)\s*[:=]?\s*"?([^"\n]+\.(?:csv|tsv|txt|gz)(?:\.gz)?)', re.IGNORECASE)
_COLUMN = re.compile(r'(?:converting column|Column) "?([A-Za-z_][A-Za-z0-9_]*)"?')
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def said_of(error: Exception, label: str, *, opening: bool = False) -> EhrtuiError | None:
    """What to raise for one of DuckDB's errors, None for others. With `opening`, the database `label` was not
    open yet."""
    import duckdb

    if not isinstance(error, duckdb.Error):
        return None
    message = str(error)
    first = message.partition("\n")[0][:300]
    if found := _LINE.search(message):
        return _broken_line(message, found[1])
    if "lock" in first and isinstance(error, duckdb.IOException):
        return DatabaseError(
            f"{label} is locked by another program.",
            why="DuckDB lets nobody read a file while another process writes to it.",
            next_step="Close the other program, then try again.",
        )
    if "version number" in message or "newer version" in message or "storage version" in message:
        return DatabaseError(
            f"{label} was written by another version of DuckDB.",
            why=f"This is DuckDB {duckdb.__version__}, which cannot read it.",
            next_step="Install a newer DuckDB: pip install --upgrade duckdb",
        )
    if opening or isinstance(error, duckdb.IOException | duckdb.FatalException | duckdb.SerializationException):
        return DatabaseError(
            f"{label} cannot be read.",
            why=f"DuckDB says: {_without_values(first)}",
            next_step="Check that it is whole.",
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        return QueryLimit(
            "The query needs more memory, or more of the disk, than it may use.",
            next_step="Ask for fewer rows or columns, or one table less.",
        )
    if isinstance(error, duckdb.ConversionException | duckdb.OutOfRangeException | duckdb.TypeMismatchException):
        return QueryError(
            "A value cannot be read as what the query takes it for.",
            why=f"DuckDB says: {_without_values(first)}",
            next_step="Compare texts with texts, and numbers with numbers; CAST makes one of the other.",
        )
    return QueryError(
        "The query cannot be run.", why=f"DuckDB says: {_without_values(first)}", next_step="Change the query."
    )


def _broken_line(message: str, line: str) -> DatabaseError:
    file, column = _FILE.search(message), _COLUMN.search(message)
    name = file[1].replace("\\", "/").rpartition("/")[2] if file else "A file"
    within = f" in the column {column[1]}" if column else ""
    return DatabaseError(
        f"{name} has a line that cannot be read: line {line}{within}.",
        why="It does not have the fields, the quotes or the kinds of values that the lines before have.",
        next_step="Correct that line, or take the file from its source again.",
    )


def _without_values(message: str) -> str:
    """The message without what it quotes, which may be of the database."""
    return _QUOTED.sub("…", message)
