"""Two saved sessions side by side: which turns they share, and whether the same came of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from ehrtui.session.events import Failed
from ehrtui.session.saved import SavedSession, SavedTurn


@dataclass(frozen=True)
class Pair:
    """A turn of the `first` session and the one of the `second` with the same words; None where there is no such."""

    first: SavedTurn | None
    second: SavedTurn | None

    @property
    def is_same(self) -> bool:
        """True where both ended alike: the same rows, or the same kind of failure."""
        if self.first is None or self.second is None:
            return False
        return _outcome(self.first) == _outcome(self.second)


def paired(first: SavedSession, second: SavedSession) -> Iterator[Pair]:
    """All turns of both, in their order; those with the same words side by side, as far as their order allows."""
    ours, theirs = ([" ".join(turn.asked.text.lower().split()) for turn in one.turns] for one in (first, second))
    matcher = SequenceMatcher(a=ours, b=theirs, autojunk=False)
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind == "equal":
            for one, other in zip(first.turns[start:end], second.turns[other_start:other_end], strict=True):
                yield Pair(one, other)
        else:
            yield from (Pair(turn, None) for turn in first.turns[start:end])
            yield from (Pair(None, turn) for turn in second.turns[other_start:other_end])


def _outcome(turn: SavedTurn) -> tuple[str, str]:
    if isinstance(turn.end, Failed):
        return "failed", turn.end.type
    return type(turn.end).__name__, turn.end.fingerprint
