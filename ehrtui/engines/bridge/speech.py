"""What the SQL of one engine has for what SQLite's dialect says: the words that differ, and nothing of queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.bridge.reading import Sql


class Speech(Protocol):
    """One engine's spelling. Instants are of the engine's own type between `instant` and what makes texts of them."""

    dialect: str
    """sqlglot's name of the engine's dialect."""
    system: str
    """What people call the engine."""
    types: Mapping[Kind, str]
    """The engine's type for each kind of value that can be kept."""

    def statement(self, tree: Sql) -> Sql:
        """A whole statement, when all of it is translated: its names as they are spelled there."""
        ...

    def truth(self, condition: Sql) -> Sql:
        """1 for what is true, 0 for what is not."""
        ...

    def by_bytes(self, text: Sql) -> Sql:
        """A text that is less or greater by its bytes."""
        ...

    def wide(self, operands: list[Sql], *, whole: bool) -> list[Sql]:
        """Two numbers that are reckoned with, in 64 bits: as whole numbers, where they may be `whole`, or doubles."""
        ...

    def first_row(self, query: Sql) -> Sql:
        """A query whose first row is a value: there may be more."""
        ...

    def number_of(self, text: Sql) -> Sql:
        """The number that a text begins with, 0 where it begins with none."""
        ...

    def number_or_null(self, text: Sql) -> Sql:
        """The number that a text spells, NULL where it spells none."""
        ...

    def bytes_of(self, hexadecimal: str) -> Sql:
        """A literal of bytes."""
        ...

    def text_of_day(self, number: Sql) -> Sql:
        """A Julian day number as text, with 16 significant digits at most."""
        ...

    def text_of_real(self, number: Sql) -> Sql:
        """A REAL as SQLite writes it: 15 significant digits at most, and .0 behind whole ones."""
        ...

    def instant(self, text: Sql, *, dated: bool) -> Sql:
        """The instant that a text spells, NULL where it spells none; one that is not `dated` may be a time of day
        alone, which is of the first day of the year 2000."""
        ...

    def instant_of_day(self, number: Sql) -> Sql:
        """The instant of a Julian day number."""
        ...

    def later(self, instant: Sql, count: Sql, unit: str) -> Sql:
        """An instant so many whole units later; the unit is second, minute, hour, day, month or year. Days that a month
        lacks run over into the next, as in SQLite."""
        ...

    def start(self, instant: Sql, unit: str) -> Sql:
        """The beginning of the day, month or year of an instant."""
        ...

    def start_of_second(self, instant: Sql) -> Sql:
        """An instant without the fraction of its second."""
        ...

    def on_weekday(self, instant: Sql, day: int) -> Sql:
        """The next instant that is on a day of the week (0 is Sunday), maybe the same."""
        ...

    def formatted(self, instant: Sql, format: str) -> Sql | None:
        """An instant as text by a format of strftime, None where there is no such."""
        ...

    def julian_day(self, instant: Sql) -> Sql:
        """The Julian day number of an instant, counted in milliseconds."""
        ...

    def seconds(self, instant: Sql) -> Sql:
        """Whole seconds since 1970."""
        ...

    def any_of(self, value: Sql) -> Sql:
        """Aggregate: the value of some row of the group."""
        ...

    def beside(self, value: Sql, extreme: Sql, highest: bool) -> Sql:
        """Aggregate: the value of the row of the highest, or lowest, `extreme`."""
        ...

    def printed(self, format: str, values: list[Sql]) -> Sql:
        """Values printed by a format with %d, %s and %f, each of its kind and none NULL."""
        ...

    def like(self, value: Sql, pattern: Sql, escape: Sql | None) -> Sql:
        """LIKE without regard to the case of ASCII; no character escapes but `escape`."""
        ...

    def glob(self, value: Sql, pattern: str) -> Sql:
        """GLOB with a pattern of *, ? and [ranges]."""
        ...

    def whole(self, number: Sql) -> Sql:
        """A number without its fraction, as a whole number."""
        ...

    def whole_quotient(self, left: Sql, right: Sql) -> Sql:
        """The quotient of two whole numbers, cut off towards zero; NULL for a division by zero."""
        ...

    def quotient(self, left: Sql, right: Sql, *, may_be_whole: bool) -> Sql:
        """The quotient of two numbers, NULL for a division by zero; where both may be whole, cut off if they are."""
        ...

    def function(self, name: str, arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
        """Any other function of SQLite on translated arguments, None where the engine has none that gives the same."""
        ...
