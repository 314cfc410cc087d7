"""Query logic as text that a clinician can check at a glance; `parse` (where the grammar stands) reads it back."""

from __future__ import annotations

import json

from ehrtui.logic.model import (
    After,
    Aggregate,
    Calendar,
    Combined,
    Count,
    Elapsed,
    Exists,
    Field,
    Fields,
    Filter,
    Has,
    Link,
    Logic,
    Meaning,
    Mortality,
    Ordered,
    Patients,
    Peak,
    Percentile,
    Query,
    Relative,
    Rows,
    Source,
    Stay,
    StayCost,
    Survival,
    Times,
    Top,
    When,
    Window,
)
from ehrtui.logic.words import ORDINALS, is_field, is_kind


def render(logic: Logic) -> str:
    """One line of query logic."""
    match logic:
        case Query():
            return _query(logic)
        case Rows(turn=turn, ordinal=ordinal, count=count, function=function):
            rows = "row" if ordinal is not None else "rows"
            number = "count" if count else f"{function} of" if function else ""
            return _joined(number, render_ordinal(ordinal), rows, f"of A{turn}")
        case Ordered(of=of, by=by, descending=descending, count=count):
            first = f"first {count}" if count is not None else ""
            order = "descending" if descending else "ascending"
            return _joined(first, "ordered", f"by {_field(by)}" if by else "", f"{order} ({render(of)})")
        case Combined(left=left, operator=operator, right=right):
            return f"({render(left)}) {'as percent of' if operator == '%' else operator} ({render(right)})"
        case Elapsed(unit=unit, query=query):
            return f"{unit}s since ({render(query)})"
        case Meaning(name=name):
            return f"meaning of {render_value(name)}"
        case StayCost(function=function, source=source, windows=windows):
            return _joined(f"{function} cost of stays with", _source(source), *map(render_window, windows))
        case Peak(function=function, unit=unit, source=source, windows=windows):
            return _joined(f"{function} stays per {unit} with", _source(source), *map(render_window, windows))
        case Percentile(value=value, source=source, patient=patient, during=during):
            stay = f"during {render_stay(during)}" if during else ""
            return _joined(
                f"percentile of {value!r} in", _source(source), f"at the age of patient {render_value(patient)}", stay
            )
        case Survival(count=count, source=source, then=then, died=died, unit=unit):
            measure = "mortality" if died else "survival"
            return _joined(
                f"{measure} over {count} {unit}s after", _source(source), f"then {_source(then)}" if then else ""
            )
        case Mortality(top=top, count=count, source=source, unit=unit):
            return _joined(f"top {top}", _source(source), f"by mortality over {count} {unit}s")


def render_window(window: Window) -> str:
    """A time window: "since 2104-05", "in month 5 of last year"."""
    when = _when(window.when)
    return when if window.relation == "in" and when in ("today", "yesterday") else f"{window.relation} {when}"


def render_stay(stay: Stay) -> str:
    """A stay: "last hospital stay", "current icu stay", "hospital stays in A1", "first icu stay in A1"."""
    if stay.turn is None:
        return f"{render_ordinal(stay.ordinal) or 'current'} {stay.kind} stay"
    noun = "stays" if stay.ordinal is None else "stay"
    return _joined(render_ordinal(stay.ordinal), stay.kind, noun, f"in A{stay.turn}")


def _query(query: Query) -> str:
    if query.of_patients:
        tail = _tail(query)
        return _joined(_patient_want(query), _patients(query.patients, alone=not tail), *tail, *_by(query))
    subject = f"for {_patients(query.patients, alone=False)}" if query.patients != Patients() else ""
    return _joined(
        render_ordinal(query.ordinal), _want(query), _source(query.source), subject, *_tail(query), *_by(query)
    )


def _by(query: Query) -> list[str]:
    return [f"by {_field(query.by)}"] if query.by else []


def _patient_want(query: Query) -> str:
    match query.want:
        case Count(per=per):
            return f"count per {per}" if per else "count"
        case Field(name="id"):
            return ""
        case _:
            return _want(query)


