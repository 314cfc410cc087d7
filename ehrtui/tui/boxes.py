"""Opening a box over a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from textual.screen import Screen, ScreenResultCallbackType

_Answer = TypeVar("_Answer")


def open_over(screen: Screen[Any], box: Screen[_Answer], told: ScreenResultCallbackType[_Answer] | None = None) -> None:
    """Open a box over a screen; `told` is told what it gives. Nothing where another stands over the screen already: of
    two keys that are pressed close behind each other, the first opens its box."""
    if screen.app.screen is screen:
        screen.app.push_screen(box, told)
