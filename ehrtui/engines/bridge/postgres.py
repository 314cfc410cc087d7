"""What PostgreSQL's SQL has for what SQLite's dialect says.

Texts are compared by their bytes (COLLATE "C"), wherever they come from; texts are instants only where they spell one,
since PostgreSQL fails for all others; and names are in lower case, as SQLite finds them in any.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from datetime import datetime

from sqlglot import exp

from ehrtui.engines.bridge.building import (
    DAY_ZERO,
    Spelled,
    cast,
    chosen,
    concatenated,
    each_as,
    extreme,
    length,
    not_zero,
    plus,
    present,
    text_of,
    times,
    trimmed,
    typed,
)
from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.bridge.reading import Sql, call
from ehrtui.engines.guard import RESULTS
from ehrtui.engines.relation import Relation, headed

_LONGEST_NAME = 63
"""Bytes of a name; PostgreSQL cuts off what is longer."""
_PREFIX = r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2}(?!\d))?)"
_NUMBER = r"^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2})?\s*$"
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?"
_DATED = rf"^(?!0000)\d{{4}}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[ T]{_TIME}Z?)?$"
_TIMED = rf"^{_TIME}Z?$"
_FORMAT = re.compile(r"%(.)", re.DOTALL)
_PARTS = {"Y": "YYYY", "m": "MM", "d": "DD", "H": "HH24", "M": "MI", "S": "SS", "j": "DDD"}
_DAYS_WEEK = "wW"
_PRINTED = re.compile(r"%(0?)(\d*)(?:\.(\d+))?([dsf])")
_SAME = frozenset((
    *("abs", "count", "lower", "upper", "replace", "max", "min", "row_number", "rank", "dense_rank", "percent_rank"),
    *("cume_dist", "first_value", "last_value", "nullif"),
))  # fmt: skip
"""Functions that give the same in both, where they are given the same."""
_OF_TEXT = frozenset(("lower", "upper", "replace"))
_NOT_SAME_IN_PATTERNS = re.compile(r"\\[^dDwWsSbB.\\^$*+?(){}\[\]|/-]|\(\?|\[\[[:.=]|\[[^\]]*\\")
"""What PostgreSQL's regular expressions have another meaning for."""


