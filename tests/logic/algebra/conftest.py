"""The made-up patients in two schemas, each with its profile, built once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.algebra.parse import read_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile
from tests import made_hospital


@dataclass(frozen=True)
class Database:
    """A database, open for reading, and its profile."""

    connection: sqlite3.Connection
    profile: Profile
    now: str = made_hospital.NOW

    def rows(self, logic: str) -> list[tuple[Any, ...]]:
        """The rows of a statement in words."""
        statement, places = read_statement(logic)
        return self.fetch(flat_sql(compile_statement(statement, self.profile, now=self.now, turns={}, places=places)))

    def fetch(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of an SQL statement."""
        return self.connection.execute(sql).fetchall()


def opened(path: Path) -> Database:
    """The database of a file with the profile that is found for it."""
    engine = open_engine(str(path))
    profile = load_profile(engine.schema(), None)
    engine.close()
    return Database(sqlite3.connect(f"file:{path}?mode=ro", uri=True), profile)


def _fixture(build: Callable[[Path], Path]) -> Callable[..., Any]:
    @pytest.fixture(scope="session")
    def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
        return opened(build(tmp_path_factory.mktemp("made") / "made.sqlite"))

    return database


native = _fixture(made_hospital.build)
units = _fixture(made_hospital.build_units)
