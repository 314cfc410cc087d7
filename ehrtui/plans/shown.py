"""What a step's value is, as far as it is shown: its type, its number of rows and its beginning."""

from __future__ import annotations

from dataclasses import dataclass

from ehrtui.plans.handles import Table
from ehrtui.plans.parsing import PlanStep

MOST_ITEMS = 200
"""Items of a list that can be looked at."""
MOST_LETTERS = 2000
"""Of a single text."""
_LONGEST = 200
_MANY = (list, tuple, set, frozenset, dict)


@dataclass(frozen=True)
class ShownValue:
    """`rows` is None where it is not a table or a list; `type` and `preview` are "" where nothing is known. `texts` are
    the first items of a list, the text of a single value, the columns of a table."""

    rows: int | None = None
    type: str = ""
    preview: str = ""
    texts: tuple[str, ...] = ()


def shown_value(seen: object, step: PlanStep) -> ShownValue:
    """What `step` gave: `seen` is its value, or what the prelude's `_ehr_seen` tells of it."""
    if isinstance(seen, Table):
        return ShownValue(seen.row_count, "Table", _cut(", ".join(seen.columns)), seen.columns)
    if step.shows == "value":
        if isinstance(seen, _MANY):
            return _list(type(seen).__name__, len(seen), [_shown(item) for item in list(seen)[:MOST_ITEMS]])
        return _single(type(seen).__name__, _shown(seen, MOST_LETTERS))
    match seen:
        case [None, str(kind), str(text)]:
            return _single(kind, text)
        case [int(size), str(kind), *texts]:
            return _list(kind, size, [str(text) for text in texts[:MOST_ITEMS]])
    return ShownValue()  # the plan has meddled with the prelude


def _single(kind: str, text: str) -> ShownValue:
    return ShownValue(None, kind, _cut(text), (text[:MOST_LETTERS],))


def _list(kind: str, size: int, texts: list[str]) -> ShownValue:
    return ShownValue(size, kind, _items(texts[:5], size), tuple(texts))


def _shown(value: object, most: int = 80) -> str:
    if isinstance(value, str):
        return repr(value[:most])
    return repr(value)[:80] if value is None or isinstance(value, bool | float) else _other(value)


def _other(value: object) -> str:
    if isinstance(value, int):
        return str(value) if value.bit_length() < 200 else "a long whole number"
    return type(value).__name__


def _items(texts: list[str], size: int) -> str:
    more = ", …" if size > len(texts) else ""
    return _cut(f"[{', '.join(texts)}{more}]")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
