"""The five-patient EHR, built once a module, and a planner that remembers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ehrtui.conversation.database import Database, open_database
from tests import small_mimic
from tests.small_mimic import NOW


@pytest.fixture(scope="module")
def ehr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_mimic.build(tmp_path_factory.mktemp("ehr") / "small.sqlite")


@pytest.fixture
def opened(ehr: Path, tmp_path: Path) -> Iterator[Callable[..., Database]]:
    """Opens the EHR, or another database, with the memory in `tmp_path`; closed at the end."""
    databases: list[Database] = []

    def make(path: Path = ehr, memory: bool = True) -> Database:
        database = open_database(str(path), now=NOW, profile=None, planner="offline", state=tmp_path, memory=memory)
        databases.append(database)
        return database

    yield make
    for database in databases:
        database.close()
