"""What each stretch of a question was taken for, in words that people read."""

from __future__ import annotations

from ehrtui.logic.render import (
    render_age,
    render_filter,
    render_link,
    render_ordinal,
    render_stay,
    render_times,
    render_window,
)
from ehrtui.planning.offline.parts import which
from ehrtui.planning.offline.words import Mark, Marks, Text
from ehrtui.planning.proposal import Link


def links_of(text: Text, marks: Marks) -> tuple[Link, ...]:
    """The marks as links, without words that are mere grammar."""
    return tuple(
        Link(one.start, one.end, text.typed[one.start : one.end], *_told(one), score=one.score)
        for one in marks
        if one.kind != "phrase" or which(one, "role", "verb", "field", "want")
    )


def _told(one: Mark) -> tuple[str, str]:
    """The kind of a link and its value; "" where the kind says all."""
    value = one.value
    match one.kind:
        case "mention":
            return value.entries[0].role, value.entries[0].name
        case "phrase":
            return value[0].kind, value[0].which
        case "turn":
            return "turn", f"A{value}" if value else "the latest answer"
        case "value":
            return "value", render_filter(value[1])
        case "window":
            return "time", render_window(value)
    return one.kind, _said(one)


def _said(one: Mark) -> str:
    value = one.value
    match one.kind:
        case "stay":
            return render_stay(value)
        case "patient":
            return ", ".join(value)
        case "filter" | "duration" | "ward" | "grown":
            return render_filter(value)
        case "by":
            return ", ".join(dict.fromkeys(meaning.which for meaning in value))
        case "link":
            return render_link(value)
        case "times":
            return render_times(value)
        case "age":
            return render_age(value).removeprefix("aged ")
        case "years":
            return f"{value[0]} {value[1]}s"
        case "oldest":
            return "descending" if value[0] else "ascending"
        case "top":
            return str(value or "a few")
        case "ordinal":
            return render_ordinal(value)
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else ""
