"""Query logic as text that a clinician can check at a glance; `parse` (where the grammar stands) reads it back."""

from __future__ import annotations

import json

from ehrtui.logic.model import (
    Aggregate,
    Calendar,
    Count,
    Exists,
    Field,
    Has,
    Logic,
    Patients,
    Query,
    Relative,
    Rows,
    Source,
    Stay,
    When,
    Window,
)

ORDINALS = ("first", "second", "third", "fourth", "fifth")


def render(logic: Logic) -> str:
    """One line of query logic."""
    if isinstance(logic, Rows):
        rows = "row" if logic.ordinal is not None else "rows"
        words = ["count" if logic.count else "", _ordinal(logic.ordinal), rows, f"of A{logic.turn}"]
    elif logic.source.role == "patient":
        words = [
            *_patient_want(logic),
            _patients(logic.patients, alone=not (logic.during or logic.windows)),
            *_tail(logic),
        ]
    else:
        subject = f"for {_patients(logic.patients, alone=False)}" if logic.patients != Patients() else ""
        words = [_ordinal(logic.ordinal), _want(logic), _source(logic.source), subject, *_tail(logic)]
    return " ".join(word for word in words if word)


def render_window(window: Window) -> str:
    """A time window: "since 2104-05", "in month 5 of last year"."""
    when = _when(window.when)
    return when if window.relation == "in" and when in ("today", "yesterday") else f"{window.relation} {when}"


def render_stay(stay: Stay) -> str:
    """A stay: "last hospital stay", "current icu stay"."""
    return f"{_ordinal(stay.ordinal) or 'current'} {stay.kind} stay"


def _patient_want(query: Query) -> list[str]:
    match query.want:
        case Count():
            return ["count"]
        case Field(name="id"):
            return []
        case Field(name=name):
            return [name, "of"]
        case Aggregate(function=function, field=field):
            return [function, field, "of"]
        case Exists():
            return ["any"]


def _want(query: Query) -> str:
    match query.want:
        case Count(of="records"):
            return "count"
        case Count(of=counted):
            return f"count {counted} of"
        case Field(name=name):
            return f"{name} of"
        case Aggregate(function=function, field=field):
            return f"{function} {field} of"
        case Exists():
            return "any"


def _tail(query: Query) -> list[str]:
    during = [f"during {render_stay(query.during)}"] if query.during else []
    return [*during, *map(render_window, query.windows)]


def _source(source: Source) -> str:
    names = " or ".join(json.dumps(name, ensure_ascii=False) for name in source.names)
    turn = f"in A{source.turn}" if source.turn is not None else ""
    return " ".join(word for word in (source.role.replace("_", " "), names, turn) if word)


def _patients(patients: Patients, *, alone: bool) -> str:
    if patients.ids:
        return "patient " + ", ".join(json.dumps(id, ensure_ascii=False) for id in patients.ids)
    words = ["patients"]
    if patients.turn is not None:
        words.append(f"in A{patients.turn}")
    if patients.sex:
        words.append(f"of sex {patients.sex}")
    if patients.age:
        low, high = patients.age
        words.append(f"aged {'any' if low is None else low} to {'any' if high is None else high}")
    bare = alone and len(patients.conditions) == 1
    words += [_has(condition, bare=bare) for condition in patients.conditions]
    return " ".join(words)


def _has(condition: Has, *, bare: bool) -> str:
    during = [f"during {render_stay(condition.during)}"] if condition.during else []
    inside = " ".join([_source(condition.source), *during, *map(render_window, condition.windows)])
    return f"{'without' if condition.negated else 'with'} {inside if bare else f'({inside})'}"


def _ordinal(number: int | None) -> str:
    if number is None:
        return ""
    if number < 0:
        return "last" if number == -1 else f"{_ordinal(-number)} to last"
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"{number}th"


def _when(when: When) -> str:
    if isinstance(when, Calendar):
        parts = [f"{when.year:04}", *(f"{part:02}" for part in (when.month, when.day) if part is not None)]
        return "-".join(parts)
    month = f"month {when.month}" if when.month is not None else ""
    day = f"day {when.day}" if when.day is not None else ""
    part = " ".join(word for word in (month, day) if word)
    return f"{part} of {_unit(when)}" if part else _unit(when)


def _unit(when: Relative) -> str:
    if when.ago:
        return f"{when.back} {when.unit}{'' if when.back == 1 else 's'} ago"
    if when.unit == "day":
        return ("today", "yesterday")[when.back]
    return f"{('this', 'last')[when.back]} {when.unit}"
