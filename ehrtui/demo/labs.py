"""Laboratory values over a visit: shifted by the conditions, drifting back to the range, or away before a death."""

from __future__ import annotations

from collections.abc import Iterable, Set
from random import Random
from typing import TypeAlias

from ehrtui.demo.dictionaries import Facts, Lab, Panel
from ehrtui.demo.minutes import DAY, HOUR, text
from ehrtui.demo.patient import Visit

LabRow: TypeAlias = "tuple[int, str, float, str | None]"

_ROUTINE = frozenset({"cbc", "chem", "coag"})
# Panels in name only: each of their tests is ordered by itself, and for a reason.
_SEPARATE = frozenset({"drug levels", "endocrine", "other"})
_DRUG_LEVELS = "drug levels"
_POISONING = "overdose"


def lab_rows(chance: Random, facts: Facts, visit: Visit, drugs: Set[str]) -> list[LabRow]:
    """(itemid, charttime, valuenum, valueuom) of every test of a visit in which those `drugs` are given, by time."""
    rows: list[LabRow] = []
    for panel in facts.panels:
        repeated, once = _ordered(chance, panel, visit, drugs)
        if repeated:
            shortest = min(lab.interval_hours for lab in repeated)
            times = _draws(chance, shortest, visit)
            for lab in repeated:
                rows += _values(chance, lab, visit, times[:: round(lab.interval_hours / shortest)])
        if once:
            time = chance.randint(visit.admitted, visit.ended)
            for lab in once:
                rows += _values(chance, lab, visit, [time])
    rows.sort(key=lambda row: row[1])
    return rows


def _ordered(chance: Random, panel: Panel, visit: Visit, drugs: Set[str]) -> tuple[list[Lab], list[Lab]]:
    """The tests of a panel that are drawn again and again in this visit, and those that are drawn once."""
    wanted = {lab.itemid for lab in (*panel.repeated, *panel.once) if _wanted(lab, visit, drugs)}
    if panel.name in _SEPARATE:
        repeated = [lab for lab in panel.repeated if lab.itemid in wanted and chance.random() < 0.7]
        return repeated, [lab for lab in panel.once if lab.itemid in wanted and chance.random() < 0.2]
    if not panel.repeated:
        drawn = chance.random() < (0.2 if wanted else 0.02)
        return [], [lab for lab in panel.once if drawn]
    reason = any(lab.itemid in wanted for lab in panel.repeated)
    if panel.name not in _ROUTINE and chance.random() > (0.4 if reason else 0.05):
        return [], []
    once = [lab for lab in panel.once if chance.random() < (0.2 if lab.itemid in wanted else 0.02)]
    return list(panel.repeated), once


def _wanted(lab: Lab, visit: Visit, drugs: Set[str]) -> bool:
    """True when the visit is a reason for the test: a condition that shifts it, or the drug whose level it is."""
    if lab.panel == _DRUG_LEVELS and _POISONING not in lab.shifts:
        return any(lab.label in drug for drug in drugs)
    return not visit.conditions.isdisjoint(lab.shifts)


def _draws(chance: Random, interval_hours: float, visit: Visit) -> list[int]:
    """When a panel is drawn: soon after admission, then ever less often; in a current visit on the last day too."""
    time = visit.admitted + chance.randint(5, 150)
    times = []
    while time <= visit.ended:
        times.append(time)
        slower = min(4.0, 1 + (time - visit.admitted) / DAY)
        time += int(interval_hours * HOUR * slower * chance.uniform(0.85, 1.15))
    if visit.current and times[-1] < visit.ended - DAY // 2:
        times.append(visit.ended - chance.randint(20, DAY // 2))
    return times


def _values(chance: Random, lab: Lab, visit: Visit, times: Iterable[int]) -> list[LabRow]:
    """The values of one test at those `times`."""
    first, last = _course(chance, lab, visit)
    length = visit.ended - visit.admitted
    noise = (lab.high - lab.low) / 12 + abs(first) * (0.03 if first > lab.high else 0.0)
    top = 100.0 if lab.unit == "%" else float("inf")
    bottom = lab.low * (5 if lab.low < 0 else 0.1)
    rows: list[LabRow] = []
    for time in times:
        expected = first + (last - first) * (time - visit.admitted) / length
        value = min(top, max(bottom, expected + chance.gauss(0, noise)))
        rows.append((lab.itemid, text(time), round(value, lab.decimals), lab.unit or None))
    return rows


def _course(chance: Random, lab: Lab, visit: Visit) -> tuple[float, float]:
    """The expected value of a test at admission and at the end of the visit."""
    middle = (lab.low + lab.high) / 2
    usual = middle + (lab.high - lab.low) * max(-0.4, min(0.4, chance.gauss(0, 0.16)))
    factors = [factor for group, factor in lab.shifts.items() if group in visit.conditions]
    shift = (max(factors, key=lambda factor: abs(factor - 1), default=1.0) - 1) * middle
    shift *= chance.uniform(0.6, 1.3)
    left = chance.uniform(1.1, 1.5) if visit.deadly else chance.uniform(0.1, 0.7)
    return usual + shift, usual + shift * left
