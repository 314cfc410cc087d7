"""The rows of a kept result in another order, or some of them only: one SELECT over the kept rows.

A cell may hold a number as text (`labevents.value`), and a time is always text; what is compared follows from what was
typed. A number is compared with numbers, also with those in text; a date, or the beginning of one, with as much of a
time as was typed; any other text with text, upper and lower case being equal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ehrtui.engines.introspection import quoted
from ehrtui.errors import UsageError

_CONDITION = re.compile(r"\s*(>=|<=|<>|!=|>|<|=|~)\s*(.*?)\s*", re.DOTALL)
_NULL = re.compile(r"\s*(?:is\s+)?(not\s+)?null\s*", re.IGNORECASE)
_QUOTED = re.compile(r"(['\"])(.*)\1", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_TIME = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[ T]\d\d(?::\d\d(?::\d\d)?)?)?)?)?")
_TIME_PATTERN = "'[0-9][0-9][0-9][0-9]-[0-9][0-9]*'"
# Above every number and below every text. The CAST makes SQLite compare text that spells a number as that number.
_ABOVE_NUMBERS = "CAST(9e999 AS NUMERIC)"
EXAMPLE = "For example: > 5, = male, ~ sodium, >= 2104-06, null, not null"


@dataclass(frozen=True)
class Condition:
    """The rows whose `column` is compared so with `value`. `operator` is one of > >= < <= = != ~ (contains), or "null"
    or "not null", which have no value; a `literal` value is text even where it spells a number or a time."""

    column: str
    operator: str
    value: str = ""
    literal: bool = False

    def __str__(self) -> str:
        """`value > 5`, as it is typed."""
        return f"{self.column} {self.text}"

    @property
    def text(self) -> str:
        """`> 5`: what `parse_condition` reads."""
        value = f'"{self.value}"' if self.literal else self.value
        return f"{self.operator} {value}".strip()


@dataclass(frozen=True)
class Order:
    """Sorted by `column`; rows without a value come last both ways."""

    column: str
    descending: bool = False


@dataclass(frozen=True)
class Arrangement:
    """The rows that fulfil all `conditions`, in an `order`; without both: the rows as they are."""

    conditions: tuple[Condition, ...] = ()
    order: Order | None = None

    def __bool__(self) -> bool:
        return bool(self.conditions) or self.order is not None

    def condition(self, column: str) -> Condition | None:
        """The condition on a column."""
        return next((each for each in self.conditions if each.column == column), None)

    def where(self, column: str, condition: Condition | None) -> Arrangement:
        """With this condition on a column, in place of the one that it had; None: without any."""
        others = tuple(each for each in self.conditions if each.column != column)
        return replace(self, conditions=(*others, condition) if condition else others)

    def also(self, condition: Condition) -> Arrangement:
        """With one more condition, beside those that its column has."""
        return self if condition in self.conditions else replace(self, conditions=(*self.conditions, condition))

    def turned(self, column: str) -> Arrangement:
        """Sorted by a column; by the same column the other way round, and then no longer."""
        if self.order is None or self.order.column != column:
            return replace(self, order=Order(column))
        return replace(self, order=None if self.order.descending else Order(column, descending=True))


def exactly(column: str, value: str | int | float | bytes | None, *, other: bool = False) -> Condition | None:
    """The condition that a column has this value, or any `other` one; None for bytes, which cannot be typed."""
    if value is None:
        return Condition(column, "not null" if other else "null")
    if isinstance(value, bytes):
        return None
    operator = "!=" if other else "="
    return (
        Condition(column, operator, value, True) if isinstance(value, str) else Condition(column, operator, repr(value))
    )


def parse_condition(column: str, text: str) -> Condition | None:
    """The condition that `text` puts on a column: `> 5`, `= x`, `~ part`, `null`, `not null`; text alone is looked for
    inside the values. None for an empty text. Raises UsageError where a comparison lacks its value."""
    if not text.strip():
        return None
    if null := _NULL.fullmatch(text):
        return Condition(column, "not null" if null[1] else "null")
    found = _CONDITION.fullmatch(text)
    operator, value = (found[1], found[2]) if found else ("~", text.strip())
    if not value:
        raise UsageError(f"There is nothing after {operator}.", next_step=EXAMPLE)
    within = _QUOTED.fullmatch(value)
    return Condition(column, {"<>": "!="}.get(operator, operator), within[2] if within else value, bool(within))


def arranged_select(relation: str, arrangement: Arrangement) -> str:
    """The SELECT of the rows of `relation` (see `Engine.relation`) so arranged, in SQLite's dialect."""
    select = f"SELECT * FROM {relation}"
    if arrangement.conditions:
        select += " WHERE " + " AND ".join(f"({_sql(each)})" for each in arrangement.conditions)
    if arrangement.order is not None:
        column = quoted(arrangement.order.column)
        direction = "DESC NULLS LAST" if arrangement.order.descending else "ASC NULLS LAST"
        number = f"CASE WHEN {column} <= {_ABOVE_NUMBERS} THEN CAST({column} AS REAL) END"
        select += f" ORDER BY {number} {direction}, {column} {direction}"
    return select


def _sql(condition: Condition) -> str:
    column, operator = quoted(condition.column), condition.operator
    if operator == "null":
        return f"{column} IS NULL"
    if operator == "not null":
        return f"{column} IS NOT NULL"
    if operator == "~":
        pattern = re.sub(r"([\\%_])", r"\\\1", condition.value)
        return f"{column} LIKE {_text(f'%{pattern}%')} ESCAPE '\\'"
    if operator == "!=":
        return f"{column} IS NOT NULL AND NOT ({_comparison(column, '=', condition)})"
    return _comparison(column, operator, condition)


def _comparison(column: str, operator: str, condition: Condition) -> str:
    value = condition.value
    text = f"typeof({column}) = 'text' AND {column} {operator} {_text(value)} COLLATE NOCASE"
    ways = []
    if _NUMBER.fullmatch(value) and not condition.literal:
        number = f"{column} {operator} CAST({_text(value)} AS NUMERIC)"
        # Text that is equal but for zeros ("0389" and "389") may be two codes.
        equal = f"typeof({column}) <> 'text' AND {number} OR {text}"
        ways.append(equal if operator == "=" else f"{number} AND {column} <= {_ABOVE_NUMBERS}")
    if _TIME.fullmatch(value) and not condition.literal:
        as_much = f"substr({column}, 1, {len(value)}) {operator} {_text(value.replace('T', ' '))}"
        ways.append(f"{column} GLOB {_TIME_PATTERN} AND {as_much}")
    return " OR ".join(ways) or text


def _text(value: str) -> str:
    """A text as an SQL literal; what no database can hold is replaced."""
    sound = value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")
    return "'" + sound.replace("'", "''") + "'"
