"""Conditions made ready to be said: two limits as one range, and negation moved to what is negated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ehrtui.logic.algebra.model import All, AnyOf, Condition, Is, Measure, Not, Own, Test, Value
from ehrtui.logic.english.words import FLIPPED


@dataclass(frozen=True)
class Range:
    """A measure from `low` to `high`, both included."""

    measure: Measure
    low: Value
    high: Value


@dataclass(frozen=True)
class Ongoing:
    """What began by a moment and had not ended before it; with `open` its end may be missing, and `within_day` says
    that any time of that day will do."""

    when: Measure
    open: bool
    within_day: bool = False


def merged(conditions: Sequence[Condition]) -> list[Condition | Range | Ongoing]:
    """The same conditions with a lower and an upper limit of the same measure as one range."""
    rest: list[Condition | Range | Ongoing] = [each for one in conditions for each in _flat(one)]
    for begun in list(rest):
        if isinstance(begun, Test) and (begun.left, begun.relation) == (Own("time"), "<="):
            lasting, found = next(((each, one) for each in rest if (one := _lasting(each, begun.right))), (None, None))
            if lasting is not None and found is not None:
                rest[rest.index(begun)] = found
                rest.remove(lasting)
    for low in [each for each in rest if _bounds(each, ">=")]:
        assert isinstance(low, Test)
        high = next((each for each in rest if _bounds(each, "<=") and each.left == low.left), None)  # type: ignore[union-attr]
        if (
            isinstance(high, Test)
            and isinstance(low.right, Value)
            and isinstance(high.right, Value)
            and isinstance(low.right.value, str) == isinstance(high.right.value, str)
        ):
            rest[rest.index(low)] = Range(low.left, low.right, high.right)
            rest.remove(high)
    return rest


def _lasting(condition: object, begun: Measure) -> Ongoing | None:
    """That something which began by a moment lasted until then, where a condition says so."""
    match condition:
        case AnyOf(of=(Is(measure=Own(field="end time"), state="missing"), Test() as ended)):
            found = _lasting(ended, begun)
            return replace(found, open=True) if found is not None else None
        case Test(left=Own(field="end time"), relation=">=", right=end) if end == begun:
            return Ongoing(end, False)
        case Test(left=Own(field="end time"), relation=">=", right=Value(value=str() as day)):
            last = begun.value if isinstance(begun, Value) else None
            return Ongoing(Value(day), False, True) if last == f"{day} 23:59:59" else None
    return None


def _flat(condition: Condition) -> list[Condition]:
    """The parts of an "and", of a "not or"."""
    plain = denied(condition.of) if isinstance(condition, Not) else condition
    return [each for one in plain.of for each in _flat(one)] if isinstance(plain, All) else [plain]


def _bounds(condition: Any, relation: str) -> bool:
    return isinstance(condition, Test) and condition.relation == relation and isinstance(condition.right, Value)


def denied(condition: Condition) -> Condition:
    """What holds where a condition does not, with the negation as far inside as it goes. A comparison with a value that
    is missing holds neither way, so that it may be turned round."""
    match condition:
        case Not(of=Not(of=inner)):
            return denied(inner)
        case Not(of=inner):
            return inner
        case All(of=parts):
            return AnyOf(tuple(denied(one) for one in parts))
        case AnyOf(of=parts):
            return All(tuple(denied(one) for one in parts))
        case Test(left=left, relation=relation, right=right):
            return Test(left, FLIPPED[relation], right)
    return Not(condition)
