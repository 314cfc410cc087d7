"""What stretches of a question may mean: the typed values that the grammar puts together.

Every node of the chart has a `kind`, and a meaning of the class that goes with it:

- "event": an `Event`, records of a role; "stays": `Stays`; "people": `People`;
- "condition": a `Trait` of people, stays or records;
- "limit", "duration", "often": numbers compared; "window": a calendar time; "number": a plain one;
- "field": a `Wanted` attribute; "key": a `Key` that numbers are taken by; "ask": what sort of answer is wanted;
- everything else is a word of the lexicon, whose meaning is its class there ("pick", "negation", "by"…).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

from ehrtui.logic.algebra.model import (
    All,
    Among,
    AnyOf,
    Comparison,
    Condition,
    Function,
    Has,
    Interval,
    Item,
    Measure,
    Own,
    Scalar,
    Set,
    Test,
    TimeUnit,
    Value,
)
from ehrtui.schema.kinds import kind_of

PERCENTILE = "percentile "
"""How the sense of a percentile begins, until its share is told apart from it (`with_percentiles`)."""
FUNCTIONS: dict[str, tuple[Function, ...]] = {
    **{f"{PERCENTILE}{place}": (cast(Function, f"{PERCENTILE}{place}"),) for place in range(100)},
    "mean": ("mean",), "median": ("median",), "sum": ("sum",), "sd": ("sd",), "iqr": ("iqr",),
    "minimum": ("minimum",), "maximum": ("maximum",), "range": ("minimum", "maximum"),
    "quartiles": (cast(Function, f"{PERCENTILE}25"), "median", cast(Function, f"{PERCENTILE}75")),
}  # fmt: skip
"""What words for numbers over values mean in the algebra."""
OF_EXTREMES = {"highest:value": "maximum", "lowest:value": "minimum"}
"""Superlatives that are a number over values."""


FIRST_SUCH, LAST_SUCH = "first-such", "last-such"
"""Names in the price of a highest or lowest value: of several times at which it was so, the first or the last."""
MOVED = "moved"
"""Why a piece is the stay on one ward right behind that on another."""
RANKS = {"most", "least", "highest", "lowest", "longest", "shortest", "largest", "biggest", "smallest", "commonest"}
"""What makes of "second" a place in a list: "the second most common drug"."""


@dataclass(frozen=True)
class Event:
    """Records of a role. `noun`: said by the name of their kind alone ("labs"); `field`: the attribute that was named
    with them ("dose of…"); `apart`: the others that stand beside it in a list, joined by `joint`."""

    role: str
    of: Set
    noun: bool = False
    how: str = "exact"
    others: tuple[Event, ...] = ()
    joint: Literal["", "and", "or"] = ""
    label: str = ""
    one: bool = False

    @property
    def named(self) -> bool:
        """True where items are named, or an attribute that says which."""
        return bool(self.of.items) or (self.of.where is not None and not self.noun)

    @property
    def family(self) -> bool:
        """True for records of several names, of which one may be asked: antibiotics, opioids."""
        kind, items = kind_of(self.role), self.of.items
        several = len(items) > 1 or any(item.kind == "concept" for item in items)
        return several and (kind.dosed or kind.coded) and not self.noun and not self.others


@dataclass(frozen=True)
class Stays:
    """Stays of a unit; `loose` where only a place was said ("in the ICU"); `one` where a single one is meant."""

    of: Set
    loose: bool = False
    one: bool = False
    any_kind: bool = False


@dataclass(frozen=True)
class People:
    """Patients: `ids` named; `said` where a word for people stands there; `who` where it asks for them."""

    of: Set
    one: bool = False
    who: bool = False
    pointed: bool = False
    sex: bool = False


Bearer: TypeAlias = Literal["patient", "stay", "record"]


_BEARERS: dict[str, frozenset[Bearer]] = {
    "patient": frozenset(("patient",)),
    "admission": frozenset(("stay", "patient")),
    "icu_stay": frozenset(("stay", "patient")),
}


def bearers_of(role: str) -> frozenset[Bearer]:
    """What a condition on an attribute of a role can be true of."""
    return _BEARERS.get(role, frozenset(("record",)))


@dataclass(frozen=True)
class Trait:
    """A condition, and what it can be true of; `nearest` where it picks the record next to a moment ("just before")."""

    condition: Condition
    of: frozenset[Bearer]
    event: Event | None = None
    negated: bool = False
    field: str = ""
    role: str = ""
    nearest: Literal["", "first", "last"] = ""


@dataclass(frozen=True)
class Limit:
    """A number within limits, all of which hold; `unit` is that of a time, "" where it is none."""

    tests: tuple[tuple[Comparison, float], ...]
    unit: str = ""


@dataclass(frozen=True)
class Span:
    """So much time; `bound` where the words set a limit to it."""

    count: float
    unit: TimeUnit
    bound: str = ""


@dataclass(frozen=True)
class Often:
    """How many times, on how many different days or stays; `most` is an upper limit beside a lower one."""

    relation: Literal["=", ">=", "<="]
    count: int
    most: int | None = None
    of: Literal["times", "days", "stays"] = "times"

    @property
    def tests(self) -> tuple[tuple[Literal["=", ">=", "<="], int], ...]:
        """The limits, all of which hold."""
        return ((self.relation, self.count), *([("<=", self.most)] if self.most is not None else []))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Wanted:
    """Attributes that are asked for, by their names in the profile; `roles` are those that hold them."""

    fields: tuple[str, ...]


def unit_of(role: str) -> str:
    """The unit of the algebra whose rows are a role's records."""
    return {"patient": "patient", "admission": "hospital stay", "icu_stay": "icu stay"}.get(
        role, role.replace("_", " ")
    )


