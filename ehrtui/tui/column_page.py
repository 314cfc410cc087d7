"""What a table or a column holds, as text: the first rows, counts, the most frequent values, how numbers are spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from ehrtui.tui.formatting import cell_text, count, cut, printable

if TYPE_CHECKING:
    from ehrtui.conversation.column_profile import ColumnProfile
    from ehrtui.engines.engine import Row
    from ehrtui.schema.model import Table

MOST_CELL = 24
CHART_LINES = 18


def table_content(table: Table, rows: Sequence[Row]) -> Content:
    """The first rows below the names of the columns."""
    names = [column.name for column in table.columns]
    texts = [[cut(printable(name), MOST_CELL) for name in names]]
    texts += [[cut(cell_text(value), MOST_CELL) for value in row] for row in rows]
    wide = [max(len(line[at]) for line in texts) for at in range(len(names))]
    lines = ["  ".join(text.ljust(wide[at]) for at, text in enumerate(line)).rstrip() for line in texts]
    total = "" if table.row_count is None else f" of {count(table.row_count, 'row')}"
    head = Content.styled(f"the first {len(rows)}{total}", "dim")
    return Content("\n").join([head, Content.styled(lines[0], "bold"), *map(Content, lines[1:])])


def column_content(profile: ColumnProfile, width: int) -> Content:
    """Counts, extremes, the most frequent values as bars, and a histogram of numbers."""
    from ehrtui.charts.drawing import drawn
    from ehrtui.charts.shapes import Bars

    of = "all" if profile.exact else "the first"
    parts = [Content.styled(f"{of} {count(profile.rows, 'row')}", "dim"), counts_content(profile)]
    if profile.top and profile.top[0][1] > 1:
        labels = tuple(cell_text(value) for value, _ in profile.top)
        bars = Bars("the most frequent", labels, tuple(float(number) for _, number in profile.top))
        parts += [Content(""), Content(drawn(bars, width, CHART_LINES))]
    if (spread := spread_text(profile, width)) and profile.distinct > len(profile.top):
        parts.append(Content(f"\n{spread}"))
    return Content("\n").join(parts)


def counts_content(profile: ColumnProfile) -> Content:
    """How many values there are, how many differ, how many are lacking, and the extremes."""
    known = profile.rows - profile.nulls
    share = f" ({profile.nulls / profile.rows:.0%})" if profile.rows else ""
    lines = [f"{count(known, 'value')}, {profile.distinct:,} different · {profile.nulls:,} NULL{share}"]
    if known:
        lines.append(f"from {cell_text(profile.least)[:60]} to {cell_text(profile.greatest)[:60]}")
    return Content("\n".join(lines))


def spread_text(profile: ColumnProfile, width: int, name: str = "values") -> str:
    """A histogram of numbers; "" of anything else, and of identifiers, which the `name` of a column tells."""
    from ehrtui.charts.drawing import drawn
    from ehrtui.charts.shapes import charts_of

    return "\n\n".join(drawn(chart, width, CHART_LINES) for chart in charts_of((name,), profile.values))
