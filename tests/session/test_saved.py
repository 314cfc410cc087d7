from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import SessionError
from ehrtui.session.events import (
    Answered,
    Event,
    Failed,
    PlanEdited,
    PlanProposed,
    QuestionAsked,
    SessionNamed,
    SessionStarted,
    to_json,
)
from ehrtui.session.log import FORMAT
from ehrtui.session.saved import SavedSession, Unreadable, find_session, read_session, saved_sessions

FIRST = SessionStarted(FORMAT, "s", "a.sqlite", "f00", "generic", "2105-12-31 23:59:00", "offline", "2026-01-01")


def turn(number: int) -> list[Event]:
    return [
        QuestionAsked(number, f"question {number}", "question"),
        PlanProposed(number, "offline", "answer = 1", None, None, 0.9),
        Answered(number, ("n",), 1, "1:00", "SELECT 1", "SELECT 1", 0.9, 1.0),
    ]


def lines(events: list[Event]) -> bytes:
    return b"".join(json.dumps(to_json(event)).encode() + b"\n" for event in events)


def file(directory: Path, content: bytes, name: str = "s.jsonl") -> Path:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_turns_come_back_in_order(tmp_path: Path) -> None:
    saved = read_session(file(tmp_path, lines([FIRST, *turn(1), *turn(2)])))
    assert saved.started == FIRST
    assert [each.asked.text for each in saved.turns] == ["question 1", "question 2"]
    assert saved.notices == ()


def test_the_plan_that_ran_is_that_of_the_last_edit(tmp_path: Path) -> None:
    asked, proposed, end = turn(1)
    edits: list[Event] = [PlanEdited(1, "sql", "SELECT 2", "two"), PlanEdited(1, "plan", "three", "three")]
    saved = read_session(file(tmp_path, lines([FIRST, asked, proposed, *edits, end])))
    assert saved.turns[0].plan == "three"


def test_every_way_to_tear_the_last_turn_keeps_the_turns_before(tmp_path: Path) -> None:
    whole, last = lines([FIRST, *turn(1)]), lines(turn(2))
    for cut in range(len(last)):
        saved = read_session(file(tmp_path, whole + last[:cut]))
        finished = 2 if cut >= len(last) - 1 else 1
        assert len(saved.turns) == finished
        assert bool(saved.notices) == (0 < cut < len(last) - 1)


def test_a_turn_that_was_run_again_counts_as_it_ran_last(tmp_path: Path) -> None:
    again = [turn(1)[0], PlanProposed(1, "user", "answer = 2", None, None, 1.0), turn(1)[2]]
    saved = read_session(file(tmp_path, lines([FIRST, *turn(1), *turn(2), *again])))
    assert [each.plan for each in saved.turns] == ["answer = 2", "answer = 1"]
    assert [each.number for each in saved.runs] == [1, 2, 1]


def test_a_run_that_was_cancelled_leaves_the_turn_as_it_was(tmp_path: Path) -> None:
    asked, proposed, _ = turn(1)
    cancelled = Failed(1, "Cancelled", "", 1.0)
    saved = read_session(file(tmp_path, lines([FIRST, *turn(1), asked, proposed, cancelled])))
    assert [each.end for each in saved.turns] == [turn(1)[2]]
    assert [each.was_cancelled for each in saved.runs] == [False, True]
    never_answered = read_session(file(tmp_path, lines([FIRST, asked, proposed, cancelled])))
    assert never_answered.turns[0].was_cancelled


def test_an_unfinished_run_of_an_earlier_turn_is_left_out(tmp_path: Path) -> None:
    saved = read_session(file(tmp_path, lines([FIRST, *turn(1), *turn(2), turn(1)[0]])))
    assert len(saved.runs) == 2
    assert "earlier turn" in saved.notices[0]


def test_zeros_at_the_end_are_a_torn_line(tmp_path: Path) -> None:
    saved = read_session(file(tmp_path, lines([FIRST, *turn(1)]) + b"\0" * 512))
    assert len(saved.turns) == 1
    assert "torn" in saved.notices[0]


