"""Decomposition: a nested query becomes a sequence of turns that name each other with `PREV_` tokens (EHR-SeqSQL §3).

Stage 1 takes the innermost subqueries out first: each one that stands on its own becomes a turn, and `PREV_RESULTn`
takes its place. Common table expressions and the arms of UNION, EXCEPT and INTERSECT become turns as well. Stage 2
splits what is left by clause, with continuations: `PREV_QUERYn AND …`. Running the turns gives the original's rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ehrtui.engines.statement import is_explanation, single_select
from ehrtui.errors import TokenError
from ehrtui.schema.model import Schema
from ehrtui.tokens.part import Part


@dataclass(frozen=True)
class Decomposition:
    """The turns in order, the last of which gives the statement's rows. `unsplit` says, one sentence each, which parts
    stay together and why."""

    turns: tuple[Part, ...]
    unsplit: tuple[str, ...] = ()


def decompose(
    sql: str,
    *,
    schema: Schema,
    dialect: str = "sqlite",
    by_clause: bool = False,
    start: int = 1,
    earlier: Mapping[int, Sequence[str]] | None = None,
) -> Decomposition:
    """Split one SELECT into turns numbered from `start`; with `by_clause`, also by clause (stage 2).

    `schema` tells whose an unqualified column is. The statement may name turns before `start`; `earlier` has the
    columns of their results. Comments and strings are kept. Raises ForbiddenStatement or QueryError for what is not one
    SELECT, TokenError for a token that names a later turn, and where the SQL cannot be cut into tokens.
    """
    from ehrtui.tokens.lexed import lex
    from ehrtui.tokens.splitting import Splitting

    lexed = lex(sql, dialect)
    named = [found for found in map(lexed.previous, range(len(lexed.tokens))) if found]
    for found in named:
        if found.turn >= start:
            raise TokenError(
                f"{found.token[:40]} does not name an earlier turn.",
                why=f"The first turn of the decomposition would be turn {start}.",
                next_step="Name an earlier turn, or write its query out.",
            )
    continues = bool(lexed.tokens) and lexed.previous(0) is not None
    if not continues and is_explanation(single_select(sql)):
        return Decomposition((Part(sql, "main", "the statement"),), ("EXPLAIN describes a query as a whole.",))
    relations = {table.name.lower(): tuple(column.name.lower() for column in table.columns) for table in schema.tables}
    for number, columns in (earlier or {}).items():
        for kind in ("result", "query"):
            relations[f"prev_{kind}{number}"] = tuple(column.lower() for column in columns)
    splitting = Splitting(lexed, relations, dialect, start=start, by_clause=by_clause)
    try:
        splitting.run()
    except RecursionError as error:
        raise TokenError(
            "The SQL is nested too deeply.", next_step="Split its innermost queries by hand first."
        ) from error
    return Decomposition(tuple(splitting.parts), tuple(dict.fromkeys(splitting.unsplit)))
