"""Two saved sessions side by side: which turns asked the same, and whether the same came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ehrtui.session.events import Failed
from ehrtui.session.export import logic_of
from ehrtui.session.saved import SavedSession, SavedTurn

Standing: TypeAlias = Literal["same", "different", "first", "second"]
"""Of a turn that is in both sessions whether the same came of it; else in which one it is."""


@dataclass(frozen=True)
class Pair:
    """A turn of the `first` session and the one of the `second` that asked the same; None where there is no such."""

    first: SavedTurn | None
    second: SavedTurn | None

    @property
    def standing(self) -> Standing:
        """ "same" where both ended alike: the same rows, or the same kind of failure."""
        if self.first is None:
            return "second"
        if self.second is None:
            return "first"
        return "same" if _outcome(self.first) == _outcome(self.second) else "different"


def paired(first: SavedSession, second: SavedSession) -> Iterator[Pair]:
    """All turns of both: those of the first in their order, each with the one of the second that asked the same,
    wherever that stands; then what is in the second alone. The same is the same words, else the same query logic; of
    several such turns the first goes with the first, and so on."""
    partners: dict[int, SavedTurn] = {}
    left = list(second.turns)
    for key in (_words, logic_of):
        for turn in first.turns:
            if turn.number not in partners and (found := _of_key(left, key, key(turn))) is not None:
                partners[turn.number] = found
                left.remove(found)
    yield from (Pair(turn, partners.get(turn.number)) for turn in first.turns)
    yield from (Pair(None, turn) for turn in left)


def _of_key(turns: list[SavedTurn], key: Callable[[SavedTurn], str | None], wanted: str | None) -> SavedTurn | None:
    return next((turn for turn in turns if wanted and key(turn) == wanted), None)


def _words(turn: SavedTurn) -> str:
    return " ".join(turn.asked.text.lower().split())


def _outcome(turn: SavedTurn) -> tuple[str, str]:
    if isinstance(turn.end, Failed):
        return "failed", turn.end.type
    return type(turn.end).__name__, turn.end.fingerprint
