"""Comparisons as SQLite makes them: what is compared with a column is first made its like, and every number is less
than every text.

What a column or a CAST is compared with takes its affinity: beside a number, a text that spells one is that number;
beside a text, a number is its text. Without affinity nothing is changed, and a text is never equal to a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from ehrtui.engines.bridge.kinds import Kind, Kinds, Typed
from ehrtui.engines.bridge.reading import Sql, call
from ehrtui.engines.bridge.refusing import Unbridged
from ehrtui.engines.bridge.speech import Speech

COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_NUMBER = re.compile(r"\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*")
_TURNED: dict[type[Sql], type[exp.Binary]] = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE}

Value = Callable[[Sql], Sql]


class Comparing:
    """Spells comparisons in one engine's `speech`; `value` translates what is compared."""

    def __init__(self, speech: Speech, kinds: Kinds, value: Value) -> None:
        self._speech = speech
        self._kinds = kinds
        self._value = value

    def compared(self, kind: type[Sql], left: Sql, right: Sql) -> Sql:
        """Two expressions compared by the operator `kind`."""
        one, other = self._kinds.of(left), self._kinds.of(right)
        self._check(one, other)
        if {one.kind, other.kind} == {Kind.TEXT} and (collated := _collated(left) or _collated(right)):
            one_text, other_text = (with_collation(self._value(_bare(each)), collated) for each in (left, right))
            return self._operation(kind, one_text, other_text, texts=True)
        if one.kind is Kind.TEXT and other.kind.is_number:
            return self._text_with_number(kind, left, one, right, other)
        if one.kind.is_number and other.kind is Kind.TEXT:
            return self._text_with_number(_TURNED.get(kind, kind), right, other, left, one)
        texts = {one.kind, other.kind} <= {Kind.TEXT, Kind.NULL}
        return self._operation(kind, self._value(left), self._value(right), texts=texts)

    def within(self, node: exp.Between) -> Sql:
        """x BETWEEN a AND b."""
        low, high = node.args["low"], node.args["high"]
        kinds = {self._kinds.kind(each) for each in (node.this, low, high)} - {Kind.NULL}
        if Kind.TEXT in kinds and len(kinds) > 1:
            above, below = self.compared(exp.GTE, node.this, low), self.compared(exp.LTE, node.this, high)
            return exp.Paren(this=exp.And(this=above, expression=below))
        value = self._value(node.this)
        if Kind.TEXT in kinds:
            value = self._speech.by_bytes(value)
        return exp.Between(this=_bound(value), low=_bound(self._value(low)), high=_bound(self._value(high)))

    def members(self, value: Sql, among: list[Sql]) -> list[Sql]:
        """The values of a list that `value` may be equal to, as its like; they have no affinity of their own."""
        typed = self._kinds.of(value)
        found = [self._member(typed, each) for each in among]
        return [each for each in found if each is not None]

    def _member(self, typed: Typed, member: Sql) -> Sql | None:
        other = self._kinds.kind(member)
        self._check(typed, Typed(other))
        if typed.kind is Kind.TEXT and other.is_number:
            return self._as_text(member) if typed.affine else None
        if typed.kind.is_number and other is Kind.TEXT:
            number = spelt_number(member)
            if not isinstance(member, exp.Literal) and typed.affine:
                return self._speech.number_or_null(self._value(member))
            return number if typed.affine else None
        return self._value(member)

    def among(self, value: Sql, query: Sql) -> Sql:
        """x IN (SELECT …); `query` is not yet translated."""
        typed, given = self._kinds.of(value), self._kinds.columns(query)[:1]
        held = given[0][1] if given else typed
        if self.same_kinds(typed, held):
            return exp.In(this=_bound(self._value(value)), query=self._value(query))
        if typed.kind.is_number and held.kind is Kind.TEXT and held.affine and not typed.affine:
            return exp.In(this=self._as_text(value), query=self._value(query))
        if Kind.MIXED not in (typed.kind, held.kind) and (typed.affine or held.affine) and typed.kind.is_number:
            return exp.In(
                this=_bound(self._value(value)), query=self._each(query, self._speech.number_or_null, spelt=True)
            )
        if typed.kind is Kind.TEXT and typed.affine and held.kind.is_number and not held.affine:
            return exp.In(this=_bound(self._value(value)), query=self._each(query, _to_text, spelt=False))
        raise Unbridged("IN between texts and numbers", why="They would be compared otherwise.")

    def _each(self, query: Sql, made: Value, *, spelt: bool) -> Sql:
        """The one column of a query with each value made another; where not all texts are numbers, `spelt` leaves those
        out that are none, which nothing is equal to."""
        inner = self._value(query.this if isinstance(query, exp.Subquery) else query)
        name = exp.to_identifier("member")
        alias = exp.TableAlias(this=exp.to_identifier("members"), columns=[name])
        column = exp.Column(this=name.copy())
        select = exp.Select(expressions=[made(column.copy())])
        select.set("from_", exp.From(this=exp.Subquery(this=inner, alias=alias)))
        if spelt:
            missing = exp.Is(this=column.copy(), expression=exp.Null())
            select.set("where", exp.Where(this=exp.Or(this=missing, expression=_present(made(column.copy())))))
        return exp.Subquery(this=select)

    def same_kinds(self, one: Typed, other: Typed) -> bool:
        """True where both are numbers, or neither is."""
        known = {one.kind, other.kind} - {Kind.NULL, Kind.UNKNOWN}
        return len({each.is_number for each in known}) < 2 and Kind.MIXED not in known

    def _text_with_number(self, kind: type[Sql], text: Sql, texts: Typed, number: Sql, numbers: Typed) -> Sql:
        """A text on the left and a number on the right."""
        if numbers.affine:
            if isinstance(text, exp.Literal):
                spelt = spelt_number(text)
                return self._operation(kind, spelt, self._value(number)) if spelt else self._greater(kind, text, number)
            as_number = self._speech.number_or_null(self._value(text))
            found = self._operation(kind, as_number, self._value(number))
            there = exp.If(this=_present(as_number.copy()), true=found)
            return exp.Case(ifs=[there], default=exp.Paren(this=self._greater(kind, text, number)))
        if texts.affine:
            return self._operation(kind, self._value(text), self._as_text(number), texts=True)
        return self._greater(kind, text, number)

    def _operation(self, kind: type[Sql], left: Sql, right: Sql, *, texts: bool = False) -> Sql:
        if texts and kind not in (exp.EQ, exp.NEQ):
            left = self._speech.by_bytes(left)
        return kind(this=_bound(left), expression=_bound(right))

    def _greater(self, kind: type[Sql], text: Sql, number: Sql) -> Sql:
        """What is true of a text that is greater than a number, NULL where one of them is."""
        both = exp.And(this=_present(self._value(text)), expression=_present(self._value(number)))
        is_so = exp.Boolean(this=kind in (exp.NEQ, exp.GT, exp.GTE))
        return exp.Case(ifs=[exp.If(this=both, true=is_so)])

    def _as_text(self, number: Sql) -> Sql:
        if isinstance(number, exp.Literal):
            return exp.Literal.string(str(number.this))
        if isinstance(number, exp.Neg) and isinstance(number.this, exp.Literal):
            return exp.Literal.string(f"-{number.this.this}")
        return exp.Cast(this=self._value(number), to=exp.DataType.build("TEXT"))

    def _check(self, one: Typed, other: Typed) -> None:
        if Kind.MIXED in (one.kind, other.kind):
            raise Unbridged(
                "A comparison of values that are sometimes texts and sometimes numbers",
                why=f"A column of {self._speech.system} has one type.",
            )