def narrowed(event: Event, *conditions: Condition) -> Event:
    """Records, and those that stand beside them in a list, of which something more must be true."""
    others = tuple(narrowed(one, *conditions) for one in event.others)
    return replace(event, of=limited(event.of, *conditions), others=others)


def limited(of: Set, *conditions: Condition) -> Set:
    """The rows of a set that meet further conditions."""
    parts: list[Condition] = []
    for one in (of.where, *conditions):
        if one is not None:
            parts += [part for part in (one.of if isinstance(one, All) else (one,)) if part not in parts]
    where = None if not parts else parts[0] if len(parts) == 1 else All(tuple(parts))
    return replace(of, where=where)


def named(items: tuple[str, ...]) -> tuple[Item, ...]:
    """Items by their stored names."""
    return tuple(Item("name", text) for text in items)


def own_extreme(of: Set) -> bool:
    """True for the highest or lowest value, or the longest stay, compared with nothing: everybody has one of their
    own."""
    tested = any(isinstance(part, Test) and part.left == Own("value") for part in parts_of(of.where))
    return of.pick is not None and of.pick.by is not None and not tested


def parts_of(where: Condition | None) -> tuple[Condition, ...]:
    """The conditions that must all hold; none where there is none."""
    return () if where is None else where.of if isinstance(where, All) else (where,)


def has_died(of: Set) -> bool:
    """True for a set of those who died."""
    return any(isinstance(part, Has) and part.of.unit == "death" for part in parts_of(of.where))


def every(conditions: Sequence[Condition]) -> Condition:
    """One condition that says all of these."""
    return conditions[0] if len(conditions) == 1 else All(tuple(conditions))


def plain(number: float) -> float | int:
    """A whole number as such."""
    return int(number) if number == int(number) else number


def length_of(unit: str) -> Measure:
    """How long a stay or a record lasted, in a unit of time."""
    return Own("length") if unit == "day" else Interval(unit, Own("time"), Own("end time"))  # type: ignore[arg-type]


def maybe(conditions: Sequence[Condition]) -> Condition | None:
    """One condition that says all of these; None for none."""
    return every(conditions) if conditions else None


def values_of(condition: Condition) -> tuple[Scalar, ...]:
    """The values that a condition on one attribute names."""
    if isinstance(condition, Test) and isinstance(condition.right, Value) and condition.relation == "=":
        return (condition.right.value,)
    if isinstance(condition, Among):
        return condition.values
    if isinstance(condition, AnyOf):
        return tuple(value for one in condition.of for value in values_of(one))
    return ()


def pressures(of: Set) -> bool:
    """True for blood pressures of both kinds, of which no number makes one."""
    names = " ".join(item.text.lower() for item in of.items)
    return "systolic" in names and "diastolic" in names
