"""How long a stay on a ward is: that stay, and not the one in the hospital of those who were there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.settings import DEFAULTS
from tests import small_hospital
from tests.planning.answers import found
from tests.planning.conftest import planner_of


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_hospital.build(tmp_path_factory.mktemp("wards") / "small.db")


@pytest.fixture(scope="module")
def ward_planner(hospital: Path) -> Iterator[OfflinePlanner]:
    with planner_of(hospital, small_hospital.NOW) as planner:
        yield planner


@pytest.mark.parametrize(
    "question",
    [
        "how many hours does a stay on Larch Ward take on average?",
        "On average how many hours do patients spend on the Larch Ward?",
        "how long were people kept on Larch Ward on average, in hours?",
        "mean time on Larch Ward in hours",
    ],
)
def test_the_time_there_is_asked_for(ward_planner: OfflinePlanner, hospital: Path, question: str) -> None:
    proposal = ward_planner.propose(question, ())
    assert proposal.confidence >= DEFAULTS.threshold, proposal.logic
    stays = "AVG(julianday(out_dt) - julianday(in_dt)) * 24 FROM ward_trf WHERE ward_cd = 'W7'"
    [(hours,)] = found(hospital, proposal.sql or "")
    assert hours == pytest.approx(found(hospital, f"SELECT {stays}")[0][0]), proposal.logic


def test_the_stay_of_those_who_were_there_is_the_whole(ward_planner: OfflinePlanner, hospital: Path) -> None:
    proposal = ward_planner.propose("mean length of hospital stay of patients who were on Larch Ward", ())
    spells = "AVG(julianday(dis_dt) - julianday(adm_dt)) FROM hosp_spell"  # all three of which began there
    [(days,)] = found(hospital, proposal.sql or "")
    assert days == pytest.approx(found(hospital, f"SELECT {spells}")[0][0]), proposal.logic
