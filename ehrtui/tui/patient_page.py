"""A patient on one page: who it is, stays and drugs as bars over time, values as sparklines, all else by name; and all
that happened in the order of time."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from rich.cells import set_cell_size
from textual.content import Content

from ehrtui.schema.kinds import kind_of
from ehrtui.tui.formatting import count, cut, printable, value_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ehrtui.conversation.patients import Patient, Record
    from ehrtui.engines.engine import Scalar

MOST_LINES = 12
"""Lines of a kind of records, where nothing is searched for."""
MIDNIGHT = " 00:00:00"
LEVELS = "▁▂▃▄▅▆▇█"
PERIOD = 33
"""Cells of a period in words."""
DATE = 10
"""Characters of a time that are its day."""
OLDEST = 120
"""Years; birth dates before that are shifted ones, of whom nothing but a great age may be known."""
EVENTS = ("time", "what", "name", "value", "unit", "until")
"""The columns of what happened."""


def page(patient: Patient, width: int, search: str = "") -> Content:
    """The page in `width` cells; with words to `search` for, all lines whose name has them, and no others."""
    facts = " · ".join(
        f"{name} {printable(value.removesuffix(MIDNIGHT))}" for name, value in patient.facts if name != "id"
    )
    lines = [Content.styled(facts, "bold")] if facts else []
    times = sorted(time for _, records in patient.records for record in records for time in _ends(record))
    first, last = (times[0], times[-1]) if times else ("", "")
    if first:
        lines.append(Content.styled(f"from {first[:DATE]} to {last[:DATE]}{_aged(patient, first, last)}", "dim"))
    for role, records in sorted(patient.records, key=lambda each: _place(each[0])):
        lines += _section(role, records, width, search, first, last)
    if len(lines) <= 2:
        lines.append(Content.styled("Nothing is recorded by that name." if search else "Nothing is recorded.", "dim"))
    return Content("\n").join(lines)


def events(patient: Patient, search: str = "") -> list[tuple[str, tuple[Scalar, ...]]]:
    """What happened, in the order of time: the role of each record, and its values in the columns EVENTS; with words to
    `search` for, only what has them in its name. What has no time comes first."""
    found = [
        (
            role,
            (each.time, kind_of(role).noun, each.name, "" if each.value is None else each.value, each.unit, each.end),
        )
        for role, records in patient.records
        for each in records
        if search.lower() in each.name.lower()
    ]
    return sorted(found, key=lambda event: str(event[1][0]))


def first_at(events: Sequence[tuple[str, tuple[Scalar, ...]]], when: str) -> int:
    """The place of the first event at a day or a moment or after it, as far as that is typed; of the last one, where
    all were before."""
    return min(bisect_left([str(event[0]) for _, event in events], when), max(len(events) - 1, 0))


def _aged(patient: Patient, first: str, last: str) -> str:
    """ " · aged 36 to 38"; "" where that is not known."""
    born = next((value for name, value in patient.facts if name == "birth date"), "")
    if not (_day(born) and _day(first) and _day(last)):
        return ""
    young, old = (int(time[:4]) - int(born[:4]) - (time[4:DATE] < born[4:DATE]) for time in (first, last))
    if not 0 <= young <= old <= OLDEST:
        return ""
    return f" · aged {young}" if young == old else f" · aged {young} to {old}"


def _place(role: str) -> int:
    """Stays first, then what the patient has, what was given, what was measured, and what was done."""
    kind = kind_of(role)
    order = (kind.stay, kind.disease, kind.dosed, kind.measured)
    return next((at for at, here in enumerate(order) if here), len(order))


def _section(role: str, records: Sequence[Record], width: int, search: str, first: str, last: str) -> list[Content]:
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.name or "(no name)", []).append(record)
    wanted = [name for name in groups if search.lower() in name.lower()]
    if not wanted:
        return []
    kind = kind_of(role)
    name_width = min(max(width // 3, 12), 36)
    title = f"{role.replace('_', ' ').capitalize()} · {count(len(records), 'record')}"
    lines = [Content(""), Content.styled(title, "bold underline")]
    shown = wanted if search else wanted[:MOST_LINES]
    for name in shown:
        found = groups[name]
        label = set_cell_size(cut(printable(name), name_width), name_width)
        room = width - name_width - 2
        numbers = [record.value for record in found if isinstance(record.value, int | float)]
        if kind.measured and numbers:
            told = _values(found, numbers, room)
        elif (kind.dosed or kind.stay) and any(record.end for record in found):
            told = _spans(found, first, last, room)
        else:
            told = _when(found)
        lines.append(Content.assemble(label, "  ", told))
    if len(wanted) > len(shown):
        lines.append(Content.styled(f"… {len(wanted) - len(shown)} more names; / searches", "dim"))
    return lines


def _values(records: Sequence[Record], numbers: Sequence[float], room: int) -> Content:
    """`▂▃▅▂ 98 mg/dl  71 to 102, 44 times`: the last values, the latest of them (and that it is not normal, where
    that is known), and all in three numbers."""
    least, greatest = min(numbers), max(numbers)
    unit = next((record.unit for record in reversed(records) if record.unit), "")
    told = f" {value_text(numbers[-1])} {printable(unit)}".rstrip()
    more = f"  {value_text(least)} to {value_text(greatest)}, {count(len(numbers), 'time')}" if len(numbers) > 1 else ""
    beside = _normal(records, numbers[-1])
    wide = max(min(room - len(told) - len(beside) - len(more), 30), 4)
    span = (greatest - least) or 1.0
    drawn = "".join(LEVELS[int((value - least) / span * (len(LEVELS) - 1))] for value in numbers[-wide:])
    return Content.assemble((f"{drawn:>{wide}}", "$primary"), (told, "bold"), (beside, "$warning"), (more, "dim"))


def _normal(records: Sequence[Record], value: float) -> str:
    """ " ▲ normal 60 to 100" of a value that is over the latest range that is known; "" where none is."""
    low, high = next((record.normal for record in reversed(records) if record.normal != (None, None)), (None, None))
    if low is not None and value < low:
        sign = "▼"
    elif high is not None and value > high:
        sign = "▲"
    else:
        return ""
    ends = " to ".join(value_text(end) for end in (low, high) if end is not None)
    known = "normal" if None not in (low, high) else "normal from" if high is None else "normal up to"
    return f" {sign} {known} {ends}"


def _spans(records: Sequence[Record], first: str, last: str, room: int) -> Content:
    """`··▇▇··▇··  2100-08-06 to 2104-01-02, 3 times`: over the whole time that is known of the patient."""
    told = f"  {_period(records):<{PERIOD}}"  # as wide everywhere, so that all bars are over the same time
    wide = max(room - len(told), 8)
    cells = ["·"] * wide
    begin, span = _day(first), max(_day(last) - _day(first), 1)
    for record in records:
        low = round((_day(record.time) - begin) / span * (wide - 1))
        high = round((_day(max(record.end, record.time)) - begin) / span * (wide - 1))
        cells[max(low, 0) : high + 1] = "▇" * (min(high, wide - 1) - max(low, 0) + 1)
    return Content.assemble(("".join(cells[:wide]), "$primary"), (told, "dim"))


def _when(records: Sequence[Record]) -> Content:
    value = records[-1].value
    told = "" if value is None or len(records) > 1 else f"  {value_text(value)} {printable(records[-1].unit)}".rstrip()
    return Content.assemble((_period(records), "dim"), told)


def _period(records: Sequence[Record]) -> str:
    times = sorted(time for record in records for time in _ends(record))
    if not times:
        return count(len(records), "record")
    first, last = times[0][:DATE], times[-1][:DATE]
    days = first if first == last else f"{first} to {last}"
    return days if len(records) == 1 else f"{days}, {count(len(records), 'time')}"


def _ends(record: Record) -> tuple[str, ...]:
    return tuple(time for time in (record.time, record.end) if time)


def _day(time: str) -> int:
    """A number of the day that is the larger the later; dates that are none are the beginning."""
    from datetime import date

    try:
        return date.fromisoformat(time[:DATE]).toordinal()
    except ValueError:
        return 0
