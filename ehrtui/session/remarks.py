"""What the user says of answers: that one is right or wrong, and that rows of one are done, put off, or noted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ehrtui.errors import UsageError
from ehrtui.session.events import Judged, Marked
from ehrtui.session.stream import EventStream
from ehrtui.session.turn import Turn

if TYPE_CHECKING:
    from ehrtui.engines.engine import Row, Scalar

State: TypeAlias = Literal["open", "done", "snoozed"]
STATES: tuple[State, ...] = get_args(State)
SIGNS: Mapping[str, str] = {"open": " ", "done": "✓", "snoozed": "z"}
MOST_ROWS = 2_000
"""Rows of a list that are ticked one by one."""
LONGEST = 500
"""Letters of a reason or a note."""


def kept_of(remarks: Iterable[Judged | Marked]) -> tuple[tuple[Judged, ...], tuple[Marked, ...]]:
    """What stands at the end: of each answer, and of each row, what was said last."""
    judged: dict[int, Judged] = {}
    marked: dict[tuple[int, str, int], Marked] = {}
    for one in remarks:
        if isinstance(one, Judged):
            judged[one.turn] = one
        else:
            marked[one.turn, one.fingerprint, one.row] = one
    told = tuple(one for one in judged.values() if one.right is not None)
    return told, tuple(one for one in marked.values() if one.state != "open" or one.note)


class Remarks:
    """Remarks on the turns of one conversation, told to its readers and its session file. A remark is of what an answer
    was: where the turn runs again and finds other rows, those on its rows are of these no longer."""

    def __init__(self, stream: EventStream) -> None:
        self._stream = stream
        self._judged: dict[int, Judged] = {}
        self._marked: dict[tuple[int, str], dict[int, Marked]] = {}

    def judge(self, turn: Turn, right: bool | None, reason: str = "") -> Judged:
        """Say of a turn's answer whether it is right, and why; None takes that back."""
        said = Judged(turn.number, right, _plain(reason))
        self._judged[turn.number] = said
        self._stream.emit(said)
        return said

    def judged(self, turn: Turn) -> Judged | None:
        """What was said of a turn."""
        said = self._judged.get(turn.number)
        return said if said is not None and said.right is not None else None

    def mark(self, turn: Turn, row: int, state: State | None = None, note: str | None = None) -> Marked:
        """Put row `row` (from 1, see `in_order`) of an answer into a state, or write a note on it; None leaves what
        there is. Raises UsageError where there is no such row."""
        if turn.result is None or not turn.fingerprint or not 1 <= row <= turn.row_count:
            raise UsageError(f"A{turn.number} has no row {row}.", next_step="Choose a row of an answer that has some.")
        held = self._marked.setdefault((turn.number, turn.fingerprint), {})
        before = held.get(row)
        said = Marked(
            turn.number,
            turn.fingerprint,
            row,
            state or (before.state if before else "open"),
            _plain(note) if note is not None else before.note if before else "",
        )
        held[row] = said
        self._stream.emit(said)
        return said

    def marked(self, turn: Turn) -> Mapping[int, Marked]:
        """What was said of the rows of a turn, by their numbers from 1."""
        return dict(self._marked.get((turn.number, turn.fingerprint), {}))

    def take_up(self, turn: Turn, judged: Iterable[Judged], marked: Iterable[Marked]) -> int:
        """Say again what was said of a turn in an earlier session; of rows only where they are the same. Gives how many
        were left out since they are not."""
        lost = 0
        for said in judged:
            if said.turn == turn.number:
                self.judge(turn, said.right, said.reason)
        for one in marked:
            if one.turn == turn.number:
                if one.fingerprint == turn.fingerprint and 1 <= one.row <= turn.row_count and one.state in STATES:
                    self.mark(turn, one.row, STATES[STATES.index(one.state)], one.note)
                else:
                    lost += 1
        return lost


def can_be_ticked(turn: Turn) -> bool:
    """Whether an answer is a list, each row of which may be something to do."""
    return turn.decision == "answered" and 0 < turn.row_count <= MOST_ROWS and not turn.is_one_value


def in_order(rows: Sequence[Row], asked: int) -> list[Row]:
    """The rows of an answer in the order in which they are numbered: that of their values, the `asked` ones first, so
    that the same rows have the same numbers whatever the database gives first."""
    return sorted(rows, key=lambda row: [_placed(value) for value in (*row[:asked], *row[asked:])])


def _placed(value: Scalar) -> tuple[int, float, str]:
    if isinstance(value, int | float):
        return 0, float(value), ""
    return (2, 0.0, "") if value is None else (1, 0.0, str(value))


def sign_of(marked: Marked) -> str:
    """What stands before a row: ✓ done, z put off, ✎ noted."""
    return SIGNS.get(marked.state, " ") if marked.state != "open" else "✎" if marked.note else " "


def _plain(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())[:LONGEST]
