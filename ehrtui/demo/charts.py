"""What is charted in intensive care: vital signs, body measures, inputs and outputs."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from ehrtui.demo.dictionaries import Facts, Item
from ehrtui.demo.minutes import DAY, HOUR, text
from ehrtui.demo.patient import Visit
from ehrtui.demo.wards import IcuStay

VitalRow: TypeAlias = "tuple[int, str, float, str]"
FluidRow: TypeAlias = "tuple[str, int, float]"

_ALWAYS = frozenset(
    {
        "heart rate",
        "respiratory rate",
        "arterial bp [systolic]",
        "arterial bp [diastolic]",
        "arterial bp mean",
        "temperature c (calc)",
        "sao2",
        "admit ht",
        "admit wt",
    }
)
# Items that are charted together, by a beginning of their labels, and in which share of the ICU stays.
_FAMILIES = (
    (("nbp",), 0.15),
    (("gcs", "eye opening", "motor response", "verbal response"), 0.3),
    (("cvp", "pap", "pcwp", "cardiac index", "c.o.", "svr"), 0.08),
)
_VENTILATOR = (
    *("fio2", "peep", "tidal volume", "respiratory rate set", "resp rate", "minute volume"),
    *("peak insp", "plateau", "mean airway"),
)
_VENTILATED = frozenset({"respiratory failure"})
_OTHERWISE = 0.06
_HYPERTENSION = "hypertension"
# What falls in acute illness; every other vital sign rises.
_FALLING = (
    "bp [",
    "bp mean",
    "sao2",
    "spo2",
    "gcs",
    "eye opening",
    "motor",
    "verbal",
    "braden",
    "cardiac index",
    "c.o.",
)
_MOST = {"%": 100.0, "fraction": 1.0}
_SHORTEST = 4 * HOUR


@dataclass(frozen=True)
class Body:
    """What stays with a patient over all visits: the place of height and weight in their ranges, -1 to 1."""

    height: float
    weight: float


def body(chance: Random, sex: str) -> Body:
    """The body of one patient: taller when male and heavier when taller, as a rule."""
    height = _within(-1.0, 1.0, chance.gauss(0.15 if sex == "m" else -0.25, 0.3))
    return Body(height, _within(-1.0, 1.0, 0.4 * height + chance.gauss(-0.1, 0.35)))


def vital_rows(chance: Random, facts: Facts, visit: Visit, stay: IcuStay, patient_body: Body) -> list[VitalRow]:
    """(itemid, charttime, valuenum, valueuom) of the vital signs and body measures of an ICU stay, by time."""
    severity = abs(chance.gauss(0, 1)) + (0.8 if visit.deadly else 0.0)
    left = 1.6 if visit.deadly else chance.uniform(0.0, 0.5)
    usual_pressure = chance.gauss(0.2, 0.4) + (0.6 if _HYPERTENSION in visit.conditions else 0.0)
    pressures = [chance.gauss(usual_pressure, 0.25) for _ in _times(stay, 0)]
    rows: list[VitalRow] = []
    for item in _charted(chance, facts, visit):
        times = _times(stay, item.interval_hours) if item.interval_hours else [stay.began]
        if item.unit in ("kg", "inches"):
            place = patient_body.weight if item.unit == "kg" else patient_body.height
            values = [_value(item, place) for _ in times]
        elif item.unit == "mmhg":
            # All pressures rise and fall together, so that the systolic one stays above the mean.
            values = _series(item, stay, times, severity, left, pressures)
        else:
            usual = chance.gauss(-0.2, 0.4)
            noise = [chance.gauss(usual, 0.25) for _ in times]
            values = _series(item, stay, times, severity * chance.uniform(0.3, 1.0), left, noise)
        rows += [(item.itemid, text(time), value, item.unit) for time, value in zip(times, values, strict=True)]
    rows.sort(key=lambda row: row[1])
    return rows


def fluid_rows(chance: Random, facts: Facts, stay: IcuStay, table: str) -> list[FluidRow]:
    """(charttime, itemid, amount) of the inputs or outputs (`table`) of an ICU stay, by time.

    Earlier items of the dictionary are the commoner ones.
    """
    rows: list[FluidRow] = []
    for place, item in enumerate(item for item in facts.items if item.linksto == table):
        if chance.random() > 1.2 / (place + 1.5):
            continue
        typical = chance.uniform(item.low, item.high)
        times = _times(stay, item.interval_hours) if item.interval_hours else [chance.randint(stay.began, stay.until)]
        for time in times:
            amount = _within(item.low, item.high, typical * chance.uniform(0.6, 1.4))
            rows.append((text(time), item.itemid, round(amount, item.decimals)))
    rows.sort(key=lambda row: row[0])
    return rows


def _charted(chance: Random, facts: Facts, visit: Visit) -> list[Item]:
    """The items of the flow sheet that are charted in one ICU stay."""
    ventilated = chance.random() < (0.08 if visit.conditions.isdisjoint(_VENTILATED) else 0.8)
    charted = [names for names, share in _FAMILIES if chance.random() < share]
    together = sum(charted, _VENTILATOR if ventilated else ())
    in_family = sum((names for names, _ in _FAMILIES), _VENTILATOR)
    return [
        item
        for item in facts.items
        if item.linksto == "chartevents"
        and (
            item.label in _ALWAYS
            or item.label.startswith(together)
            or (not item.label.startswith(in_family) and chance.random() < _OTHERWISE)
        )
    ]


def _series(
    item: Item, stay: IcuStay, times: list[int], severity: float, left: float, noise: list[float]
) -> list[float]:
    """A vital sign, off by `severity` half-ranges when it is first charted, and by `left` times that in the end."""
    off = -severity if any(word in item.label for word in _FALLING) else severity
    length = max(1, stay.until - stay.began)
    values = []
    for time, extra in zip(times, noise, strict=False):
        share = (time - stay.began) / length
        values.append(_value(item, _within(-2.5, 3.0, off * (1 + (left - 1) * share) + extra)))
    return values


def _value(item: Item, place: float) -> float:
    """The value at `place` of an item's range: -1 is its lower end, 1 its upper end."""
    value = (item.low + item.high) / 2 + (item.high - item.low) / 2 * place
    if item.unit == "points":
        return float(round(_within(1.0, item.high, value)))
    return round(_within(item.low / 3, _MOST.get(item.unit, value), value), item.decimals)


def _times(stay: IcuStay, interval_hours: float) -> list[int]:
    """When an item is charted: on admission to the ICU, then at full hours, ever less often; 0 is the shortest time."""
    step = max(_SHORTEST, int(interval_hours * HOUR))
    times = []
    time = stay.began
    while time <= stay.until:
        times.append(time)
        slower = 1 + (time - stay.began) // DAY
        time = time // HOUR * HOUR + step * slower
    return times


def _within(low: float, high: float, value: float) -> float:
    return min(high, max(low, value))
