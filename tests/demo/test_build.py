from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from ehrtui.demo.build import build, cached
from ehrtui.errors import Cancelled, DatabaseError, UsageError
from tests.demo.conftest import never, quiet


def content(path: Path) -> str:
    """A hash of every row of every table."""
    with closing(sqlite3.connect(path)) as connection:
        return hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()


def make(path: Path, patients: int = 3, seed: int = 0) -> Path:
    build(path, patients=patients, seed=seed, progress=quiet, cancelled=never)
    return path


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_the_same_seed_gives_the_same_rows(tmp_path: Path) -> None:
    assert content(make(tmp_path / "one.sqlite")) == content(make(tmp_path / "two.sqlite"))


def test_another_process_with_other_string_hashes_gives_the_same_rows(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ehrtui.demo.build import build;"
        "build(Path(sys.argv[1]), patients=3, seed=0, progress=lambda doing, share: None, cancelled=lambda: False)"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "other.sqlite")], check=True, env=environment)
    assert content(make(tmp_path / "one.sqlite")) == content(tmp_path / "other.sqlite")


def test_another_seed_gives_other_rows(tmp_path: Path) -> None:
    assert content(make(tmp_path / "one.sqlite")) != content(make(tmp_path / "two.sqlite", seed=1))


def test_a_larger_demo_begins_with_the_same_patients(tmp_path: Path) -> None:
    query = "SELECT * FROM admissions WHERE subject_id < 10004 ORDER BY row_id"
    found = []
    for patients in (3, 8):
        with closing(sqlite3.connect(make(tmp_path / f"{patients}.sqlite", patients))) as connection:
            found.append(connection.execute(query).fetchall())
    assert found[0] == found[1] != []


def test_progress_rises_to_the_whole(tmp_path: Path) -> None:
    shares: list[float] = []
    build(tmp_path / "demo.sqlite", patients=25, progress=lambda doing, share: shares.append(share), cancelled=never)
    assert shares == sorted(shares)
    assert len(shares) > 2
    assert shares[-1] == 1.0


def test_a_cancelled_build_leaves_nothing(tmp_path: Path) -> None:
    calls = count()
    with pytest.raises(Cancelled):
        build(tmp_path / "demo.sqlite", patients=50, progress=quiet, cancelled=lambda: next(calls) == 20)
    assert files_below(tmp_path) == []


def test_a_cancelled_rebuild_keeps_the_old_file(tmp_path: Path) -> None:
    path = make(tmp_path / "demo.sqlite")
    before = path.read_bytes()
    with pytest.raises(Cancelled):
        build(path, patients=3, seed=1, progress=quiet, cancelled=lambda: True)
    assert path.read_bytes() == before
    assert files_below(tmp_path) == [path]


@pytest.mark.parametrize("patients", [0, -1, 100_001])
def test_an_impossible_number_of_patients_is_refused(tmp_path: Path, patients: int) -> None:
    with pytest.raises(UsageError, match="--patients"):
        make(tmp_path / "demo.sqlite", patients)
    assert files_below(tmp_path) == []


def test_a_folder_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("not a folder")
    with pytest.raises(DatabaseError, match="--state"):
        make(tmp_path / "taken" / "demo.sqlite")


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
def test_a_full_disk_is_a_clear_error_and_leaves_nothing(tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from pathlib import Path
from ehrtui.demo.build import build
from ehrtui.errors import DatabaseError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    build(Path(sys.argv[1]), patients=100, progress=lambda doing, share: None, cancelled=lambda: False)
except DatabaseError as error:
    print(error.what, error.why, error.next_step)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "demo.sqlite")], capture_output=True, text=True, check=True
    )
    assert "could not be built" in ran.stdout
    assert "--state" in ran.stdout
    assert files_below(tmp_path) == []


def cached_at(state: Path, *, seed: int = 0, rebuild: bool = False) -> tuple[Path, bool]:
    """The cached demo of three patients, and whether it was built for this."""
    shares: list[float] = []
    path = cached(
        3,
        seed=seed,
        rebuild=rebuild,
        state=state,
        progress=lambda doing, share: shares.append(share),
        cancelled=never,
    )
    return path, bool(shares)


def test_the_cache_is_built_once(tmp_path: Path) -> None:
    path, built = cached_at(tmp_path)
    assert built
    assert path.parent == tmp_path / "demo"
    assert cached_at(tmp_path) == (path, False)


def test_each_seed_has_its_own_cache(tmp_path: Path) -> None:
    assert cached_at(tmp_path)[0] != cached_at(tmp_path, seed=1)[0]


def test_the_cache_is_rebuilt_on_demand(tmp_path: Path) -> None:
    cached_at(tmp_path)
    assert cached_at(tmp_path, rebuild=True)[1]


def test_what_a_killed_build_left_behind_is_removed_a_day_later(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    old, recent = folder / ".demo-200-0-old.part", folder / ".demo-200-0-recent.part"
    for part in (old, recent):
        part.write_text("unfinished")
    os.utime(old, (0, 0))
    path, _ = cached_at(tmp_path)
    assert sorted(files_below(tmp_path)) == sorted([path, recent])


@pytest.mark.parametrize("keep", [0, 50, 4096, -4096])
def test_a_truncated_cache_is_rebuilt(tmp_path: Path, keep: int) -> None:
    path, _ = cached_at(tmp_path)
    whole = content(path)
    path.write_bytes(path.read_bytes()[:keep])
    assert cached_at(tmp_path) == (path, True)
    assert content(path) == whole


def test_a_file_that_is_no_database_is_rebuilt(tmp_path: Path) -> None:
    path, _ = cached_at(tmp_path)
    path.write_text("not a database at all " * 1000)
    assert cached_at(tmp_path) == (path, True)


def test_two_processes_that_build_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ehrtui.demo.build import cached;"
        "print(cached(30, state=Path(sys.argv[1]), progress=lambda doing, share: None, cancelled=lambda: False))"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    paths = {process.communicate()[0].strip() for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert [str(path) for path in files_below(tmp_path)] == list(paths)
    assert content(Path(paths.pop())) == content(make(tmp_path / "alone.sqlite", 30))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ehrtui.demo.build import build;"
        "build(Path(sys.argv[1]), patients=100_000, progress=lambda doing, share: print(share, flush=True),"
        " cancelled=lambda: False)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "demo.sqlite")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode != 0
    assert files_below(tmp_path) == []