class PostgresSpeech:
    """PostgreSQL's spelling of statements that read `relations`, by their names in lower case."""

    dialect = "postgres"
    system = "PostgreSQL"
    types: Mapping[Kind, str] = {
        Kind.WHOLE: "bigint",
        Kind.REAL: "double precision",
        Kind.TEXT: "text",
        Kind.BLOB: "bytea",
        Kind.NULL: "bigint",
    }

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self._relations = relations

    def statement(self, tree: Sql) -> Sql:
        """The statement with its tables before it, each with SQLite's values."""
        for identifier in tree.find_all(exp.Identifier):
            identifier.set("this", name_of(identifier.name))
        for literal in list(tree.find_all(exp.Literal)):
            if not literal.is_string and math.isinf(float(literal.this)):
                literal.replace(cast(exp.Literal.string("Infinity"), "DOUBLE"))
        wanted = _wanted(tree)
        heads: dict[str, str] = {}
        for table in list(tree.find_all(exp.Table)):
            if table.db == RESULTS:
                table.set("db", exp.to_identifier("pg_temp"))
            elif (relation := self._relations.get(table.name)) is not None and not _is_step(table):
                table.set("db", None)
                heads[table.name] = relation.select(relation.source, wanted)
        headed(tree, heads.items(), self.dialect, materialized=False)
        return tree

    def truth(self, condition: Sql) -> Sql:
        """1 or 0."""
        return cast(condition, "INT")

    def by_bytes(self, text: Sql) -> Sql:
        """A text that compares by its bytes; columns are such everywhere."""
        if isinstance(text, exp.Column | exp.Collate):
            return text
        bound = isinstance(text, exp.Literal | exp.Cast | exp.Anonymous | exp.Paren | exp.Case | exp.Subquery)
        return exp.Collate(this=text if bound else exp.Paren(this=text), expression=exp.Var(this='"C"'))

    def wide(self, operands: list[Sql], *, whole: bool) -> list[Sql]:
        """Two numbers; whole ones have 32 bits otherwise, and literals with a point are decimal."""
        if not whole:
            return [cast(each, "DOUBLE") if _is_number(each) and not _is_whole(each) else each for each in operands]
        left, right = operands
        return [cast(left, "BIGINT") if isinstance(left, exp.Column) or _is_whole(left) else left, right]

    def first_row(self, query: Sql) -> Sql:
        """A query of one row."""
        if isinstance(query, exp.Select) and query.args.get("limit") is None:
            if not query.args.get("group") and any(each.find(exp.Anonymous) for each in query.expressions):
                called = {str(node.this).lower() for each in query.expressions for node in each.find_all(exp.Anonymous)}
                if called & {"count", "sum", "avg", "max", "min"} and not query.find(exp.Window):
                    return query
            return query.limit(1, copy=False)
        return query.limit(1, copy=False) if isinstance(query, exp.SetOperation) else query

    def number_of(self, text: Sql) -> Sql:
        """The number that a text begins with."""
        prefix = call("substring", text.copy(), exp.Literal.string(_PREFIX))
        number = call("coalesce", cast(prefix, "DOUBLE"), exp.Literal.number("0e0"))
        return exp.Case(ifs=[exp.If(this=present(text), true=number)])

    def number_or_null(self, text: Sql) -> Sql:
        """The number that a text spells."""
        return exp.Case(ifs=[exp.If(this=_matches(text, _NUMBER), true=cast(text.copy(), "DOUBLE"))])

    def bytes_of(self, hexadecimal: str) -> Sql:
        """A literal of bytes."""
        return call("decode", exp.Literal.string(hexadecimal), exp.Literal.string("hex"))

    def text_of_day(self, number: Sql) -> Sql:
        """A Julian day number as text: its day has seven digits, and what is left of it as a numeric has 15."""
        day = call("floor", number.copy())
        share = exp.Paren(this=exp.Sub(this=number, expression=day.copy()))
        nine = call("round", cast(share, "DECIMAL"), exp.Literal.number("9"))
        return cast(call("trim_scale", exp.Add(this=cast(day, "DECIMAL"), expression=nine)), "TEXT")

    def text_of_real(self, number: Sql) -> Sql:
        """A REAL as SQLite writes it; as a numeric it has 15 digits."""
        exact = cast(cast(number.copy(), "DOUBLE"), "DECIMAL")
        size = call("abs", number.copy())
        far = exp.Or(
            this=exp.GTE(this=size, expression=exp.Literal.number("1e15")),
            expression=exp.And(
                this=exp.LT(this=size.copy(), expression=exp.Literal.number("1e-4")),
                expression=exp.NEQ(this=number.copy(), expression=exp.Literal.number("0")),
            ),
        )
        digits = call("btrim", call("to_char", exact.copy(), exp.Literal.string("9.99999999999999EEEE")))
        shortened = call("regexp_replace", digits, exp.Literal.string(r"(\.\d+?)0*e"), exp.Literal.string(r"\1e"))
        whole = exp.EQ(this=exact.copy(), expression=call("trunc", exact.copy()))
        ending = exp.DPipe(this=cast(exact.copy(), "TEXT"), expression=exp.Literal.string(".0"))
        return exp.Case(
            ifs=[exp.If(this=far, true=shortened), exp.If(this=whole, true=ending)], default=cast(exact, "TEXT")
        )

    def instant(self, text: Sql, *, dated: bool) -> Sql:
        """The instant that a text spells; days that a month lacks run over into the next."""
        if isinstance(text, exp.Literal):
            return _literal_instant(str(text.this))
        bare = text.this if isinstance(text, exp.Collate) else text
        if dated and isinstance(bare, exp.Column):
            return cast(bare, "TIMESTAMP")
        head = call("substr", text.copy(), exp.Literal.number("1"), exp.Literal.number("8"))
        first = exp.DPipe(this=head, expression=exp.Literal.string("01"))
        rest = exp.DPipe(this=first, expression=call("substr", text.copy(), exp.Literal.number("11")))
        day = call("substr", text.copy(), exp.Literal.number("9"), exp.Literal.number("2"))
        days = exp.Mul(this=exp.Paren(this=plus(cast(day, "INT"), "-1")), expression=_interval("DAY"))
        that = exp.Paren(this=exp.Add(this=cast(exp.Paren(this=rest), "TIMESTAMP"), expression=days))
        ifs = [exp.If(this=_matches(text, _DATED), true=that)]
        if not dated:
            joined = exp.DPipe(this=exp.Literal.string("2000-01-01 "), expression=text.copy())
            ifs.append(exp.If(this=_matches(text, _TIMED), true=cast(exp.Paren(this=joined), "TIMESTAMP")))
        return exp.Case(ifs=ifs)

    def instant_of_day(self, number: Sql) -> Sql:
        """The instant of a Julian day number, to the millisecond."""
        milliseconds = call("floor", plus(times(cast(number, "DOUBLE"), "86400000e0"), "0.5e0"))
        since = exp.Paren(this=exp.Sub(this=milliseconds, expression=exp.Literal.number(str(DAY_ZERO))))
        seconds = exp.Div(this=since, expression=exp.Literal.number("1000e0"))
        moment = call("to_timestamp", seconds)
        return exp.Paren(this=exp.AtTimeZone(this=moment, zone=exp.Literal.string("UTC")))

    def later(self, instant: Sql, count: Sql, unit: str) -> Sql:
        """An instant so many units later."""
        span = exp.Mul(this=count, expression=_interval(unit.upper()))
        if unit not in ("month", "year"):
            return exp.Paren(this=exp.Add(this=instant, expression=span))
        first = self.start(instant.copy(), "month")
        since = exp.Paren(this=exp.Sub(this=instant, expression=first.copy()))
        return exp.Paren(this=exp.Add(this=exp.Add(this=first, expression=span), expression=since))

    def start(self, instant: Sql, unit: str) -> Sql:
        """The beginning of the day, month or year."""
        return call("date_trunc", exp.Literal.string(unit), instant)

    def start_of_second(self, instant: Sql) -> Sql:
        """An instant without the fraction of its second."""
        return call("date_trunc", exp.Literal.string("second"), instant)

    def on_weekday(self, instant: Sql, day: int) -> Sql:
        """The next instant on a day of the week."""
        missing = exp.Sub(this=exp.Literal.number(str(day + 7)), expression=_part("dow", instant.copy()))
        days = exp.Mod(this=exp.Paren(this=missing), expression=exp.Literal.number("7"))
        span = exp.Mul(this=exp.Paren(this=days), expression=_interval("DAY"))
        return exp.Paren(this=exp.Add(this=instant, expression=span))

    def formatted(self, instant: Sql, format: str) -> Sql | None:
        """An instant as text."""
        if not set(_FORMAT.findall(format)) <= {*_PARTS, *_DAYS_WEEK, "s", "%"} or '"' in format or "\\" in format:
            return None
        pieces: list[Sql] = []
        plain = ""
        for each in re.split(r"(%.)", format):
            if each in ("%w", "%W", "%s"):
                pieces += [_pattern(instant, plain), self._day(instant, each)] if plain else [self._day(instant, each)]
                plain = ""
            elif each[:1] == "%":
                plain += _PARTS.get(each[1], '"%"')
            else:
                plain += f'"{each}"' if re.search(r"[A-Za-z]", each) else each
        if plain or not pieces:
            pieces.append(_pattern(instant, plain))
        made = pieces[0]
        for piece in pieces[1:]:
            made = exp.DPipe(this=made, expression=piece)
        return exp.Paren(this=made) if len(pieces) > 1 else made

    def _day(self, instant: Sql, part: str) -> Sql:
        if part == "%s":
            return cast(self.seconds(instant.copy()), "TEXT")
        if part == "%w":
            return cast(_part("dow", instant.copy()), "TEXT")
        # weeks begin on Mondays, and days before the first one are of week 0
        since = exp.Mod(
            this=exp.Paren(this=plus(_part("dow", instant.copy()), "6")), expression=exp.Literal.number("7")
        )
        day = exp.Sub(this=plus(_part("doy", instant.copy()), "6"), expression=exp.Paren(this=since))
        week = exp.Div(this=exp.Paren(this=day), expression=exp.Literal.number("7"), typed=True)
        return call("lpad", cast(exp.Paren(this=week), "TEXT"), exp.Literal.number("2"), exp.Literal.string("0"))

    def julian_day(self, instant: Sql) -> Sql:
        """The Julian day number."""
        milliseconds = plus(times(_epoch(instant), "1000"), str(DAY_ZERO))
        return exp.Paren(
            this=exp.Div(this=cast(call("floor", milliseconds), "DOUBLE"), expression=exp.Literal.number("86400000e0"))
        )

    def seconds(self, instant: Sql) -> Sql:
        """Whole seconds since 1970."""
        return cast(call("floor", _epoch(instant)), "BIGINT")

    def any_of(self, value: Sql) -> Sql:
        """The value of some row."""
        return _first_of(call("array_agg", value))

    def beside(self, value: Sql, extreme: Sql, highest: bool) -> Sql:
        """The value of the row of the extreme."""
        term = exp.Ordered(this=extreme, desc=highest, nulls_first=False)
        return _first_of(call("array_agg", exp.Order(this=value, expressions=[term])))

    def printed(self, format: str, values: list[Sql]) -> Sql:
        """Values printed by a format."""
        pieces: list[Sql] = []
        at = 0
        for found, value in zip(_PRINTED.finditer(format), values, strict=True):
            if found.start() > at:
                pieces.append(exp.Literal.string(format[at : found.start()]))
            pieces.append(_one_printed(found[1], found[2], found[3], found[4], value))
            at = found.end()
        if at < len(format) or not pieces:
            pieces.append(exp.Literal.string(format[at:]))
        made = pieces[0]
        for piece in pieces[1:]:
            made = exp.DPipe(this=made, expression=piece)
        return exp.Paren(this=made)

    def like(self, value: Sql, pattern: Sql, escape: Sql | None) -> Sql:
        """LIKE without regard to case; a backslash stands for itself."""
        if escape is None and isinstance(pattern, exp.Literal):
            pattern = exp.Literal.string(str(pattern.this).replace("\\", "\\\\"))
        elif escape is None:
            pattern = call("replace", pattern, exp.Literal.string("\\"), exp.Literal.string("\\\\"))
        found = exp.ILike(this=self.by_bytes(value), expression=pattern)
        return found if escape is None else exp.Escape(this=found, expression=escape)

    def glob(self, value: Sql, pattern: str) -> Sql:
        """GLOB as a regular expression."""
        made, at = "", 0
        while at < len(pattern):
            end = pattern.find("]", at + 2) if pattern[at] == "[" else -1
            if end > 0:
                made += "[" + pattern[at + 1 : end].replace("\\", "\\\\") + "]"
                at = end
            else:
                made += {"*": ".*", "?": "."}.get(pattern[at], re.escape(pattern[at]))
            at += 1
        return _matches(value, f"^{made}$")

    def whole_quotient(self, left: Sql, right: Sql) -> Sql:
        """The quotient of two whole numbers."""
        return exp.Paren(this=exp.Div(this=left, expression=not_zero(right), typed=True))

    def quotient(self, left: Sql, right: Sql, *, may_be_whole: bool) -> Sql:
        """The quotient of two numbers."""
        exact = exp.Div(this=cast(left.copy(), "DOUBLE"), expression=not_zero(right))
        if not may_be_whole:
            return exp.Paren(this=exact)
        whole = [
            exp.In(
                this=cast(call("pg_typeof", each.copy()), "TEXT"), expressions=list(map(exp.Literal.string, _INTEGERS))
            )
            for each in (left, right)
        ]
        both = exp.And(this=whole[0], expression=whole[1])
        return exp.Case(ifs=[exp.If(this=both, true=call("trunc", exact.copy()))], default=exact)

    def function(self, name: str, arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        """Any other function."""
        if name in _SAME and (name != "count" or len(arguments) <= 1):
            if name in _OF_TEXT:
                arguments = [text_of(each, kind) for each, kind in zip(arguments, kinds, strict=True)]
                arguments[0] = self.by_bytes(arguments[0])
            return call(name, *arguments)
        spelled = _SPELLED.get(name)
        return spelled(arguments, kinds) if spelled is not None else None


_INTEGERS = ("smallint", "integer", "bigint")


def name_of(name: str) -> str:
    """How a name is spelled: in lower case, and a very long one by its beginning and a hash."""
    lower = name.lower()
    if len(lower.encode()) <= _LONGEST_NAME:
        return lower
    return lower.encode()[:40].decode("utf-8", "ignore") + "_" + hashlib.sha256(lower.encode()).hexdigest()[:16]


def _is_step(table: exp.Table) -> bool:
    """True for a query that an enclosing WITH gives the name."""
    at: Sql | None = table
    while at is not None:
        clause = at.args.get("with_")
        if clause is not None and any(cte.alias.lower() == table.name.lower() for cte in clause.expressions):
            return True
        at = at.parent
    return False


def _is_number(node: Sql) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string


def _is_whole(node: Sql) -> bool:
    return _is_number(node) and str(node.this).isdigit()


def _wanted(tree: Sql) -> frozenset[str] | None:
    """The names that a statement has, None where it takes all columns of a table."""
    starred = any(not isinstance(star.parent, exp.Anonymous) for star in tree.find_all(exp.Star))
    natural = any(join.args.get("method") for join in tree.find_all(exp.Join))
    return None if starred or natural else frozenset(each.name for each in tree.find_all(exp.Identifier))


def _matches(text: Sql, pattern: str) -> Sql:
    return exp.RegexpLike(this=_bound(text.copy()), expression=exp.Literal.string(pattern))


def _bound(value: Sql) -> Sql:
    return exp.Paren(this=value) if isinstance(value, exp.Binary) and not isinstance(value, exp.Collate) else value


def _interval(unit: str) -> Sql:
    return exp.Interval(this=exp.Literal.string("1"), unit=exp.Var(this=unit))


def _literal_instant(text: str) -> Sql:
    """The instant that a literal spells, NULL where it spells none."""
    if re.match(_TIMED, text):
        text = f"2000-01-01 {text}"
    if not re.match(_DATED, text):
        return cast(exp.Null(), "TIMESTAMP")
    day = int(text[8:10])
    try:
        datetime.strptime(text[:10], "%Y-%m-%d")
    except ValueError:  # a day that the month lacks
        that = cast(exp.Literal.string(f"{text[:8]}01{text[10:]}".rstrip("Z")), "TIMESTAMP")
        days = exp.Mul(this=exp.Literal.number(str(day - 1)), expression=_interval("DAY"))
        return exp.Paren(this=exp.Add(this=that, expression=days))
    return cast(exp.Literal.string(text.rstrip("Z")), "TIMESTAMP")


def _pattern(instant: Sql, pattern: str) -> Sql:
    return call("to_char", instant.copy(), exp.Literal.string(pattern))


def _part(part: str, instant: Sql) -> Sql:
    return cast(call("date_part", exp.Literal.string(part), instant), "INT")


def _epoch(instant: Sql) -> Sql:
    return exp.Extract(this=exp.Var(this="EPOCH"), expression=instant)


def _first_of(array: Sql) -> Sql:
    return exp.Bracket(this=exp.Paren(this=array), expressions=[exp.Literal.number("1")], offset=1)


def _one_printed(zeros: str, width: str, places: str | None, kind: str, value: Sql) -> Sql:
    if kind == "f":
        rounded = call("round", cast(value, "DECIMAL"), exp.Literal.number(places or "6"))
        text = cast(rounded, "TEXT")
    else:
        text = value if kind == "s" else cast(value, "TEXT")
    if not width:
        return text
    longest = call("greatest", call("length", text.copy()), exp.Literal.number(width))
    if not zeros:
        return call("lpad", text, longest)
    # the sign stands before the zeros
    sign = exp.Case(
        ifs=[
            exp.If(this=exp.Like(this=text.copy(), expression=exp.Literal.string("-%")), true=exp.Literal.string("-"))
        ],
        default=exp.Literal.string(""),
    )
    digits = call("ltrim", text.copy(), exp.Literal.string("-"))
    room = exp.Sub(this=longest, expression=call("length", sign.copy()))
    return exp.DPipe(this=sign, expression=call("lpad", digits, room, exp.Literal.string("0")))


def _real(name: str) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        return call(name, *(cast(each, "DOUBLE") for each in arguments))

    return spelled


def _of_group(name: str) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        return call(name, each_as(arguments[0], "DOUBLE"))

    return spelled


def _where(name: str, least: str, *, above: bool) -> Spelled:
    """A function of numbers from `least` on, or above it; NULL for others."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        if len(arguments) != 1:
            return None
        compared = exp.GT if above else exp.GTE
        value = cast(arguments[0], "DOUBLE")
        there = compared(this=value.copy(), expression=exp.Literal.number(least))
        return exp.Case(ifs=[exp.If(this=there, true=call(name, value))])

    return spelled


def _log2(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    there = exp.GT(this=arguments[0].copy(), expression=exp.Literal.number("0"))
    found = call("log", exp.Literal.number("2.0"), cast(arguments[0], "DECIMAL"))
    return exp.Case(ifs=[exp.If(this=there, true=cast(found, "DOUBLE"))])


def _cut(name: str) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        return arguments[0] if kinds[0] is Kind.WHOLE else call(name, cast(arguments[0], "DOUBLE"))

    return spelled


def _sign(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    return cast(call("sign", cast(arguments[0], "DOUBLE")), "BIGINT")


def _rounded(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    places = cast(arguments[1], "INT") if len(arguments) > 1 else exp.Literal.number("0")
    value = arguments[0] if kinds[0] is Kind.WHOLE else cast(arguments[0], "DOUBLE")
    return cast(call("round", cast(value, "DECIMAL"), call("greatest", places, exp.Literal.number("0"))), "DOUBLE")


def _summed(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    if kinds[0] is Kind.WHOLE:
        return cast(call("sum", *arguments), "BIGINT")
    return call("sum", each_as(arguments[0], "DOUBLE"))


def _total(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    return call("coalesce", call("sum", each_as(arguments[0], "DOUBLE")), exp.Literal.number("0e0"))


def _percentile(name: str, whole: float) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        share = arguments[1] if len(arguments) > 1 else exp.Literal.number("0.5")
        if not isinstance(share, exp.Literal) or share.is_string or isinstance(arguments[0], exp.Distinct):
            return None
        order = exp.Order(expressions=[exp.Ordered(this=cast(arguments[0], "DOUBLE"), nulls_first=False)])
        return exp.WithinGroup(this=call(name, exp.Literal.number(f"{float(share.this) / whole!r}")), expression=order)

    return spelled


def _substring(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
    """A part of a text, counted from its end where the beginning is negative."""
    text, start = text_of(arguments[0], kinds[0]), arguments[1]
    count = arguments[2:]
    if count and not (isinstance(count[0], exp.Literal) and not count[0].is_string) and not kinds[2].is_number:
        return None
    if count and isinstance(count[0], exp.Neg):
        return None
    long = [call("greatest", cast(count[0], "INT"), exp.Literal.number("0"))] if count else []
    if count and isinstance(count[0], exp.Literal):
        long = [count[0]]
    if isinstance(start, exp.Literal):
        return call("substr", text, start, *long)
    begins = cast(start, "INT")
    behind = plus(exp.Add(this=call("length", text.copy()), expression=exp.Paren(this=begins.copy())), "1")
    if not count:
        behind = call("greatest", behind, exp.Literal.number("1"))
    ends = call("substr", text.copy(), behind, *[each.copy() for each in long])
    negative = exp.LT(this=begins.copy(), expression=exp.Literal.number("0"))
    return exp.Case(ifs=[exp.If(this=negative, true=ends)], default=call("substr", text, begins, *long))


def _place(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    return call("strpos", *(text_of(each, kind) for each, kind in zip(arguments, kinds, strict=True)))


def _behind(name: str) -> Spelled:
    """A window function whose second argument is a small number."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        if len(arguments) > 1:
            arguments = [arguments[0], cast(arguments[1], "INT"), *arguments[2:]]
        return call(name, *arguments)

    return spelled


def _buckets(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    return call("ntile", cast(arguments[0], "INT"))


def _matching(compared: type[exp.Binary]) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        pattern, value = arguments
        if not isinstance(pattern, exp.Literal):
            return None
        text, operator = str(pattern.this), compared
        if text.startswith("(?i)"):
            text, operator = text[4:], exp.RegexpILike
        if _NOT_SAME_IN_PATTERNS.search(text.replace("(?:", "(")):
            return None
        own = re.sub(r"\\([bB])", lambda found: {"b": r"\y", "B": r"\Y"}[found[1]], text)
        found = operator(this=_bound(text_of(value, kinds[1])), expression=exp.Literal.string(own))
        return cast(exp.Paren(this=found), "INT")

    return spelled


def _character(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
    return call("chr", cast(arguments[0], "INT")) if len(arguments) == 1 else None


def _code(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    text = text_of(arguments[0], kinds[0])
    return call("ascii", call("nullif", text, exp.Literal.string("")))


_SPELLED: dict[str, Spelled] = {
    "sum": _summed,
    "avg": _of_group("avg"),
    "total": _total,
    "round": _rounded,
    "floor": _cut("floor"),
    "ceil": _cut("ceil"),
    "ceiling": _cut("ceil"),
    "sign": _sign,
    "exp": _real("exp"),
    "power": _real("power"),
    "pow": _real("power"),
    "sqrt": _where("sqrt", "0", above=False),
    "ln": _where("ln", "0", above=True),
    "log": _where("log", "0", above=True),
    "log10": _where("log", "0", above=True),
    "log2": _log2,
    "length": length,
    "substr": _substring,
    "substring": _substring,
    "trim": trimmed("btrim"),
    "ltrim": trimmed("ltrim"),
    "rtrim": trimmed("rtrim"),
    "instr": _place,
    "group_concat": concatenated,
    "string_agg": concatenated,
    "coalesce": chosen,
    "ifnull": chosen,
    "greatest": extreme("greatest"),
    "least": extreme("least"),
    "typeof": typed,
    "median": _percentile("percentile_cont", 1),
    "percentile": _percentile("percentile_cont", 100),
    "percentile_cont": _percentile("percentile_cont", 1),
    "percentile_disc": _percentile("percentile_disc", 1),
    "stddev": _of_group("stddev_samp"),
    "stdev": _of_group("stddev_samp"),
    "stddev_samp": _of_group("stddev_samp"),
    "stddev_pop": _of_group("stddev_pop"),
    "variance": _of_group("var_samp"),
    "var_samp": _of_group("var_samp"),
    "var_pop": _of_group("var_pop"),
    "lag": _behind("lag"),
    "lead": _behind("lead"),
    "nth_value": _behind("nth_value"),
    "ntile": _buckets,
    "regexp": _matching(exp.RegexpLike),
    "regexpi": _matching(exp.RegexpILike),
    "char": _character,
    "unicode": _code,
}
