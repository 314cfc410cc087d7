"""How values of a database are written for people, each on one line: in the explorer, the line mode, `ask` and lists of
turns. JSON and exports have them as they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ehrtui.terminal import printable

Value: TypeAlias = int | float | str | bytes | None

Kind: TypeAlias = Literal["stored", "count", "total", "reckoned"]
"""What numbers are: stored as they are, counts of rows, sums, or the outcome of a division or an average, of which only
the first decimals say anything."""

MAX_CELL = 500
"""Characters of a text that are written; copying gives all of them."""
DECIMALS = 2
"""Of a number that was reckoned; one that would be 0 by these has its first three digits."""
_LARGE = 1e6


@dataclass(frozen=True)
class Spelling:
    """The `kind` of the numbers of a column, and their `unit`, "" where nothing says it."""

    kind: Kind = "stored"
    unit: str = ""


STORED, COUNT, PERCENT = Spelling(), Spelling("count"), Spelling("reckoned", "%")


@dataclass(frozen=True)
class One:
    """A single value: its text, its `unit` ("" for none), the `noun` that says of what it is, `in_words` or as its
    column is called, and what stands `beside` it, each of which helps to read it."""

    text: str
    unit: str = ""
    noun: str = ""
    in_words: bool = False
    beside: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """`7.40 days`, `68.24%`."""
        return f"{self.text}{self.unit}" if self.unit == "%" else f"{self.text} {self.unit}".rstrip()

    def within(self, most: int) -> str:
        """The same in so many characters, or else without its unit."""
        return self.short if len(self.short) <= most else self.text

    @property
    def said(self) -> str:
        """`7.40 days · mean length of hospital stays`, `55 patients`."""
        between = " · " if self.in_words or self.unit else " "
        return between.join(filter(None, (self.short, self.noun)))


@dataclass(frozen=True)
class Told:
    """How the `columns` of an answer are written. `noun` says what a single value is, "" where its column does, and
    `nouns` what those columns beside it are in English whose names do not tell."""

    columns: tuple[str, ...] = ()
    spellings: tuple[Spelling, ...] = ()
    noun: str = ""
    nouns: Mapping[str, str] = field(default_factory=dict)

    @property
    def titles(self) -> list[str]:
        """The names of the columns, each with the unit that all of its values have: `length, days`."""
        return [with_unit(name, spelling.unit) for name, spelling in zip(self.columns, self.spellings, strict=True)]

    def text(self, column: int, value: Value) -> str:
        """A number of a column, without its unit; anything else as it is."""
        return value_text(value, self.spellings[column].kind)

    def one(self, row: Sequence[Value]) -> One:
        """The single value of an answer, with all that its row says of it."""
        columns = [at for at in range(1, len(row)) if row[at] is not None]
        units = [value_text(row[at]) for at in columns if is_unit(self.columns[at])]
        told = tuple(self._beside(at, row[at]) for at in self.figures(row)[1:])
        unit = "" if row[0] is None else self.spellings[0].unit or " ".join(units)
        return One(self.text(0, row[0]), unit, self.noun or self._noun(0, row[0]), bool(self.noun), told)

    def figures(self, row: Sequence[Value]) -> list[int]:
        """The columns that are shown of a single value's row: its own, and those beside it but for units."""
        beside = [at for at in range(1, len(row)) if row[at] is not None]
        return [0, *(at for at in beside if not is_unit(self.columns[at]))]

    def _noun(self, at: int, value: Value) -> str:
        """What a column is called; of one that is counted, `patient`."""
        name = printable(self.columns[at]).replace("_", " ")
        return name.removesuffix("s") if value == 1 and self.spellings[at].kind == "count" else name

    def _beside(self, at: int, value: Value) -> str:
        """`106 hospital stays`, `charttime 2105-01-01 10:00:00`."""
        text, spelling, noun = self.text(at, value), self.spellings[at], self.nouns.get(self.columns[at], "")
        if spelling.kind == "count" and not noun:
            return f"{text} {self._noun(at, value)}"
        return f"{noun or printable(self.columns[at])} {One(text, spelling.unit).short}"


def as_stored(columns: Sequence[str]) -> Told:
    """Columns of which nothing is known."""
    return Told(tuple(columns), (STORED,) * len(columns))


def with_unit(name: str, unit: str) -> str:
    """What a column or an axis is called, with the unit of its values unless its name says that: `length, days`."""
    said = unit in name or (unit == "%" and "percent" in name)
    return name if said else f"{name}, {unit}"


def is_unit(column: str) -> bool:
    """Whether a column beside a value tells its unit, by its name."""
    return column.lower() == "unit" or column.lower().endswith(("uom", "unit_name"))


def value_text(value: Value, kind: Kind = "stored") -> str:
    """A value without its unit: counts and sums in groups of three digits, what was reckoned with two decimals, a
    stored number with six digits; NULL is `NULL`, bytes only tell their size."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, float):
        return _number(value, kind) if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return str(value) if kind == "stored" else f"{value:,}"
    return printable(value if len(value) <= MAX_CELL else value[:MAX_CELL] + "…")


def _number(value: float, kind: Kind) -> str:
    whole = value == int(value)
    if kind == "stored":
        return f"{value:.6g}" if abs(value) < _LARGE and not whole else f"{value:.1f}"
    if kind != "reckoned" and whole:
        return f"{value:,.0f}"
    return f"{value:,.{DECIMALS}f}" if abs(value) >= 10**-DECIMALS or not value else f"{value:.3g}"
