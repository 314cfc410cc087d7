"""Continuing an earlier query: `PREV_QUERY6 AND … ORDER BY … LIMIT 1` joins its clauses to those of query 6.

The clauses are found by their keywords outside of all parentheses, and joined as text: so every expression, and the
column name that SQLite makes of it, stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlglot import TokenType, exp, parse_one
from sqlglot.errors import SqlglotError

from ehrtui.errors import TokenError
from ehrtui.tokens.lexed import CONTINUING, SET_OPERATORS, Lexed, lex

_ORDER = (
    TokenType.WHERE,
    TokenType.GROUP_BY,
    TokenType.HAVING,
    TokenType.WINDOW,
    TokenType.ORDER_BY,
    TokenType.LIMIT,
)
_CONDITIONS = {TokenType.WHERE, TokenType.AND, TokenType.OR}
_OR = re.compile(r"\bOR\b", re.IGNORECASE)
_AGGREGATES = {"avg", "count", "group_concat", "json_group_array", "json_group_object", "sum", "total"}
_AGGREGATES_OF_ONE = {"max", "min"}

# What stands between the columns of a condition or an order, and is never a name or the beginning of a subquery.
_PLAIN = {
    TokenType.AND,
    TokenType.ASC,
    TokenType.BETWEEN,
    TokenType.COMMA,
    TokenType.DASH,
    TokenType.DESC,
    TokenType.EQ,
    TokenType.GT,
    TokenType.GTE,
    TokenType.IN,
    TokenType.IS,
    TokenType.LIKE,
    TokenType.LIMIT,
    TokenType.LT,
    TokenType.LTE,
    TokenType.L_PAREN,
    TokenType.NEQ,
    TokenType.NOT,
    TokenType.NULL,
    TokenType.NUMBER,
    TokenType.OR,
    TokenType.ORDER_BY,
    TokenType.PLUS,
    TokenType.R_PAREN,
    TokenType.SLASH,
    TokenType.STAR,
    TokenType.STRING,
    TokenType.WHERE,
}

Clauses = Mapping[TokenType, str]


@dataclass(frozen=True)
class Base:
    """The query that is continued. `text` is its SQL, `named` gives the same with `columns` as its column names,
    `alias` is what to call it as a subquery, `token` how the user wrote it. `rows_only`: its rows are meant, not its
    text."""

    text: str
    named: Callable[[], str]
    columns: tuple[str, ...]
    alias: str
    token: str
    rows_only: bool


@dataclass(frozen=True)
class Select:
    """A SELECT cut at its clauses. `closed` says why nothing can join them ("" where it can), `single_row` that it is
    an aggregate over all rows."""

    head: str
    clauses: Clauses
    closed: str = ""
    single_row: bool = False


def continued(base: Base, tail: str, dialect: str) -> str:
    """`base` with the clauses of `tail`, which starts with one of CONTINUING. Clauses that cannot join its own (behind
    LIMIT, UNION or GROUP BY) apply to its rows, where those have the columns; otherwise raises TokenError."""
    joining = _clauses_of(lex(tail, dialect))
    select = Select("", {}) if base.rows_only else cut(lex(base.text, dialect))
    apart = _why_apart(base, select, [kind for kind, _ in joining])
    if apart:
        joining = _clauses_of(lex(_over_rows(base, tail, apart, dialect), dialect))
        select = Select(f"SELECT * FROM ({base.named()}) AS {base.alias}", {})
    clauses = select.clauses
    for kind, text in joining:
        clauses = _joined(base, clauses, kind, text, dialect)
    keywords = {TokenType.GROUP_BY: "GROUP BY", TokenType.ORDER_BY: "ORDER BY"}
    parts = [f"{keywords.get(kind, kind.name)} {clauses[kind]}" for kind in _ORDER if kind in clauses]
    return " ".join([select.head, *parts])


def cut(lexed: Lexed) -> Select:
    """A query's clauses, by the keywords that stand outside of all parentheses."""
    top = [index for index in range(len(lexed.tokens)) if lexed.enclosing[index] == -1]
    start = next((index for index in top if lexed.kind(index) == TokenType.SELECT), None)
    whole = lexed.text(0, len(lexed.tokens))
    if start is None:
        return Select(whole, {}, closed="it is a list of values")
    if any(lexed.kind(index) in SET_OPERATORS for index in top):
        return Select(whole, {}, closed="it joins several queries (UNION, EXCEPT, INTERSECT)")
    cuts = [index for index in top if index > start and _opens_clause(lexed, index)]
    clauses = {lexed.tokens[at].token_type: lexed.text(at + 1, end) for at, end in _stretches(cuts, lexed)}
    head_end = cuts[0] if cuts else len(lexed.tokens)
    closed = "it ends in LIMIT" if TokenType.LIMIT in clauses else ""
    single_row = TokenType.GROUP_BY not in clauses and _aggregates(lexed, start, head_end)
    return Select(lexed.text(0, head_end), clauses, closed, single_row)


