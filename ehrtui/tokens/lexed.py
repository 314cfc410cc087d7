"""A SQL text as tokens that know their place: what encloses them, and in which clause they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import Token, TokenType
from sqlglot.errors import SqlglotError

from ehrtui.errors import TokenError
from ehrtui.tokens.scanning import scanned

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
_OPENS, _CLOSES, _WORD = TokenType.L_PAREN, TokenType.R_PAREN, TokenType.VAR
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
    parenthesis to the one that closes or opens it, `named` the `PREV_` tokens to what they name, in their order."""

    sql: str
    tokens: list[Token]
    enclosing: list[int]
    clause: list[TokenType | None]
    partner: dict[int, int]
    named: dict[int, Previous]

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
        return self.named.get(index)

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
        if TokenType.WITH not in self.clause:
            return set()
        return {self.tokens[at].text.lower() for at in range(len(self.tokens)) if self.defines(at)}

    def calls(self, index: int) -> bool:
        """True for the parenthesis that opens the arguments of a function."""
        before = self.kind(index - 1)
        if not self.name(index - 1) or before in _BEFORE_OPERAND:
            return False
        return not (self.name(index - 1) == "materialized" and self.kind(index - 2) in (TokenType.ALIAS, TokenType.NOT))


@lru_cache(maxsize=16)  # the query of an earlier turn is read several times for each turn that names it
def lex(sql: str, dialect: str) -> Lexed:
    """The tokens of a text; callers share them, and never change them. Raises TokenError where it cannot be cut into
    tokens (a quote that is not closed)."""
    try:
        tokens = scanned(sql, dialect)
    except SqlglotError as error:
        raise TokenError(
            "The SQL cannot be read.", why="A quote or a comment is not closed.", next_step="Close it."
        ) from error
    while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        tokens.pop()
    enclosing: list[int] = []
    clause: list[TokenType | None] = []
    partner: dict[int, int] = {}
    named: dict[int, Previous] = {}
    around: list[
        tuple[int, TokenType | None]
    ] = []  # the parentheses that are open: what was open before, in which clause
    opening, inside = -1, None
    for index, token in enumerate(tokens):
        kind = token.token_type
        if kind in _CLAUSES:
            inside = kind
        elif kind is _CLOSES and around:
            partner[opening], partner[index] = index, opening
            opening, inside = around.pop()
        enclosing.append(opening)
        clause.append(inside)
        if kind is _OPENS:
            around.append((opening, inside))
            opening, inside = index, None
        elif kind is _WORD and (found := _NAME.fullmatch(token.text)) and not _has_owner(tokens, index):
            named[index] = Previous(found[0], found[1].lower(), int(found[2][:9] or 0))
    return Lexed(sql, tokens, enclosing, clause, partner, named)


def _has_owner(tokens: list[Token], index: int) -> bool:
    """True for a name behind a dot or AS."""
    return index > 0 and tokens[index - 1].token_type in (TokenType.ALIAS, TokenType.DOT)
