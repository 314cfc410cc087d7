from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.demo.build import build


def quiet(doing: str, share: float) -> None:
    """Progress that nobody watches."""


def never() -> bool:
    """Nobody cancels."""
    return False


@pytest.fixture(scope="package")
def demo_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo database of 60 patients; do not write to it."""
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build(path, patients=60, seed=0, progress=quiet, cancelled=never)
    return path


@pytest.fixture
def demo(demo_path: Path) -> Iterator[sqlite3.Connection]:
    """The 60 patients, to be read."""
    with closing(sqlite3.connect(f"{demo_path.as_uri()}?mode=ro", uri=True)) as connection:
        yield connection