def test_another_format_version_is_named(tmp_path: Path) -> None:
    newer = {**to_json(FIRST), "format": FORMAT + 1}
    newer.pop("fingerprint")
    with pytest.raises(SessionError, match=f"version {FORMAT + 1}"):
        read_session(file(tmp_path, json.dumps(newer).encode() + b"\n"))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"no json\n",
        b"\xff\xfe\n",
        b"[]\n",
        b"{}\n",
        b"[" * 100_000 + b"\n",
        b'{"event":"QuestionAsked","turn":1,"text":"","kind":""}\n',
        lines([FIRST]) + b"garbage\n" + lines(turn(1)),
        lines([FIRST, *turn(2)]),
        lines([FIRST, *turn(1), *turn(3)]),
        lines([FIRST, *turn(1), *turn(0)]),
        lines([FIRST, *turn(1), *turn(2), turn(1)[0], *turn(2)[1:]]),
        lines([FIRST, turn(1)[0], turn(1)[2]]),
        lines([FIRST, turn(1)[1], turn(1)[0], turn(1)[2]]),
        lines([FIRST, FIRST, *turn(1)]),
        b"SQLite format 3\0" + bytes(100) + b"\n",
    ],
)
def test_what_is_no_session_is_refused_with_a_reason(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(SessionError) as caught:
        read_session(file(tmp_path, content))
    assert "s.jsonl is not a session file" in caught.value.what
    assert caught.value.why


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_a_clear_error(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    path = file(tmp_path_factory.mktemp("junk"), junk)
    with pytest.raises(SessionError):
        read_session(path)
    path.write_bytes(lines([FIRST, *turn(1)]) + junk)
    with suppress(SessionError):
        assert len(read_session(path).turns) == 1


def test_a_missing_file_and_a_directory_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.jsonl", tmp_path):
        with pytest.raises(SessionError):
            read_session(path)


def test_sessions_are_found_by_path_id_and_beginning(tmp_path: Path) -> None:
    one = file(tmp_path, lines([FIRST]), "sessions/20260101-000000-aaaaaa.jsonl")
    two = file(tmp_path, lines([FIRST]), "sessions/20260102-000000-bbbbbb.jsonl")
    assert find_session(str(one), None) == one
    assert find_session("20260102-000000-bbbbbb", tmp_path) == two
    assert find_session("20260102", tmp_path) == two
    with pytest.raises(SessionError, match="Several"):
        find_session("202601", tmp_path)
    for nothing in ("1999", "", "*", "../sessions"):
        with pytest.raises(SessionError):
            find_session(nothing, tmp_path)


def test_the_list_begins_with_the_latest_and_names_what_it_cannot_read(tmp_path: Path) -> None:
    file(tmp_path, lines([FIRST, *turn(1)]), "sessions/20260101.jsonl")
    file(tmp_path, b"garbage\n", "sessions/20260102.jsonl")
    later, earlier = saved_sessions(tmp_path)
    assert isinstance(later, Unreadable)
    assert later.why
    assert isinstance(earlier, SavedSession)
    assert len(earlier.turns) == 1
    assert saved_sessions(tmp_path / "nowhere") == []


@pytest.mark.parametrize("number", ["1" + "0" * 400, "-" + "9" * 30, "Infinity", "NaN"])
def test_numbers_beyond_all_bounds_are_refused(tmp_path: Path, number: str) -> None:
    content = lines([FIRST, *turn(1)]).replace(b'"elapsed_ms": 1.0', f'"elapsed_ms": {number}'.encode())
    assert number.encode() in content
    with pytest.raises(SessionError, match="not a session file"):
        read_session(file(tmp_path, content))


def test_a_session_whose_now_is_no_instant_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SessionError) as caught:
        read_session(file(tmp_path, lines([replace(FIRST, now="never"), *turn(1)])))
    assert "instant" in caught.value.why


def test_a_database_in_the_place_of_a_session_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(SessionError) as caught:
        read_session(file(tmp_path, b"SQLite format 3\0" + bytes(100) + b"\n"))
    assert caught.value.why == "It is a SQLite database."
    assert "replay SESSION DB" in caught.value.next_step


def test_a_name_is_that_which_was_given_last_and_files_without_thresholds_are_read(tmp_path: Path) -> None:
    named = [FIRST, SessionNamed("one"), *turn(1)[:1], SessionNamed("two"), *turn(1)[1:]]
    saved = read_session(file(tmp_path, lines(named)))
    assert (saved.name, saved.thresholds, saved.notices) == ("two", "", ())
    asked, *rest = turn(1)
    moved = [FIRST, replace(asked, threshold=0.7), *rest, replace(turn(2)[0], threshold=0.5), *turn(2)[1:]]
    assert read_session(file(tmp_path, lines(moved))).thresholds == "0.50–0.70"
    assert read_session(file(tmp_path, lines(moved[:4]))).thresholds == "0.70"
