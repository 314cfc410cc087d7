"""A planner over the five-patient EHR, for questions that only read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ehrtui.concepts.library import Library, open_library
from ehrtui.concepts.meaning import Meanings
from ehrtui.engines.opening import open_engine
from ehrtui.logic.algebra.concepts import NO_CONCEPTS
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.schema.detection import load_profile
from tests import small_maternity, small_mimic


@contextmanager
def planner_of(path: Path, now: str, library: Library | None = None) -> Iterator[OfflinePlanner]:
    """A planner over the database at `path`, by the profile that is detected; it knows the concepts of the `library`,
    or none."""
    engine = open_engine(str(path))
    schema = engine.schema()
    profile = load_profile(schema, engine.read)
    yield OfflinePlanner(
        schema=schema,
        profile=profile,
        now=now,
        read=engine.read,
        concepts=Meanings(lambda: library, profile) if library else NO_CONCEPTS,
        library=lambda: library,
    )
    engine.close()


@pytest.fixture(scope="module")
def ehr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the five-patient EHR, for all tests of a module."""
    return small_mimic.build(tmp_path_factory.mktemp("ehr") / "small.sqlite")


@pytest.fixture(scope="module")
def planner(ehr: Path) -> Iterator[OfflinePlanner]:
    """The planner over it."""
    with planner_of(ehr, small_mimic.NOW) as planner:
        yield planner


@pytest.fixture(scope="module")
def maternity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the maternity wards, for all tests of a module."""
    return small_maternity.build(tmp_path_factory.mktemp("maternity") / "small.db")


@pytest.fixture(scope="module")
def knowing(maternity: Path) -> Iterator[OfflinePlanner]:
    """The planner over the wards of a maternity hospital, with the shipped concepts."""
    with planner_of(maternity, small_maternity.NOW, open_library(maternity.parent)) as planner:
        yield planner
