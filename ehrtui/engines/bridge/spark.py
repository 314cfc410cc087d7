"""What Spark's SQL has for what SQLite's dialect says.

Spark compares texts by their bytes, and is strict about types where it is told to be (`spark.sql.ansi.enabled`), which
the session does: what overflows then fails, and is not answered otherwise.
"""

from __future__ import annotations

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
from ehrtui.engines.bridge.refusing import Unbridged
from ehrtui.engines.bridge.strict import StrictSpeech
from ehrtui.engines.guard import RESULTS
from ehrtui.engines.relation import Relation, with_values

KEPT = "ehrtui_"
"""What the names of views of kept results begin with."""
_MOST_ROWS = 2**31 - 1
_PREFIX = r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2}(?!\d))?)"
_UPPER, _LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_SAME = frozenset((
    *("abs", "count", "replace", "max", "min", "row_number", "rank", "dense_rank", "percent_rank", "cume_dist"),
    *("first_value", "last_value", "nullif"),
))  # fmt: skip
"""Functions that give the same in both, where they are given the same."""
_NUMBERING = ("row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead")
"""Functions that Spark numbers no rows with, unless they are in an order."""
_NOT_SAME_IN_PATTERNS = re.compile(r"\(\?(?!:|i\))|\[\[|\[[^\]]*(?:&&|\[)|\\[^dDwWsSbB.\\^$*+?(){}\[\]|/-]")
"""What Java's regular expressions have another meaning for."""


