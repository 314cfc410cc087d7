"""Questions whose words have a nearer meaning than the one asked for: each is read as the logic beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.logic.compile import compile_logic, flat_sql
from ehrtui.logic.parse import parse
from ehrtui.planning.offline.planner import OfflinePlanner
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile
from tests import small_mimic


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    opened = open_engine(str(small_mimic.build(tmp_path_factory.mktemp("small") / "mimic.sqlite")))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def profile(engine: Engine) -> Profile:
    return load_profile(engine.schema(), engine.read)


@pytest.fixture(scope="module")
def planner(engine: Engine, profile: Profile) -> OfflinePlanner:
    return OfflinePlanner(schema=engine.schema(), profile=profile, now=small_mimic.NOW, read=engine.read)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        # survival over months
        ("which three diseases have the highest 18-month mortality?", "top 3 diagnosis by mortality over 18 months"),
        ("name the 2 diagnoses that show the lowest two-month survival rate",
         "top 2 diagnosis by mortality over 2 months"),
        ("what is the six-month survival rate of patients diagnosed with chf nos?",
         'survival over 6 months after diagnosis "chf nos"'),
    ],
)  # fmt: skip
def test_a_question_is_understood(planner: OfflinePlanner, question: str, logic: str) -> None:
    proposal = planner.propose(question, [])
    assert proposal.logic == logic
    assert proposal.reason == ""
    assert proposal.unexplained == ()
    assert proposal.confidence >= 0.7


# Diagnosed: 101 in 2103, 102 in 2104, who died after 15 days, 104 in May 2105, less than a year before now.
@pytest.mark.parametrize(
    ("counted", "logic", "share"),
    [
        ("percent", 'survival over 6 months after diagnosis "chf nos"', 66),
        ("percent", 'mortality over 6 months after diagnosis "chf nos"', 34),
        ("percent", 'survival over 12 months after diagnosis "chf nos"', 50),
        ("percent", 'survival over 2 weeks after diagnosis "chf nos"', 100),
        ("fraction", 'survival over 6 months after diagnosis "chf nos"', 2 / 3),
        ("fraction", 'mortality over 6 months after diagnosis "chf nos"', 1 / 3),
    ],
)
def test_survival_is_counted_as_the_profile_says(
    engine: Engine, profile: Profile, counted: str, logic: str, share: float
) -> None:
    steps = compile_logic(parse(logic), replace(profile, survival=counted), now=small_mimic.NOW, turns={})
    assert engine.read(flat_sql(steps)) == [(pytest.approx(share),)]
