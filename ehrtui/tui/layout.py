"""Which panels are on the screen, for a size and for what the user wants to see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Mode: TypeAlias = Literal["wide", "narrow", "tiny"]

SWITCHED = ("answer", "plan", "duck", "confidence")
"""The panels that share one place where the screen is narrow."""
PANELS = ("schema", "conversation", *SWITCHED)

WIDE = 110
"""Columns from which all panels stand side by side."""
LEAST = (40, 12)
"""Columns and lines below which nothing useful can be shown."""
BENEATH = 1
"""Where the explorer lies among the screens: over Textual's own blank one, beneath all others."""
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


def layout(width: int, height: int, *, front: str, zoomed: str | None, schema: bool | None, empty: bool) -> Layout:
    """The panels for a screen of `width` x `height` cells.

    `front` is the switched panel that a narrow screen shows, `zoomed` the panel that has the screen for itself,
    `schema` whether the schema is wanted (None: only where there is room). While the conversation is `empty`, a
    welcome stands for it and for the answer.
    """
    if is_too_small(width, height):
        return Layout("tiny", frozenset(), False)
    mode: Mode = "wide" if width >= WIDE else "narrow"
    if zoomed is not None:
        shown = {zoomed}
    else:
        shown = {"conversation", *(SWITCHED if mode == "wide" else (front,))}
        if schema or (schema is None and mode == "wide"):
            shown.add("schema")
    if empty and shown & {"conversation", "answer"}:
        shown = shown - {"conversation", "answer"} | {"welcome"}
    return Layout(mode, frozenset(shown), mode == "narrow" and zoomed is None)
