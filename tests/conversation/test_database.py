"""A database opened with all that it takes to talk about it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.database import Database, open_database
from ehrtui.conversation.today import today
from ehrtui.engines.opening import open_engine
from ehrtui.errors import Cancelled, QueryCancelled


def opened(path: Path, state: Path) -> Database:
    return open_database(str(path), now=None, profile=None, planner="offline", state=state)


def names(state: Path) -> list[Path]:
    return list(state.rglob("*.names"))


def test_the_names_are_collected_once_for_all_who_open_it(mimic_path: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    for _ in range(2):
        database = opened(mimic_path, state)
        assert database.planner.names("furo", 1)[0].name == "furosemide"
        database.close()
        [file] = names(state)
        assert file.parent.parent == state / "prepared"


def test_closing_it_stops_what_collects_names(mimic_path: Path, tmp_path: Path) -> None:
    database = opened(mimic_path, tmp_path / "state")
    database.runner.close()
    database.leaving.set()  # as closing does first, while the engine is still open
    with pytest.raises((Cancelled, QueryCancelled)):
        database.planner.prepare()
    assert names(tmp_path / "state") == []
    database.close()


def test_a_planner_is_made_once_and_does_as_it_says(mimic_path: Path, tmp_path: Path) -> None:
    database = opened(mimic_path, tmp_path / "state")
    planner = database.planner
    assert planner.name == "offline"
    proposal = planner.propose("how many patients had furosemide?", ())
    assert proposal.logic
    assert planner.propose_logic(proposal.logic, ()).sql == proposal.sql
    assert len(planner.examples(3)) == 3
    database.close()


def test_a_table_that_is_long_in_reading_does_not_hold_up_the_opening_and_that_is_said(
    mimic_path: Path, tmp_path: Path
) -> None:
    whole = opened(mimic_path, tmp_path / "state")
    assert today(whole.engine, whole.profile, whole.engine.schema(), seconds=0.0) == (whole.now, "")
    with closing(sqlite3.connect(mimic_path)) as connection:
        connection.executescript(
            "ALTER TABLE labevents RENAME TO few;"
            "CREATE VIEW labevents AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
            "LIMIT 1000000000000) SELECT few.*, n.i FROM few, n;"
        )
    with closing(open_engine(str(mimic_path))) as engine:
        for seconds in (0.5, 0.0):  # where nothing is read in time, small tables tell it
            now, doubt = today(engine, whole.profile, engine.schema(), seconds=seconds)
            assert now == "2105-12-28 23:59:00" < whole.now
            for said in ("labevents", now[:10], "--now"):
                assert said in doubt
    assert not [notice for notice in whole.notices if "--now" in notice]
    whole.close()