def _collated(node: Sql) -> Sql | None:
    """The collation that is written behind an operand."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node.expression if isinstance(node, exp.Collate) else None


def _bare(node: Sql) -> Sql:
    """An operand without the collation behind it."""
    while isinstance(node, exp.Paren | exp.Collate):
        node = node.this
    return node


def with_collation(text: Sql, collation: Sql) -> Sql:
    """A text, translated already, as one of another collation compares and sorts."""
    name = collation.name.upper()
    if name not in ("BINARY", "NOCASE"):
        raise Unbridged(f"The collation {name}")
    return call("lower", text) if name == "NOCASE" else text


def _to_text(value: Sql) -> Sql:
    return exp.Cast(this=value, to=exp.DataType.build("TEXT"))


def spelt_number(text: Sql) -> Sql | None:
    """The number that a literal text spells."""
    if not isinstance(text, exp.Literal) or _NUMBER.fullmatch(str(text.this)) is None:
        return None
    spelt = str(text.this).strip()
    number: Sql = exp.Literal.number(spelt.lstrip("+-"))
    return exp.Neg(this=number) if spelt.startswith("-") else number


def _present(value: Sql) -> Sql:
    return exp.Not(this=exp.Is(this=value, expression=exp.Null()))


def _bound(value: Sql) -> Sql:
    """A value that an operator does not come between."""
    return exp.Paren(this=value) if isinstance(value, exp.Binary | exp.Not | exp.Between | exp.In) else value