def _want(query: Query) -> str:
    match query.want:
        case Count(of=counted, per=per):
            return _joined("count", f"per {per}" if per else "", "" if counted == "records" else f"{counted} of")
        case Field(name=name):
            return f"{_field(name)} of"
        case Fields(names=names):
            return f"{', '.join(map(_field, names))} of"
        case Aggregate(function=function, field=field, per=per):
            number = f"{function} {_field(field)}"
            return f"{number} per {per} of" if per else f"{number} of"
        case Top(count=count, places=places):
            return f"top {count} places" if places else f"top {count}"
        case Exists():
            return "any"


def _tail(query: Query | Has) -> list[str]:
    parts = [f"during {render_stay(query.during)}"] if query.during else []
    parts += map(render_window, query.windows)
    if query.times:
        parts.append(render_times(query.times))
    if query.after:
        parts.append(_after(query.after))
    return parts


def _after(after: After) -> str:
    unordered = after.link.kind in ("together", "simultaneous")
    how = _joined(render_link(after.link), "as" if unordered else "before" if after.before else "after")
    return _joined(how, "first" if after.first else "", f"({_event(after.event)})")


def render_link(link: Link) -> str:
    """How near two events are, without their order: "within 2 months"."""
    match link.kind:
        case "within":
            return f"within {link.count} {link.unit}s"
        case "same" | "together":
            return f"same {link.unit}"
        case "simultaneous":
            return "same time"
    return "ever"


def render_times(times: Times) -> str:
    """How often: "at least 2 times"."""
    return f"{'at least' if times.at_least else 'exactly'} {times.count} times"


def render_age(age: tuple[int | None, int | None]) -> str:
    """A range of years: "aged 40 to 49"."""
    low, high = age
    return f"aged {'any' if low is None else low} to {'any' if high is None else high}"


def _event(has: Has) -> str:
    return _joined(_source(has.source), *_tail(has))


def _source(source: Source) -> str:
    names = " or ".join(map(render_value, source.names))
    turn = f"in A{source.turn}" if source.turn is not None else ""
    filters = (f"where {render_filter(one)}" for one in source.filters)
    return _joined(_kind(source.role), names, turn, *filters)


def render_filter(one: Filter) -> str:
    """A condition on a field: "value > 100"."""
    value = one.value if one.relation == "is" else render_value(one.value)
    unit = " days" if one.field == "length" and one.relation != "is" else ""
    return f"{_field(one.field)} {one.relation} {value}{unit}"


def _patients(patients: Patients, *, alone: bool) -> str:
    ids = ", ".join(map(render_value, patients.ids))
    words = [f"patient {ids}" if ids else "patients"]
    if patients.turn is not None:
        words.append(f"in A{patients.turn}")
    if patients.sex:
        words.append(f"of sex {patients.sex}")
    if patients.age:
        words.append(render_age(patients.age))
    bare = alone and len(patients.conditions) == 1
    for condition in patients.conditions:
        event = _event(condition)
        words.append(f"{'without' if condition.negated else 'with'} {event if bare else f'({event})'}")
    return " ".join(words)


def _field(name: str) -> str:
    return name if is_field(name) else render_value(name)


def _kind(role: str) -> str:
    said = role.replace("_", " ")
    return said if is_kind(said) else render_value(role)


def render_value(value: str | int | float) -> str:
    """A stored name or an identifier: "lactate", 10045."""
    return json.dumps(value, ensure_ascii=False)


def _joined(*words: str) -> str:
    return " ".join(word for word in words if word)


def render_ordinal(number: int | None) -> str:
    """Which of several: "last", "second to last"; "" for None."""
    if number is None:
        return ""
    if number < 0:
        return "last" if number == -1 else f"{render_ordinal(-number)} to last"
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"{number}th"


def _when(when: When) -> str:
    if isinstance(when, Calendar):
        parts = [f"{when.year:04}", *(f"{part:02}" for part in (when.month, when.day) if part is not None)]
        return "-".join(parts) + (f"T{when.time}" if when.time else "")
    month = f"month {when.month}" if when.month is not None else ""
    day = f"day {when.day}" if when.day is not None else ""
    part = _joined(month, day)
    return f"{part} of {_unit(when)}" if part else _unit(when)


def _unit(when: Relative) -> str:
    if when.ago:
        return f"{when.back} {when.unit}{'' if when.back == 1 else 's'} ago"
    if when.unit == "day":
        return ("today", "yesterday")[when.back]
    return f"{('this', 'last')[when.back]} {when.unit}"
