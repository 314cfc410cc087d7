"""What the user makes of turns in the conversation: a name, a note, a place at the top, or none at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ehrtui.session.events import Labelled
from ehrtui.session.stream import EventStream

LONGEST = 500
"""Letters of a name or a note."""


def last_of(labels: Iterable[Labelled]) -> tuple[Labelled, ...]:
    """What stands at the end: of each turn what was said last, where that is anything."""
    last = {one.turn: one for one in labels}
    return tuple(one for one in last.values() if one != Labelled(one.turn))


class Labels:
    """The labels of one conversation, told to its readers and its session file. A turn that is put away keeps its
    number and its rows; only the list of turns and later questions go without it."""

    def __init__(self, stream: EventStream) -> None:
        self._stream = stream
        self._now: dict[int, Labelled] = {}
        self._before: list[Labelled] = []

    def of(self, turn: int) -> Labelled:
        """The labels of a turn."""
        return self._now.get(turn, Labelled(turn))

    @property
    def away(self) -> frozenset[int]:
        """The turns that are put away."""
        return frozenset(number for number, one in self._now.items() if one.away)

    @property
    def can_undo(self) -> bool:
        """Whether a change can be taken back."""
        return bool(self._before)

    def name(self, turn: int, name: str) -> None:
        """Call a turn so; "": by its question alone."""
        self._change(replace(self.of(turn), name=_plain(name)))

    def note(self, turn: int, note: str) -> None:
        """Write a note on a turn; "": none."""
        self._change(replace(self.of(turn), note=_plain(note)))

    def pin(self, turn: int) -> None:
        """Keep a turn at the top, or no longer."""
        self._change(replace(self.of(turn), pinned=not self.of(turn).pinned))

    def put_away(self, turn: int) -> None:
        """Take a turn out of the list."""
        self._change(replace(self.of(turn), away=True))

    def fold(self, turn: int) -> None:
        """Fold away what was opened from a turn, or no longer. To take back a change is to show what it was of, which
        leaves this as it is."""
        self._say(replace(self.of(turn), folded=not self.of(turn).folded))

    def undo(self) -> int | None:
        """Take the last change back; the turn that it was of, None where there is none."""
        if not self._before:
            return None
        last = self._before.pop()
        before = replace(last, folded=self.of(last.turn).folded)
        self._say(before)
        return before.turn

    def take_up(self, turn: int, labels: Iterable[Labelled]) -> None:
        """Say again what was said of a turn in an earlier session."""
        for one in labels:
            if one.turn == turn:
                self._say(one)

    def _change(self, label: Labelled) -> None:
        if label != self.of(label.turn):
            self._before.append(self.of(label.turn))
            self._say(label)

    def _say(self, label: Labelled) -> None:
        self._now = {**self._now, label.turn: label}  # others read it meanwhile
        self._stream.emit(label)


def _plain(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())[:LONGEST]
