"""What the widgets of an answer ask of the screen, whichever of them it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from ehrtui.engines.arranging import Arrangement
    from ehrtui.engines.engine import Scalar


@dataclass
class Copied(Message):
    """`text` is to go to the clipboard; `what` says in words what it is."""

    text: str
    what: str


@dataclass
class CopyWanted(Message):
    """`read`, which takes time and may be stopped, gives what is to go to the clipboard."""

    read: Callable[[], Copied]


@dataclass
class Arrange(Message):
    """The rows of the shown turn are wanted in this arrangement; `what` says it in a word ("sorting")."""

    arrangement: Arrangement
    what: str


@dataclass
class FacetWanted(Message):
    """How a column of the answer is spread is to be shown."""

    column: str


@dataclass
class TablesWanted(Message):
    """The tables that hold a value of the answer, and what its code means, are to be shown."""

    column: str
    value: Scalar