class SparkSpeech(StrictSpeech):
    """Spark's spelling of statements that read `relations`, by their names in lower case."""

    dialect = "spark"
    system = "Spark"
    types: Mapping[Kind, str] = {
        Kind.WHOLE: "BIGINT",
        Kind.REAL: "DOUBLE",
        Kind.TEXT: "STRING",
        Kind.BLOB: "BINARY",
        Kind.NULL: "BIGINT",
    }
    _parts: Mapping[str, str] = {
        "Y": "yyyy", "m": "MM", "d": "dd", "H": "HH", "M": "mm", "S": "ss", "j": "DDD",
    }  # fmt: skip
    _quote = "'"

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self._relations = relations

    def statement(self, tree: Sql) -> Sql:
        """The statement with its tables before it, each with SQLite's values."""
        with_infinity(tree)
        for limit in list(tree.find_all(exp.Limit)):
            if is_whole(limit.expression) and int(limit.expression.this) > _MOST_ROWS:
                limit.pop()
        for window in tree.find_all(exp.Window):
            if str(window.this.this).lower() in _NUMBERING and window.args.get("order") is None:
                window.set("order", exp.Order(expressions=[exp.Ordered(this=exp.Null(), nulls_first=True)]))
        for table in tree.find_all(exp.Table):
            if table.db == RESULTS:
                table.set("db", None)
                table.set("this", exp.to_identifier(f"{KEPT}{table.name}"))
        with_values(tree, self._relations, "")
        return tree

    def truth(self, condition: Sql) -> Sql:
        """1 or 0."""
        return cast(condition, "BIGINT")

    def by_bytes(self, text: Sql) -> Sql:
        """The text: Spark compares bytes."""
        return text

    def wide(self, operands: list[Sql], *, whole: bool) -> list[Sql]:
        """Two numbers; whole ones have 32 bits otherwise."""
        left, right = operands
        narrow = whole and (isinstance(left, exp.Column) or is_whole(left))
        return [cast(left, "BIGINT") if narrow else left, right]

    def number_of(self, text: Sql) -> Sql:
        """The number that a text begins with."""
        prefix = call("regexp_extract", text.copy(), exp.Literal.string(_PREFIX), exp.Literal.number("1"))
        number = cast(call("nullif", prefix, exp.Literal.string("")), "DOUBLE")
        there = exp.If(this=present(text), true=call("coalesce", number, exp.Literal.number("0e0")))
        return exp.Case(ifs=[there])

    def bytes_of(self, hexadecimal: str) -> Sql:
        """A literal of bytes."""
        return call("unhex", exp.Literal.string(hexadecimal))

    def text_of_day(self, number: Sql) -> Sql:
        """A Julian day number as text: its day has seven digits, and its fraction alone is exact to the ninth."""
        day = call("floor", number.copy())
        share = cast(exp.Paren(this=exp.Sub(this=number, expression=day.copy())), "DECIMAL(20, 18)")
        nine = call("round", share, exp.Literal.number("9"))
        whole = cast(day, "DECIMAL(20, 0)")
        return _without_zeros(cast(exp.Paren(this=exp.Add(this=whole, expression=nine)), "TEXT"), r"\.?0+$", "")

    def text_of_real(self, number: Sql) -> Sql:
        """A REAL as SQLite writes it."""
        size = call("abs", number.copy())
        near = exp.And(
            this=exp.GTE(this=size, expression=exp.Literal.number("1e-4")),
            expression=exp.LT(this=size.copy(), expression=exp.Literal.number("1e15")),
        )
        zero = exp.EQ(this=number.copy(), expression=exp.Literal.number("0"))
        plain = exp.If(this=near, true=_without_zeros(_exact(number), r"(\.\d+?)0+$", "$1"))
        return exp.Case(
            ifs=[plain, exp.If(this=zero, true=exp.Literal.string("0.0"))],
            default=_without_zeros(_scientific(number), r"(\.\d+?)0*e", "$1e"),
        )

    def instant_of_day(self, number: Sql) -> Sql:
        """The instant of a Julian day number, to the millisecond."""
        milliseconds = call("floor", plus(times(cast(number, "DOUBLE"), "86400000e0"), "0.5e0"))
        since = exp.Sub(this=cast(milliseconds, "BIGINT"), expression=exp.Literal.number(str(DAY_ZERO)))
        return call("timestamp_millis", since)

    def _pattern(self, instant: Sql, pattern: str) -> Sql:
        return call("date_format", instant.copy(), exp.Literal.string(pattern))

    def _spelt(self, text: Sql) -> Sql:
        return call("try_to_timestamp", text)

    def _weekday(self, instant: Sql) -> Sql:
        return exp.Paren(this=exp.Sub(this=call("dayofweek", instant), expression=exp.Literal.number("1")))

    def _day_of_year(self, instant: Sql) -> Sql:
        return call("dayofyear", instant)

    def _type_of(self, value: Sql) -> Sql:
        return call("typeof", value)

    def julian_day(self, instant: Sql) -> Sql:
        """The Julian day number."""
        milliseconds = plus(call("unix_millis", instant), str(DAY_ZERO))
        return exp.Paren(this=exp.Div(this=milliseconds, expression=exp.Literal.number("86400000e0")))

    def seconds(self, instant: Sql) -> Sql:
        """Whole seconds since 1970."""
        return call("unix_seconds", instant)

    def any_of(self, value: Sql) -> Sql:
        """The value of some row."""
        return call("first", value)

    def beside(self, value: Sql, extreme: Sql, highest: bool) -> Sql:
        """The value of the row of the extreme."""
        there = call("max_by" if highest else "min_by", value.copy(), extreme.copy())
        none = exp.Is(this=call("max", extreme), expression=exp.Null())
        return exp.Case(ifs=[exp.If(this=none, true=self.any_of(value))], default=there)

    def printed(self, format: str, values: list[Sql]) -> Sql:
        """Values printed by a format."""
        if re.search(r"%0\d*(?:\.\d+)?s", format):
            raise Unbridged("printf with such a format")
        return call("format_string", exp.Literal.string(format), *values)

    def like(self, value: Sql, pattern: Sql, escape: Sql | None) -> Sql:
        """LIKE without regard to the case of ASCII; a backslash stands for itself."""
        if isinstance(pattern, exp.Literal):
            text = _lowered(str(pattern.this))
            pattern = exp.Literal.string(text if escape is not None else text.replace("\\", "\\\\"))
        else:
            pattern = _lower(pattern)
            if escape is None:
                pattern = call("replace", pattern, exp.Literal.string("\\"), exp.Literal.string("\\\\"))
        found = exp.Like(this=_lower(value), expression=pattern)
        if escape is None:
            return found
        if not isinstance(escape, exp.Literal) or len(str(escape.this)) != 1 or str(escape.this).isalpha():
            raise Unbridged("LIKE with such an ESCAPE")
        return exp.Escape(this=found, expression=escape)

    def glob(self, value: Sql, pattern: str) -> Sql:
        """GLOB as a regular expression."""
        return matches(value, rf"(?s)\A{pattern_of_glob(pattern)}\z")

    def whole(self, number: Sql) -> Sql:
        """A number without its fraction: a CAST cuts it off."""
        return cast(number, "BIGINT")

    def whole_quotient(self, left: Sql, right: Sql) -> Sql:
        """The quotient of two whole numbers."""
        return exp.Paren(this=exp.IntDiv(this=left, expression=not_zero(right)))

    def function(self, name: str, arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        """Any other function."""
        if name in _SAME and (name != "count" or len(arguments) <= 1):
            if name == "replace":
                arguments = [text_of(each, kind) for each, kind in zip(arguments, kinds, strict=True)]
            return call(name, *arguments)
        spelled = _SPELLED.get(name)
        return spelled(arguments, kinds) if spelled is not None else None


def _lowered(text: str) -> str:
    """The text with the letters of ASCII in lower case."""
    return text.translate(str.maketrans(_UPPER, _LOWER))


def _lower(text: Sql) -> Sql:
    return call("translate", text, exp.Literal.string(_UPPER), exp.Literal.string(_LOWER))


def _scientific(number: Sql) -> Sql:
    return call("format_string", exp.Literal.string("%.14e"), cast(number.copy(), "DOUBLE"))


def _exact(number: Sql) -> Sql:
    """A number of at most 18 digits before its point as text, with 15 that are significant."""
    return cast(cast(_scientific(number), "DECIMAL(38, 20)"), "TEXT")


def _without_zeros(text: Sql, pattern: str, rest: str) -> Sql:
    return call("regexp_replace", text, exp.Literal.string(pattern), exp.Literal.string(rest))


def _cased(there: str, becomes: str) -> Spelled:
    """A text with other letters of ASCII."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        text = text_of(arguments[0], kinds[0])
        return call("translate", text, exp.Literal.string(there), exp.Literal.string(becomes))

    return spelled


def _cut(name: str) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        return arguments[0] if kinds[0] is Kind.WHOLE else cast(call(name, cast(arguments[0], "DOUBLE")), "DOUBLE")

    return spelled


def _rounded(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
    places = arguments[1] if len(arguments) > 1 else exp.Literal.number("0")
    if isinstance(places, exp.Neg) and is_number(places.this):
        places = exp.Literal.number("0")
    if not is_whole(places):
        return None
    return call("round", cast(arguments[0], "DOUBLE"), places)


def _percentile(whole: float, *, exact: bool) -> Spelled:
    """The value below which a share of the values is: one of them, where that must be `exact`, or between two."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        share = arguments[1] if len(arguments) > 1 else exp.Literal.number("0.5")
        if not is_number(share) or isinstance(arguments[0], exp.Distinct):
            return None
        literal = exp.Literal.number(f"{float(share.this) / whole!r}")
        if not exact:
            return call("percentile", cast(arguments[0], "DOUBLE"), literal)
        order = exp.Order(expressions=[exp.Ordered(this=cast(arguments[0], "DOUBLE"), nulls_first=True)])
        return exp.WithinGroup(this=call("percentile_disc", literal), expression=order)

    return spelled


def _substring(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
    """A part of a text; before its first character there is one that is empty."""
    text, start, *count = text_of(arguments[0], kinds[0]), *arguments[1:]
    begins = cast(start, "INT")
    if not count:
        return call("substring", text, begins)
    if isinstance(count[0], exp.Neg):
        return None
    long = call("greatest", cast(count[0], "INT"), exp.Literal.number("0"))
    if is_whole(start) and int(start.this) > 0:
        return call("substring", text, begins, long)
    none = exp.EQ(this=begins.copy(), expression=exp.Literal.number("0"))
    before = exp.Case(ifs=[exp.If(this=none, true=plus(long.copy(), "-1"))], default=long)
    return call("substring", text, begins, before)


def _trimmed_at(name: str) -> Spelled:
    """A text without spaces, or other characters, at one end; these come first in Spark."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        characters = arguments[1] if len(arguments) > 1 else exp.Literal.string(" ")
        return call(name, characters, text_of(arguments[0], kinds[0]))

    return spelled


def _place(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    found = call("instr", *(text_of(each, kind) for each, kind in zip(arguments, kinds, strict=True)))
    return cast(found, "BIGINT")


def _behind(name: str) -> Spelled:
    """A window function whose second argument is a literal number."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        return call(name, *arguments) if len(arguments) < 2 or is_whole(arguments[1]) else None

    return spelled


def _buckets(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
    return call("ntile", *arguments) if is_whole(arguments[0]) else None


def _matching(flags: str) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        pattern, value = arguments
        if not isinstance(pattern, exp.Literal) or _NOT_SAME_IN_PATTERNS.search(str(pattern.this)):
            return None
        found = matches(bound(text_of(value, kinds[1])), f"{flags}{pattern.this}")
        return cast(exp.Paren(this=found), "BIGINT")

    return spelled


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
    "log": where_from("log10", "0", above=True),
    "log10": where_from("log10", "0", above=True),
    "log2": where_from("log2", "0", above=True),
    "lower": _cased(_UPPER, _LOWER),
    "upper": _cased(_LOWER, _UPPER),
    "length": length,
    "substr": _substring,
    "substring": _substring,
    "trim": trimmed("btrim"),
    "ltrim": _trimmed_at("ltrim"),
    "rtrim": _trimmed_at("rtrim"),
    "instr": _place,
    "group_concat": concatenated,
    "string_agg": concatenated,
    "coalesce": chosen,
    "ifnull": chosen,
    "greatest": extreme("greatest"),
    "least": extreme("least"),
    "typeof": typed,
    "median": _percentile(1, exact=False),
    "percentile": _percentile(100, exact=False),
    "percentile_cont": _percentile(1, exact=False),
    "percentile_disc": _percentile(1, exact=True),
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
    "regexp": _matching(""),
    "regexpi": _matching("(?i)"),
    "unicode": code_of,
}
