"""Spark's errors in a clinician's words, without values of the database and without credentials."""

from __future__ import annotations

import re

from ehrtui.engines.bridge.refusing import Unbridged
from ehrtui.errors import DatabaseError, EhrtuiError, QueryCancelled, QueryError
from ehrtui.errors import QueryLimit as Limit

FULL = "ehrtui: too many rows"
"""What a statement of ehrtui's own raises on the server, where one part of a result is too large."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_NAME = re.compile(r"`[^`]+`(?:\.`[^`]+`)*")
_UNKNOWN_HOST = ("dns resolution failed", "name or service not known", "nodename nor servname", "domain name not found")
_NO_SERVER = ("connection refused", "no route to host", "network is unreachable", "failed to connect")
_TLS = ("ssl", "tls", "certificate", "handshake", "wrong_version_number")
_CLIENT = "Check the network, and ask who runs the server."
_LOST_CODES = ("UNAVAILABLE", "CANCELLED", "DEADLINE_EXCEEDED", "ABORTED")
_LOST = ("INVALID_HANDLE.", "SESSION_CLOSED", "SESSION_NOT_FOUND", "SPARK_CONNECT_SESSION")
_NO_FILE = (
    "FAILED_READ_FILE",
    "FILE_NOT_EXIST",
    "FileNotFoundException",
    "PATH_NOT_FOUND",
    "DELTA_FILE_NOT_FOUND",
)
_NO_MEMORY = ("OutOfMemoryError", "maxResultSize", "Cannot allocate", "No space left", "EXCEED_LIMIT")


def refused(error: Exception, server: str) -> DatabaseError | None:
    """What to raise where no session can be had on a `server`; None for other errors."""
    code, message = code_of(error), " ".join(str(error).split())
    low = message.lower()
    if code is None:
        return None
    if any(each in low for each in _UNKNOWN_HOST):
        return DatabaseError(
            f"There is no server {server}.", why="Its name is not known.", next_step="Check the name of the host."
        )
    if code == "UNAUTHENTICATED" or "invalid token" in low or "missing bearer" in low:
        return DatabaseError(
            f"{server} does not let you in.",
            why="It wants a token, and none that is right was given.",
            next_step="Put the token into SPARK_CONNECT_AUTHENTICATE_TOKEN.",
        )
    if code == "PERMISSION_DENIED":
        return DatabaseError(f"{server} does not let you in.", next_step="Ask who runs the server for access.")
    if code == "UNIMPLEMENTED" or "http2" in low or "trying to connect an http1.x server" in low:
        return DatabaseError(
            f"What answers at {server} is no Spark Connect server.",
            next_step="Check the port: Spark Connect listens at 15002 unless told otherwise.",
        )
    if any(each in low for each in _NO_SERVER) and not any(each in low for each in _TLS):
        return DatabaseError(
            f"No Spark answers at {server}.",
            why="The server is down, or listens elsewhere.",
            next_step="Check the host and the port, and that Spark Connect runs there (start-connect-server.sh).",
        )
    if any(each in low for each in _TLS):
        return DatabaseError(
            f"No secure connection to {server} can be made.",
            why="The server has no TLS, or its certificate is not accepted.",
            next_step="Ask who runs the server; a token or ;use_ssl=true in the address asks for TLS.",
        )
    if code in ("UNAVAILABLE", "DEADLINE_EXCEEDED"):
        return DatabaseError(f"{server} does not answer.", why="It took too long, or broke off.", next_step=_CLIENT)
    return DatabaseError(
        f"{server} cannot be reached.", why=f"Spark says: {_without_values(message)}", next_step=_CLIENT
    )


def code_of(error: Exception) -> str | None:
    """The name of gRPC's code for an error of Spark or of the way to it, None for all others."""
    import grpc
    from pyspark.errors.exceptions.connect import SparkConnectGrpcException

    if isinstance(error, SparkConnectGrpcException):
        return str(error.getGrpcStatusCode().name)
    if isinstance(error, grpc.RpcError):
        code = getattr(error, "code", None)
        return str(code().name) if code is not None else "UNKNOWN"
    return None


