"""`PREV_RESULTn` and `PREV_QUERYn`: what a turn's SQL says of earlier turns, expanded for the engine and for export."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ehrtui.engines.engine import Row
from ehrtui.errors import TokenError
from ehrtui.plans.steps import Statement

_MAY_CHANGE = re.compile(
    r"PREV_(?:RESULT|QUERY)|CURRENT_(?:TIME|DATE)|'now'|\b(?:date|time|datetime|julianday|unixepoch|strftime)\s*\(",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reference:
    """What the tokens of turn `number` stand for.

    `relation` is the SQL that names its kept rows in the engine, `columns` and `row_count` describe them. `flat` is its
    query in flat standard SQL, None where it was computed in Python; then `rows` is called to spell the rows out.
    `alike` is False where kept rows would compare differently than the query's own: then the query is what runs.
    """

    number: int
    relation: str
    columns: tuple[str, ...]
    row_count: int
    flat: str | None
    rows: Callable[[], list[Row]]
    alike: bool = True


def expand(sql: str, references: Mapping[int, Reference], *, now: str, dialect: str = "sqlite") -> Statement:
    """The three spellings of `sql`, which may name earlier turns and read the clock; `now` is the database now,
    "YYYY-MM-DD HH:MM:SS".

    Tokens are found outside of strings, comments and quoted names, in any case. A text without any is returned as it
    is. Raises TokenError for a turn that has no result, and where a token has no meaning.
    """
    if not _MAY_CHANGE.search(sql):
        return Statement(run=sql, flat=sql, seq=sql)
    from ehrtui.conversation.expansion import spelled
    from ehrtui.conversation.lexed import lex

    lexed = lex(sql, dialect)
    named = {found.turn for found in map(lexed.previous, range(len(lexed.tokens))) if found}
    try:
        run, flat = spelled(lexed, references, now, dialect)
    except RecursionError as error:
        raise TokenError("The SQL is nested too deeply.", next_step="Split it into several turns.") from error
    return Statement(run=run, flat=flat, seq=sql, depends_on=tuple(sorted(named & references.keys())))