def _opens_clause(lexed: Lexed, index: int) -> bool:
    if lexed.kind(index) == TokenType.WINDOW:  # which may be a column's name, too
        return lexed.kind(index + 2) == TokenType.ALIAS and lexed.kind(index + 3) == TokenType.L_PAREN
    return lexed.kind(index) in _ORDER


def _aggregates(lexed: Lexed, start: int, end: int) -> bool:
    """True where a column of the SELECT at `start` is an aggregate, neither in a subquery nor over a window."""
    for index in range(start, end):
        opening = index + 1
        if lexed.kind(opening) != TokenType.L_PAREN or lexed.clause[index] not in (None, TokenType.SELECT):
            continue
        if lexed.clause[index] == TokenType.SELECT and lexed.enclosing[index] != -1:
            continue
        closing = lexed.partner.get(opening, end)
        several = any(
            lexed.kind(at) == TokenType.COMMA and lexed.enclosing[at] == opening for at in range(opening, closing)
        )
        name = lexed.name(index)
        if name in _AGGREGATES or (name in _AGGREGATES_OF_ONE and not several):
            after = closing + 1
            if lexed.kind(after) == TokenType.FILTER:
                after = lexed.partner.get(after + 1, end) + 1
            if lexed.kind(after) != TokenType.OVER:
                return True
    return False


def _clauses_of(tail: Lexed) -> list[tuple[TokenType, str]]:
    """The clauses of a continuation in order; the first may be AND or OR with the condition that follows it."""
    cuts = [0] + [
        index
        for index in range(1, len(tail.tokens))
        if tail.enclosing[index] == -1 and tail.kind(index) in CONTINUING - {TokenType.AND, TokenType.OR}
    ]
    clauses = [(tail.tokens[at].token_type, tail.text(at + 1, end)) for at, end in _stretches(cuts, tail)]
    for kind, text in clauses:
        if not text:
            raise TokenError(
                f"Nothing follows {kind.name.replace('_', ' ')}.", next_step="Finish the clause, or leave it out."
            )
    return clauses


def _stretches(cuts: list[int], lexed: Lexed) -> list[tuple[int, int]]:
    """From each cut to the next; the last to the end of the text."""
    return list(pairwise([*cuts, len(lexed.tokens)]))


def _why_apart(base: Base, select: Select, kinds: list[TokenType]) -> str:
    """Why the clauses must apply to the base's rows, not to its text; "" where they can join it."""
    if base.rows_only:
        return "it stands for the rows of that turn"
    if select.closed:
        return select.closed
    if TokenType.GROUP_BY in select.clauses:
        in_having = kinds[0] != TokenType.WHERE and TokenType.HAVING in select.clauses
        if TokenType.GROUP_BY in kinds or (kinds[0] in _CONDITIONS and not in_having):
            return "it groups its rows"
    if select.single_row and TokenType.ORDER_BY in kinds and TokenType.GROUP_BY not in kinds:
        return "it gives one row, an aggregate"
    return ""


