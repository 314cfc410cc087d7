"""The algebra of query logic: typed sets of rows, measures of their rows, and tables over them.

Four kinds of things, each a frozen dataclass:

- a `Set` is rows of one unit (patients, hospital stays, ICU stays, or the records of a role) that meet a condition;
- a `Condition` holds or does not hold for one row of a set; it may look at other records of the same patient or stay;
- a `Measure` is one value for a row: its own field, a picked or aggregated value of other records, an age, an interval;
- a `Statement` is what is asked: rows with their measures, groups with their numbers, single numbers, or what is made
  of two of these.

Nothing here knows a table or a column: units, roles and fields are looked up in a profile when a statement is compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ehrtui.logic.model import Window

PATIENT, HOSPITAL, ICU = "patient", "hospital stay", "icu stay"
UNITS = (PATIENT, HOSPITAL, ICU)
"""The units that are not records: whoever or whatever records belong to, the widest first."""

Scalar: TypeAlias = "int | float | str"
TimeUnit: TypeAlias = Literal["minute", "hour", "day", "week", "month", "year"]
Function: TypeAlias = Literal[
    "count", "share", "distinct", "listed", "sum", "mean", "median", "sd", "iqr", "minimum", "maximum", "percentile",
    "percent",
]  # fmt: skip
"""What may be made of many values: how many ("count"), how many percent of the rows of all groups are in this one
("share"), how many different ones ("distinct") and which, in one text ("listed"), the sample standard deviation ("sd"),
the interquartile range ("iqr"), the value below which so many percent lie ("percentile", linearly interpolated), how
many percent are true ("percent")."""
IN_UNITS: tuple[Function, ...] = ("sum", "mean", "median", "sd", "iqr", "minimum", "maximum", "percentile")
"""The functions whose number has the unit of the values that it is made of."""
Comparison: TypeAlias = Literal["=", "!=", ">", ">=", "<", "<="]
State: TypeAlias = Literal["present", "missing", "open", "normal", "abnormal"]
Part: TypeAlias = Literal[
    "year", "quarter", "month", "week", "day", "hour", "month of year", "day of month", "weekday", "hour of day",
    "time of day",
]  # fmt: skip
"""A calendar unit of a time ("2104-05", "2104-Q2"), or a recurring part of it (5, "Monday", 23)."""


@dataclass(frozen=True)
class Item:
    """What records are about: a stored `name`; names `like` a pattern (`*` for anything); a `code`, a family of codes
    (`428.*`) or a range of them (`401-405`); a named `concept`."""

    kind: Literal["name", "like", "code", "concept"]
    text: str


@dataclass(frozen=True)
class Pick:
    """Of the rows of each patient, stay or day (`per`; "all" for the whole set) the `nth` by time, or by another
    measure: 1 is the first, with `descending` the last or highest. With `ties` all rows that share that place are
    kept, or one of them; None leaves that to the profile's conventions, for what is asked. With `through` also the rows
    before it ("the first three")."""

    nth: int = 1
    by: Measure | None = None
    descending: bool = False
    per: str = PATIENT
    ties: bool | None = None
    through: bool = False


@dataclass(frozen=True)
class Set:
    """Rows of one unit: of a role those about the `items` (any, where there are none), as far as they meet `where`;
    of these, those that are picked."""

    unit: str
    items: tuple[Item, ...] = ()
    where: Condition | None = None
    pick: Pick | None = None


# --- conditions on one row -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class All:
    """Every one of these holds."""

    of: tuple[Condition, ...]


@dataclass(frozen=True)
class AnyOf:
    """At least one of these holds."""

    of: tuple[Condition, ...]


@dataclass(frozen=True)
class Not:
    """This does not hold. A condition over a value that is missing holds neither as it is nor negated, but for `Has`:
    who has no such record is without it."""

    of: Condition


@dataclass(frozen=True)
class Off:
    """A condition that is kept in its place and demands nothing: switched off."""

    of: Condition


@dataclass(frozen=True)
class Test:
    """Two values compare so. Not true where one of them is missing."""

    left: Measure
    relation: Comparison
    right: Measure


@dataclass(frozen=True)
class Among:
    """A value is one of these."""

    measure: Measure
    values: tuple[Scalar, ...]


@dataclass(frozen=True)
class Like:
    """A text is like a pattern (`*` for anything), without regard to case."""

    measure: Measure
    pattern: str


@dataclass(frozen=True)
class Is:
    """A value is present or missing, lies inside or outside its normal range, or, of a time, is open: missing, or not
    before the day of the database now."""

    measure: Measure
    state: State


@dataclass(frozen=True)
class Times:
    """How often: `count` compared by `relation`; counted are rows, different "days" or "stays". `within` so many
    units of time from the first to the last of them; `running`: in a row, no other record of the items between."""

    relation: Literal["=", ">=", "<="]
    count: int
    of: Literal["times", "days", "stays"] = "times"
    within: tuple[float, TimeUnit] | None = None
    running: bool = False


@dataclass(frozen=True)
class Has:
    """There are such rows of the same patient, or where the row is a stay, of that stay; `times` says how many."""

    of: Set
    times: Times | None = None


@dataclass(frozen=True)
class Of:
    """The row belongs to one of these patients or stays; or, of records, is one of these of its own kind."""

    of: Set


@dataclass(frozen=True)
class InAnswer:
    """The row's patient or stay is one that an earlier answer names; of a record, its item may be."""

    turn: int
    unit: str = PATIENT


