"""Composing statements: a query that names earlier tables becomes one flat `WITH stays AS (…) SELECT …`.

All work is on SQL tokens, so that strings and comments are never touched and the text stays as its author wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ehrtui.errors import ToolError

if TYPE_CHECKING:
    from sqlglot import Token

_WITH = re.compile(r"\s*WITH\b(\s+RECURSIVE\b)?", re.IGNORECASE)
_WORD = re.compile(r"\w+")
# A statement without any of these, and with all its quotes closed, has nothing that trails it.
_MAY_TRAIL = re.compile(r";|--|/\*|#")


@dataclass(frozen=True)
class Query:
    """A statement: `body` (one SELECT, maybe with a WITH of its own) and the named queries that it stands on, in
    order, each of which may name the ones before it."""

    body: str
    ctes: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The whole statement; the named queries are merged with the body's own WITH."""
        if not self.ctes:
            return self.body
        # Lines are not indented: one of them may lie inside a text.
        named = ",\n".join(f"{name} AS (\n{body}\n)" for name, body in self.ctes)
        own = _WITH.match(self.body)
        if own is None:
            return f"WITH {named}\n{self.body}"
        return f"WITH{own[1] or ''} {named},\n{self.body[own.end() :].lstrip()}"


def trimmed(sql: str, dialect: str) -> str:
    """The statement without outer comments, blanks and a closing `;`, so that it can stand in parentheses."""
    bare = sql.strip()
    if bare and not _MAY_TRAIL.search(bare) and not any(bare.count(quote) % 2 for quote in "'\"`"):
        return bare
    tokens = _tokens(sql, dialect)
    while tokens and tokens[-1].token_type.name == "SEMICOLON":
        tokens = tokens[:-1]
    if not tokens:
        raise ToolError("SQLInterpreter was given no SQL.", next_step='Write SQLInterpreter("SELECT …").')
    return sql[tokens[0].start : tokens[-1].end + 1]


def compose(sql: str, tables: Mapping[str, Query], dialect: str) -> Query:
    """The query `sql`, in which the names of `tables` stand for their rows.

    Named queries that the tables stand on are lifted beside them. Where a name would then mean two things, the inner
    query keeps its own WITH, or the table gets a fresh name and `sql` an alias. Raises ToolError where `sql` itself
    defines one of the names.
    """
    body = trimmed(sql, dialect)
    words = _words(body) if tables else set()
    used = {name: query for name, query in tables.items() if name.lower() in words}
    if not used:
        return Query(body)
    for name in _own_names(body, dialect):
        if name in {given.lower() for given in used}:
            raise ToolError(
                f"The SQL defines {name} itself, and is given a table of that name.",
                why="It would not be clear which of the two is meant.",
                next_step="Rename one of them.",
            )
    ctes: dict[str, str] = {}
    renamed: dict[str, str] = {}
    taken = words.union(*(_words(query.text) for query in used.values()))
    for name, query in used.items():
        lifted = query if _can_lift(query, body, used) else Query(query.text)
        ctes.update(lifted.ctes)
        if _is_taken(name, lifted.body, used.values()):
            renamed[name.lower()] = _fresh(name, taken)
        ctes[renamed.get(name.lower(), name)] = lifted.body
    return Query(_with_relations_renamed(body, renamed, dialect) if renamed else body, tuple(ctes.items()))


def _can_lift(query: Query, body: str, tables: Mapping[str, Query]) -> bool:
    """Whether the named queries under `query` may stand beside it without meaning something else to another text."""
    for inner, text in query.ctes:
        if inner.lower() in _words(body) and inner not in tables:
            return False
        for name, other in tables.items():
            if name.lower() == inner.lower() and (name != inner or other.body != text):
                return False
            if inner.lower() in _words(other.text) and (inner, text) not in other.ctes:
                return False
    return True


def _is_taken(name: str, body: str, tables: Iterable[Query]) -> bool:
    """Whether one of the tables names something else, such as a table of the database, by `name`."""
    return any(name.lower() in _words(query.text) and (name, body) not in query.ctes for query in tables)


def _fresh(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}_{number}".lower() in taken:
        number += 1
    taken.add(f"{name}_{number}".lower())
    return f"{name}_{number}"


def _words(text: str) -> set[str]:
    """All words of a text in lower case: its identifiers, and more, which only makes the checks stricter."""
    return {word.lower() for word in _WORD.findall(text)}


@lru_cache(maxsize=64)
def _tokens(sql: str, dialect: str) -> tuple[Token, ...]:
    from sqlglot import tokenize
    from sqlglot.errors import SqlglotError

    try:
        return tuple(tokenize(sql, read=dialect))
    except SqlglotError as error:
        raise ToolError(
            "The SQL cannot be read.",
            why="A text in quotes or a comment is not closed.",
            next_step="Check the quotes; a quote inside a text is doubled.",
        ) from error


def _own_names(body: str, dialect: str) -> set[str]:
    """The names, in lower case, that the WITH at the start of a statement defines."""
    if _WITH.match(body) is None:
        return set()
    names, depth, before = set(), 0, ""
    for token in _tokens(body, dialect):
        kind = token.token_type.name
        if depth == 0 and before in ("WITH", "RECURSIVE", "COMMA") and kind != "RECURSIVE":
            names.add(token.text.lower())
        depth += (kind == "L_PAREN") - (kind == "R_PAREN")
        before = kind
        if depth == 0 and kind == "SELECT":
            break
    return names


_CLAUSES = {"SELECT", "WHERE", "GROUP_BY", "HAVING", "ORDER_BY", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "WINDOW"}


def _with_relations_renamed(body: str, names: Mapping[str, str], dialect: str) -> str:
    """The statement with the relations `names` (in lower case) called otherwise; each keeps its name as alias, so
    that `stays.hadm_id` still means what it did."""
    tokens = _tokens(body, dialect)
    pieces, copied = [], 0
    in_from, expected = False, False
    outer: list[bool] = []
    for position, token in enumerate(tokens):
        kind = token.token_type.name
        if kind == "L_PAREN":
            outer.append(in_from)
            in_from = expected
        elif kind == "R_PAREN":
            in_from, expected = outer.pop() if outer else False, False
        elif kind in ("FROM", "JOIN"):
            in_from = expected = True
        elif kind == "COMMA":
            expected = in_from
        elif kind in _CLAUSES:
            in_from = expected = False
        else:
            following = tokens[position + 1].token_type.name if position + 1 < len(tokens) else ""
            if expected and token.text.lower() in names and following != "DOT":
                alias = "" if following in ("ALIAS", "VAR", "IDENTIFIER") else f" AS {token.text}"
                pieces += [body[copied : token.start], names[token.text.lower()], alias]
                copied = token.end + 1
            expected = False
    return "".join([*pieces, body[copied:]])
