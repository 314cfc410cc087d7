"""The five-patient EHR with a reader of it, and the shipped library."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ehrtui.concepts.library import Library, open_library
from ehrtui.schema.profile import Profile, read_profile
from tests import small_mimic

PROFILES = Path(__file__).parents[2] / "ehrtui" / "schema" / "profiles"
Read = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with closing(open_library(tmp_path_factory.mktemp("state"))) as opened:
        yield opened


@pytest.fixture(scope="session")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    path = small_mimic.build(tmp_path_factory.mktemp("ehr") / "small.sqlite")
    with closing(sqlite3.connect(path)) as connection:
        yield lambda query: connection.execute(query).fetchall()


@pytest.fixture
def mimic() -> Profile:
    return read_profile(PROFILES / "mimic_iii_ehrsql.toml")
