"""Which panels are on the screen, for a size and for what the user wants to see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Mode: TypeAlias = Literal["wide", "narrow", "tiny"]

SWITCHED = ("answer", "plan", "duck", "confidence")
"""The panels that share one place where the screen is narrow."""
PANELS = ("schema", "conversation", *SWITCHED)
HIDDEN_BY_KEY = ("schema", "conversation", "plan")
"""The panels that can be hidden for good."""

WIDE = 110
"""Columns from which the answer and the plan stand side by side."""
WITH_SCHEMA = 130
"""Columns from which the schema stands beside them, uncalled."""
LOW = 40
"""Lines below which the parts of the plan are kept short, so that the turns above it are seen."""
LEAST = (40, 12)
"""Columns and lines below which nothing useful can be shown."""
BENEATH = 1
"""Where the explorer lies among the screens: over the one that is shown while it opens, beneath all others."""
TOO_SMALL = f"The terminal is too small: ehrtui needs {LEAST[0]} × {LEAST[1]}."


@dataclass(frozen=True)
class Layout:
    """`shown` are the panels on the screen; `tabs` says that the switched ones need a line to choose from."""

    mode: Mode
    shown: frozenset[str]
    tabs: bool


def is_too_small(width: int, height: int) -> bool:
    """True where nothing useful can be shown."""
    return width < LEAST[0] or height < LEAST[1]


def layout(
    width: int,
    height: int,
    *,
    front: str,
    zoomed: str | None,
    schema: bool | None,
    empty: bool,
    explains: bool = False,
    hidden: frozenset[str] = frozenset(),
) -> Layout:
    """The panels for a screen of `width` x `height` cells.

    `front` is the switched panel that was wanted last: a narrow screen shows it alone, a wide one in full. `zoomed` is
    the panel that has the screen for itself, `schema` whether the schema is wanted (None: only where there is room).
    The rubber duck takes no room unless it `explains` something. While the conversation is `empty`, a welcome stands
    for it and for the answer, and nothing else is shown that was not wanted. `hidden` panels are shown only where they
    are wanted; the confidence alone is not worth a column of its own.
    """
    if is_too_small(width, height):
        return Layout("tiny", frozenset(), False)
    mode: Mode = "wide" if width >= WIDE else "narrow"
    if zoomed is not None:
        shown = {zoomed}
    else:
        beside = {"plan"} | ({"duck"} if explains else set())
        shown = {front} | {"conversation"} - hidden
        if mode == "wide" and not empty:
            shown |= {"answer"} | beside - hidden
            shown |= {"confidence"} if shown & {"conversation", *beside} else set()
        elif mode == "wide":
            shown.add("answer")
        if schema or (schema is None and width >= WITH_SCHEMA):
            shown.add("schema")
    if empty and shown & {"conversation", "answer"}:
        shown = shown - {"conversation", "answer"} | {"welcome"}
    return Layout(mode, frozenset(shown), mode == "narrow" and zoomed is None)
