"""PostgreSQL's errors in a clinician's words, without values of the database and without credentials."""

from __future__ import annotations

import re

from ehrtui.errors import DatabaseError, EhrtuiError, ForbiddenStatement, QueryCancelled, QueryDeadline, QueryError
from ehrtui.errors import QueryLimit as Limit

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_NAMED = re.compile(r"(?:table|view|schema|relation) \"?([\w. ]+?)\"?(?: |$)")
_NO_SERVER = ("connection refused", "no such file or directory", "no route to host", "network is unreachable")
_UNKNOWN_HOST = (
    "could not translate host name",
    "name or service not known",
    "nodename nor servname",
    "failed to resolve",
)
_TLS = ("ssl", "tls", "certificate")
_LOST = ("08", "57P01", "57P02", "57P03", "57P05")
_CLIENT = "Check the network, and ask who runs the server."


def refused(error: Exception, server: str, database: str, role: str) -> DatabaseError:
    """What to raise where no connection can be had to a `database` of a `server` as a `role`."""
    from psycopg import errors

    message = " ".join(str(error).split())
    low, state = message.lower(), getattr(error, "sqlstate", None) or ""
    if "password" in low or state.startswith("28P"):
        return DatabaseError(
            f"{server} does not let {role} in.",
            why="No password was given." if "no password supplied" in low else "The password is not the right one.",
            next_step="Put it into ~/.pgpass (readable by you alone), or into the file that PGPASSFILE names.",
        )
    if any(each in low for each in _UNKNOWN_HOST):
        return DatabaseError(
            f"There is no server {server}.", why="Its name is not known.", next_step="Check the name of the host."
        )
    if "does not exist" in low and "database" in low:
        return DatabaseError(
            f"{server} has no database {database}.", next_step="Check the name after the last slash of the address."
        )
    if "does not exist" in low and "role" in low:
        return DatabaseError(f"{server} knows no role {role}.", next_step="Check the name before the @ of the address.")
    if "pg_hba" in low or state.startswith("28"):
        return DatabaseError(
            f"{server} does not let {role} in from here.",
            why="No rule of the server (pg_hba.conf) allows it for this database" + (
                " without TLS." if "no encryption" in low else "."),
            next_step="Ask who runs the server, or add ?sslmode=require to the address.",
        )  # fmt: skip
    if isinstance(error, errors.ConnectionTimeout) or "timeout" in low or "timed out" in low:
        return DatabaseError(f"{server} does not answer.", why="It took too long.", next_step=_CLIENT)
    if any(each in low for each in _NO_SERVER):
        return DatabaseError(
            f"No PostgreSQL answers at {server}.",
            why="The server is down, or listens elsewhere.",
            next_step="Check the host and the port, and that the server runs.",
        )
    if any(each in low for each in _TLS):
        return DatabaseError(
            f"No secure connection to {server} can be made.",
            why="The server has no TLS." if "does not support ssl" in low else "Its certificate is not accepted.",
            next_step="Ask who runs the server; ?sslmode= and ?sslrootcert= in the address say what is accepted.",
        )
    if "too many" in low or "remaining connection slots" in low:
        return DatabaseError(
            f"{server} has no connection left.", why="Too many are open.", next_step="Try again in a while."
        )
    if "starting up" in low or "shutting down" in low or "recovery" in low:
        return DatabaseError(f"{server} is not ready.", why="It starts, or ends.", next_step="Try again in a while.")
    return DatabaseError(f"{server} cannot be reached.", why=f"PostgreSQL says: {_without_values(message)}",
                         next_step=_CLIENT)  # fmt: skip


def said_of(error: Exception, label: str) -> EhrtuiError | None:
    """What to raise for an error of a statement, or of a connection that was open; None for others."""
    import psycopg

    if isinstance(error, UnicodeDecodeError):
        return DatabaseError(
            f"{label} holds texts that are not UTF-8.",
            why="The database does not say how its texts are encoded.",
            next_step="Leave the column out, or ask who runs the server to convert the database to UTF-8.",
        )
    if not isinstance(error, psycopg.Error):
        return None
    state = error.sqlstate or ""
    primary = (error.diag.message_primary or str(error)).partition("\n")[0]
    if not state or state.startswith(_LOST):
        return DatabaseError(
            f"The connection to {label} was lost.",
            why="The server ended it, or can no longer be reached.",
            next_step="Ask again: ehrtui connects anew. Earlier answers are computed again when they are named.",
        )
    named = _NAMED.search(primary)
    name = named[1] if named else "what it names"
    if state == "57014":
        if "statement timeout" in primary:
            return QueryDeadline(
                "The query took too long, and the server ended it.",
                next_step="Ask for less: a shorter time, fewer patients, or one table less.",
            )
        return QueryCancelled("The query was stopped.", next_step="Run it again, or change it.")
    if state == "55P03":
        return QueryError(
            "A table is locked by another program.",
            why="It is being changed, and cannot be read meanwhile.",
            next_step="Run the query again in a while.",
        )
    if state == "42501":
        return QueryError(
            f"You may not read {name}.",
            why="The role lacks the right to SELECT from it.",
            next_step=f"Ask who runs the server for: GRANT SELECT ON {name} TO your role.",
        )
    if state in ("42P01", "3F000"):
        temporary = "pg_temp" in primary
        return QueryError(
            "The rows of an earlier answer are no longer kept." if temporary else f"There is no table {name} any more.",
            why="The connection was lost meanwhile." if temporary else "It was dropped or renamed meanwhile.",
            next_step="Run its turn again." if temporary else "Open the database again to see its tables as they are.",
        )
    if state == "42703":
        return QueryError(
            "A column is no longer there.",
            why="The table was changed meanwhile.",
            next_step="Open the database again to see its tables as they are.",
        )
    if state == "25006":
        return ForbiddenStatement("The query would write.", why="ehrtui only reads.", next_step="Change the query.")
    if state.startswith("53"):
        return Limit(
            "The server has no room left for the query.",
            why="Its disk or memory is full, or what a query may take there is limited.",
            next_step="Ask for fewer rows or columns, or one table less.",
        )
    if state.startswith("40") or state == "72000":
        return QueryError(
            "The server gave the query up.",
            why="It came into conflict with what others change.",
            next_step="Run the query again.",
        )
    if state.startswith("22"):
        return QueryError(
            "A value cannot be read as what the query takes it for, or is too large for it.",
            next_step="Compare texts with texts, and numbers with numbers; CAST makes one of the other.",
        )
    return QueryError(
        "The query cannot be run.", why=f"PostgreSQL says: {_without_values(primary)}", next_step="Change the query."
    )


def _without_values(message: str) -> str:
    """The message without what it quotes, which may be of the database."""
    return _QUOTED.sub("…", message)[:300]
