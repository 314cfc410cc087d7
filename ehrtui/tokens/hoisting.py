"""Naming deep queries once, at the top of a text: SQLite's parser reads only some ten subqueries within each other.

The query of an earlier turn becomes a common table expression whose name ends in a digest of what it says. So a name
always means the same query, wherever its definition stands: definitions are moved out of a text and shared freely, and
no table, alias or other version of the turn has the name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

from sqlglot import TokenType

from ehrtui.errors import TokenError
from ehrtui.plans.composing import Query, trimmed
from ehrtui.tokens.continuation import quoted
from ehrtui.tokens.lexed import Lexed, lex

_NAME = re.compile(r"result[0-9]+_[0-9a-f]{16}", re.IGNORECASE)
_PARENTHESES = re.compile(r"[()]|'[^']*'|\"[^\"]*\"")
_DEEP = 5
"""Parentheses within each other from which a query is named: up to here it reads well where it stands."""


def is_deep(query: str) -> bool:
    """True where `query` nests too much to be nested further."""
    depth = 0
    for piece in _PARENTHESES.findall(query) if query.count("(") >= _DEEP else ():
        depth += (piece == "(") - (piece == ")")
        if depth >= _DEEP:
            return True
    return False


def hoisted(number: int, columns: Sequence[str], query: str) -> tuple[str, str]:
    """The name of turn `number`'s query, and the head of its definition: name and columns."""
    header = f"({', '.join(map(quoted, columns))})"
    name = _name(f"result{number}", header, query)
    return name, name + header


@lru_cache(maxsize=8)  # as `lex`
def lifted(query: str, dialect: str) -> tuple[Mapping[str, str], str]:
    """The definitions in a text, in order, each query by its head; and the text without them, outer comments and
    trailing semicolons. All stay where they are where somebody changed one: what builds on it means something else."""
    definitions: dict[str, str] = {}
    if not _NAME.search(query):
        return definitions, trimmed(query, dialect)
    lexed = lex(query, dialect)
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(lexed.tokens):
        if not _defines(lexed, index):
            index += 1
            continue
        definition = _definition(lexed, index)
        if definition is None:
            return {}, lexed.text(0, len(lexed.tokens))
        head, body, end = definition
        definitions[head] = body
        if spans and spans[-1][1] == index - 1:  # one more of the same WITH, behind its comma
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((index, end))
        index = end
    return definitions, _without(lexed, spans)


def with_definitions(query: str, definitions: Mapping[str, str], dialect: str) -> str:
    """`query` under those of the definitions that it builds on; they join the WITH that it begins with. Raises
    TokenError where it defines one of them as something else."""
    needed = _needed(query, definitions) if definitions else {}
    if not needed:
        return query
    own, body = lifted(query, dialect)
    lexed = lex(body, dialect)
    names = {head.partition("(")[0] for head in needed}
    for index, token in enumerate(lexed.tokens):
        if token.text.lower() in names and _defines(lexed, index):
            raise TokenError(
                f"{token.text} would mean two things.",
                why="It is the query of an earlier turn, and this SQL or the query it continues defines it anew.",
                next_step="Call what is defined anew by another name.",
            )
    return Query(body, tuple({**own, **needed}.items())).text


def _needed(query: str, definitions: Mapping[str, str]) -> dict[str, str]:
    """The definitions whose names `query` has, and those that they build on, in their order."""
    names, needed = _names(query), []
    for head, body in reversed(list(definitions.items())):
        if head.partition("(")[0] in names:
            names |= _names(body)
            needed.append((head, body))
    return dict(reversed(needed))


def _names(query: str) -> set[str]:
    return {name.lower() for name in _NAME.findall(query)}


def _name(turn: str, header: str, query: str) -> str:
    said = (header + query).encode("utf-8", "surrogatepass")
    return f"{turn}_{blake2b(said, digest_size=8).hexdigest()}"


def _defines(lexed: Lexed, index: int) -> bool:
    """True where a name like those of definitions is defined, in whatever way."""
    return bool(_NAME.fullmatch(lexed.tokens[index].text)) and lexed.defines(index)


def _definition(lexed: Lexed, index: int) -> tuple[str, str, int] | None:
    """Head, query and end of the definition at a token; None where it does not say what its name stands for."""
    closing = lexed.partner.get(index + 1, index)
    end = lexed.partner.get(closing + 2, index)
    header, body = lexed.text(index + 1, closing + 1), lexed.text(closing + 3, end)
    name = lexed.text(index, index + 1)
    return (name + header, body, end + 1) if name == _name(name.partition("_")[0], header, body) else None


def _without(lexed: Lexed, spans: Sequence[tuple[int, int]]) -> str:
    """The text without the tokens of `spans`, and without a WITH or comma that then has nothing to say."""
    pieces, position = [], 0
    for start, end in spans:
        if lexed.kind(end) == TokenType.COMMA:
            end += 1
        elif lexed.kind(start - 1) in (TokenType.COMMA, TokenType.WITH):
            start -= 1
        else:  # WITH RECURSIVE
            start -= 2
        pieces.append(lexed.text(position, start))
        position = end
    return " ".join(filter(None, [*pieces, lexed.text(position, len(lexed.tokens))]))
