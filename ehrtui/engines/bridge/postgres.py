"""What PostgreSQL's SQL has for what SQLite's dialect says.

Texts are compared by their bytes (COLLATE "C"), wherever they come from; texts are instants only where they spell one,
since PostgreSQL fails for all others; and names are in lower case, as SQLite finds them in any.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from sqlglot import exp

from ehrtui.engines.bridge.building import (
    DAY_ZERO,
    Spelled,
    bound,
    cast,
    chosen,
    code_of,
    concatenated,
    extreme,
    is_number,
    is_whole,
    length,
    matches,
    not_zero,
    of_group,
    of_real,
    pattern_of_glob,
    plus,
    present,
    signed,
    summed,
    text_of,
    times,
    total,
    trimmed,
    typed,
    where_from,
    with_infinity,
)
from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.bridge.reading import Sql, call
from ehrtui.engines.bridge.strict import StrictSpeech
from ehrtui.engines.guard import RESULTS
from ehrtui.engines.relation import Relation, with_values

_LONGEST_NAME = 63
"""Bytes of a name; PostgreSQL cuts off what is longer."""
_PREFIX = r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2}(?!\d))?)"
_PRINTED = re.compile(r"%(0?)(\d*)(?:\.(\d+))?([dsf])")
_SAME = frozenset((
    *("abs", "count", "lower", "upper", "replace", "max", "min", "row_number", "rank", "dense_rank", "percent_rank"),
    *("cume_dist", "first_value", "last_value", "nullif"),
))  # fmt: skip
"""Functions that give the same in both, where they are given the same."""
_OF_TEXT = frozenset(("lower", "upper", "replace"))
_NOT_SAME_IN_PATTERNS = re.compile(r"\\[^dDwWsSbB.\\^$*+?(){}\[\]|/-]|\(\?|\[\[[:.=]|\[[^\]]*\\")
"""What PostgreSQL's regular expressions have another meaning for."""


