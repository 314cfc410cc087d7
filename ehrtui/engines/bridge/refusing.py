"""What an engine cannot answer as SQLite would is refused by its name."""

from __future__ import annotations

from ehrtui.errors import QueryError


class Unbridged(QueryError):
    """A construct of SQLite's dialect that another engine does not have, or has with another meaning."""

    def __init__(self, construct: str, *, why: str = "") -> None:
        super().__init__(
            f"{construct} cannot be used on this database.",
            why=why or "Queries are written in SQLite's dialect; what nothing here gives the same rows for is refused.",
            next_step="Write the query without it, or work on a SQLite copy of the database.",
        )
