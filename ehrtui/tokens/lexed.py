"""A SQL text as tokens that know their place: what encloses them, and in which clause they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import Token, TokenType
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from ehrtui.errors import TokenError

SET_OPERATORS = {TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT}
CONTINUING = {
    TokenType.WHERE,
    TokenType.AND,
    TokenType.OR,
    TokenType.GROUP_BY,
    TokenType.HAVING,
    TokenType.ORDER_BY,
    TokenType.LIMIT,
}
RELATION_CLAUSES = {TokenType.FROM, TokenType.JOIN, TokenType.ON, TokenType.USING}
_CLAUSES = {
    TokenType.WITH,
    TokenType.SELECT,
    TokenType.FROM,
    TokenType.JOIN,
    TokenType.ON,
    TokenType.USING,
    TokenType.WHERE,
    TokenType.GROUP_BY,
    TokenType.HAVING,
    TokenType.WINDOW,
    TokenType.ORDER_BY,
    TokenType.LIMIT,
}
# Words that a parenthesis may follow without being called.
_BEFORE_OPERAND = {
    *_CLAUSES,
    *SET_OPERATORS,
    TokenType.ALIAS,
    TokenType.ALL,
    TokenType.AND,
    TokenType.BETWEEN,
    TokenType.CASE,
    TokenType.DISTINCT,
    TokenType.ELSE,
    TokenType.EXISTS,
    TokenType.GLOB,
    TokenType.IN,
    TokenType.IS,
    TokenType.LIKE,
    TokenType.MATCH,
    TokenType.NOT,
    TokenType.OFFSET,
    TokenType.OR,
    TokenType.OVER,
    TokenType.RLIKE,
    TokenType.THEN,
    TokenType.WHEN,
}
_NAME = re.compile(r"PREV_(RESULT|QUERY)([0-9]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Previous:
    """A `PREV_` token as it is written, its kind ("result" or "query") and its turn, 0 where it has no number."""

    token: str
    kind: str
    turn: int

    @property
    def alias(self) -> str:
        """What the turn's rows are called as a relation."""
        return f"{self.kind}{self.turn}"


@dataclass(frozen=True)
class Lexed:
    """`tokens` without trailing semicolons. For each token: `enclosing` is the index of the innermost parenthesis open
    around it (-1 at the top), `clause` the keyword of the clause it stands in, at its own depth. `partner` maps a
    parenthesis to the one that closes or opens it."""

    sql: str
    tokens: list[Token]
    enclosing: list[int]
    clause: list[TokenType | None]
    partner: dict[int, int]

    def kind(self, index: int) -> TokenType | None:
        """The type of a token; None outside of the text."""
        return self.tokens[index].token_type if 0 <= index < len(self.tokens) else None

    def text(self, first: int, end: int) -> str:
        """The SQL from token `first` up to, not including, token `end`; no comments before, after or at the end."""
        return self.sql[self.tokens[first].start : self.tokens[end - 1].end + 1] if first < end else ""

    def name(self, index: int) -> str:
        """The name that a token is, in lower case, "" for strings, numbers and punctuation."""
        if not 0 <= index < len(self.tokens):
            return ""
        token = self.tokens[index]
        if token.token_type == TokenType.IDENTIFIER:
            return token.text.lower()
        return token.text.lower() if token.text.isidentifier() and token.token_type != TokenType.STRING else ""

    def previous(self, index: int) -> Previous | None:
        """What a `PREV_` token names; None for any other token, and for a name behind a dot or AS."""
        if self.kind(index) != TokenType.VAR or self.kind(index - 1) in (TokenType.DOT, TokenType.ALIAS):
            return None
        found = _NAME.fullmatch(self.tokens[index].text)
        return Previous(found[0], found[1].lower(), int(found[2][:9] or 0)) if found else None

    def defines(self, index: int) -> bool:
        """True for the name of a common table expression, where it is defined."""
        if self.clause[index] != TokenType.WITH or self.kind(index - 1) == TokenType.ALIAS:
            return False
        if self.kind(index + 1) == TokenType.L_PAREN:
            index = self.partner.get(index + 1, len(self.tokens))
        if self.kind(index + 1) != TokenType.ALIAS:
            return False
        hinted = self.kind(index + 2) == TokenType.NOT or self.name(index + 2) == "materialized"
        return hinted or self.kind(index + 2) == TokenType.L_PAREN

    def tables(self) -> set[str]:
        """The names, in lower case, of the relations that the text reads and does not define."""
        read = {
            self.name(at)
            for at in range(len(self.tokens))
            if self.clause[at] in RELATION_CLAUSES
            and self.kind(at - 1) in (TokenType.FROM, TokenType.JOIN, TokenType.COMMA)
        }
        return read - self.defined()

    def defined(self) -> set[str]:
        """The names, in lower case, of the common table expressions in the text."""
        return {self.tokens[at].text.lower() for at in range(len(self.tokens)) if self.defines(at)}

    def calls(self, index: int) -> bool:
        """True for the parenthesis that opens the arguments of a function."""
        before = self.kind(index - 1)
        if not self.name(index - 1) or before in _BEFORE_OPERAND:
            return False
        return not (self.name(index - 1) == "materialized" and self.kind(index - 2) in (TokenType.ALIAS, TokenType.NOT))


@lru_cache(maxsize=8)  # the query of an earlier turn is read several times for each turn that names it
def lex(sql: str, dialect: str) -> Lexed:
    """The tokens of a text; callers share them, and never change them. Raises TokenError where it cannot be cut into
    tokens (a quote that is not closed)."""
    try:
        tokens = list(_dialect(dialect).tokenize(sql))
    except SqlglotError as error:
        raise TokenError(
            "The SQL cannot be read.", why="A quote or a comment is not closed.", next_step="Close it."
        ) from error
    while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        tokens.pop()
    enclosing: list[int] = []
    clause: list[TokenType | None] = []
    partner: dict[int, int] = {}
    open_parentheses: list[int] = []
    clauses: list[TokenType | None] = [None]
    for index, token in enumerate(tokens):
        kind = token.token_type
        if kind == TokenType.R_PAREN and open_parentheses:
            opened = open_parentheses.pop()
            clauses.pop()
            partner[opened], partner[index] = index, opened
        if kind in _CLAUSES:
            clauses[-1] = kind
        enclosing.append(open_parentheses[-1] if open_parentheses else -1)
        clause.append(clauses[-1])
        if kind == TokenType.L_PAREN:
            open_parentheses.append(index)
            clauses.append(None)
    return Lexed(sql, tokens, enclosing, clause, partner)


@lru_cache(maxsize=4)
def _dialect(name: str) -> Dialect:
    return Dialect.get_or_raise(name)
