"""Fixtures that every room's tests share."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import small_mimic, spark_server
from tests.postgres_server import Server, programs, running

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation


# One change, one verdict: `make test` draws the same examples each time, and `make fuzz` draws new ones, many more.
# How long an example takes says how busy the machine is.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("fixed", derandomize=True, database=None, **UNTIMED)
settings.register_profile("fuzz", max_examples=2000, **UNTIMED)
settings.load_profile("fixed")


# A suite that was started in the background inherits an ignored Ctrl-C and would pass that on to the programs it tests.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Half as many workers again as there are cores: screens and processes wait a third of their time."""
    return (os.cpu_count() or 1) * 3 // 2 or 1


@pytest.fixture(scope="session", autouse=True)
def shipped_concepts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path | None], None]]:
    """Puts the file of the shipped concepts where ehrtui would write it with this state: it is the same for all tests,
    and half a second's work. In this process it is put there whenever it is looked for."""
    from ehrtui.concepts import library
    from ehrtui.paths import make_private

    find, kept = library.cache_directory, tmp_path_factory.mktemp("shelf")
    library.shipped_shelf(kept).close()
    [file] = (kept / "concepts").iterdir()

    def put(state: Path | None) -> None:
        folder = find("concepts", state)
        if not folder.exists():
            shutil.copyfile(file, make_private(folder) / file.name)

    def found(part: str, state: Path | None) -> Path:
        with suppress(OSError):
            put(state)
        return find(part, state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "cache_directory", found)
        yield put


@pytest.fixture
def mimic_path(tmp_path: Path) -> Path:
    """A file of its own with the five-patient EHR that `tests/small_mimic.py` describes."""
    return small_mimic.build(tmp_path / "small_mimic.sqlite")


@pytest.fixture
def conversation(mimic_path: Path, tmp_path: Path) -> Iterator[Conversation]:
    """A saved conversation at `small_mimic.NOW`; its session file lies below tmp_path / "state"."""
    from ehrtui.conversation.start import start  # here, so that tests without one do not load it

    opened = start(str(mimic_path), now=small_mimic.NOW, state=tmp_path / "state")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server of the tests' own, started once."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'ehrtui[postgres]'")
    if programs() is None:
        pytest.skip("PostgreSQL is skipped: its programs (initdb, pg_ctl) are not installed")
    with running() as server:
        yield server


@pytest.fixture(scope="session")
def spark() -> Iterator[spark_server.SparkServer]:
    """A Spark Connect server of the tests' own, started once."""
    pytest.importorskip("pyspark", reason="Spark is skipped: pyspark is not installed (make test-spark)")
    if spark_server.program() is None:
        pytest.skip("Spark is skipped: only its client is installed, and no server (make test-spark)")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark is skipped: there is no Java, which its server needs (make test-spark)")
    with spark_server.running() as server:
        yield server
