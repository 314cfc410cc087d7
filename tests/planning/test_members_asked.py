"""Which drugs of a family somebody got: their names, and not who got any of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.settings import DEFAULTS

ALL = {"Amoxicillin", "Gentamicin", "Cefalexin"}
OF_ONE = {"Amoxicillin", "Cefalexin"}
"""What the one who was over 33 got; the other got amoxicillin and gentamicin."""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("which antibiotics did women get?", ALL),
        ("what antibiotics were women on?", ALL),
        ("which antibiotics have women over 33 received?", OF_ONE),
        ("which antibiotics did women get most often?", ALL),
        ("which antibiotics did women over 33 get most often?", OF_ONE),
        ("which two antibiotics were given most often?", {"Amoxicillin", "Gentamicin"}),
    ],
)
def test_members_of_a_family_are_told(knowing: OfflinePlanner, maternity: Path, question: str, names: set[str]) -> None:
    proposal = knowing.propose(question, ())
    assert proposal.confidence >= DEFAULTS.threshold, proposal.logic
    assert proposal.sql is not None
    with closing(sqlite3.connect(maternity)) as connection:
        rows = connection.execute(proposal.sql).fetchall()
    assert {value for row in rows for value in row if isinstance(value, str) and value.istitle()} == names, (
        proposal.logic
    )


def test_who_got_any_of_a_family_is_told_by_who_they_are(knowing: OfflinePlanner) -> None:
    for question in ("which patients got antibiotics?", "which women were on antibiotics?"):
        assert (knowing.propose(question, ()).logic or "").startswith("patients"), question