def is_lost(error: Exception) -> bool:
    """True where the session is gone, or the way to it."""
    condition = _condition(error)
    return any(each in condition for each in _LOST) or (not condition and code_of(error) in _LOST_CODES)


def is_full(error: Exception) -> bool:
    """True where the statement itself found a part of its result too large."""
    return FULL in str(error)


def said_of(error: Exception, label: str) -> EhrtuiError | None:
    """What to raise for an error of a statement, or of a session that was there; None for others."""
    from pyspark.errors import PySparkException

    if code_of(error) is None and not isinstance(error, PySparkException):
        return None
    condition, message = _condition(error), str(error)
    state = (error.getSqlState() if isinstance(error, PySparkException) else None) or ""
    if condition.startswith("OPERATION_CANCEL") or state == "HY008" or "OPERATION_CANCEL" in message:
        return QueryCancelled("The query was stopped.", next_step="Run it again, or change it.")
    if is_lost(error):
        return DatabaseError(
            f"The connection to {label} was lost.",
            why="The server ended it, or can no longer be reached.",
            next_step="Ask again: ehrtui connects anew.",
        )
    if is_full(error):
        return Limit(
            "A part of the result is too large for Spark to send.",
            why="One of its tasks would have to hold all rows of it.",
            next_step="Ask for fewer rows or columns, or check the joins.",
        )
    if any(each in message for each in _NO_MEMORY):
        return Limit(
            "The server has no room left for the query.",
            why="Its memory or disk is full, or what a query may take there is limited.",
            next_step="Ask for fewer rows or columns, or one table less.",
        )
    if any(each in condition or each in message for each in _NO_FILE):
        return QueryError(
            "Files of a table are no longer there, or cannot be read.",
            why="The table was dropped, or is written anew.",
            next_step="Run the query again in a while, or open the database again to see its tables as they are.",
        )
    if condition.startswith("TABLE_OR_VIEW_NOT_FOUND") or state in ("42P01", "42704"):
        return QueryError(
            f"There is no table {_named(message)} any more.",
            why="It was dropped or renamed meanwhile.",
            next_step="Open the database again to see its tables as they are.",
        )
    if condition.startswith("UNRESOLVED_COLUMN") or state == "42703":
        return QueryError(
            "A column is no longer there.",
            why="The table was changed meanwhile.",
            next_step="Open the database again to see its tables as they are.",
        )
    if condition.startswith(("UNSUPPORTED_SUBQUERY", "SCALAR_SUBQUERY", "UNSUPPORTED_FEATURE", "NON_")):
        return Unbridged("A query within a query, such as this one has,", why="Spark computes others only.")
    if condition.startswith("RECURSION_"):
        return Limit(
            "The recursive query goes deeper than Spark lets it.",
            why="Spark ends one after so many steps or rows (spark.sql.cteRecursionLevelLimit).",
            next_step="Have it end sooner, or write it without recursion.",
        )
    if condition.startswith(("INVALID_RECURSIVE", "RECURSIVE_CTE", "UNRESOLVABLE_TABLE_VALUED")):
        return Unbridged("A recursive query such as this", why="This Spark computes others only, or none.")
    if state == "42501" or "PERMISSION" in condition or code_of(error) == "PERMISSION_DENIED":
        return QueryError(
            f"You may not read {_named(message)}.",
            why="You lack the right to SELECT from it.",
            next_step="Ask who runs the server for it.",
        )
    if state.startswith("22"):
        return QueryError(
            "A value cannot be read as what the query takes it for, or is too large for it.",
            next_step="Compare texts with texts, and numbers with numbers; CAST makes one of the other.",
        )
    return QueryError(
        "The query cannot be run.", why=f"Spark says: {_without_values(message)}", next_step="Change the query."
    )


def _condition(error: Exception) -> str:
    from pyspark.errors import PySparkException

    return (error.getCondition() or "") if isinstance(error, PySparkException) else ""


def _named(message: str) -> str:
    found = _NAME.search(message.partition("\n")[0])
    return found[0].replace("`", "") if found else "what it names"


def _without_values(message: str) -> str:
    """The first line of the message without what it quotes, which may be of the database."""
    return _QUOTED.sub("…", message.partition("\n")[0])[:300]