@dataclass(frozen=True)
class Relation:
    """How one time lies to another: "after", "before", "around" (either way), at the "same" time or calendar unit,
    "overlapping" (of two periods), in the same "stay" (`unit` says which).

    With `count`, at most so many `unit`s away, or with `beyond` more than that."""

    kind: Literal["after", "before", "around", "same", "overlapping", "stay"]
    count: float | None = None
    unit: str = ""
    beyond: bool = False


@dataclass(frozen=True)
class Near:
    """The row's time lies so to a moment of its own patient or stay. The moment itself counts as after and before."""

    relation: Relation
    moment: Measure


@dataclass(frozen=True)
class Related:
    """The same patient has such an event, to which the row lies in time as all `relations` say; strictly, so that
    nothing follows itself. With `each` the row counts once for each such event."""

    event: Set
    relations: tuple[Relation, ...]
    each: bool = False


# --- measures of one row ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Own:
    """A field of the row: its "id", "name", "value", "time", "end time"… or one of the stay or patient that it belongs
    to, such as "gender", "admission time" or "death time". "length" is how many days it lasted."""

    field: str


@dataclass(frozen=True)
class Value:
    """A number or a text as it stands; "now" as `Own("now")` is the database now."""

    value: Scalar


@dataclass(frozen=True)
class Aggregate:
    """One number over a measure of the rows of a set: at the top over all of them; as the measure of a row over those
    of its patient or stay; with `of` None over the rows of a group. A table (`Statement`) counts with its last column.
    `argument` is the percentage of a percentile."""

    function: Function
    of: Set | Statement | None
    measure: Measure | Condition | None = None
    argument: float | None = None


@dataclass(frozen=True)
class Picked:
    """A measure of the one row that a set picks for each patient or stay."""

    measure: Measure
    of: Set


@dataclass(frozen=True)
class Interval:
    """How much time lies between two moments, in `unit`s (a month is a twelfth of 365.25 days); negative where `end` is
    earlier."""

    unit: TimeUnit
    start: Measure
    end: Measure


@dataclass(frozen=True)
class Age:
    """Age in whole years at a moment."""

    at: Measure


@dataclass(frozen=True)
class Math:
    """Two numbers added, subtracted, multiplied, divided; the first as a percentage of the second ("%"); the first, or
    where there is none, the second ("else")."""

    operator: Literal["+", "-", "*", "/", "%", "else"]
    left: Measure
    right: Measure


