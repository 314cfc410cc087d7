"""SQLite's functions of time: an instant, moved by modifiers, as text or as a number."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from ehrtui.engines.bridge.kinds import Kind, Kinds
from ehrtui.engines.bridge.reading import Sql, function_name
from ehrtui.engines.bridge.refusing import Unbridged
from ehrtui.engines.bridge.speech import Speech

NAMES = frozenset(("date", "time", "datetime", "strftime", "julianday", "unixepoch"))
"""The functions that this module knows."""
_FORMATS = {"date": "%Y-%m-%d", "time": "%H:%M:%S", "datetime": "%Y-%m-%d %H:%M:%S"}
_MODIFIER = re.compile(r"\s*([+-]?\d+(?:\.\d*)?)\s+(second|minute|hour|day|month|year)s?\s*", re.IGNORECASE)
_UNIT = re.compile(r"\s*(second|minute|hour|day|month|year)s?\s*", re.IGNORECASE)
_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
_SIGNS = {"+": 1, "-": -1, "": 1}

Value = Callable[[Sql], Sql]


class Times:
    """Spells the functions of time in one engine's `speech`; `value` translates what they are given."""

    def __init__(self, speech: Speech, kinds: Kinds, value: Value) -> None:
        self._speech = speech
        self._kinds = kinds
        self._value = value

    def spelled(self, node: Sql) -> Sql:
        """A call of one of these functions."""
        name, arguments = function_name(node), node.expressions
        if name == "strftime":
            return self._formatted(arguments)
        instant = self._moved(arguments)
        if name == "julianday":
            return self._speech.julian_day(instant)
        if name == "unixepoch":
            return self._speech.seconds(instant)
        return self._text(instant, _FORMATS[name])

    def number(self, node: Sql) -> Sql | None:
        """A part of a time as the number that its text spells, None for what is none."""
        while isinstance(node, exp.Paren):
            node = node.this
        if function_name(node) != "strftime" or not isinstance(node.expressions[0], exp.Literal):
            return None
        format = str(node.expressions[0].this)
        if format == "%J":
            return exp.Cast(this=self.spelled(node), to=exp.DataType.build("DOUBLE"))
        if format == "%s":
            return self._speech.seconds(self._moved(node.expressions[1:]))
        if self._kinds.is_whole_text(node):
            return exp.Cast(this=self.spelled(node), to=exp.DataType.build("BIGINT"))
        return None

    def _formatted(self, arguments: list[Sql]) -> Sql:
        format = arguments[0]
        if not isinstance(format, exp.Literal) or not format.is_string:
            raise Unbridged("strftime with a format that is computed")
        instant = self._moved(arguments[1:])
        if format.this == "%s":
            return exp.Cast(this=self._speech.seconds(instant), to=exp.DataType.build("TEXT"))
        if format.this == "%J":
            return self._speech.text_of_day(self._speech.julian_day(instant))
        return self._text(instant, str(format.this))

    def _text(self, instant: Sql, format: str) -> Sql:
        text = self._speech.formatted(instant, format)
        if text is None:
            raise Unbridged(f"strftime with the format {format[:40]}")
        return text

    def _moved(self, arguments: list[Sql]) -> Sql:
        """The instant that a time and its modifiers stand for."""
        if not arguments:
            raise Unbridged("The wall clock", why="A database has a time of its own.")
        instant = self._instant(arguments[0])
        for modifier in arguments[1:]:
            instant = self._modified(instant, modifier)
        return instant

    def _instant(self, node: Sql) -> Sql:
        bare = node
        while isinstance(bare, exp.Paren):
            bare = bare.this
        if function_name(bare) == "datetime" and bare.expressions:
            return self._speech.start_of_second(self._moved(bare.expressions))
        if function_name(bare) == "date" and bare.expressions:
            return self._speech.start(self._moved(bare.expressions), "day")
        if isinstance(bare, exp.Literal) and bare.is_string and str(bare.this).lower() == "now":
            raise Unbridged("The wall clock", why="A database has a time of its own.")
        kind = self._kinds.kind(node)
        if kind.is_number:
            return self._speech.instant_of_day(exp.Paren(this=self._value(node)))
        literal = str(bare.this) if isinstance(bare, exp.Literal) and bare.is_string else ""
        return self._speech.instant(self._value(node), dated=self._kinds.of(node).instant or "-" in literal)

    def _modified(self, instant: Sql, modifier: Sql) -> Sql:
        while isinstance(modifier, exp.Paren):
            modifier = modifier.this
        if isinstance(modifier, exp.Literal) and modifier.is_string:
            return self._by_text(instant, str(modifier.this))
        parts = _concatenated(modifier)
        ending = parts[-1]
        unit = _UNIT.fullmatch(str(ending.this)) if isinstance(ending, exp.Literal) and ending.is_string else None
        beginning = parts[0] if isinstance(parts[0], exp.Literal) and parts[0].is_string else None
        sign = _SIGNS.get(str(beginning.this).strip()) if beginning is not None else 1
        counts = parts[1:-1] if beginning is not None else parts[:-1]
        if unit is None or sign is None or len(counts) != 1 or self._kinds.kind(counts[0]) is not Kind.WHOLE:
            raise Unbridged("A modifier of a time that is computed so", why="It is no whole number of units.")
        count: Sql = exp.Paren(this=self._value(counts[0]))
        return self._speech.later(instant, count if sign > 0 else exp.Neg(this=count), unit[1].lower())

    def _by_text(self, instant: Sql, modifier: str) -> Sql:
        words = modifier.lower().split()
        if len(words) == 3 and words[:2] == ["start", "of"] and words[2] in ("day", "month", "year"):
            return self._speech.start(instant, words[2])
        if len(words) == 2 and words[0] == "weekday" and words[1] in "0123456":
            return self._speech.on_weekday(instant, int(words[1]))
        found = _MODIFIER.fullmatch(modifier)
        if found is None:
            raise Unbridged(f"The modifier '{modifier[:40]}' of a time")
        count, unit = float(found[1]), found[2].lower()
        if not count.is_integer() and unit in _SECONDS:
            count, unit = count * _SECONDS[unit], "second"
        if not count.is_integer():
            raise Unbridged(f"The modifier '{modifier[:40]}' of a time", why="It is no whole number of units.")
        number: Sql = exp.Literal.number(str(abs(int(count))))
        return self._speech.later(instant, exp.Neg(this=number) if count < 0 else number, unit)


def _concatenated(node: Sql) -> list[Sql]:
    """The parts of a text that is put together."""
    if isinstance(node, exp.Paren):
        return _concatenated(node.this)
    if isinstance(node, exp.DPipe):
        return [*_concatenated(node.this), *_concatenated(node.expression)]
    return [node]
