"""Nothing that was read from rows is in a session file: hostile plans run over two databases that differ in every cell,
and what is saved must be the same, byte for byte, but for hashes, times and the session's name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, open_database
from ehrtui.conversation.start import new_log
from ehrtui.session.replay import replay
from ehrtui.session.saved import read_session
from ehrtui.session.turn import Kind
from tests.session import hostile

_MAY_DIFFER = ("ms", "elapsed_ms", "session", "created", "fingerprint", "sql_hash", "plan_hash")
QUESTIONS = ("how many patients are there?", "the ward of patient zzyzx", "who is called Xqwopl?", "give me the secret")


def turns() -> Iterator[tuple[str, Kind]]:
    """All hostile turns, in order; those that build on one name its number."""
    number = 0
    for plan in hostile.SQL_OF_VALUES:
        number += 1
        yield plan, "plan"
    for plan in hostile.ANSWERS_OF_VALUES:
        number += 1
        yield plan, "plan"
        source = number
        for sql in hostile.BUILDING_ON_THEM:
            number += 1
            yield sql.format(n=source), "sql"
    for plan in hostile.COLUMNS_OF_VALUES:
        number += 1
        yield plan, "plan"
        source = number
        for text, kind in hostile.NAMING_THEM:
            number += 1
            yield text.format(n=source, last=number - 1), kind
    for step in hostile.ERRORS_OF_VALUES:
        yield f"x = 1\n{step}\nanswer = 1", "plan"
    for sql in hostile.OWN_SQL:
        yield sql, "sql"
    for question in QUESTIONS:
        yield question, "question"


@dataclass(frozen=True)
class Held:
    """A session that was held over `database`, with the repairs of the rubber duck or without."""

    database: Path
    session: Path

    @property
    def text(self) -> str:
        return self.session.read_text()

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


def opened(path: Path, state: Path) -> Database:
    return open_database(str(path), now=hostile.NOW, profile=None, planner="offline", state=state)


def held(folder: Path, seed: int, *, repair: bool) -> Held:
    state = folder / f"state{seed}"
    path = hostile.build(folder / f"of{seed}" / "h.sqlite", seed)
    with closing(opened(path, state)) as database:
        log = new_log(database, state)
        with closing(Conversation(database, threshold=0.7, log=log, repair=repair)) as conversation:
            for text, kind in turns():
                conversation.run(conversation.propose(text, kind))
    return Held(path, log.path)


@pytest.fixture(scope="module", params=[False, True], ids=["as it is", "repaired"])
def two(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Held, Held]:
    """The same turns over two databases."""
    folder = tmp_path_factory.mktemp("leaks")
    (folder / "of1").mkdir()
    (folder / "of2").mkdir()
    return held(folder, 1, repair=request.param), held(folder, 2, repair=request.param)


def test_there_are_plans_enough() -> None:
    assert len(list(turns())) >= 110
    assert len(set(turns())) == len(list(turns()))


def test_no_cell_is_in_the_file_however_it_is_spelled(two: tuple[Held, Held]) -> None:
    for each in two:
        text = hostile.bare(each.text)
        cells = hostile.cells(each.database)
        assert len(cells) >= 80
        found = {(cell, way) for cell in cells for way in hostile.spelled(cell) if way in text}
        assert found == set()


def test_what_is_saved_is_the_same_over_any_data(two: tuple[Held, Held]) -> None:
    one, other = ([{k: v for k, v in event.items() if k not in _MAY_DIFFER} for event in held.events] for held in two)
    assert one == other


def test_what_was_not_saved_is_restored_by_running_the_plan(two: tuple[Held, Held], tmp_path: Path) -> None:
    saved = read_session(two[0].session)
    with (
        closing(opened(two[0].database, tmp_path)) as database,
        closing(Conversation(database, threshold=0.0)) as fresh,
    ):
        outcomes = {comparison.outcome for comparison in replay(saved, fresh)}
        assert outcomes == {"same", "skipped"}  # a question about a turn without rows had nothing to run
        for turn, text in zip(fresh.turns, hostile.SQL_OF_VALUES, strict=False):
            assert turn.plan == text
            assert turn.statement is not None
    with (
        closing(opened(two[1].database, tmp_path)) as database,
        closing(Conversation(database, threshold=0.0)) as fresh,
    ):
        assert "different" in {comparison.outcome for comparison in replay(saved, fresh)}
