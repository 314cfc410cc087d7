"""A figure of some set against the same figure of others."""

from __future__ import annotations

import pytest

from ehrtui.logic.algebra.render import render_statement
from ehrtui.planning.offline.words import read
from ehrtui.planning.reader.every_way import EveryWay
from ehrtui.trust.estimator import shipped_estimator
from tests.planning.reader.hospital import Hospital


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "number of patients on furosemide compared with aspirin",
            'count of (patients with prescription "furosemide"), count of (patients with prescription "aspirin")',
        ),
        (
            "mortality of patients on furosemide versus those on aspirin",
            'percent (with deaths) of (patients with prescription "furosemide"), '
            'percent (with deaths) of (patients with prescription "aspirin")',
        ),
        (
            "mean los, emergency vs elective admissions",  # no stay in the emergency department
            'mean length of hospital stays where admission type in ("emergency", "elective") by admission type',
        ),
    ],
)
def test_both_are_told(hospital: Hospital, question: str, logic: str) -> None:
    ways = EveryWay(hospital.world, "offline", shipped_estimator())
    found = render_statement(ways.readings(read(question))[0].statement)
    assert found == logic
