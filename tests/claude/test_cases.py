"""Approved cases of the memory, as a language model is told of them: with their query logic and their SQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.conversation.database import memory_path
from ehrtui.memory.case import APPROVED, Case, Source
from ehrtui.memory.store import CaseStore
from ehrtui.planning.claude.approach import Approach, Part
from tests.claude import models
from tests.claude.conftest import Talking
from tests.claude.server import in_turn

SOURCE = Source(f"{APPROVED}a session", "2026-01-01")
BOTH = Case("how many souls swallowed <drug>", "count patients with prescription <drug>")
OF_ONE = Case("how often was <patient> given <drug>", "count of (prescription <drug> for patient <patient>)")
TIMED = Case("how many souls swallowed <drug> <time>", "count patients with prescription <drug> <time>")
IN_SQL = Case("how often was <drug> swallowed", sql="SELECT COUNT(*) FROM prescriptions WHERE drug = <drug>")


@pytest.mark.parametrize(
    ("case", "without", "told", "not_told"),
    [
        (BOTH, (), ("    Logic: count patients with prescription <drug>", "    SQL: ", "drug = '<drug>'"), ()),
        (BOTH, ("logic",), ("    SQL: ", "drug = '<drug>'"), ("    Logic: ",)),
        (OF_ONE, (), ("    SQL: ", "subject_id = <patient>"), ("970000001",)),
        (TIMED, (), ("    Logic: count patients with prescription <drug> <time>",), ("    SQL: ",)),
        (IN_SQL, (), ("    SQL: SELECT COUNT(*) FROM prescriptions WHERE drug = <drug>",), ("    Logic: ",)),
        (BOTH, ("memory",), (), ("Similar questions",)),
    ],
)
def test_a_case_is_told_with_its_sql(
    talking: Talking,
    tmp_path: Path,
    case: Case,
    without: tuple[Part, ...],
    told: tuple[str, ...],
    not_told: tuple[str, ...],
) -> None:
    with talking(in_turn(models.sql(models.COUNT)), approach=Approach(without=frozenset(without))) as scene:
        CaseStore(memory_path(tmp_path / "state")).add(scene.conversation.profile.name, [(case, SOURCE)])
        scene.conversation.ask("how many souls gobbled aspirin?")
        message = scene.server.requests[0]["messages"][0]["content"]
    assert [one for one in told if one not in message] == []
    assert [one for one in not_told if one in message] == []
