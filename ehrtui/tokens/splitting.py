"""Stage 1 of a decomposition: subqueries, common table expressions and the arms of set operations become turns.

The text is cut at its tokens, so that expressions, strings and comments stay as they were written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import TokenType

from ehrtui.tokens.clauses import clause_pieces
from ehrtui.tokens.lexed import SET_OPERATORS, Lexed, lex
from ehrtui.tokens.part import Part, Role
from ehrtui.tokens.scoping import Columns, Relations, Survey, survey

_COMPARISONS = {
    TokenType.BETWEEN,
    TokenType.EQ,
    TokenType.GT,
    TokenType.GTE,
    TokenType.IS,
    TokenType.LT,
    TokenType.LTE,
    TokenType.NEQ,
}
# Words that may follow a column in ORDER BY.
_ORDERING = {"asc", "binary", "collate", "desc", "first", "last", "nocase", "nulls", "rtrim"}
_SHOWN = 60


@dataclass(frozen=True)
class _Cte:
    """A common table expression: its columns, and the turn that it became; None where it stays in its query."""

    columns: Columns
    number: int | None


Ctes = Mapping[str, _Cte]


@dataclass(frozen=True)
class _Definition:
    """`name (columns) AS (body)` in a WITH clause, as token indices: `first` is the name's, `opening` that of the
    parenthesis before the body. `header` is the list of columns as it is written, "" where there is none."""

    name: str
    first: int
    opening: int
    header: str


@dataclass(frozen=True)
class _Edit:
    """The characters [start, end) become `text`."""

    start: int
    end: int
    text: str


class Splitting:
    """Splits one statement; `parts` are the turns so far and `unsplit` says what stays together and why."""

    def __init__(self, lexed: Lexed, relations: Relations, dialect: str, *, start: int, by_clause: bool) -> None:
        self.parts: list[Part] = []
        self.unsplit: list[str] = []
        self._lexed = lexed
        self._relations = relations
        self._dialect = dialect
        self._start = start
        self._by_clause = by_clause
        # SQLite calls a second column of one name `name:1`.
        self._numbered_names = {
            token.text.lower().rpartition(":")[0]
            for token in lexed.tokens
            if token.token_type == TokenType.IDENTIFIER and ":" in token.text
        }
        self._numbers: dict[tuple[tuple[TokenType, str], ...], int] = {}

    def run(self) -> None:
        """Split the whole statement; its last turn is the statement itself."""
        lexed, end = self._lexed, len(self._lexed.tokens)
        edits = self._query(0, end, {})
        closed = ";" in lexed.sql[lexed.tokens[-1].end + 1 :]
        after = lexed.tokens[-1].end + 1 if closed else len(lexed.sql)
        self._turn(self._edited(0, after, edits), "main", "the statement")

    def _query(self, first: int, end: int, ctes: Ctes) -> list[_Edit]:
        """Make turns of what stands on its own in the query of the tokens [first, end); the edits put their tokens in
        its place."""
        edits: list[_Edit] = []
        if self._lexed.kind(first) == TokenType.WITH:
            first, ctes, edit = self._with(first, end, ctes)
            edits += edit
        arms = self._arms(first, end)
        if len(arms) > 1 and self._sorts_by_name(arms, end, ctes):
            for arm_first, arm_end in arms:
                edits += self._arm(arm_first, arm_end, ctes)
            edits += self._subqueries(arms[-1][1], end, ctes)
        else:
            edits += self._subqueries(first, end, ctes)
        return edits + self._readings(first, end, ctes, edits)

    def _subqueries(self, first: int, end: int, ctes: Ctes) -> list[_Edit]:
        lexed, edits, index = self._lexed, [], first
        while index < end:
            opens = lexed.kind(index) == TokenType.L_PAREN and lexed.kind(index + 1) in (
                TokenType.SELECT,
                TokenType.WITH,
            )
            closing = lexed.partner.get(index) if opens and not lexed.calls(index) else None
            if closing is not None:
                edits.append(
                    _Edit(lexed.tokens[index].start, lexed.tokens[closing].end + 1, self._subquery(index, ctes))
                )
                index = closing
            index += 1
        return edits

    def _subquery(self, opening: int, ctes: Ctes) -> str:
        """What stands in place of the subquery that the parenthesis `opening` holds."""
        first, end = opening + 1, self._lexed.partner[opening]
        surveyed = self._survey(first, end, ctes)
        stays = self._why_stays(surveyed, ctes)
        text = self._edited(
            self._lexed.tokens[opening].end + 1, self._lexed.tokens[end].start, self._query(first, end, ctes)
        )
        if stays:
            self.unsplit.append(f"({self._shown(first, end)}) stays in its query: {stays}.")
        if stays or (surveyed and not surveyed.reads):
            return f"({text})"
        number = self._turn(text, "subquery", f"the query {self._after(opening)}")
        if self._needs_select(opening, len(surveyed.outputs) if surveyed else 0):
            return f"(SELECT * FROM PREV_RESULT{number})"
        return f"(PREV_RESULT{number})"

    def _survey(self, first: int, end: int, ctes: Ctes) -> Survey | None:
        relations = {**self._relations, **{name: cte.columns for name, cte in ctes.items()}}
        return survey(self._lexed.tokens[first:end], self._lexed.sql, relations, self._dialect)

    def _why_stays(self, surveyed: Survey | None, ctes: Ctes) -> str:
        """Why a query cannot be a turn of its own; "" where it can."""
        if surveyed is None:
            return "it cannot be read well enough to split it"
        for reading in surveyed.readings:
            if reading.name in ctes and not ctes[reading.name].number:
                return f"it reads {reading.name} of the WITH clause, which is no turn before it"
        foreign = [
            column for column in surveyed.foreign if not self._is_text(column.name, column.this.args.get("quoted"))
        ]
        if foreign:
            name = foreign[0].sql(self._dialect)
            return f"it is correlated, run for each row, since {name} is not a column of its own tables"
        doubled = {name for name in surveyed.outputs if surveyed.outputs.count(name) > 1} & self._numbered_names
        return f"only there are two of its columns called {sorted(doubled)[0]} and told apart" if doubled else ""

    def _is_text(self, name: str, quoted: bool | None) -> bool:
        """True for a name in double quotes that nothing in the database or the statement bears: SQLite takes it for
        text."""
        sql, name = self._lexed.sql.lower(), name.lower()
        if not quoted or any(name in columns for columns in self._relations.values()):
            return False
        aliases = {
            self._lexed.name(at)
            for at in range(1, len(self._lexed.tokens))
            if self._lexed.kind(at - 1) == TokenType.ALIAS
        }
        return name not in aliases and sql.count(name) == sql.count(f'"{name}"')

    def _needs_select(self, opening: int, columns: int) -> bool:
        """True where a bare token would mean something else: a value in the list of IN (also one in parentheses of its
        own), or one side of a comparison of rows."""
        lexed = self._lexed
        first, last = opening, lexed.partner[opening]
        if columns > 1 and (lexed.kind(first - 1) in _COMPARISONS or lexed.kind(last + 1) in _COMPARISONS):
            return True
        while lexed.kind(first - 1) == TokenType.L_PAREN and lexed.partner.get(first - 1) == last + 1:
            first, last = first - 1, last + 1
        if lexed.kind(first - 1) == TokenType.IN:
            return first != opening
        listed = lexed.enclosing[first]
        return lexed.kind(listed - 1) == TokenType.IN and lexed.kind(listed + 1) not in (
            TokenType.SELECT,
            TokenType.WITH,
        )

    def _after(self, opening: int) -> str:
        """Where a subquery stands, in words."""
        lexed, before = self._lexed, opening - 1
        kind = lexed.kind(before)
        if kind in (TokenType.FROM, TokenType.JOIN, TokenType.EXISTS):
            return f"in {lexed.tokens[before].text.upper()}"
        if kind != TokenType.IN and kind not in _COMPARISONS:
            return "inside an expression"
        first = before - (lexed.kind(before - 1) == TokenType.NOT)
        first -= bool(lexed.name(first - 1))
        return f"after “{lexed.text(first, before + 1)}”"

    def _with(self, first: int, end: int, ctes: Ctes) -> tuple[int, Ctes, list[_Edit]]:
        """Make turns of the common table expressions. Returns the first token of the query that follows, what it may
        read, and the edit of the WITH clause."""
        lexed = self._lexed
        definitions, body = self._definitions(first, end)
        later: dict[str, _Cte] = {each.name: _Cte((), None) for each in definitions}
        if not definitions or self._survey(first, end, ctes) is None:
            self.unsplit.append("The queries of WITH stay where they are: the statement cannot be read well enough.")
            return first, {**ctes, **later}, []
        kept = []
        for each in definitions:
            if not self._is_read(each, first, end):
                del later[each.name]
                continue
            closing = lexed.partner[each.opening]
            surveyed = self._survey(each.opening + 1, closing, {**ctes, **later})
            columns = tuple(name.strip(' "`[]').lower() for name in each.header.split(",") if name)
            columns = columns or (surveyed.outputs if surveyed else ())
            itself = surveyed is not None and any(reading.name == each.name for reading in surveyed.readings)
            stays = "it refers to itself" if itself else self._why_stays(surveyed, {**ctes, **later})
            number = None
            if stays:
                self.unsplit.append(f"WITH {each.name} stays in its query: {stays}.")
                kept.append(each)
            else:
                text = self._body(each, {**ctes, **later})
                if each.header:
                    name = lexed.text(each.first, each.first + 1)
                    text = f"WITH {name}({each.header}) AS ({text}) SELECT * FROM {name}"
                number = self._turn(text, "with", f"{each.name} of the WITH clause")
            later[each.name] = _Cte(columns, number)
        inner = {**ctes, **later}
        starts = (lexed.sql[lexed.tokens[each.first].start : lexed.tokens[each.opening].end + 1] for each in kept)
        texts = ", ".join(f"{start}{self._body(each, inner)})" for start, each in zip(starts, kept, strict=True))
        prefix = f"{lexed.text(first, definitions[0].first)} {texts} " if kept else ""
        return body, inner, [_Edit(lexed.tokens[first].start, lexed.tokens[body].start, prefix)]

    def _body(self, definition: _Definition, ctes: Ctes) -> str:
        """The query of a common table expression, with its own subqueries and readings replaced."""
        lexed, closing = self._lexed, self._lexed.partner[definition.opening]
        edits = self._query(definition.opening + 1, closing, ctes)
        return self._edited(lexed.tokens[definition.opening].end + 1, lexed.tokens[closing].start, edits)

    def _definitions(self, first: int, end: int) -> tuple[list[_Definition], int]:
        """The common table expressions of the WITH at `first`, and the token after them; none where they are not
        written as expected."""
        lexed, definitions, index = self._lexed, [], first + 1
        if lexed.name(index) == "recursive" and lexed.kind(index + 1) != TokenType.ALIAS:
            index += 1
        while index < end:
            name, at, header = lexed.name(index), index + 1, ""
            if lexed.kind(at) == TokenType.L_PAREN and at in lexed.partner:
                header = lexed.text(at + 1, lexed.partner[at])
                at = lexed.partner[at] + 1
            opening = next(
                (each for each in range(at, min(at + 4, end)) if lexed.kind(each) == TokenType.L_PAREN), None
            )
            if not name or opening not in lexed.partner:
                return [], first
            definitions.append(_Definition(name, index, opening, header))
            index = lexed.partner[opening] + 1
            if lexed.kind(index) != TokenType.COMMA:
                break
            index += 1
        return definitions, index

    def _is_read(self, definition: _Definition, first: int, end: int) -> bool:
        return any(self._lexed.name(at) == definition.name for at in range(first, end) if at != definition.first)

    def _readings(self, first: int, end: int, ctes: Ctes, edits: list[_Edit]) -> list[_Edit]:
        """Tokens for the common table expressions that the query at [first, end) reads outside of its `edits`."""
        if not any(cte.number for cte in ctes.values()):
            return []
        surveyed = self._survey(first, end, ctes)
        found = []
        for reading in surveyed.readings if surveyed else ():
            number = ctes[reading.name].number if reading.name in ctes else None
            if number is None or any(edit.start <= reading.start < edit.end for edit in edits):
                continue
            alias = (
                f" AS {self._lexed.sql[reading.start : reading.end]}" if reading.in_from and not reading.aliased else ""
            )
            found.append(_Edit(reading.start, reading.end, f"(PREV_RESULT{number}){alias}"))
        return found

    def _arms(self, first: int, end: int) -> list[tuple[int, int]]:
        """The arms of a set operation as tokens [first, end); one where there is no set operation."""
        lexed = self._lexed
        level = [at for at in range(first, end) if lexed.enclosing[at] == lexed.enclosing[first]]
        operators = [at for at in level if lexed.kind(at) in SET_OPERATORS]
        if not operators:
            return [(first, end)]
        closing = next(
            (at for at in level if at > operators[-1] and lexed.kind(at) in (TokenType.ORDER_BY, TokenType.LIMIT)), end
        )
        after = [at + (2 if lexed.kind(at + 1) in (TokenType.ALL, TokenType.DISTINCT) else 1) for at in operators]
        return list(zip([first, *after], [*operators, closing], strict=True))

    def _sorts_by_name(self, arms: list[tuple[int, int]], end: int, ctes: Ctes) -> bool:
        """True where the ORDER BY of a set operation only needs the names and places of its columns, which its arms
        keep as turns."""
        lexed, closing = self._lexed, arms[-1][1]
        if lexed.kind(closing) != TokenType.ORDER_BY:
            return True
        limit = next((at for at in range(closing, end) if lexed.kind(at) == TokenType.LIMIT), end)
        surveys = [self._survey(*arm, ctes) for arm in arms]
        names = {name for each in surveys if each for name in each.outputs} - {""}
        terms = [at for at in range(closing + 1, limit) if lexed.kind(at) not in (TokenType.COMMA, TokenType.NUMBER)]
        if all(lexed.name(at) in names or lexed.name(at) in _ORDERING for at in terms):
            return True
        operator = lexed.tokens[arms[0][1]].text.upper()
        self.unsplit.append(f"The arms of {operator} stay together: they are sorted by more than the names of columns.")
        return False

    def _arm(self, first: int, end: int, ctes: Ctes) -> list[_Edit]:
        lexed = self._lexed
        surveyed = self._survey(first, end, ctes) if lexed.kind(first) == TokenType.SELECT else None
        if surveyed is None or not surveyed.reads or self._why_stays(surveyed, ctes):
            return self._subqueries(first, end, ctes)
        start, stop = lexed.tokens[first].start, lexed.tokens[end - 1].end + 1
        text = self._edited(start, stop, self._query(first, end, ctes))
        operator = lexed.kind(end) if lexed.kind(end) in SET_OPERATORS else None
        at = end if operator else first - 1
        at -= lexed.kind(at) in (TokenType.ALL, TokenType.DISTINCT)
        why = f"the query {'before' if operator else 'after'} {lexed.tokens[at].text.upper()}"
        return [_Edit(start, stop, f"PREV_RESULT{self._turn(text, 'arm', why)}")]

    def _turn(self, text: str, role: Role, why: str) -> int:
        """The number of the turn (the last of several, by clause) that gives the rows of `text`."""
        text = text.strip()
        pieces, stays = clause_pieces(text, self._dialect) if self._by_clause else ((), "")
        if stays:
            self.unsplit.append(stays)
        number = 0
        for piece in pieces[:-1]:
            number = self._numbered(piece.sql(number), "clause", f"{piece.why}, of {why}")
        if pieces:
            text, why = pieces[-1].sql(number), f"{why}: {pieces[-1].why}" if len(pieces) > 1 else why
        return self._numbered(text, role, why)

    def _numbered(self, sql: str, role: Role, why: str) -> int:
        """The number of a turn; the same where the same SQL already is one."""
        key = tuple(
            (token.token_type, token.text if token.token_type == TokenType.STRING else token.text.lower())
            for token in lex(sql, self._dialect).tokens
        )
        if key not in self._numbers:
            self.parts.append(Part(sql, role, why))
            self._numbers[key] = self._start + len(self.parts) - 1
        return self._numbers[key]

    def _edited(self, start: int, end: int, edits: list[_Edit]) -> str:
        """The characters [start, end) of the statement with the edits that lie between them."""
        pieces, position = [], start
        for edit in sorted(edits, key=lambda edit: edit.start):
            pieces += [self._lexed.sql[position : edit.start], edit.text]
            position = edit.end
        return "".join([*pieces, self._lexed.sql[position:end]])

    def _shown(self, first: int, end: int) -> str:
        text = " ".join(self._lexed.text(first, end).split())
        return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
