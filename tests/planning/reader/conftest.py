"""The world of the five-patient EHR, for readings of questions alone, without the older reading of marks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.lexicon import lexicon_of
from ehrtui.planning.reader.world import World
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from tests import small_mimic
from tests.planning.reader.hospital import Hospital


@pytest.fixture(scope="package")
def ehr_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_mimic.build(tmp_path_factory.mktemp("ehr") / "small.sqlite")


@pytest.fixture(scope="package")
def world(ehr_path: Path) -> Iterator[World]:
    engine = open_engine(str(ehr_path))
    profile = load_profile(engine.schema(), engine.read)
    yield World(profile, build_value_index(profile, engine.read), lexicon_of(profile), small_mimic.NOW, None)
    engine.close()


@pytest.fixture(scope="package")
def hospital(ehr_path: Path) -> Iterator[Hospital]:
    one = Hospital(ehr_path)
    yield one
    one.engine.close()
