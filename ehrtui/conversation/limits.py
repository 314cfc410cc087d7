"""The range in which a value should be: what is stored beside it, what the profile tells, or what is usual."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ehrtui.concepts.model import Kind
from ehrtui.concepts.usual import UsualRanges

if TYPE_CHECKING:
    from ehrtui.concepts.library import Library
    from ehrtui.engines.engine import Scalar
    from ehrtui.schema.profile import Role

_RANGES = (("range low", "range high"), ("lower limit", "upper limit"))
"""Fields with the range in which a value should be."""
_FLUIDS = ("fluid", "specimen")
TOLD = (*itertools.chain(*_RANGES), *_FLUIDS)
"""Fields from which the limits of a value follow, beside its name, its unit and its time."""
_MEASURED: tuple[Kind, ...] = ("lab", "vital")
"""The kinds of concepts that have usual ranges."""
_ADULT = 18
"""Years from which the usual ranges of adults hold."""


@dataclass(frozen=True)
class Limits:
    """The range that a value should be in, each end None where it is open or not known; `usual` where it is that of
    adults, and not what the database or its profile says."""

    low: float | None = None
    high: float | None = None
    usual: bool = False


NONE_KNOWN = Limits()
FindLimits: TypeAlias = Callable[[str, str, "Mapping[str, Scalar]"], Limits]
"""The limits of a value, by its name, its unit and what else is told of it."""


def usual_ranges(library: Callable[[], Library] | None) -> UsualRanges:
    """The usual ranges that a library of concepts knows; none without one."""
    known = library() if library is not None else None
    return UsualRanges(concept for kind in _MEASURED if known is not None for concept in known.of_kind(kind))


def limits_of(role: Role, name: str, ranges: UsualRanges, born: str) -> FindLimits:
    """How the limits of a value of a role of this name are found: those that are stored beside it, then those of the
    profile, then the usual ones, unless it is of somebody `born` less than 18 years before."""
    stated = {item.lower(): Limits(*ends) for item, ends in role.normal.items()}
    mixed = frozenset(map(str.lower, role.mixed))
    kinds = tuple(kind for kind in _MEASURED if kind == name) or _MEASURED
    usual: dict[tuple[str, str, str], Limits] = {}

    def limits(called: str, unit: str, told: Mapping[str, Scalar]) -> Limits:
        for ends in _RANGES:
            low, high = (_number(told.get(end)) for end in ends)
            if (low, high) != (None, None):
                return Limits(low, high)
        item = called.lower()
        if item in stated:
            return stated[item]
        if item in mixed or not _is_adult(born, str(told.get("time") or "")):
            return NONE_KNOWN
        fluid = next((str(told[field] or "") for field in _FLUIDS if field in told), "")
        if (found := usual.get((item, unit, fluid))) is None:
            normal = ranges.of(item, unit, kinds, fluid)
            found = NONE_KNOWN if normal is None else Limits(normal.low, normal.high, usual=True)
            usual[item, unit, fluid] = found
        return found

    return limits


def _is_adult(born: str, time: str) -> bool:
    """False for who is known to be a child at a time."""
    try:
        years = int(time[:4]) - int(born[:4]) - (time[4:10] < born[4:10])
    except ValueError:
        return True
    return not 0 <= years < _ADULT


def _number(value: Scalar) -> float | None:
    return float(value) if isinstance(value, int | float) else None
