"""A patient on one page: who it is, stays and drugs as bars, values as sparklines over the same time, all else by name;
and all that happened in the order of time."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from ehrtui.schema.kinds import kind_of
from ehrtui.tui.formatting import count, cut, printable, value_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ehrtui.conversation.patients import Patient, Record, Stay
    from ehrtui.engines.engine import Scalar

MOST_LINES = 12
"""Lines of a kind of records, where nothing is searched for."""
MIDNIGHT = " 00:00:00"
LEVELS = "▁▂▃▄▅▆▇█"
NOTHING = "·"
"""A cell of the time in which nothing is recorded."""
WIDE = 130
"""Cells from which what a line tells is told in words."""
DATE, MINUTE = 10, 16
"""Characters of a time that are its day, and its minute."""
OLDEST = 120
"""Years; birth dates before that are shifted ones, of whom nothing but a great age may be known."""
EVENTS = ("time", "name", "value", "unit", "H/L", "range", "what", "until")
"""The columns of what happened."""
BESIDE_NAMES = 49
"""Cells of time, value, unit and mark, beside which names have the room that is left."""


@dataclass(frozen=True)
class Axis:
    """The time that all bars and sparklines are over, from its `first` moment to its `last`, in `cells`."""

    first: str
    last: str
    cells: int

    def at(self, time: str) -> int:
        """The cell of a moment; of one before or after all that is shown, the first or the last."""
        begin, end = _minute(self.first), _minute(self.last)
        place = (_minute(time) - begin) / (end - begin) if end > begin else 0.0
        return min(max(round(place * (self.cells - 1)), 0), self.cells - 1)

    @property
    def label(self) -> str:
        """Its two ends at its two ends: "2104-11-07 ──── 2104-11-16"."""
        first, last = self.first[:DATE], self.last[:DATE]
        room = self.cells - len(first) - len(last)
        between = f" {'─' * (room - 2)} " if room > 2 else " "
        return f"{first}{between}{last}" if room > 0 else ""


def page(patient: Patient, width: int, search: str = "", stay: Stay | None = None) -> Content:
    """The page in `width` cells, of a patient or of one `stay`; with words to `search` for, all lines whose name has
    them, and no others."""
    facts = " · ".join(
        f"{name} {printable(value.removesuffix(MIDNIGHT))}" for name, value in patient.facts if name != "id"
    )
    lines = [Content.styled(facts, "bold")] if facts else []
    times = sorted(time for _, records in patient.records for record in records for time in _ends(record))
    if times:
        first, last = (stay.start, stay.end or times[-1]) if stay is not None else (times[0], times[-1])
        lines.append(Content.styled(f"from {first[:DATE]} to {last[:DATE]}{_aged(patient, first, last)}", "dim"))
        names = min(max(width // 4, 12), 36)
        told = 30 if width < WIDE else 64
        begun, ended = _drawn(patient, stay, times)
        axis = Axis(begun, ended, max(width - names - told - 4, 8))
        for role, records in sorted(patient.records, key=lambda each: _place(each[0])):
            lines += _section(role, records, names, axis, search, width)
    if len(lines) <= 2:
        lines.append(Content.styled("Nothing is recorded by that name." if search else "Nothing is recorded.", "dim"))
    return Content("\n").join(lines)


def _drawn(patient: Patient, stay: Stay | None, times: Sequence[str]) -> tuple[str, str]:
    """The time that is drawn: a stay, or that of all stays, drugs and values; not that of a death years later."""
    drawn = [time for role, records in patient.records for one in records for time in _ends(one) if _has_axis(role)]
    last = max(drawn, default=times[-1])
    return (stay.start, stay.end or last) if stay is not None else (min(drawn, default=times[0]), last)


def _has_axis(role: str) -> bool:
    kind = kind_of(role)
    return bool(kind.stay) or kind.dosed or kind.measured or kind.place


def events(patient: Patient, search: str = "") -> list[tuple[str, Record]]:
    """What happened, in the order of time, each with the role of its record; with words to `search` for, only what has
    them in its name. What has no time comes first."""
    found = [
        (role, each) for role, records in patient.records for each in records if search.lower() in each.name.lower()
    ]
    return sorted(found, key=lambda event: event[1].time)


def event_row(role: str, record: Record, width: int) -> tuple[Scalar, ...]:
    """The values of an event in the columns EVENTS, of which the first five are seen in `width` cells."""
    value, kind = "" if record.value is None else _whole(record.value), kind_of(role)
    where = (kind.of_stays or kind.place) and record.name != kind.noun
    return (
        _moment(record.time),
        cut(printable(f"{kind.noun}: {record.name}" if where else record.name), max(width - BESIDE_NAMES, 16)),
        cut(printable(value), 12) if isinstance(value, str) else value,
        printable(record.unit),
        record.outside,
        _range(record),
        kind.noun,
        _moment(record.end),
    )


def first_at(events: Sequence[tuple[str, Record]], when: str) -> int:
    """The place of the first event at a day or a moment or after it, as far as that is typed; of the last one, where
    all were before."""
    return min(bisect_left([event.time for _, event in events], when), max(len(events) - 1, 0))


def stay_named(stay: Stay) -> tuple[str, str]:
    """`ICU stay 206504` and `2104-11-07 to 2104-11-09`."""
    noun = "ICU stay" if stay.kind == "icu" else f"{stay.kind} stay"
    return f"{noun} {value_text(stay.id)}", f"{stay.start[:DATE]} to {stay.end[:DATE] or 'now'}"


def _aged(patient: Patient, first: str, last: str) -> str:
    """ " · aged 36 to 38"; "" where that is not known."""
    born = next((value for name, value in patient.facts if name == "birth date"), "")
    if not (_minute(born) and _minute(first) and _minute(last)):
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


def _section(role: str, records: Sequence[Record], names: int, axis: Axis, search: str, width: int) -> list[Content]:
    wide = width >= WIDE
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.name or "(no name)", []).append(record)
    wanted = [name for name in groups if search.lower() in name.lower()]
    if not wanted:
        return []
    kind = kind_of(role)
    noun = kind.noun if kind.stay else role.replace("_", " ")
    title = f"{noun[0].upper()}{noun[1:]} · {count(len(records), 'record')}"
    if cell_len(title) > names:
        title = title.removesuffix("s").removesuffix(" record")
    shown = wanted if search else wanted[:MOST_LINES]
    told, has_axis = [], False
    for name in shown:
        found = groups[name]
        if kind.measured and any(isinstance(record.value, int | float) for record in found):
            line, drawn = _values(found, axis, wide=wide), True
        elif _has_axis(role) and any(record.end for record in found):
            line, drawn = _spans(found, axis, wide=wide), True
        else:
            line, drawn = _when(found), False
        label = set_cell_size(cut(printable(name), names), names)
        told.append(Content.assemble(label, "  ", line).truncate(width, ellipsis=True))
        has_axis = has_axis or drawn
    gap = names + 2 - cell_len(title)
    ends = f"{' ' * gap}{axis.label}" if has_axis and gap > 0 else ""
    lines = [Content(""), Content.assemble((title, "bold underline"), (ends, "dim")), *told]
    if len(wanted) > len(shown):
        lines.append(Content.styled(f"… {count(len(wanted) - len(shown), 'more name')}; / searches", "dim"))
    return lines


def _values(records: Sequence[Record], axis: Axis, *, wide: bool) -> Content:
    """`··▂▃··▅▂  98 mg/dl  normal 60 to 100  71 to 102, 44 times, 2 H`: each value where its time is, of several in one
    cell that which is out of its range or the last; then the latest, its range, and all in numbers."""
    measured = [record for record in records if isinstance(record.value, int | float)]
    numbers = [_number(record) for record in measured]
    least, greatest = min(numbers), max(numbers)
    cells: dict[int, Record] = {}
    for record in measured:
        at = axis.at(record.time)
        if at not in cells or record.outside or not cells[at].outside:
            cells[at] = record
    span = (greatest - least) or 1.0
    drawn: list[tuple[str, str]] = [(NOTHING, "dim")] * axis.cells
    for at, record in cells.items():
        level = LEVELS[int((_number(record) - least) / span * (len(LEVELS) - 1))]
        drawn[at] = (level, "$warning" if record.outside else "$primary")
    last = measured[-1]
    told = f"  {value_text(_whole(last.value))} {printable(last.unit)}".rstrip()
    ranged = next((record for record in reversed(measured) if _range(record)), last)
    return Content.assemble(
        *drawn,
        (told, "bold"),
        (f" {last.outside}" if last.outside else "", "$warning bold"),
        (_range_in_words(ranged, wide=wide), "dim"),
        (_in_numbers(measured, least, greatest) if wide else f" ×{len(measured)}" if len(measured) > 1 else "", "dim"),
    )


def _in_numbers(records: Sequence[Record], least: float, greatest: float) -> str:
    if len(records) == 1:
        return ""
    outside = [record.outside for record in records]
    marks = "".join(f", {outside.count(mark)} {mark}" for mark in "HLA" if mark in outside)
    return f"  {value_text(_whole(least))} to {value_text(_whole(greatest))}, {count(len(records), 'time')}{marks}"


def _range(record: Record) -> str:
    """`60–100`, `-2 to 2`, `≥ 60`, `≤ 100`, and `~` before a usual one; "" where none is known."""
    low, high = record.limits.low, record.limits.high
    if low is None and high is None:
        return ""
    if low is None or high is None:
        told = f"≤ {value_text(_whole(high))}" if low is None else f"≥ {value_text(_whole(low))}"
    else:
        told = f"{value_text(_whole(low))}{' to ' if low < 0 else '–'}{value_text(_whole(high))}"
    return f"{'~' if record.limits.usual else ''}{told}"


def _range_in_words(record: Record, *, wide: bool) -> str:
    told = _range(record)
    if not told or not wide:
        return f" {told}" if told else ""
    return f"  {'usual' if record.limits.usual else 'normal'} {told.removeprefix('~')}"


def _spans(records: Sequence[Record], axis: Axis, *, wide: bool) -> Content:
    """`··▇▇··▇··  40 mg  2100-08-06 to 2104-01-02, 3 times`: the time of each, and the latest dose."""
    cells = [NOTHING] * axis.cells
    for record in records:
        if record.time:
            low, high = axis.at(record.time), axis.at(max(record.end, record.time))
            cells[low : high + 1] = "▇" * (high - low + 1)
    dose = _dose(records[-1])
    often = f" ×{len(records)}" if len(records) > 1 else ""
    when = f"from {records[0].time[:DATE]}{often}" if dose else f"{_days(records)}{often}"
    when = _period(records) if wide else when
    return Content.assemble(("".join(cells), "$primary"), (f"  {dose}" if dose else "", "bold"), (f"  {when}", "dim"))


def _dose(record: Record) -> str:
    """`40 mg`; "" where there is none, or only a number of nothing that is known."""
    if record.value is None or (not record.unit and isinstance(record.value, int | float)):
        return ""
    return f"{value_text(_whole(record.value))} {printable(record.unit)}".rstrip()


def _when(records: Sequence[Record]) -> Content:
    last = records[-1]
    told = (
        "" if last.value is None or len(records) > 1 else f"  {value_text(_whole(last.value))} {printable(last.unit)}"
    )
    return Content.assemble((_period(records), "dim"), told.rstrip())


def _days(records: Sequence[Record]) -> str:
    times = sorted(time[:DATE] for record in records for time in _ends(record))
    return " to ".join(dict.fromkeys((times[0], times[-1]))) if times else ""


def _period(records: Sequence[Record]) -> str:
    days = _days(records)
    if not days:
        return count(len(records), "record")
    return days if len(records) == 1 else f"{days}, {count(len(records), 'time')}"


def _ends(record: Record) -> tuple[str, ...]:
    return tuple(time for time in (record.time, record.end) if time)


def _whole(value: Scalar) -> Scalar:
    """A number without a fraction that says nothing: 84 for 84.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _number(record: Record) -> float:
    return float(record.value) if isinstance(record.value, int | float) else 0.0


def _moment(time: str) -> str:
    """A time up to its minute."""
    return printable(time[:MINUTE])


def _minute(time: str) -> float:
    """A number of the minute that is the larger the later; what is no time is the beginning."""
    from datetime import datetime

    try:
        return (datetime.fromisoformat(time[:19]) - datetime(1, 1, 1)).total_seconds() / 60
    except ValueError:
        return 0.0
