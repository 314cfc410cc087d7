"""What DuckDB's SQL has for what SQLite's dialect says."""

from __future__ import annotations

import re
from collections.abc import Mapping

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

_PREFIX = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
_FORMATS = frozenset("YmdHMSjwW%")
_FORMAT = re.compile(r"%(.)", re.DOTALL)
_UNITS = {
    "second": "to_seconds", "minute": "to_minutes", "hour": "to_hours", "day": "to_days", "month": "to_months",
    "year": "to_years",
}  # fmt: skip
_SAME = frozenset(
    [
        "abs",
        "count",
        "floor",
        "ceil",
        "ceiling",
        "lower",
        "upper",
        "replace",
        "exp",
        "ln",
        "log2",
        "log10",
        "power",
        "pow",
        "sqrt",
        "sign",
        "max",
        "min",
        "row_number",
        "rank",
        "dense_rank",
        "percent_rank",
        "cume_dist",
        "ntile",
        "lag",
        "lead",
        "first_value",
        "last_value",
        "nth_value",
        "nullif",
    ]
)
"""Functions that give the same in both, where they are given the same."""
_OF_TEXT = frozenset(("lower", "upper", "replace"))


class DuckDBSpeech:
    """DuckDB's spelling."""

    dialect = "duckdb"
    system = "DuckDB"
    types: Mapping[Kind, str] = {
        Kind.WHOLE: "BIGINT",
        Kind.REAL: "DOUBLE",
        Kind.TEXT: "VARCHAR",
        Kind.BLOB: "BLOB",
    }

    def statement(self, tree: Sql) -> Sql:
        """The statement: names are found in any case."""
        return tree

    def truth(self, condition: Sql) -> Sql:
        """1 or 0."""
        return cast(condition, "BIGINT")

    def by_bytes(self, text: Sql) -> Sql:
        """The text: DuckDB compares bytes."""
        return text

    def wide(self, operands: list[Sql], *, whole: bool) -> list[Sql]:
        """The numbers, which have 64 bits."""
        return operands

    def first_row(self, query: Sql) -> Sql:
        """The query: the instance is told to take the first row."""
        return query

    def number_of(self, text: Sql) -> Sql:
        """The number that a text begins with."""
        prefix = call("regexp_extract", text.copy(), exp.Literal.string(_PREFIX))
        number = call("coalesce", _try(text.copy(), "DOUBLE"), _try(prefix, "DOUBLE"), exp.Literal.number("0e0"))
        return exp.Case(ifs=[exp.If(this=present(text), true=number)])

    def number_or_null(self, text: Sql) -> Sql:
        """The number that a text spells."""
        return _try(text, "DOUBLE")

    def bytes_of(self, hexadecimal: str) -> Sql:
        """A literal of bytes."""
        return call("unhex", exp.Literal.string(hexadecimal))

    def text_of_day(self, number: Sql) -> Sql:
        """A Julian day number as text."""
        return call("printf", exp.Literal.string("%.16g"), number)

    def text_of_real(self, number: Sql) -> Sql:
        """A REAL as SQLite writes it."""
        whole = exp.EQ(this=number.copy(), expression=call("trunc", number.copy()))
        return exp.Case(
            ifs=[exp.If(this=whole, true=cast(number.copy(), "TEXT"))],
            default=call("printf", exp.Literal.string("%.15g"), number),
        )

    def instant(self, text: Sql, *, dated: bool) -> Sql:
        """The instant that a text spells."""
        if dated:
            return _try(text, "TIMESTAMP")
        is_time = exp.Like(this=text.copy(), expression=exp.Literal.string("__:__%"))
        that_day = exp.DPipe(this=exp.Literal.string("2000-01-01 "), expression=text.copy())
        return exp.Case(ifs=[exp.If(this=is_time, true=_try(that_day, "TIMESTAMP"))], default=_try(text, "TIMESTAMP"))

    def instant_of_day(self, number: Sql) -> Sql:
        """The instant of a Julian day number, to the millisecond."""
        milliseconds = call("floor", plus(times(number, "86400000e0"), "0.5e0"))
        since = exp.Sub(this=cast(milliseconds, "BIGINT"), expression=exp.Literal.number(str(DAY_ZERO)))
        return call("make_timestamp", times(exp.Paren(this=since), "1000"))

    def later(self, instant: Sql, count: Sql, unit: str) -> Sql:
        """An instant so many units later."""
        interval = call(_UNITS[unit], count)
        if unit not in ("month", "year"):
            return exp.Paren(this=exp.Add(this=instant, expression=interval))
        first = call("date_trunc", exp.Literal.string("month"), instant.copy())
        since = exp.Paren(this=exp.Sub(this=instant, expression=first.copy()))
        return exp.Paren(this=exp.Add(this=exp.Add(this=first, expression=interval), expression=since))

    def start(self, instant: Sql, unit: str) -> Sql:
        """The beginning of the day, month or year."""
        return call("date_trunc", exp.Literal.string(unit), instant)

    def start_of_second(self, instant: Sql) -> Sql:
        """An instant without the fraction of its second."""
        return call("date_trunc", exp.Literal.string("second"), instant)

    def on_weekday(self, instant: Sql, day: int) -> Sql:
        """The next instant on a day of the week."""
        missing = exp.Sub(this=exp.Literal.number(str(day + 7)), expression=call("dayofweek", instant.copy()))
        days = exp.Mod(this=exp.Paren(this=missing), expression=exp.Literal.number("7"))
        return exp.Paren(this=exp.Add(this=instant, expression=call("to_days", days)))

    def formatted(self, instant: Sql, format: str) -> Sql | None:
        """An instant as text."""
        if not set(_FORMAT.findall(format)) <= _FORMATS:
            return None
        return call("strftime", instant, exp.Literal.string(format))

    def julian_day(self, instant: Sql) -> Sql:
        """The Julian day number."""
        milliseconds = plus(call("epoch_ms", instant), str(DAY_ZERO))
        return exp.Paren(this=exp.Div(this=milliseconds, expression=exp.Literal.number("86400000e0")))

    def seconds(self, instant: Sql) -> Sql:
        """Whole seconds since 1970."""
        return cast(call("floor", call("epoch", instant)), "BIGINT")

    def any_of(self, value: Sql) -> Sql:
        """The value of some row."""
        return call("first", value)

    def beside(self, value: Sql, extreme: Sql, highest: bool) -> Sql:
        """The value of the row of the extreme."""
        there = call("arg_max_null" if highest else "arg_min_null", value.copy(), extreme.copy())
        none = exp.Is(this=call("max", extreme), expression=exp.Null())
        return exp.Case(ifs=[exp.If(this=none, true=self.any_of(value))], default=there)

    def printed(self, format: str, values: list[Sql]) -> Sql:
        """Values printed by a format."""
        return call("printf", exp.Literal.string(format), *values)

    def like(self, value: Sql, pattern: Sql, escape: Sql | None) -> Sql:
        """LIKE without regard to case."""
        found = exp.ILike(this=value, expression=pattern)
        return found if escape is None else exp.Escape(this=found, expression=escape)

    def glob(self, value: Sql, pattern: str) -> Sql:
        """GLOB."""
        return exp.Glob(this=value, expression=exp.Literal.string(pattern))

    def whole(self, number: Sql) -> Sql:
        """A number without its fraction."""
        return cast(call("trunc", number), "BIGINT")

    def whole_quotient(self, left: Sql, right: Sql) -> Sql:
        """The quotient of two whole numbers."""
        return exp.Paren(this=exp.IntDiv(this=left, expression=not_zero(right)))

    def quotient(self, left: Sql, right: Sql, *, may_be_whole: bool) -> Sql:
        """The quotient of two numbers."""
        exact = exp.Div(this=cast(left.copy(), "DOUBLE"), expression=not_zero(right))
        if not may_be_whole:
            return exp.Paren(this=exact)
        whole = [
            exp.Like(this=call("typeof", each.copy()), expression=exp.Literal.string("%INT%")) for each in (left, right)
        ]
        both = exp.And(this=whole[0], expression=whole[1])
        return exp.Case(ifs=[exp.If(this=both, true=call("trunc", exact.copy()))], default=exact)

    def function(self, name: str, arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        """Any other function."""
        if name in _SAME and (name != "count" or len(arguments) <= 1):
            if name in _OF_TEXT:
                arguments = [text_of(each, kind) for each, kind in zip(arguments, kinds, strict=True)]
            return call(name, *arguments)
        spelled = _SPELLED.get(name)
        return spelled(arguments, kinds) if spelled is not None else None


def _try(value: Sql, type: str) -> Sql:
    return exp.TryCast(this=value, to=exp.DataType.build(type, dialect="duckdb"))


def _named(name: str, *, real: bool = False, text: bool = False) -> Spelled:
    """A function of another name, all of whose arguments are texts, or the first of which is a REAL."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        if text:
            arguments = [text_of(each, kind) for each, kind in zip(arguments, kinds, strict=True)]
        if real:
            arguments = [each_as(arguments[0], "DOUBLE"), *arguments[1:]]
        return call(name, *arguments)

    return spelled


def _substring(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    return call("substring", text_of(arguments[0], kinds[0]), *(cast(each, "BIGINT") for each in arguments[1:]))


def _rounded(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    """Rounded as decimals are: 61.55 is no double, and DuckDB rounds the one that stands for it, which is less; SQLite
    rounds what is written. The next double above tells the halves apart and nothing else, where digits are left."""
    places = [cast(arguments[1], "INTEGER")] if len(arguments) > 1 else []
    value = cast(arguments[0], "DOUBLE")
    plain = call("round", value, *places)
    few: Sql = exp.LTE(this=call("abs", value.copy()), expression=exp.Literal.number("1e9"))
    if places:
        few = exp.And(this=few, expression=exp.LTE(this=places[0].copy(), expression=exp.Literal.number("5")))
    above = exp.Mul(this=value.copy(), expression=cast(exp.Literal.number("1.0000000000000002"), "DOUBLE"))
    near = call("round", above, *(place.copy() for place in places))
    return exp.Case(ifs=[exp.If(this=few, true=near)], default=plain)


def _total(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    return call("coalesce", call("sum", each_as(arguments[0], "DOUBLE")), exp.Literal.number("0e0"))


def _summed(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    return call("sum", *arguments)


def _averaged(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    return call("avg", each_as(arguments[0], "DOUBLE"))


def _percentile(name: str, whole: float) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        share = arguments[1]
        if not isinstance(share, exp.Literal) or share.is_string:
            return None
        return call(name, cast(arguments[0], "DOUBLE"), exp.Literal.number(f"{float(share.this) / whole!r}"))

    return spelled


def _matching(flags: str) -> Spelled:
    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        pattern, value = arguments
        found = call("regexp_matches", text_of(value, kinds[1]), pattern, exp.Literal.string(flags))
        return cast(found, "BIGINT")

    return spelled


_SPELLED: dict[str, Spelled] = {
    "sum": _summed,
    "avg": _averaged,
    "total": _total,
    "round": _rounded,
    "length": length,
    "substr": _substring,
    "substring": _substring,
    "trim": trimmed("trim"),
    "ltrim": trimmed("ltrim"),
    "rtrim": trimmed("rtrim"),
    "instr": _named("strpos", text=True),
    "group_concat": concatenated,
    "string_agg": concatenated,
    "coalesce": chosen,
    "ifnull": chosen,
    "greatest": extreme("greatest"),
    "least": extreme("least"),
    "typeof": typed,
    "log": _named("log10", real=True),
    "median": _named("median", real=True),
    "percentile": _percentile("quantile_cont", 100),
    "percentile_cont": _percentile("quantile_cont", 1),
    "percentile_disc": _percentile("quantile_disc", 1),
    "stddev": _named("stddev_samp", real=True),
    "stdev": _named("stddev_samp", real=True),
    "stddev_samp": _named("stddev_samp", real=True),
    "stddev_pop": _named("stddev_pop", real=True),
    "variance": _named("var_samp", real=True),
    "var_samp": _named("var_samp", real=True),
    "var_pop": _named("var_pop", real=True),
    "regexp": _matching("c"),
    "regexpi": _matching("i"),
    "char": _named("chr"),
    "unicode": _named("unicode"),
}
