"""Query logic: the concept-level reading of a question, as plain values.

Nothing here knows a table or a column: roles ("lab", "prescription"…) and fields ("value", "route"…) are looked up in a
profile when the logic is compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Unit: TypeAlias = Literal["year", "month", "week", "day", "hour"]
Function: TypeAlias = Literal["minimum", "maximum", "mean", "sum"]
PatientId: TypeAlias = "int | str"


@dataclass(frozen=True)
class Calendar:
    """A year, a month of a year, or a day: 2104, 2104-05, 2104-05-03."""

    year: int
    month: int | None = None
    day: int | None = None


@dataclass(frozen=True)
class Relative:
    """A calendar unit counted back from the database now, or a part of it.

    `back` 0 is "this year", 1 "last year"; with `ago`, "1 year ago": the calendar unit after "in", the exact instant
    after "since" and "until" (EHRSQL's clock). `month` and `day` pick a part: month 5 of last year. From `back` 2 on
    there is only `ago`.
    """

    unit: Unit
    back: int
    ago: bool = False
    month: int | None = None
    day: int | None = None


When: TypeAlias = "Calendar | Relative"


@dataclass(frozen=True)
class Window:
    """A condition on a record's time: `since` and `until` include the named unit, `before` and `after` do not."""

    relation: Literal["in", "since", "until", "before", "after"]
    when: When


@dataclass(frozen=True)
class Stay:
    """One stay of each patient: `ordinal` 1 is the first finished one, -1 the last finished one, None the current."""

    kind: Literal["hospital", "icu"]
    ordinal: int | None


@dataclass(frozen=True)
class Source:
    """Records of one role; `names` restricts them to items, `turn` to the items that an earlier answer lists."""

    role: str
    names: tuple[str, ...] = ()
    turn: int | None = None


@dataclass(frozen=True)
class Has:
    """A condition on patients: at least one such record (none at all, when `negated`)."""

    source: Source
    during: Stay | None = None
    windows: tuple[Window, ...] = ()
    negated: bool = False


@dataclass(frozen=True)
class Patients:
    """Which patients: these `ids`, or all who meet every condition. `turn` means the patients of an earlier answer;
    `sex` is "female" or "male"; `age` an inclusive range of years at an admission, None for an open end."""

    ids: tuple[PatientId, ...] = ()
    turn: int | None = None
    sex: str | None = None
    age: tuple[int | None, int | None] | None = None
    conditions: tuple[Has, ...] = ()


@dataclass(frozen=True)
class Field:
    """What is asked of each record: its "name", "value", "time", "end time", or an attribute of the role."""

    name: str


@dataclass(frozen=True)
class Aggregate:
    """One number over a field of all records."""

    function: Function
    field: str


@dataclass(frozen=True)
class Count:
    """How many: distinct "patients", "records", or distinct "names"."""

    of: Literal["patients", "records", "names"]


@dataclass(frozen=True)
class Exists:
    """Whether there is any record: 1 or 0."""


Want: TypeAlias = "Field | Aggregate | Count | Exists"


@dataclass(frozen=True)
class Query:
    """A question over records. `ordinal` keeps, for each patient, the records at the first (1), second (2), last (-1),
    second to last (-2)… distinct time; None keeps all."""

    want: Want
    source: Source
    patients: Patients = Patients()
    during: Stay | None = None
    windows: tuple[Window, ...] = ()
    ordinal: int | None = None


@dataclass(frozen=True)
class Rows:
    """An earlier answer's own rows: all of them, the `ordinal`-th (negative from the end), or how many there are."""

    turn: int
    ordinal: int | None = None
    count: bool = False


Logic: TypeAlias = "Query | Rows"
