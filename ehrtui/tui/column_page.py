"""What a table or a column holds, as text: the first rows, counts, the most frequent values, how numbers are spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from ehrtui.tui.formatting import count, cut, printable, value_text

if TYPE_CHECKING:
    from ehrtui.conversation.column_profile import ColumnProfile
    from ehrtui.conversation.spread import Band
    from ehrtui.engines.engine import Row
    from ehrtui.schema.model import Table

MOST_CELL = 24
CHART_LINES = 18


def table_content(table: Table, rows: Sequence[Row]) -> Content:
    """The first rows below the names of the columns."""
    names = [column.name for column in table.columns]
    texts = [[cut(printable(name), MOST_CELL) for name in names]]
    texts += [[cut(value_text(value), MOST_CELL) for value in row] for row in rows]
    wide = [max(len(line[at]) for line in texts) for at in range(len(names))]
    lines = ["  ".join(text.ljust(wide[at]) for at, text in enumerate(line)).rstrip() for line in texts]
    total = "" if table.row_count is None else f" of {count(table.row_count, 'row')}"
    head = Content.styled(f"the first {len(rows)}{total}", "dim")
    return Content("\n").join([head, Content.styled(lines[0], "bold"), *map(Content, lines[1:])])


def column_content(
    profile: ColumnProfile, width: int, name: str = "", type: str = "", total: int | None = None
) -> Content:
    """The type of the column `name`, counts, extremes, the most frequent values as bars, and how the values are spread;
    of a sample also of how many rows it is (`total`)."""
    from ehrtui.charts.drawing import drawn
    from ehrtui.charts.shapes import Bars

    of = "" if profile.exact or total is None else f" of {total:,}"
    rows = f"all {count(profile.rows, 'row')}" if profile.exact else f"the first {profile.rows:,}{of} rows"
    parts = [Content.styled(" · ".join(filter(None, (printable(type), rows))), "dim"), counts_content(profile)]
    if profile.top and profile.top[0][1] > 1:
        labels = tuple(value_text(value) for value, _ in profile.top)
        bars = Bars("the most frequent", labels, tuple(float(number) for _, number in profile.top))
        parts += [Content(""), Content(drawn(bars, width, CHART_LINES))]
    if spread := spread_text(profile, width, name):
        parts.append(Content(f"\n{spread}"))
    return Content("\n").join(parts)


def counts_content(profile: ColumnProfile) -> Content:
    """How many values there are, how many differ, how many are lacking, and the extremes of numbers and times."""
    from ehrtui.conversation.spread import is_time

    known = profile.rows - profile.nulls
    share = f" ({profile.nulls / profile.rows:.0%})" if profile.rows else ""
    lines = [f"{count(known, 'value')}, {profile.distinct:,} different · {profile.nulls:,} NULL{share}"]
    ends = profile.least, profile.greatest
    if all(isinstance(end, int | float) or is_time(end) for end in ends):
        lines.append(" ".join(f"{word} {value_text(end)[:60]}" for word, end in zip(("from", "to"), ends, strict=True)))
    return Content("\n".join(lines))


def spread_text(profile: ColumnProfile, width: int, name: str = "") -> str:
    """A histogram of numbers or times; "" of anything else, and of identifiers, which the `name` of a column tells."""
    from ehrtui.charts.drawing import drawn
    from ehrtui.charts.shapes import Bars
    from ehrtui.schema.identifiers import identifies

    if not profile.bands or identifies(name):
        return ""
    labels = tuple(map(_band_text, profile.bands))
    bars = Bars("how they are spread", labels, tuple(float(band.count) for band in profile.bands))
    return drawn(bars, width, CHART_LINES + len(labels))


def _band_text(band: Band) -> str:
    if isinstance(band.low, str):
        return band.low
    if band.low is None:
        return f"below {value_text(band.high)}"
    return (
        f"{value_text(band.low)} – {value_text(band.high)}" if band.high is not None else f"from {value_text(band.low)}"
    )