@dataclass(frozen=True)
class Whether:
    """1 where a condition holds, else 0."""

    condition: Condition


@dataclass(frozen=True)
class Neighbour:
    """A measure of the previous or next row of the same patient: of a stay, of all his stays of that kind; of a
    record, of those of the same items; or of the rows of a set, of whatever kind, the nearest that began before or
    after the row."""

    which: Literal["previous", "next"]
    measure: Measure
    of: Set | None = None


@dataclass(frozen=True)
class PartOf:
    """A calendar unit or a part of a time."""

    part: Part
    time: Measure


@dataclass(frozen=True)
class Band:
    """The band in which a number lies: bands of a `width` from 0, or between the `edges`, each of which begins one."""

    measure: Measure
    width: float | None = None
    edges: tuple[float, ...] = ()


@dataclass(frozen=True)
class Named:
    """A measure of the row by its `name`; `meaning` is what it stands for, once that was looked up."""

    name: str
    meaning: Measure | None = None


# --- what is asked ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """Sorted by a measure (of rows or of groups); the first so many, with `ties` all that share the last place kept.
    With `each` so many groups for each value of the keys before the last: the commonest drug of each ward. With
    `places` what ties shares one place, and all of the first so many places are kept, as EHRSQL keeps them."""

    by: Measure
    descending: bool = False
    first: int | None = None
    ties: bool = False
    each: bool = False
    places: bool = False


@dataclass(frozen=True)
class Rows:
    """The rows of a set, each with its measures; with `distinct` every combination of them once, and numbers
    (aggregates with `of` None) over the rows that share it."""

    of: Set
    columns: tuple[Measure, ...]
    distinct: bool = False
    order: Order | None = None


@dataclass(frozen=True)
class Groups:
    """The rows of a set in groups by the values of measures, each group with its numbers (aggregates with `of` None);
    `having` is a condition on these, which may be compared with numbers over all. A patient with several values is in
    each of their groups. Rows without a value are a group of their own, but not one
    of the first so many. What is not `asked` is not in the answer: a ranking may be of names alone."""

    of: Set
    by: tuple[Measure, ...]
    columns: tuple[Aggregate, ...]
    having: Condition | None = None
    order: Order | None = None
    asked: Literal["all", "keys", "numbers"] = "all"


@dataclass(frozen=True)
class Single:
    """Numbers side by side in one row: aggregates over sets, and what is reckoned from them."""

    columns: tuple[Measure, ...]


@dataclass(frozen=True)
class Answer:
    """The rows of an earlier answer, of which `nth` keeps one (negative from the end); sorted by one of its columns."""

    turn: int
    nth: int | None = None
    column: str = ""
    order: Literal["", "ascending", "descending"] = ""
    first: int | None = None


@dataclass(frozen=True)
class Combined:
    """Rows of the first that the second lacks ("except"), of both ("and"), of either ("or"), or both side by side
    ("beside")."""

    left: Statement
    operator: Literal["except", "and", "or", "beside"]
    right: Statement


@dataclass(frozen=True)
class Standing:
    """Where a value stands among the values of a measure of a set, in [0, 1] (SQL's percent_rank)."""

    value: float
    measure: Measure
    of: Set


@dataclass(frozen=True)
class Survival:
    """The share, as the profile counts it, of patients alive `count` units (a year of 365 days, a month a twelfth of
    that) after their first record of `of`, among those who had it that long ago; `then` restricts to patients with
    such a record after it; `died` asks for the others' share instead. With `figures` also of how many patients."""

    count: int
    unit: str
    of: Set
    then: Set | None = None
    died: bool = False
    figures: bool = False


@dataclass(frozen=True)
class Mortality:
    """The items, by name, with the highest mortality `count` units after a patient's first such record; ties share a
    rank. With `figures` also the mortality, and of how many patients."""

    top: int
    count: int
    unit: str
    of: Set
    figures: bool = False


@dataclass(frozen=True)
class Meaning:
    """What the short name of a diagnosis or procedure stands for."""

    name: str


@dataclass(frozen=True)
class Difference:
    """A share or a mean (an aggregate with `of` None) of each of two sets, how much higher it is in the first, and the
    95 % confidence interval of that (Wald's, without a correction for continuity)."""

    number: Aggregate
    left: Set
    right: Set


# --- what is asked of cohorts ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cohort:
    """Patients or stays, with what they are called in a table ("" for the text of their logic)."""

    of: Set
    name: str = ""


@dataclass(frozen=True)
class Listing:
    """The patients or stays of a set, one row each, with what identifies and describes them. With `lacking` those who
    have no such record, each with when they last had one: a list of what is to be done."""

    of: Set
    lacking: Set | None = None


@dataclass(frozen=True)
class Summary:
    """One row that describes a set: how many, how old, of which sex, how many stays, how long, how they ended."""

    of: Set


@dataclass(frozen=True)
class Arms:
    """The same numbers (aggregates with `of` None) of several cohorts, a row each."""

    of: tuple[Cohort, ...]
    columns: tuple[Aggregate, ...]


@dataclass(frozen=True)
class Characteristics:
    """What a summary tells of several cohorts, and `more` measures of their rows, a row for each figure and a column
    for each cohort; how far each is from the first (the standardised difference: of the means, or of the shares, in
    standard deviations), and in how many rows a value is missing. A paper's "Table 1"."""

    of: tuple[Cohort, ...]
    more: tuple[Measure, ...] = ()


@dataclass(frozen=True)
class Histogram:
    """How many rows of a set have a measure in each of its bins, which are so `width` (None: 1, 2 or 5 times a power of
    ten, some ten bins)."""

    measure: Measure
    of: Set
    width: float | None = None


@dataclass(frozen=True)
class Prevalence:
    """Of the rows of a set, in groups by the values of measures (all together for none): how many meet a condition, of
    how many, in percent, with Wilson's 95 % confidence interval. Of fewer than `least` rows no number is told."""

    condition: Condition
    of: Set
    by: tuple[Measure, ...] = ()
    least: int = 0


@dataclass(frozen=True)
class TimeTo:
    """How many of each cohort an event has not come to yet, with how many are at risk: from the moment `start` of a row
    to the moment `event`, which counts up to `within` units; a row without it is seen until the moment `until`."""

    of: tuple[Cohort, ...]
    event: Measure
    start: Measure
    until: Measure
    unit: TimeUnit = "day"
    within: float | None = None


@dataclass(frozen=True)
class Attrition:
    """How many patients and stays of a set are left after each of the `steps`, every one of which restricts those that
    the one before has left; without steps, after each condition of the set. `names` are what the set and the steps are
    called, where that is not their logic."""

    of: Set
    steps: tuple[Condition, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Overlap:
    """How many rows are in both of two cohorts, how many in one alone."""

    left: Cohort
    right: Cohort


# --- all statements --------------------------------------------------------------------------------------------------

Workflow: TypeAlias = Listing | Summary | Arms | Characteristics | Histogram | Prevalence | TimeTo | Attrition | Overlap
"""What people ask of cohorts again and again."""
# Unions of classes, not of their names: what is registered by an alias needs no import of all that it stands for.
Statement: TypeAlias = (
    Rows | Groups | Single | Answer | Combined | Standing | Survival | Mortality | Meaning | Difference | Workflow
)
Condition: TypeAlias = (
    All | AnyOf | Not | Off | Test | Among | Like | Is | Has | Of | InAnswer | Near | Related | Window
)
"""A `Window` is a condition on the row's own time."""
Measure: TypeAlias = (
    Own | Value | Aggregate | Picked | Interval | Age | Math | Whether | Neighbour | PartOf | Band | Named | Statement
)
"""A statement as a measure is its first value, the same for every row."""
