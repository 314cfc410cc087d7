"""Where a patient lies during a visit: emergency room, wards and intensive care."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ehrtui.demo.dictionaries import Facts
from ehrtui.demo.minutes import HOUR
from ehrtui.demo.patient import Visit

_ORDINARY_WARDS = (17, 18, 27, 29, 36, 45, 54)


@dataclass(frozen=True)
class Move:
    """A time in one bed. `unit` is the ICU's name, None on an ordinary ward; `ended` is None while there."""

    unit: str | None
    ward: int
    began: int
    ended: int | None


@dataclass(frozen=True)
class IcuStay:
    """Consecutive moves within intensive care; `until` is its end, or the end of the observation while current."""

    number: int
    moves: tuple[Move, ...]
    until: int

    @property
    def began(self) -> int:
        """When the patient came to intensive care."""
        return self.moves[0].began

    @property
    def ended(self) -> int | None:
        """When the patient left it; None while there."""
        return self.moves[-1].ended


def moves(chance: Random, facts: Facts, visit: Visit) -> tuple[Move, ...]:
    """All moves of a visit, without gaps from its admission to its end."""
    units = _units(chance, facts, visit)
    ends = _ends(chance, visit, units)
    begins = [visit.admitted, *ends[:-1]]
    last = len(units) - 1
    return tuple(
        Move(unit, _ward(chance, facts, unit), began, None if visit.current and place == last else ended)
        for place, (unit, began, ended) in enumerate(zip(units, begins, ends, strict=True))
    )


def icu_stays(visit: Visit, all_moves: tuple[Move, ...], first_number: int) -> tuple[IcuStay, ...]:
    """The ICU stays of a visit, numbered from `first_number`."""
    runs: list[list[Move]] = []
    previous: Move | None = None
    for move in all_moves:
        if move.unit and previous and previous.unit:
            runs[-1].append(move)
        elif move.unit:
            runs.append([move])
        previous = move
    return tuple(
        IcuStay(first_number + place, tuple(run), visit.ended if run[-1].ended is None else run[-1].ended)
        for place, run in enumerate(runs)
    )


def _units(chance: Random, facts: Facts, visit: Visit) -> list[str | None]:
    """The ICU (or None: a ward) of each move, in order."""
    units = facts.places["careunit"]
    unit = units.pick(chance)
    course: list[str | None] = [] if chance.random() < 0.35 else [None]
    if chance.random() < 0.08:
        return [None, None]
    course.append(unit)
    if chance.random() < 0.12:
        course.append(units.pick(chance))
    if chance.random() < (0.6 if visit.deadly or visit.current else 0.05):
        return course
    course.append(None)
    if chance.random() < 0.1:
        course += [unit, None]
    return course


def _ends(chance: Random, visit: Visit, units: list[str | None]) -> list[int]:
    """When each move ends: a first bed outside intensive care is for hours, the rest shares the visit."""
    length = visit.ended - visit.admitted
    shares = [chance.uniform(0.5, 1.0) if unit else chance.uniform(0.6, 1.6) for unit in units]
    if units[0] is None and len(units) > 1:
        shares[0] = sum(shares[1:]) * chance.uniform(1, 10) * HOUR / max(length, 24 * HOUR)
    whole = sum(shares)
    ends = [visit.admitted + int(length * sum(shares[: place + 1]) / whole) for place in range(len(shares))]
    return [*ends[:-1], visit.ended]


def _ward(chance: Random, facts: Facts, unit: str | None) -> int:
    """The number of the bed's ward; each ICU has its own."""
    if unit is None:
        return chance.choice(_ORDINARY_WARDS)
    units, wards = facts.places["careunit"].values, facts.places["ward"].values
    return int(chance.choice(wards[units.index(unit) :: len(units)]))
