"""The expansion of `PREV_` tokens in one SQL text, in one of its spellings.

Where a token stands decides what it becomes: a whole query, an arm of a UNION, a relation, one column of rows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from sqlglot import TokenType

from ehrtui.errors import TokenError
from ehrtui.tokens.continuation import Base, continued, quoted
from ehrtui.tokens.hoisting import hoisted, is_deep, lifted, with_definitions
from ehrtui.tokens.lexed import CONTINUING, RELATION_CLAUSES, SET_OPERATORS, Lexed, Previous, lex
from ehrtui.tokens.now import at_now, readings_of_now
from ehrtui.tokens.spelt_rows import computed_names, named, spelt_rows

if TYPE_CHECKING:
    from ehrtui.tokens.reference import Reference

_COMPARISONS = {
    TokenType.BETWEEN,
    TokenType.EQ,
    TokenType.GLOB,
    TokenType.GT,
    TokenType.GTE,
    TokenType.IS,
    TokenType.LIKE,
    TokenType.LT,
    TokenType.LTE,
    TokenType.NEQ,
}
_AFTER_RELATION = {
    "cross",
    "except",
    "full",
    "group",
    "having",
    "inner",
    "intersect",
    "join",
    "left",
    "limit",
    "natural",
    "on",
    "order",
    "outer",
    "right",
    "union",
    "using",
    "where",
    "window",
}
# Behind these, a parenthesis holds a condition, not a query.
_BEFORE_CONDITION = {
    TokenType.AND,
    TokenType.ELSE,
    TokenType.HAVING,
    TokenType.NOT,
    TokenType.ON,
    TokenType.OR,
    TokenType.THEN,
    TokenType.WHEN,
    TokenType.WHERE,
}


class _Place(Enum):
    STATEMENT = 1
    ARM = 2
    RELATION = 3
    CTE = 4
    EXISTS = 5
    MEMBER = 6
    SCALAR = 7


@dataclass(frozen=True)
class _Site:
    """A token where it stands: `found` and the tokens [start, stop) that it takes the place of, of which those up to
    `tail`, if any, continue it."""

    found: Previous
    start: int
    stop: int
    tail: int | None
    place: _Place


@dataclass(frozen=True)
class _Operand:
    """The query `text` that a token stands for; `is_named` where it says the turn's column names itself."""

    token: str
    reference: Reference
    alias: str
    text: str
    is_named: bool
    dialect: str

    @cached_property
    def named(self) -> str:
        """The query with the turn's column names."""
        return self.text if self.is_named else named(self.text, self.reference.columns, self.alias, self.dialect)


def spelled(lexed: Lexed, references: Mapping[int, Reference], now: str, dialect: str) -> tuple[str, str]:
    """The text as SQL over the kept results, and as flat standard SQL that runs alone; byte for byte the same where
    nothing is replaced."""
    names = computed_names(lexed)
    marks = sorted(names.keys() | lexed.named.keys() | readings_of_now(lexed, now).keys())
    sites: dict[int, _Site] = {}
    run, flat = (_Expansion(lexed, references, now, dialect, flat, marks, names, sites) for flat in (False, True))
    return run.render(), flat.render()


