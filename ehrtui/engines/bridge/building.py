"""Pieces of SQL that several engines spell alike."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from sqlglot import exp

from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.bridge.reading import Sql, call

Spelled = Callable[[list[Sql], list[Kind]], "Sql | None"]
"""Spells a function on translated arguments and their kinds, None where it gives not the same."""
DAY_ZERO = 210_866_760_000_000
"""Milliseconds from Julian day 0 to 1970."""


def cast(value: Sql, type: str) -> Sql:
    """The value as one of sqlglot's types."""
    return exp.Cast(this=value, to=exp.DataType.build(type))


def present(value: Sql) -> Sql:
    """True for what is not NULL."""
    return exp.Not(this=exp.Is(this=value, expression=exp.Null()))


def plus(value: Sql, number: str) -> Sql:
    """The value and a literal number."""
    return exp.Paren(this=exp.Add(this=value, expression=exp.Literal.number(number)))


def times(value: Sql, number: str) -> Sql:
    """The value times a literal number."""
    return exp.Mul(this=value, expression=exp.Literal.number(number))


def not_zero(value: Sql) -> Sql:
    """A divisor, NULL in place of 0."""
    number = value.this if isinstance(value, exp.Literal) and not value.is_string else ""
    if any(digit in "123456789" for digit in number.partition("e")[0]):
        return value
    return call("nullif", value, exp.Literal.number("0"))


def extreme(name: str) -> Spelled:
    """The least or greatest of values, NULL where one of them is."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        gaps = [exp.Is(this=each.copy(), expression=exp.Null()) for each in arguments]
        missing: Sql = gaps[0]
        for gap in gaps[1:]:
            missing = exp.Or(this=missing, expression=gap)
        return exp.Case(ifs=[exp.If(this=missing, true=exp.Null())], default=call(name, *arguments))

    return spelled


def typed(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
    """What SQLite's typeof says."""
    if kinds[0] is Kind.NULL:
        return exp.Literal.string("null")
    named = {Kind.WHOLE: "integer", Kind.REAL: "real", Kind.TEXT: "text", Kind.BLOB: "blob"}.get(kinds[0])
    if named is None:
        return None
    there = exp.If(this=present(arguments[0]), true=exp.Literal.string(named))
    return exp.Case(ifs=[there], default=exp.Literal.string("null"))


def text_of(value: Sql, kind: Kind) -> Sql:
    """A value of a kind as text."""
    return value if kind is Kind.TEXT else cast(value, "TEXT")


def each_as(value: Sql, type: str) -> Sql:
    """What an aggregate is given, maybe DISTINCT, as one of sqlglot's types."""
    if isinstance(value, exp.Distinct):
        return exp.Distinct(expressions=[cast(each, type) for each in value.expressions])
    return cast(value, type)


def trimmed(name: str) -> Spelled:
    """A text without spaces, or other characters, at its ends."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        characters = arguments[1] if len(arguments) > 1 else exp.Literal.string(" ")
        return call(name, text_of(arguments[0], kinds[0]), characters)

    return spelled


def length(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    """The characters of a text, or the bytes of a BLOB."""
    if kinds[0] is Kind.BLOB:
        return call("octet_length", *arguments)
    return call("length", text_of(arguments[0], kinds[0]))


def concatenated(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    """Aggregate: all values as one text."""
    value, *separator = arguments
    return call("string_agg", each_as(value, "TEXT"), *(separator or [exp.Literal.string(",")]))


def chosen(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    """The first value that is not NULL."""
    return call("coalesce", *arguments)


def pattern_of_glob(pattern: str) -> str:
    """The regular expression of a pattern of GLOB, with *, ? and [ranges]."""
    made, at = "", 0
    while at < len(pattern):
        end = pattern.find("]", at + 2) if pattern[at] == "[" else -1
        if end > 0:
            made += "[" + pattern[at + 1 : end].replace("\\", "\\\\") + "]"
            at = end
        else:
            made += {"*": ".*", "?": "."}.get(pattern[at], re.escape(pattern[at]))
        at += 1
    return made


def interval(unit: str) -> Sql:
    """One unit of time."""
    return exp.Interval(this=exp.Literal.string("1"), unit=exp.Var(this=unit))


def bound(value: Sql) -> Sql:
    """A value that an operator does not come between."""
    return exp.Paren(this=value) if isinstance(value, exp.Binary) and not isinstance(value, exp.Collate) else value


def matches(text: Sql, pattern: str) -> Sql:
    """True for a text in which a regular expression is found."""
    return exp.RegexpLike(this=bound(text.copy()), expression=exp.Literal.string(pattern))


def is_number(node: Sql) -> bool:
    """True for a literal number."""
    return isinstance(node, exp.Literal) and not node.is_string


def is_whole(node: Sql) -> bool:
    """True for a literal whole number."""
    return is_number(node) and str(node.this).isdigit()


def with_infinity(tree: Sql) -> None:
    """Spell numbers that no double can hold as what they are then."""
    for literal in list(tree.find_all(exp.Literal)):
        if not literal.is_string and math.isinf(float(literal.this)):
            literal.replace(cast(exp.Literal.string("Infinity"), "DOUBLE"))


def of_real(name: str) -> Spelled:
    """A function of REALs."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        return call(name, *(cast(each, "DOUBLE") for each in arguments))

    return spelled


def of_group(name: str) -> Spelled:
    """An aggregate of REALs."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        return call(name, each_as(arguments[0], "DOUBLE"))

    return spelled


def where_from(name: str, least: str, *, above: bool) -> Spelled:
    """A function of one number from `least` on, or above it; NULL for others."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        if len(arguments) != 1:
            return None
        compared = exp.GT if above else exp.GTE
        value = cast(arguments[0], "DOUBLE")
        there = compared(this=value.copy(), expression=exp.Literal.number(least))
        return exp.Case(ifs=[exp.If(this=there, true=call(name, value))])

    return spelled


def summed(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    """Aggregate: the sum, a whole number where all are."""
    if kinds[0] is Kind.WHOLE:
        return cast(call("sum", *arguments), "BIGINT")
    return call("sum", each_as(arguments[0], "DOUBLE"))


def total(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    """Aggregate: the sum as a REAL, 0 of nothing."""
    return call("coalesce", call("sum", each_as(arguments[0], "DOUBLE")), exp.Literal.number("0e0"))


def signed(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    """-1, 0 or 1."""
    return cast(call("sign", cast(arguments[0], "DOUBLE")), "BIGINT")


def code_of(arguments: list[Sql], kinds: list[Kind]) -> Sql:
    """The code of the first character of a text."""
    text = text_of(arguments[0], kinds[0])
    return call("ascii", call("nullif", text, exp.Literal.string("")))
