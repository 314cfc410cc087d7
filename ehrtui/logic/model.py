"""Query logic: the concept-level reading of a question, as plain values.

Nothing here knows a table or a column: roles ("lab", "prescription"…) and fields ("value", "route"…) are looked up in a
profile when the logic is compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ehrtui.schema.kinds import PATIENT

Unit: TypeAlias = Literal["year", "month", "week", "day", "hour"]
Function: TypeAlias = Literal["minimum", "maximum", "mean", "median", "sum"]
PatientId: TypeAlias = "int | str"


@dataclass(frozen=True)
class Calendar:
    """A year, a month of a year, a day, or a second of it (`time`): 2104, 2104-05, 2104-05-03, 2104-05-03T09:00:00."""

    year: int
    month: int | None = None
    day: int | None = None
    time: str = ""


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
    """One stay of each patient: `ordinal` 1 is the first finished one, -1 the last finished one, None the current.

    With `turn` it is one of the stays of an earlier answer; then `ordinal` None means all of them."""

    kind: Literal["hospital", "icu"]
    ordinal: int | None
    turn: int | None = None


@dataclass(frozen=True)
class Filter:
    """A condition on one field of a record ("length": how many days a stay lasted). With `relation` "is", `value` is
    "normal" or "abnormal" (the profile's range of the item), "present", "missing", "open" (of a time: missing, or after
    the database now; of what is taken, not before its day), or "minimum" or "maximum" (among the records in
    question)."""

    field: str
    relation: Literal["=", ">", ">=", "<", "<=", "is"]
    value: int | float | str


@dataclass(frozen=True)
class Source:
    """Records of one role; `names` restricts them to items, `turn` to the items that an earlier answer lists, `filters`
    to those whose fields meet them all."""

    role: str
    names: tuple[str, ...] = ()
    turn: int | None = None
    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True)
class Times:
    """How often: exactly, or at least, `count` times."""

    count: int
    at_least: bool = False


@dataclass(frozen=True)
class Link:
    """How near one event must be to another, of the same patient: later by at most `count` `unit`s ("within"), later in
    the same calendar `unit` or stay ("same"), at any time in the same one ("together"), at any later time ("ever"), or
    at the same time ("simultaneous")."""

    kind: Literal["within", "same", "together", "ever", "simultaneous"]
    unit: Unit | Literal["hospital stay", "icu stay"] | None = None
    count: int | None = None


@dataclass(frozen=True)
class After:
    """An order of events: the records in question follow `event` as `link` says (EHRSQL: A strictly before B), or
    precede it, when `before`.

    `first` counts from each patient's first such event only."""

    event: Has
    link: Link = Link("ever")
    first: bool = False
    before: bool = False


@dataclass(frozen=True)
class Has:
    """A condition on patients: at least one such record (none at all, when `negated`); `times` says how many."""

    source: Source
    during: Stay | None = None
    windows: tuple[Window, ...] = ()
    negated: bool = False
    times: Times | None = None
    after: After | None = None


@dataclass(frozen=True)
class Patients:
    """Which patients: these `ids`, or all, as far as they meet every condition. `turn` means the patients of an earlier
    answer; `sex` is "female" or "male"; `age` an inclusive range of years at an admission, None for an open end."""

    ids: tuple[PatientId, ...] = ()
    turn: int | None = None
    sex: str | None = None
    age: tuple[int | None, int | None] | None = None
    conditions: tuple[Has, ...] = ()


@dataclass(frozen=True)
class Field:
    """What is asked of each record: its "name", "value", "time", "end time", the "stay" that it belongs to (by its
    identifier), or an attribute of the role."""

    name: str