@dataclass(frozen=True)
class _Expansion:
    """`flat` tells the spelling: standard SQL that runs alone, or SQL over the kept results. `marks` are the tokens at
    which the text changes, `names` what is called otherwise then (see `computed_names`), `sites` where the tokens stand
    as far as it is known. `definitions` are those of the deep queries that the text came to name (see `hoisting`)."""

    lexed: Lexed
    references: Mapping[int, Reference]
    now: str
    dialect: str
    flat: bool
    marks: Sequence[int]
    names: Mapping[int, str]
    sites: dict[int, _Site]
    definitions: dict[str, str] = field(default_factory=dict)

    def render(self) -> str:
        """The whole text."""
        sql, tokens = self.lexed.sql, self.lexed.tokens
        if not tokens:
            return sql
        body = self._render(0, len(tokens))
        if body == self.lexed.text(0, len(tokens)):
            return sql
        body = with_definitions(body, self.definitions, self.dialect)
        return sql[: tokens[0].start] + body + sql[tokens[-1].end + 1 :]

    def _render(self, first: int, end: int) -> str:
        """The SQL of the tokens `first` … `end - 1`."""
        lexed, names = self.lexed, self.names
        pieces, position = [], first
        for index in self.marks[bisect_left(self.marks, first) : bisect_left(self.marks, end)]:
            if index < position:  # within what was replaced
                continue
            start, stop, text = self._replacement(index) or (index, index + 1, None)
            if stop - 1 in names:
                text = f"{text or lexed.text(start, stop)} AS {quoted(names[stop - 1])}"
            if text is None:
                continue
            if position < start:
                pieces.append(lexed.sql[lexed.tokens[position].start : lexed.tokens[start].start])
            pieces.append(text)
            if stop < end:
                pieces.append(lexed.sql[lexed.tokens[stop - 1].end + 1 : lexed.tokens[stop].start])
            position = stop
        pieces.append(lexed.text(position, end))
        return "".join(pieces)

    def _replacement(self, index: int) -> tuple[int, int, str] | None:
        """The tokens [start, stop) around `index` that are replaced, and by what; None where nothing is."""
        lexed = self.lexed
        found = lexed.previous(index)
        if found is None:
            text = at_now(lexed, index, self.now)
            return None if text is None else (index, index + 1, text)
        reference = self._reference(found)
        if lexed.kind(index + 1) == TokenType.DOT:
            return index, index + 1, found.alias
        site = self.sites.get(index)
        if site is None:
            site = self.sites[index] = self._site(index, found)
        operand = self._operand(found, reference, self._render(index + 1, site.tail) if site.tail else "")
        return site.start, site.stop, self._placed(operand, site)

    def _site(self, index: int, found: Previous) -> _Site:
        tail = self._tail_end(index)
        start, stop = self._widened(index, tail or index + 1)
        return _Site(found, start, stop, tail, self._place(start, stop, found))

    def _reference(self, found: Previous) -> Reference:
        if found.turn in self.references:
            return self.references[found.turn]
        if found.token[-1] not in "0123456789":
            raise TokenError(
                f"{found.token} does not say which turn.", next_step=f"Add its number, such as {found.token}1 for A1."
            )
        known = ", ".join(str(turn) for turn in sorted(self.references))
        raise TokenError(
            f"{found.token[:40]} names a turn that has no result.",
            why=f"The turns with a result are: {known}." if known else "No turn has a result yet.",
            next_step="Name one of these turns." if known else "Ask for the rows first, then refer to them.",
        )

    def _tail_end(self, index: int) -> int | None:
        """The end of the clauses that continue the token, None where none do."""
        lexed = self.lexed
        if lexed.kind(index + 1) not in CONTINUING or not self._starts_query(index):
            return None
        opening = lexed.enclosing[index]
        condition = opening >= 0 and (lexed.calls(opening) or lexed.kind(opening - 1) in _BEFORE_CONDITION)
        if condition and lexed.kind(index + 1) in (TokenType.AND, TokenType.OR):
            return None
        end = lexed.partner.get(opening, len(lexed.tokens))
        level = [at for at in range(index + 1, end) if lexed.enclosing[at] == opening]
        arm = next((at for at in level if lexed.kind(at) in SET_OPERATORS), None)
        if arm is not None:
            end = arm
        if arm is not None or self._after_set_operator(index):
            # ORDER BY and LIMIT belong to the whole of a UNION.
            end = next((at for at in level if lexed.kind(at) in (TokenType.ORDER_BY, TokenType.LIMIT)), end)
        return end if end > index + 1 else None

    def _starts_query(self, index: int) -> bool:
        return self.lexed.kind(index - 1) in (None, TokenType.L_PAREN) or self._after_set_operator(index)

    def _after_set_operator(self, index: int) -> bool:
        before = self.lexed.kind(index - 1)
        if before in (TokenType.ALL, TokenType.DISTINCT):
            before = self.lexed.kind(index - 2)
        return before in SET_OPERATORS

    def _widened(self, start: int, stop: int) -> tuple[int, int]:
        """[start, stop) with the parentheses that hold it and nothing else."""
        lexed = self.lexed
        while lexed.kind(start - 1) == TokenType.L_PAREN and lexed.partner.get(start - 1) == stop:
            if lexed.calls(start - 1):
                break
            start, stop = start - 1, stop + 1
        return start, stop

    def _place(self, start: int, stop: int, found: Previous) -> _Place:
        lexed = self.lexed
        before, after = lexed.kind(start - 1), lexed.kind(stop)
        if self._after_set_operator(start) or (before in (None, TokenType.L_PAREN) and after in SET_OPERATORS):
            return _Place.ARM
        if before is None:
            if after is not None:
                raise TokenError(
                    f"{found.token} cannot be followed by “{lexed.tokens[stop].text}” here.",
                    why="It can be continued with WHERE, AND, OR, GROUP BY, HAVING, ORDER BY and LIMIT.",
                    next_step=f"Or start with SELECT … FROM ({found.token}).",
                )
            return _Place.STATEMENT
        if before == TokenType.IN:
            return _Place.MEMBER
        if before == TokenType.EXISTS:
            return _Place.EXISTS
        if before == TokenType.ALIAS or (
            lexed.name(start - 1) == "materialized" and lexed.kind(start) == TokenType.L_PAREN
        ):
            return _Place.CTE
        if before in (TokenType.FROM, TokenType.JOIN):
            return _Place.RELATION
        if before in (TokenType.COMMA, TokenType.L_PAREN) and self._in_from(start):
            return _Place.RELATION
        return _Place.SCALAR

    def _in_from(self, index: int) -> bool:
        """True in the FROM clause, outside of conditions or within parentheses that group its relations."""
        lexed = self.lexed
        while lexed.clause[index] is None and lexed.enclosing[index] >= 0:
            opening = lexed.enclosing[index]
            if lexed.kind(opening - 1) not in (TokenType.FROM, TokenType.JOIN, TokenType.COMMA, TokenType.L_PAREN):
                return False
            index = opening
        return lexed.clause[index] in RELATION_CLAUSES

    def _operand(self, found: Previous, reference: Reference, tail: str) -> _Operand:
        """The query of a token, continued by the clauses of `tail`."""
        rows = self._rows_query(found, reference)
        if not tail:
            return rows
        base = Base(
            text=rows.text if reference.flat is None else self._shared(reference.flat),
            named=lambda: rows.named,
            columns=reference.columns,
            alias=found.alias,
            token=found.token,
            rows_only=reference.flat is None or found.kind == "result",
        )
        return replace(rows, text=continued(base, tail, self.dialect), is_named=False)

    def _rows_query(self, found: Previous, reference: Reference) -> _Operand:
        """A query for the rows of a turn."""
        if not self.flat and (reference.alike or reference.flat is None):
            query, is_named = f"SELECT * FROM {reference.relation}", True
        elif reference.flat is None:
            query, is_named = spelt_rows(reference.columns, reference.rows(), found.alias), True
        else:
            self._check_names(reference.flat, reference.number)
            query, is_named = self._shared(reference.flat), False
            if is_deep(query):
                name, head = hoisted(reference.number, reference.columns, query)
                self.definitions[head] = query
                query, is_named = f"SELECT * FROM {name}", True
        return _Operand(found.token, reference, found.alias, query, is_named, self.dialect)

    def _check_names(self, query: str, turn: int) -> None:
        """A table that an earlier query reads would be another one below a WITH that defines its name."""
        own = self.lexed.defined()
        same = own & lex(query, self.dialect).tables() if own else own
        if same:
            raise TokenError(
                f"{min(same)} would mean two things.",
                why=f"A{turn} reads a table of that name, and this SQL defines it anew.",
                next_step="Call what is defined anew by another name.",
            )

    def _shared(self, query: str) -> str:
        """`query` without the definitions in it, which become those of this text."""
        definitions, rest = lifted(query, self.dialect)
        self.definitions.update(definitions)
        return rest

    def _placed(self, operand: _Operand, site: _Site) -> str:
        place, start, stop = site.place, site.start, site.stop
        if place is _Place.STATEMENT:
            return operand.text
        if place is _Place.ARM:
            return f"SELECT * FROM ({operand.named}) AS {operand.alias}"
        if place is _Place.EXISTS:
            return f"({operand.text})"
        if place is _Place.CTE:
            return f"({operand.named})"
        if place is _Place.RELATION:
            alias = "" if self._has_alias(stop) else f" AS {operand.alias}"
            return f"({operand.named}){alias}"
        if place is _Place.SCALAR:
            self._check_list(operand, start)
        if len(operand.reference.columns) == 1 or self._fits_row_value(operand, place, start):
            return f"({operand.text})"
        column = self._chosen_column(operand, start, stop)
        return f"(SELECT {quoted(column)} FROM ({operand.named}) AS {operand.alias})"

    def _has_alias(self, index: int) -> bool:
        """True for AS, and for any word but those that go on after a relation: most keywords are names too."""
        name, quoted_name = self.lexed.name(index), self.lexed.kind(index) in (TokenType.IDENTIFIER, TokenType.STRING)
        return quoted_name or (name != "" and name not in _AFTER_RELATION)

    def _check_list(self, operand: _Operand, start: int) -> None:
        """`x IN (PREV_RESULT1, 5)` would silently take the first of many rows."""
        opening = self.lexed.enclosing[start]
        in_list = self.lexed.kind(opening - 1) == TokenType.IN and opening in self.lexed.partner
        alone = self.lexed.kind(start - 1) in (TokenType.L_PAREN, TokenType.COMMA)
        if in_list and alone and operand.reference.row_count > 1:
            raise TokenError(
                f"{operand.token} has {operand.reference.row_count} rows, but stands in a list of single values.",
                next_step=f"Write … IN ({operand.token}) OR … IN (…).",
            )

    def _fits_row_value(self, operand: _Operand, place: _Place, start: int) -> bool:
        """True for `(a, b) IN (PREV_RESULT1)` with as many columns."""
        lexed, closing = self.lexed, start - 2
        if lexed.kind(closing) == TokenType.NOT:
            closing -= 1
        opening = lexed.partner.get(closing)
        if place is not _Place.MEMBER or lexed.kind(closing) != TokenType.R_PAREN or opening is None:
            return False
        commas = [
            at for at in range(opening, closing) if lexed.kind(at) == TokenType.COMMA and lexed.enclosing[at] == opening
        ]
        return not lexed.calls(opening) and len(commas) + 1 == len(operand.reference.columns)

    def _chosen_column(self, operand: _Operand, start: int, stop: int) -> str:
        """The column that is meant where only one has a place: the one named as the other side of the comparison."""
        columns, wanted = operand.reference.columns, self._other_side(start, stop)
        same = [column for column in columns if column.lower() == wanted]
        ending = [column for column in columns if wanted and column.lower().endswith(wanted)]
        if same or len(ending) == 1:
            return (same or ending)[0]
        raise TokenError(
            f"{operand.token} has several columns, and only one can stand here.",
            why=f"They are: {', '.join(columns)}.",
            next_step=f"Name one: (SELECT {quoted(columns[0])} FROM {operand.token}).",
        )

    def _other_side(self, start: int, stop: int) -> str:
        """The name of the column that is compared with the tokens [start, stop), "" where it is no plain column."""
        lexed = self.lexed
        if lexed.kind(start - 1) in _COMPARISONS | {TokenType.IN}:
            at = start - 2
            return lexed.name(at - 1 if lexed.kind(at) == TokenType.NOT else at)
        if lexed.kind(stop) in _COMPARISONS:
            at = stop + 1
            while lexed.kind(at + 1) == TokenType.DOT:
                at += 2
            return "" if lexed.kind(at + 1) == TokenType.L_PAREN else lexed.name(at)
        return ""
