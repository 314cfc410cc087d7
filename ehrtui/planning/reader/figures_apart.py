"""Two figures of the same, each with a word of its own: "total intake and total output yesterday", "the mean heart rate
and the lowest saturation of patient 7"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ehrtui.planning.offline.words import Text
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.side_by_side import side_by_side

_FIGURE = r"(?:total|sum|mean|average|avg|median|maximum|max|minimum|min|highest|lowest|peak)"
_TAIL = r"(?:of|for|in|during|on|at|since|from|after|before|within|yesterday|today|this|last|over|between|until)"
_TWO = re.compile(
    rf"^(?P<head>.*?)(?P<one>\b{_FIGURE}\b(?:(?!\band\b)[^,:;?])+?)(?:,? and|,| &| \+) (?:the |his |her |their )?"
    rf"(?P<other>{_FIGURE}\b(?:(?!\band\b|\b{_TAIL}\b)[^,:;?])+?)(?P<tail>\s+{_TAIL}\b.*)?$"
)
_SHARED = re.compile(
    rf"^(?P<head>.*?)\b(?P<one>{_FIGURE}|longest|shortest),? (?:and|&|\+|plus) (?:the )?"
    rf"(?P<other>{_FIGURE}|longest|shortest) (?P<tail>(?!of\b).+)$"
)
"""Two figures of what is named once: "average and longest stay on the ward"."""
_LENGTHS = {"longest": "maximum", "shortest": "minimum"}
_MUST = re.compile(rf"\b{_FIGURE}\b.*(?:and|,|&|\+).*\b{_FIGURE}\b")
_APART, _BOTH = 0.2, -0.3
"""What it costs that two figures are told apart, and that both are of what is named once."""


def figures_apart(said: Text, read: Callable[[Text], Sequence[Read]]) -> Iterator[Read]:
    """The reading of such a question as two figures side by side, each `read` with all else that is said."""
    lower = said.lower.rstrip(" ?.!")
    shared = _SHARED.match(lower)
    found = shared or (_TWO.match(lower) if _MUST.search(lower) else None)
    if found is None or (shared is None and re.search(rf"\b{_TAIL}\b", found["one"])):
        return
    if shared is not None and not _LENGTHS.keys() & {shared["one"], shared["other"]}:
        return  # "highest and lowest …" is read as a whole
    tail = found["tail"] or ""
    tail = f" {tail}" if shared is not None else tail
    figures = (_LENGTHS.get(found[name], found[name]) for name in ("one", "other"))
    asked = [f"{found['head']}{figure}{tail}" for figure in figures]
    yield from side_by_side(asked, read, "figures-apart", _APART if shared is None else _BOTH)