@dataclass(frozen=True)
class Fields:
    """Several fields that are asked of each record, side by side. Records that lack one of them are shown without it;
    where the time is not among them, equal rows are shown once."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Aggregate:
    """One number over a field of all records, or one for each calendar unit (`per`). Where the query has an `ordinal`,
    over the records at that time of each patient."""

    function: Function
    field: str
    per: Unit | None = None


@dataclass(frozen=True)
class Count:
    """How many: distinct "patients", "records", or distinct "names"; or so many in each calendar unit (`per`), beside
    the name of that unit."""

    of: Literal["patients", "records", "names"]
    per: Unit | None = None


@dataclass(frozen=True)
class Exists:
    """Whether there is any record: 1 or 0."""


@dataclass(frozen=True)
class Top:
    """The names of the `count` most frequent items, and of those that tie with the last of them; with `places` of all
    that share one of the first `count` numbers, however many do (EHRSQL's way)."""

    count: int
    places: bool = False


Want: TypeAlias = "Field | Fields | Aggregate | Count | Exists | Top"


@dataclass(frozen=True)
class Query:
    """A question over records. `ordinal` keeps, for each patient, the records at the first (1), second (2), last (-1),
    second to last (-2)… distinct time; None keeps all. `times` keeps the items that occur so often; `after` the records
    that follow another event. A count or an aggregate `by` a field (of the records, their patients or their hospital
    stays) is one number for each value of it, beside that value; a patient is counted under each value that he had."""

    want: Want
    source: Source
    patients: Patients = Patients()
    during: Stay | None = None
    windows: tuple[Window, ...] = ()
    ordinal: int | None = None
    times: Times | None = None
    after: After | None = None
    by: str = ""

    @property
    def of_patients(self) -> bool:
        """True where patients themselves are asked for or counted, rather than records of theirs."""
        return self.source.role == PATIENT


@dataclass(frozen=True)
class Rows:
    """An earlier answer's own rows: all of them, the `ordinal`-th (negative from the end), how many there are, or one
    number over their last column."""

    turn: int
    ordinal: int | None = None
    count: bool = False
    function: Function | None = None


@dataclass(frozen=True)
class Combined:
    """Two queries or earlier answers and what is made of them: the difference of two numbers, the first as a percentage
    of the second ("%"), whether a comparison holds (1 or 0), the rows of the first that the second lacks ("except"), of
    both ("and") or of either ("or"), or the two side by side in one row ("beside")."""

    left: Query | Rows
    operator: Literal["-", "%", ">", "<", "=", "except", "and", "or", "beside"]
    right: Query | Rows


@dataclass(frozen=True)
class Ordered:
    """Patients in the order of a field, with it, as it was at their last hospital stay; or an earlier answer's rows in
    the order of their first column (`by` ""). `count` keeps so many of the first."""

    of: Query | Rows
    by: str
    descending: bool
    count: int | None = None


@dataclass(frozen=True)
class Elapsed:
    """How much time has passed, in `unit`s, from a record to the database now."""

    unit: Literal["day", "hour"]
    query: Query


@dataclass(frozen=True)
class Meaning:
    """What the short name of a diagnosis or procedure stands for."""

    name: str


@dataclass(frozen=True)
class StayCost:
    """One number over the total costs of the hospital stays in which a record occurred; `windows` are on the costs."""

    function: Function
    source: Source
    windows: tuple[Window, ...] = ()


@dataclass(frozen=True)
class Peak:
    """The smallest, largest or mean number of hospital stays with such a record in a calendar unit."""

    function: Function
    unit: Unit
    source: Source
    windows: tuple[Window, ...] = ()


@dataclass(frozen=True)
class Percentile:
    """Where a measured value stands among those of all patients who were as old as the patient at that stay, in [0, 1]
    (SQL's percent_rank)."""

    value: float
    source: Source
    patient: PatientId
    during: Stay | None


@dataclass(frozen=True)
class Survival:
    """The share, as the profile counts it, of patients alive `count` units (a year of 365 days, a month a twelfth
    of that) after their first such record, among those who had it that long ago; `then` restricts to patients with
    such a record after the diagnosis; `died` asks for the others' share instead."""

    count: int
    source: Source
    then: Source | None = None
    died: bool = False
    unit: Unit = "year"


@dataclass(frozen=True)
class Mortality:
    """The items, by name, with the highest mortality `count` units after a patient's first such record; ties share a
    rank."""

    top: int
    count: int
    source: Source
    unit: Unit = "year"


Logic: TypeAlias = (
    "Query | Rows | Combined | Ordered | Elapsed | Meaning | StayCost | Peak | Percentile | Survival | Mortality"
)
