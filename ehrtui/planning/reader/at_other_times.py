"""Numbers of the same rows at another time: "how many admissions in 2103, and how many in 2104"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, Aggregate, Condition, Has, Measure, Of, Set
from ehrtui.logic.model import Window
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import limited, maybe, parts_of


def at_another_time(of: Set, part: Sequence[Node]) -> Set | None:
    """The rows of a set at the time that a part says, where it says nothing else and the set has one time of its
    own."""
    if not part or any(node.kind != "window" for node in part):
        return None
    times = [one for node in part for one in node.sense]
    found = _replaced(of, times)
    return found[0] if len(found) == 1 else None


def all_in_the_last_time(numbers: Sequence[Measure]) -> tuple[Measure, ...]:
    """Counts of records or stays, where only the last has a time, all in that: "how many X and how many Y in 2104"."""
    counts = [one for one in numbers if isinstance(one, Aggregate) and isinstance(one.of, Set)]
    *earlier, last = [one.of for one in counts if isinstance(one.of, Set)] or [Set(PATIENT)]
    times = [one for one in parts_of(last.where) if isinstance(one, Window)]
    if not times or len(counts) != len(numbers) or any(_timed(one) or one.unit == PATIENT for one in earlier):
        return tuple(numbers)
    dated = [replace(one, of=limited(of, *times)) for one, of in zip(counts[:-1], earlier, strict=True)]
    return (*dated, counts[-1])


def _timed(of: Set) -> bool:
    return bool(_replaced(of, [])) or of.pick is not None


def _replaced(of: Set, times: Sequence[Condition]) -> list[Set]:
    """The set with other times: one for each place where it has some."""
    parts = parts_of(of.where)
    found = []
    if any(isinstance(one, Window) for one in parts):
        kept = [one for one in parts if not isinstance(one, Window)]
        found.append(limited(replace(of, where=maybe(kept)), *times))
    for at, one in enumerate(parts):
        if isinstance(one, Has | Of):
            for inner in _replaced(one.of, times):
                found.append(replace(of, where=maybe([*parts[:at], replace(one, of=inner), *parts[at + 1 :]])))
    return found