class PostgresSpeech(StrictSpeech):
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

    _parts: Mapping[str, str] = {
        "Y": "YYYY", "m": "MM", "d": "DD", "H": "HH24", "M": "MI", "S": "SS", "j": "DDD",
    }  # fmt: skip
    _quote = '"'

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self._relations = relations

    def _pattern(self, instant: Sql, pattern: str) -> Sql:
        return call("to_char", instant.copy(), exp.Literal.string(pattern))

    def _spelt(self, text: Sql) -> Sql:
        return cast(text, "TIMESTAMP")

    def _weekday(self, instant: Sql) -> Sql:
        return _part("dow", instant)

    def _day_of_year(self, instant: Sql) -> Sql:
        return _part("doy", instant)

    def _type_of(self, value: Sql) -> Sql:
        return cast(call("pg_typeof", value), "TEXT")

    def statement(self, tree: Sql) -> Sql:
        """The statement with its tables before it, each with SQLite's values."""
        for identifier in tree.find_all(exp.Identifier):
            identifier.set("this", name_of(identifier.name))
        with_infinity(tree)
        for table in tree.find_all(exp.Table):
            if table.db == RESULTS:
                table.set("db", exp.to_identifier("pg_temp"))
        with_values(tree, self._relations, self.dialect, materialized=False)
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
            return [cast(each, "DOUBLE") if is_number(each) and not is_whole(each) else each for each in operands]
        left, right = operands
        return [cast(left, "BIGINT") if isinstance(left, exp.Column) or is_whole(left) else left, right]

    def number_of(self, text: Sql) -> Sql:
        """The number that a text begins with."""
        prefix = call("substring", text.copy(), exp.Literal.string(_PREFIX))
        number = call("coalesce", cast(prefix, "DOUBLE"), exp.Literal.number("0e0"))
        return exp.Case(ifs=[exp.If(this=present(text), true=number)])

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

    def instant_of_day(self, number: Sql) -> Sql:
        """The instant of a Julian day number, to the millisecond."""
        milliseconds = call("floor", plus(times(cast(number, "DOUBLE"), "86400000e0"), "0.5e0"))
        since = exp.Paren(this=exp.Sub(this=milliseconds, expression=exp.Literal.number(str(DAY_ZERO))))
        seconds = exp.Div(this=since, expression=exp.Literal.number("1000e0"))
        moment = call("to_timestamp", seconds)
        return exp.Paren(this=exp.AtTimeZone(this=moment, zone=exp.Literal.string("UTC")))

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

    def glob(self, value: Sql, pattern: str) -> Sql:
        """GLOB as a regular expression."""
        return matches(value, f"^{pattern_of_glob(pattern)}$")

    def like(self, value: Sql, pattern: Sql, escape: Sql | None) -> Sql:
        """LIKE without regard to case; a backslash stands for itself."""
        if escape is None and isinstance(pattern, exp.Literal):
            pattern = exp.Literal.string(str(pattern.this).replace("\\", "\\\\"))
        elif escape is None:
            pattern = call("replace", pattern, exp.Literal.string("\\"), exp.Literal.string("\\\\"))
        found = exp.ILike(this=self.by_bytes(value), expression=pattern)
        return found if escape is None else exp.Escape(this=found, expression=escape)

    def whole(self, number: Sql) -> Sql:
        """A number without its fraction."""
        return cast(call("trunc", number), "BIGINT")

    def whole_quotient(self, left: Sql, right: Sql) -> Sql:
        """The quotient of two whole numbers."""
        return exp.Paren(this=exp.Div(this=left, expression=not_zero(right), typed=True))

    def function(self, name: str, arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        """Any other function."""
        if name in _SAME and (name != "count" or len(arguments) <= 1):
            if name in _OF_TEXT:
                arguments = [text_of(each, kind) for each, kind in zip(arguments, kinds, strict=True)]
                arguments[0] = self.by_bytes(arguments[0])
            return call(name, *arguments)
        spelled = _SPELLED.get(name)
        return spelled(arguments, kinds) if spelled is not None else None


def name_of(name: str) -> str:
    """How a name is spelled: in lower case, and a very long one by its beginning and a hash."""
    lower = name.lower()
    if len(lower.encode()) <= _LONGEST_NAME:
        return lower
    return lower.encode()[:40].decode("utf-8", "ignore") + "_" + hashlib.sha256(lower.encode()).hexdigest()[:16]


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


def _log2(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    there = exp.GT(this=arguments[0].copy(), expression=exp.Literal.number("0"))
    found = call("log", exp.Literal.number("2.0"), cast(arguments[0], "DECIMAL"))
    return exp.Case(ifs=[exp.If(this=there, true=cast(found, "DOUBLE"))])


def _cut(name: str) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        return arguments[0] if kinds[0] is Kind.WHOLE else call(name, cast(arguments[0], "DOUBLE"))

    return spelled


def _rounded(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    places = cast(arguments[1], "INT") if len(arguments) > 1 else exp.Literal.number("0")
    value = arguments[0] if kinds[0] is Kind.WHOLE else cast(arguments[0], "DOUBLE")
    return cast(call("round", cast(value, "DECIMAL"), call("greatest", places, exp.Literal.number("0"))), "DOUBLE")


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
        found = operator(this=bound(text_of(value, kinds[1])), expression=exp.Literal.string(own))
        return cast(exp.Paren(this=found), "INT")

    return spelled


def _character(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
    return call("chr", cast(arguments[0], "INT")) if len(arguments) == 1 else None


_SPELLED: dict[str, Spelled] = {
    "sum": summed,
    "avg": of_group("avg"),
    "total": total,
    "round": _rounded,
    "floor": _cut("floor"),
    "ceil": _cut("ceil"),
    "ceiling": _cut("ceil"),
    "sign": signed,
    "exp": of_real("exp"),
    "power": of_real("power"),
    "pow": of_real("power"),
    "sqrt": where_from("sqrt", "0", above=False),
    "ln": where_from("ln", "0", above=True),
    "log": where_from("log", "0", above=True),
    "log10": where_from("log", "0", above=True),
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
    "stddev": of_group("stddev_samp"),
    "stdev": of_group("stddev_samp"),
    "stddev_samp": of_group("stddev_samp"),
    "stddev_pop": of_group("stddev_pop"),
    "variance": of_group("var_samp"),
    "var_samp": of_group("var_samp"),
    "var_pop": of_group("var_pop"),
    "lag": _behind("lag"),
    "lead": _behind("lead"),
    "nth_value": _behind("nth_value"),
    "ntile": _buckets,
    "regexp": _matching(exp.RegexpLike),
    "regexpi": _matching(exp.RegexpILike),
    "char": _character,
    "unicode": code_of,
}
