from __future__ import annotations

import json
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from ehrtui.session.events import Event, Failed, PlanProposed, QuestionAsked, SessionStarted, from_json
from ehrtui.session.log import FORMAT, SessionLog, new_session_id

FIRST = SessionStarted(FORMAT, "s", "a.sqlite", "f00", "generic", "2105-12-31 23:59:00", "offline", "2026-01-01")


def turn(number: int, text: str = "how many?") -> list[Event]:
    proposed = PlanProposed(number, "offline", "", None, None, 0.0)
    return [QuestionAsked(number, text, "question"), proposed, Failed(number, "Cancelled", "", 1.0)]


def write(log: SessionLog, events: list[Event]) -> None:
    for event in events:
        log.write(event)


def saved(path: Path) -> list[Event]:
    return [from_json(json.loads(line)) for line in path.read_bytes().splitlines()]


@contextmanager
def full_disk(at: int) -> Iterator[None]:
    """No file of this process can grow beyond `at` bytes: writes are cut short there, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (at, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_every_event_is_in_the_file_at_once(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "sessions" / "s.jsonl", FIRST)
    written: list[Event] = [FIRST]
    for event in turn(1) + turn(2):
        log.write(event)
        written.append(event)
        assert saved(log.path) == written
    log.close()


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "state" / "sessions" / "s.jsonl", FIRST)
    write(log, turn(1))
    log.close()
    assert log.path.stat().st_mode & 0o777 == 0o600
    assert log.path.parent.stat().st_mode & 0o777 == 0o700


def test_a_session_without_a_turn_leaves_no_file(tmp_path: Path) -> None:
    SessionLog(tmp_path / "s.jsonl", FIRST).close()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "s.jsonl", FIRST)
    write(log, turn(1))
    with full_disk(at=log.path.stat().st_size + 100):
        write(log, turn(2, "a question that is cut in its middle " * 3))
        assert log.problem
        write(log, turn(3))
        assert log.problem
    write(log, turn(4))
    assert log.problem == ""
    log.close()
    assert saved(log.path) == [
        FIRST,
        *turn(1),
        *turn(2, "a question that is cut in its middle " * 3),
        *turn(3),
        *turn(4),
    ]


def test_what_a_full_disk_left_out_is_written_at_the_end(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "s.jsonl", FIRST)
    with full_disk(at=10):
        write(log, turn(1))
        assert log.problem
    log.close()
    assert saved(log.path) == [FIRST, *turn(1)]


def test_a_directory_that_vanished_is_made_again_with_the_whole_session(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "state" / "sessions" / "s.jsonl", FIRST)
    write(log, turn(1))
    shutil.rmtree(tmp_path / "state")
    write(log, turn(2))
    log.close()
    assert log.problem == ""
    assert saved(log.path) == [FIRST, *turn(1), *turn(2)]


def test_where_no_directory_can_be_made_the_reason_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the directory should be")
    log = SessionLog(tmp_path / "state" / "sessions" / "s.jsonl", FIRST)
    write(log, turn(1))
    assert log.problem
    (tmp_path / "state").unlink()
    write(log, turn(2))
    assert log.problem == ""
    log.close()
    assert saved(log.path) == [FIRST, *turn(1), *turn(2)]


def test_another_session_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("of somebody else")
    log = SessionLog(path, FIRST)
    write(log, turn(1))
    log.close()
    assert log.problem
    assert path.read_text() == "of somebody else"


def test_a_question_that_is_no_unicode_is_saved(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "s.jsonl", FIRST)
    write(log, turn(1, "caf\udce9"))
    log.close()
    assert saved(log.path)[1] == QuestionAsked(1, "caf\udce9", "question")


def test_session_ids_sort_by_time_and_do_not_repeat() -> None:
    earlier, later = datetime(2026, 3, 9, 23, 59, 59), datetime(2026, 3, 10)
    assert new_session_id(earlier) < new_session_id(later)
    assert len({new_session_id(later) for _ in range(50)}) == 50
