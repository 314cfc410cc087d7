"""What engines have in common that are strict about types: they fail where SQLite gives NULL, so that a text is taken
for a number or an instant only where it spells one."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from datetime import datetime

from sqlglot import exp

from ehrtui.engines.bridge.building import cast, interval, matches, not_zero, plus
from ehrtui.engines.bridge.reading import Sql, call

_NUMBER = r"^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2})?\s*$"
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?"
_DATED = rf"^(?!0000)\d{{4}}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[ T]{_TIME}Z?)?$"
_TIMED = rf"^{_TIME}Z?$"
_FORMAT = re.compile(r"%(.)", re.DOTALL)
_DAYS_WEEK = "wW"
_INTEGERS = ("tinyint", "smallint", "int", "integer", "bigint")


class StrictSpeech:
    """The part of a `Speech` that such engines share."""

    _parts: Mapping[str, str]
    """What the parts of a time are called in a pattern, by their letters in formats of strftime."""
    _quote: str
    """What stands around other letters in a pattern."""

    @abstractmethod
    def _pattern(self, instant: Sql, pattern: str) -> Sql:
        """An instant as text by a pattern."""

    @abstractmethod
    def _spelt(self, text: Sql) -> Sql:
        """The instant of a text that spells one."""

    @abstractmethod
    def _weekday(self, instant: Sql) -> Sql:
        """The day of the week, from 0 on Sundays."""

    @abstractmethod
    def _day_of_year(self, instant: Sql) -> Sql:
        """The day of the year, from 1 on."""

    @abstractmethod
    def _type_of(self, value: Sql) -> Sql:
        """The name of the type of a value, in lower case."""

    @abstractmethod
    def whole(self, number: Sql) -> Sql:
        """A number without its fraction."""

    @abstractmethod
    def whole_quotient(self, left: Sql, right: Sql) -> Sql:
        """The quotient of two whole numbers."""

    @abstractmethod
    def seconds(self, instant: Sql) -> Sql:
        """Whole seconds since 1970."""

    def first_row(self, query: Sql) -> Sql:
        """A query of one row."""
        if isinstance(query, exp.Select) and query.args.get("limit") is None:
            if not query.args.get("group") and any(each.find(exp.Anonymous) for each in query.expressions):
                called = {str(node.this).lower() for each in query.expressions for node in each.find_all(exp.Anonymous)}
                if called & {"count", "sum", "avg", "max", "min"} and not query.find(exp.Window):
                    return query
            return query.limit(1, copy=False)
        return query.limit(1, copy=False) if isinstance(query, exp.SetOperation) else query

    def number_or_null(self, text: Sql) -> Sql:
        """The number that a text spells."""
        return exp.Case(ifs=[exp.If(this=matches(text, _NUMBER), true=cast(text.copy(), "DOUBLE"))])

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
        days = exp.Mul(this=exp.Paren(this=plus(cast(day, "INT"), "-1")), expression=interval("DAY"))
        that = exp.Paren(this=exp.Add(this=self._spelt(exp.Paren(this=rest)), expression=days))
        ifs = [exp.If(this=matches(text, _DATED), true=that)]
        if not dated:
            joined = exp.DPipe(this=exp.Literal.string("2000-01-01 "), expression=text.copy())
            ifs.append(exp.If(this=matches(text, _TIMED), true=self._spelt(exp.Paren(this=joined))))
        return exp.Case(ifs=ifs)

    def later(self, instant: Sql, count: Sql, unit: str) -> Sql:
        """An instant so many units later."""
        span = exp.Mul(this=count, expression=interval(unit.upper()))
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
        missing = exp.Sub(this=exp.Literal.number(str(day + 7)), expression=self._weekday(instant.copy()))
        days = exp.Mod(this=exp.Paren(this=missing), expression=exp.Literal.number("7"))
        span = exp.Mul(this=exp.Paren(this=days), expression=interval("DAY"))
        return exp.Paren(this=exp.Add(this=instant, expression=span))

    def formatted(self, instant: Sql, format: str) -> Sql | None:
        """An instant as text."""
        quote = self._quote
        if (
            not set(_FORMAT.findall(format)) <= {*self._parts, *_DAYS_WEEK, "s", "%"}
            or quote in format
            or "\\" in format
        ):
            return None
        pieces: list[Sql] = []
        plain = ""
        for each in re.split(r"(%.)", format):
            if each in ("%w", "%W", "%s"):
                pieces += [*([self._pattern(instant, plain)] if plain else []), self._day(instant, each)]
                plain = ""
            elif each[:1] == "%":
                plain += self._parts.get(each[1], f"{quote}%{quote}")
            else:
                plain += f"{quote}{each}{quote}" if re.search(r"[A-Za-z]", each) else each
        if plain or not pieces:
            pieces.append(self._pattern(instant, plain))
        made = pieces[0]
        for piece in pieces[1:]:
            made = exp.DPipe(this=made, expression=piece)
        return exp.Paren(this=made) if len(pieces) > 1 else made

    def _day(self, instant: Sql, part: str) -> Sql:
        if part == "%s":
            return cast(self.seconds(instant.copy()), "TEXT")
        if part == "%w":
            return cast(self._weekday(instant.copy()), "TEXT")
        # weeks begin on Mondays, and days before the first one are of week 0
        since = exp.Mod(
            this=exp.Paren(this=plus(self._weekday(instant.copy()), "6")), expression=exp.Literal.number("7")
        )
        day = exp.Sub(this=plus(self._day_of_year(instant.copy()), "6"), expression=exp.Paren(this=since))
        week = self.whole_quotient(exp.Paren(this=day), exp.Literal.number("7"))
        return call("lpad", cast(exp.Paren(this=week), "TEXT"), exp.Literal.number("2"), exp.Literal.string("0"))

    def quotient(self, left: Sql, right: Sql, *, may_be_whole: bool) -> Sql:
        """The quotient of two numbers."""
        exact = exp.Div(this=cast(left.copy(), "DOUBLE"), expression=not_zero(right))
        if not may_be_whole:
            return exp.Paren(this=exact)
        names = [exp.Literal.string(name) for name in _INTEGERS]
        whole = [exp.In(this=self._type_of(each.copy()), expressions=names) for each in (left, right)]
        both = exp.And(this=whole[0], expression=whole[1])
        cut_off = cast(self.whole(exact.copy()), "DOUBLE")
        return exp.Case(ifs=[exp.If(this=both, true=cut_off)], default=exact)


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
        days = exp.Mul(this=exp.Literal.number(str(day - 1)), expression=interval("DAY"))
        return exp.Paren(this=exp.Add(this=that, expression=days))
    return cast(exp.Literal.string(text.rstrip("Z")), "TIMESTAMP")
