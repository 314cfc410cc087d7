"""One read-only statement: its text without what trails it, and a clear refusal of everything else."""

from __future__ import annotations

import re

from ehrtui.errors import ForbiddenStatement, QueryError, QueryLimit

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<semicolon>;)
    |(?P<word>\w+)
    |(?P<other>'(?:[^']++|'')*+'|"(?:[^"]++|"")*+"|`(?:[^`]++|``)*+`|\[[^\]]*\]|.)""",
    re.DOTALL | re.VERBOSE,
)
_READING = {"SELECT", "WITH", "VALUES"}
_CHANGING = re.compile(
    "ALTER|ANALYZE|ATTACH|BEGIN|COMMIT|COPY|CREATE|DELETE|DETACH|DROP|END|EXPLAIN|GRANT|INSERT|INSTALL|LOAD|MERGE|PRAGMA"
    "|REINDEX|RELEASE|REPLACE|ROLLBACK|SAVEPOINT|SET|TRUNCATE|UPDATE|VACUUM"
)
LONGEST = 5_000_000
"""Characters of one statement."""
_NEXT_STEP = "Write one query that starts with SELECT or WITH."


def single_select(sql: str) -> str:
    """The text of the one SELECT, WITH … SELECT, VALUES or EXPLAIN QUERY PLAN in `sql`, without trailing semicolons
    and comments. Raises ForbiddenStatement for another or a second statement, QueryError where there is no query,
    QueryLimit where it is too long."""
    if len(sql) > LONGEST:
        raise QueryLimit("The SQL is too long.", next_step="Continue from the rows of an earlier turn (PREV_RESULTn).")
    words: list[str] = []
    start, end, closed = -1, 0, False
    for token in _TOKEN.finditer(sql):
        if token.lastgroup in ("space", "comment"):
            continue
        if token.lastgroup == "semicolon":
            closed = start >= 0
            continue
        if closed:
            raise ForbiddenStatement(
                "Only one statement can be run at a time.",
                why="There is another one after the semicolon.",
                next_step="Remove it, or run it as a turn of its own.",
            )
        if start < 0:
            start = token.start()
        if len(words) < 3:
            words.append(token.group().upper())
        end = token.end()
    if start < 0:
        raise QueryError("There is no SQL to run.", next_step=_NEXT_STEP)
    if words[0] not in _READING and words != ["EXPLAIN", "QUERY", "PLAN"]:
        _refuse(words[0])
    return sql[start:end]


def is_explanation(select: str) -> bool:
    """True for the text of an EXPLAIN QUERY PLAN, as `single_select` returns it."""
    return select[:7].upper() == "EXPLAIN"


def forbidden(action: str) -> ForbiddenStatement:
    """The refusal of `action` ("INSERT", "the function load_extension"…)."""
    return ForbiddenStatement(
        f"{action} is not allowed: the database is only read.",
        why="Nothing that ehrtui runs may change the database, or reach outside it.",
        next_step=_NEXT_STEP,
    )


def _refuse(word: str) -> None:
    if _CHANGING.fullmatch(word):
        raise forbidden(word)
    raise QueryError(f"A query cannot start with “{word[:40]}”.", next_step=_NEXT_STEP)
