"""Names, notes and places of turns: the last of each counts, is read back, and can be taken back."""

from __future__ import annotations

from ehrtui.session.events import Event, Labelled
from ehrtui.session.export import remarks_on
from ehrtui.session.labels import Labels
from ehrtui.session.saved import read_session
from ehrtui.session.stream import EventStream
from tests.session.test_saved import FIRST, file, lines, turn


def test_labels_are_read_back_as_they_stood_last(tmp_path) -> None:
    first, *rest = turn(2)
    said = [
        Labelled(1, "base"),
        Labelled(2, away=True),
        Labelled(1, "base", "look again", True),
        Labelled(2),
        Labelled(9),
    ]
    saved = read_session(file(tmp_path, lines([FIRST, *turn(1), said[0], first, *rest, *said[1:]])))
    assert saved.labels == (Labelled(1, "base", "look again", True),)
    assert remarks_on(saved, 1) == ["Name: base", "Note: look again", "Pinned."]
    labels = Labels(EventStream(None))
    labels.take_up(1, saved.labels)
    labels.take_up(2, saved.labels)
    assert (labels.of(1), labels.of(2), labels.can_undo) == (said[2], Labelled(2), False)


def test_each_change_is_told_once_and_taken_back_in_turn() -> None:
    told: list[Event] = []
    stream = EventStream(None)
    stream.subscribe(told.append)
    labels = Labels(stream)
    labels.name(1, " two\n words ")
    labels.name(1, "two words")
    labels.put_away(2)
    labels.pin(1)
    assert told == [
        Labelled(1, "two words"),
        Labelled(2, away=True),
        Labelled(1, "two words", pinned=True),
    ]
    assert labels.away == {2}
    assert [labels.undo(), labels.undo(), labels.undo(), labels.undo()] == [1, 2, 1, None]
    assert labels.of(1) == Labelled(1)
    assert not labels.away


def test_what_is_folded_away_stays_so_when_a_change_is_taken_back() -> None:
    labels = Labels(EventStream(None))
    labels.pin(1)
    labels.fold(1)
    assert (labels.undo(), labels.of(1)) == (1, Labelled(1, folded=True))
    labels.fold(1)
    assert not labels.can_undo
    assert labels.of(1) == Labelled(1)
