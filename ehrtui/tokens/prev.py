"""`PREV_RESULTn` and `PREV_QUERYn`: what a turn's SQL says of earlier turns, expanded for the engine and for export."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ehrtui.errors import TokenError
from ehrtui.plans.reports import Statement
from ehrtui.tokens.reference import Reference

_MAY_CHANGE = re.compile(
    r"PREV_(?:RESULT|QUERY)|CURRENT_(?:TIME|DATE)|'now'|\b(?:date|time|datetime|julianday|unixepoch|strftime)\s*\(",
    re.IGNORECASE,
)


def expand(sql: str, references: Mapping[int, Reference], *, now: str, dialect: str = "sqlite") -> Statement:
    """The three spellings of `sql`, which may name earlier turns and read the clock; `now` is the database now,
    "YYYY-MM-DD HH:MM:SS".

    Tokens are found outside of strings, comments and quoted names, in any case. A text without any is returned as it
    is. Raises TokenError for a turn that has no result, and where a token has no meaning.
    """
    if not _MAY_CHANGE.search(sql):
        return Statement(run=sql, flat=sql, seq=sql)
    from ehrtui.tokens.expansion import spelled
    from ehrtui.tokens.lexed import lex

    lexed = lex(sql, dialect)
    named = {found.turn for found in lexed.named.values()}
    try:
        run, flat = spelled(lexed, references, now, dialect)
    except RecursionError as error:
        raise TokenError("The SQL is nested too deeply.", next_step="Split it into several turns.") from error
    return Statement(run=run, flat=flat, seq=sql, depends_on=tuple(sorted(named & references.keys())))
