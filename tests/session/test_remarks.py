"""What the user says of answers is in the session file, without a value of the database, and is read back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ehrtui.errors import UsageError
from ehrtui.planning.proposal import Proposal
from ehrtui.session.events import Event, Judged, Marked, Notice
from ehrtui.session.export import remarks_on, to_markdown
from ehrtui.session.remarks import Remarks, sign_of
from ehrtui.session.saved import read_session
from ehrtui.session.stream import EventStream
from ehrtui.session.turn import Turn
from tests.session.test_saved import FIRST, file, lines, turn


def a_turn(number: int = 1, fingerprint: str = "3:ab") -> Turn:
    return Turn(
        number, "who?", "question", "answered", Proposal("who?", "offline"), "", None, (), "rows", ("n",), 3,
        fingerprint, 0.9, 1.0,
    )  # fmt: skip


def test_what_is_said_last_is_read_back_and_shown(tmp_path) -> None:
    said = [
        Judged(1, False, "too few"),
        Judged(2, True),
        Judged(1, True, "after all"),
        Marked(2, "1:00", 1, "done"),
        Marked(2, "1:00", 1, "snoozed", "call *them*"),
        Marked(2, "1:00", 2, "done"),
        Marked(2, "1:00", 2, "open"),
        Judged(9, True),
    ]
    first, *rest = turn(2)
    saved = read_session(file(tmp_path, lines([FIRST, *turn(1), said[0], first, said[1], *rest, *said[2:]])))
    assert len(saved.turns) == 2
    assert [(one.turn, one.right, one.reason) for one in saved.judged] == [(1, True, "after all"), (2, True, "")]
    assert [(one.row, one.state) for one in saved.marked] == [(1, "snoozed")]
    assert remarks_on(saved, 2) == ["Said to be right.", "Row 1: snoozed, call *them*"]
    assert "Row 1: snoozed, call \\*them\\*" in to_markdown(saved)
    assert sign_of(saved.marked[0]) == "z"


def test_a_remark_is_of_the_rows_that_there_were() -> None:
    told: list[Event] = []
    stream = EventStream(None)
    stream.subscribe(told.append)
    remarks = Remarks(stream)
    one = a_turn()
    remarks.mark(one, 2, "done")
    remarks.mark(one, 2, note="  said \n twice ")
    assert remarks.marked(one)[2] == Marked(1, "3:ab", 2, "done", "said twice")
    assert remarks.marked(replace(one, fingerprint="2:cd")) == {}
    with pytest.raises(UsageError, match="no row 4"):
        remarks.mark(one, 4, "done")
    remarks.judge(one, None)
    assert remarks.judged(one) is None
    assert not any(isinstance(event, Notice) for event in told)
    later = Remarks(EventStream(None))
    kept = list(remarks.marked(one).values())
    assert later.take_up(one, [Judged(1, False, "no")], kept) == 0
    assert later.marked(one) == remarks.marked(one)
    assert later.take_up(replace(one, fingerprint="2:cd"), [], kept) == 1
