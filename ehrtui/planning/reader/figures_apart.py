"""Two figures of the same, each with a word of its own: "total intake and total output yesterday", "the mean heart rate
and the lowest saturation of patient 7"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ehrtui.logic.algebra.model import Aggregate, Measure, Single
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.reader import Read

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
_DEAREST = 1.6
"""What one of the two may cost by itself: what is dearer was hardly understood."""
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
    columns: list[Measure] = []
    price = 0.0
    why: tuple[str, ...] = ("figures-apart",)
    for figure in (found["one"], found["other"]):
        made = next(iter(read(words_read(f"{found['head']}{_LENGTHS.get(figure, figure)}{tail}"))), None)
        if made is None or made.price > _DEAREST or not isinstance(made.statement, Single):
            return
        if len(made.statement.columns) != 1 or not isinstance(made.statement.columns[0], Aggregate):
            return
        columns += made.statement.columns
        price = max(price, made.price)
        why = (*why, *made.why)
    if columns[0] != columns[1]:
        yield Read(Single(tuple(columns)), price + (_APART if shared is None else _BOTH), why, (), (), ())