def _joined(base: Base, clauses: Clauses, kind: TokenType, text: str, dialect: str) -> Clauses:
    if kind in (TokenType.AND, TokenType.OR):
        target = TokenType.HAVING if TokenType.HAVING in clauses else TokenType.WHERE
        if target in clauses:
            before = clauses[target] if kind == TokenType.OR else _factor(clauses[target], dialect)
            return {**clauses, target: f"{before} {kind.name} {text}"}
        if kind == TokenType.OR:
            raise TokenError(
                f"There is no condition in {base.token} that OR could widen.",
                next_step=f"Write {base.token} WHERE …, or join two queries with UNION.",
            )
        return {**clauses, target: text}
    if kind in (TokenType.WHERE, TokenType.HAVING) and kind in clauses:
        return {**clauses, kind: f"{_factor(clauses[kind], dialect)} AND {_factor(text, dialect)}"}
    return {**clauses, kind: text}


def _factor(condition: str, dialect: str) -> str:
    """A condition to be joined with AND, in parentheses only where it needs them: SQLite reads some ninety of them
    within each other and no more, and a long conversation adds one condition after the other."""
    if not _OR.search(condition):
        return condition
    lexed = lex(condition, dialect)
    top = (lexed.kind(at) for at in range(len(lexed.tokens)) if lexed.enclosing[at] == -1)
    return f"({condition})" if TokenType.OR in top else condition


def _over_rows(base: Base, tail: str, apart: str, dialect: str) -> str:
    """The tail as it applies to the base as a subquery: a first AND becomes WHERE, qualified names lose their table.
    Raises TokenError for OR, and for a column that is not among the base's own."""
    lexed = lex(tail, dialect)
    first = lexed.kind(0)
    if first == TokenType.OR:
        raise TokenError(
            f"OR cannot widen {base.token}: {apart}.",
            next_step="Write the wider query out, or join two queries with UNION.",
        )
    body = lexed.text(1, len(lexed.tokens))
    keyword = "WHERE" if first == TokenType.AND else lexed.text(0, 1)
    if _says_only(lexed, base.columns):
        return f"{keyword} {body}"
    before = "SELECT * FROM t "
    text = f"{before}{keyword} {body}"
    try:
        tree = parse_one(text, dialect=dialect)
    except (SqlglotError, RecursionError):
        return text[len(before) :]  # the engine says better what is wrong with it
    own = {column.lower(): column for column in base.columns}
    edits = []
    for column in tree.find_all(exp.Column):
        if column.find_ancestor(exp.Select) is not tree or not column.name:
            continue
        if column.name.lower() not in own:
            raise TokenError(
                f"{base.token} has no column {column.name} to continue with.",
                why=f"Because {apart}, only its own columns can be used: {', '.join(base.columns)}.",
                next_step=f"Let that turn select {column.name} too, or write the query out.",
            )
        start, end = column.parts[0].meta.get("start"), column.parts[-1].meta.get("end")
        if len(column.parts) > 1 and start is not None and end is not None:
            edits.append((start, end + 1, quoted(own[column.name.lower()])))
    for start, end, name in sorted(edits, reverse=True):
        text = text[:start] + name + text[end:]
    return text[len(before) :]


def _says_only(tail: Lexed, columns: Sequence[str]) -> bool:
    """True where all names in a text, outside of its subqueries, are these columns, unqualified, or functions: then
    nothing need be parsed to know that it holds."""
    own = {column.lower() for column in columns}
    at, end = 0, len(tail.tokens)
    while at < end:
        kind = tail.kind(at)
        if kind == TokenType.L_PAREN and tail.kind(at + 1) in (TokenType.SELECT, TokenType.WITH):
            at = tail.partner.get(at, end)
        elif kind == TokenType.VAR and tail.kind(at + 1) == TokenType.L_PAREN:
            at += 1
        elif kind not in _PLAIN and tail.name(at) not in own:
            return False
        at += 1
    return True


def quoted(name: str) -> str:
    """`name` as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
