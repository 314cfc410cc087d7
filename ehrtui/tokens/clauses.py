"""Stage 2 of a decomposition: one query by clause, as turns that continue each other.

First its rows by the first condition, then one condition more at a time, then grouping and aggregates, HAVING, and
ORDER BY with LIMIT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import TokenType

from ehrtui.tokens.continuation import Clauses, cut
from ehrtui.tokens.lexed import Lexed, lex

_KEYWORDS = {TokenType.GROUP_BY: "GROUP BY", TokenType.ORDER_BY: "ORDER BY"}
_ROW_IDS = {"rowid", "_rowid_", "oid"}


@dataclass(frozen=True)
class Piece:
    """One turn: `head`, a token for the turn before it ("" where it is the first) and `tail`."""

    head: str
    token: str
    tail: str
    why: str

    def sql(self, previous: int) -> str:
        """The turn's SQL, where `previous` is the number of the turn before it."""
        return self.head + (f"{self.token}{previous}" if self.token else "") + self.tail


def clause_pieces(sql: str, dialect: str) -> tuple[tuple[Piece, ...], str]:
    """The turns of one query (itself, where there is nothing to split), and a sentence where clauses must stay together
    that are turns elsewhere, else ""."""
    lexed = lex(sql, dialect)
    select = cut(lexed)
    whole = (Piece(sql, "", "", "all of it"),)
    if lexed.kind(0) != TokenType.SELECT or (select.closed and TokenType.LIMIT not in select.clauses):
        return whole, ""
    conditions = _conditions(lex(select.clauses.get(TokenType.WHERE, ""), dialect))
    grouped = TokenType.GROUP_BY in select.clauses
    source = None
    if conditions and (grouped or select.single_row) and not _names_row_ids(lexed):
        source = _source(lex(select.head, dialect))
    if source:
        rows = _narrowed(f"SELECT * FROM {source.relation}", conditions)
        pieces = [*rows, _over(source, select.clauses, grouped)]
    elif grouped:
        kept = (TokenType.WHERE, TokenType.GROUP_BY, TokenType.WINDOW)
        pieces = [Piece(_spelt(select.head, select.clauses, kept), "", "", "its groups")]
    elif select.single_row:
        rest = [kind for kind in select.clauses if kind != TokenType.WHERE]
        if rest:
            return whole, ""
        pieces = _narrowed(select.head, conditions)
    else:
        pieces = _narrowed(select.head, conditions, _spelt("", select.clauses, (TokenType.WINDOW,)))
    if grouped and TokenType.HAVING in select.clauses:
        pieces.append(_continued(select.clauses, (TokenType.HAVING,), "of the groups, those that fit"))
    if grouped or not select.single_row:
        order = tuple(kind for kind in (TokenType.ORDER_BY, TokenType.LIMIT) if kind in select.clauses)
        if order:
            pieces.append(
                _continued(select.clauses, order, "sorted" if TokenType.LIMIT not in order else "the first ones")
            )
    stays = ""
    if grouped and not source and len(conditions) > 1:
        stays = "The conditions before GROUP BY stay together: they join several tables."
    return (tuple(pieces) if len(pieces) > 1 else whole), stays


@dataclass(frozen=True)
class _Source:
    """The one relation of a query: what is selected from it ("SELECT …"), how FROM writes it, and its name there."""

    selected: str
    relation: str
    alias: str


def _narrowed(head: str, conditions: Sequence[str], tail: str = "") -> list[Piece]:
    """The rows by the first condition, then one condition more at a time."""
    if not conditions:
        return [Piece(f"{head}{tail}", "", "", "all rows")]
    first = Piece(f"{head} WHERE {conditions[0]}{tail}", "", "", "the first condition")
    return [first, *(Piece("", "PREV_QUERY", f" AND {each}", "one condition more") for each in conditions[1:])]


def _over(source: _Source, clauses: Clauses, grouped: bool) -> Piece:
    """Groups and aggregates over the rows of the turn before. Without groups there is one row, which nothing that
    follows could sort."""
    kept = (
        (TokenType.GROUP_BY, TokenType.WINDOW)
        if grouped
        else tuple(kind for kind in clauses if kind != TokenType.WHERE)
    )
    alias = f" AS {source.alias}" if source.alias else ""
    tail = _spelt("", clauses, kept)
    return Piece(
        f"{source.selected} FROM (", "PREV_RESULT", f"){alias}{tail}", "its groups" if grouped else "over all rows"
    )


def _continued(clauses: Clauses, kinds: Sequence[TokenType], why: str) -> Piece:
    return Piece("", "PREV_QUERY", _spelt("", clauses, kinds), why)


def _spelt(head: str, clauses: Clauses, kinds: Sequence[TokenType]) -> str:
    """The head and those of its clauses, each after a space."""
    return head + "".join(f" {_KEYWORDS.get(kind, kind.name)} {clauses[kind]}" for kind in kinds if kind in clauses)


def _conditions(where: Lexed) -> list[str]:
    """The conditions that AND joins; one where OR binds the whole."""
    cases, between, cuts = 0, 0, []
    for index in range(len(where.tokens)):
        kind = where.kind(index)
        if where.enclosing[index] != -1:
            continue
        if kind in (TokenType.CASE, TokenType.END):
            cases += 1 if kind == TokenType.CASE else -1
        elif cases:
            continue
        elif kind == TokenType.OR:
            return [where.text(0, len(where.tokens))]
        elif kind == TokenType.BETWEEN:
            between += 1
        elif kind == TokenType.AND and between:
            between -= 1
        elif kind == TokenType.AND:
            cuts.append(index)
    ends = [*cuts, len(where.tokens)]
    return [
        where.text(first, end) for first, end in zip([0, *(at + 1 for at in cuts)], ends, strict=True) if first < end
    ]


def _source(head: Lexed) -> _Source | None:
    """The relation of "SELECT … FROM relation"; None where there are several, or it is written in another way."""
    at = next(
        (at for at in range(len(head.tokens)) if head.kind(at) == TokenType.FROM and head.enclosing[at] == -1), None
    )
    if at is None:
        return None
    first, end = at + 1, len(head.tokens)
    if head.kind(first) == TokenType.L_PAREN and head.previous(first + 1) and head.partner.get(first) == first + 2:
        after, alias = first + 3, ""
    elif head.name(first) and not head.previous(first):
        after, alias = first + 1, head.text(first, first + 1)
    else:
        return None
    if head.kind(after) == TokenType.ALIAS:
        after += 1
    if after < end:
        if after + 1 < end or not head.name(after):
            return None
        alias = head.text(after, end)
    return _Source(head.text(0, at), head.text(first, end), alias)


def _names_row_ids(lexed: Lexed) -> bool:
    return any(lexed.name(at) in _ROW_IDS for at in range(len(lexed.tokens)))
