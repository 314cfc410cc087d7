"""No value that a plan of the user's put together leaves with what is asked next."""

from __future__ import annotations

from pathlib import Path

from tests.claude import models
from tests.claude.conftest import conversation_with
from tests.session import hostile
from tests.session.test_nothing_leaks import turns


def test_no_cell_leaves_behind_hostile_plans(tmp_path: Path) -> None:
    path = hostile.build(tmp_path / "h.sqlite", 1)
    sent = 0
    with conversation_with(models.good, path, tmp_path / "state", planner="claude", now=hostile.NOW) as scene:
        for number, (text, kind) in enumerate(turns(), start=1):
            scene.conversation.run(scene.conversation.propose(text, kind))
            if number % 8 == 0:
                scene.conversation.run(scene.conversation.ask(f"how many patients are there? {number}"))
                sent += 1
        traffic = hostile.bare(scene.server.traffic)
    assert len(scene.server.bodies) >= sent > 10
    cells = hostile.cells(path)
    assert [cell for cell in cells if any(way in traffic for way in hostile.spelled(cell))] == []
