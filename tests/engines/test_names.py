"""The value index that is kept in the cache, over real files."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from os import utime
from pathlib import Path

import pytest

from ehrtui.cache import seal
from ehrtui.engines.names import kept_value_index
from ehrtui.engines.opening import open_engine
from ehrtui.engines.preparing import prepare
from ehrtui.engines.sqlite import SQLiteEngine
from ehrtui.errors import Cancelled, DatabaseError, QueryCancelled
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from ehrtui.schema.profile import GENERIC
from ehrtui.schema.value_file import index_of, never, write_value_file
from ehrtui.schema.value_index import Entry, ValueIndex
from tests.engines.conftest import write


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "prepared"


def names(path: Path, cache: Path, stopped: Callable[[], bool] = never) -> ValueIndex:
    with closing(open_engine(str(path), cache=cache)) as engine:
        return kept_value_index(engine, load_profile(engine.schema(), engine.read), cache, stopped)


def built(path: Path) -> list[Entry]:
    with closing(open_engine(str(path))) as engine:
        return list(build_value_index(load_profile(engine.schema(), engine.read), engine.read))


def files(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file())


def test_it_is_built_once(mimic_path: Path, cache: Path) -> None:
    first = list(names(mimic_path, cache))
    [file] = files(cache)
    before = file.stat()
    assert list(names(mimic_path, cache)) == first == built(mimic_path)
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX")
def test_only_the_owner_may_read_it(mimic_path: Path, cache: Path) -> None:
    names(mimic_path, cache)
    [file] = files(cache)
    assert [path.stat().st_mode & 0o777 for path in (file, file.parent)] == [0o600, 0o700]


def test_a_kept_index_is_read_without_reading_the_database(
    mimic_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_engine(str(mimic_path), cache=cache)) as engine:
        profile = load_profile(engine.schema(), engine.read)
        first = list(kept_value_index(engine, profile, cache, never))
        monkeypatch.setattr(SQLiteEngine, "read", None)
        assert list(kept_value_index(engine, profile, cache, never)) == first


def test_preparing_keeps_it_too(mimic_path: Path, cache: Path) -> None:
    done = prepare(str(mimic_path), profile=None, cache=cache, progress=lambda *_: None, cancelled=never)
    before = files(cache)
    index = names(mimic_path, cache)
    assert index.names == done.names
    assert set(index) == set(built(mimic_path))
    assert files(cache) == before


def test_a_changed_database_has_another(mimic_path: Path, cache: Path) -> None:
    names(mimic_path, cache)
    [old] = files(cache)
    write(mimic_path, "UPDATE prescriptions SET drug = 'newly stored'")
    assert [one.name for one in names(mimic_path, cache).of(("newly", "stored"))] == ["newly stored"]
    [new] = files(cache)
    assert new != old


def test_another_profile_has_another(mimic_path: Path, cache: Path) -> None:
    names(mimic_path, cache)
    with closing(open_engine(str(mimic_path))) as engine:
        assert list(kept_value_index(engine, GENERIC, cache, never)) == []
    assert len(files(cache)) == 2
    assert list(names(mimic_path, cache)) == built(mimic_path)


def test_another_vocabulary_has_another(mimic_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names(mimic_path, cache)
    monkeypatch.setattr("ehrtui.schema.vocabulary._TABLES", ("abbreviations.tsv", "brands.tsv"))
    names(mimic_path, cache)
    assert len(files(cache)) == 2


def flipped(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def of_other_tables(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE VIEW entry AS SELECT 1 AS form")
    seal(file)


def of_tables_without_rows(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("DELETE FROM size; DELETE FROM role;")
    seal(file)


def no_file(file: Path) -> None:
    file.unlink()
    (file / "folder").mkdir(parents=True)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: file.write_bytes(b""),
    "cut off": lambda file: file.write_bytes(file.read_bytes()[:-5000]),
    "without its end": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "one bit": flipped,
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"\0"),
    "zeros": lambda file: file.write_bytes(b"\0" * 10_000),
    "text": lambda file: file.write_text("{}"),
    "sealed text": lambda file: (file.write_text("{}"), seal(file)),
    "other tables": of_other_tables,
    "tables without rows": of_tables_without_rows,
    "no file": no_file,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_none_is_built_again(mimic_path: Path, cache: Path, damage: str) -> None:
    names(mimic_path, cache)
    [file] = files(cache)
    DAMAGES[damage](file)
    assert list(names(mimic_path, cache)) == built(mimic_path)


def test_a_file_that_breaks_while_it_is_open_is_built_again(mimic_path: Path, cache: Path) -> None:
    with closing(open_engine(str(mimic_path), cache=cache)) as engine:
        profile = load_profile(engine.schema(), engine.read)
        index = kept_value_index(engine, profile, cache, never)
        [file] = files(cache)
        with file.open("r+b") as opened:
            opened.truncate(4096)
        assert list(index) == built(mimic_path)


def test_where_no_file_can_be_written_it_is_said(
    mimic_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("ehrtui.schema.value_file.write_value_index", full)
    with pytest.raises(DatabaseError, match="cannot be collected"):
        names(mimic_path, cache)
    assert files(cache) == []


def test_a_link_in_place_of_the_file_is_not_written_through(mimic_path: Path, cache: Path, tmp_path: Path) -> None:
    names(mimic_path, cache)
    [file] = files(cache)
    other = tmp_path / "other"
    other.write_text("of somebody else")
    file.unlink()
    file.symlink_to(other)
    assert list(names(mimic_path, cache)) == built(mimic_path)
    assert other.read_text() == "of somebody else"
    assert not file.is_symlink()


@pytest.mark.parametrize("place", ["cache", "prepared", "names"])
def test_a_cache_that_cannot_be_written_is_gone_without(mimic_path: Path, cache: Path, place: str) -> None:
    """A file where the folder should be: as for a folder that is read-only, nothing can be put into it; but that root
    may write into."""
    blocked = {"cache": cache.parent, "prepared": cache, "names": cache / "names"}[place]
    blocked.parent.mkdir(parents=True, exist_ok=True)
    blocked.touch()
    assert list(names(mimic_path, cache)) == built(mimic_path)


_ON_A_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from ehrtui.engines.names import kept_value_index
from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
engine = open_engine(sys.argv[1])
profile = load_profile(engine.schema(), engine.read)
import ehrtui.engines.names as names
writing = names.write_value_file
def write_value_file(*args):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, resource.RLIM_INFINITY))
    try:
        return writing(*args)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
names.write_value_file = write_value_file
print(len(list(kept_value_index(engine, profile, Path(sys.argv[2]), lambda: False))))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX")
def test_a_disk_that_fills_up_is_gone_without(mimic_path: Path, cache: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ON_A_FULL_DISK, str(mimic_path), str(cache)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == len(built(mimic_path))
    assert done.stderr == ""
    assert files(cache) == []


_BUILDS_AT_ONCE = """
import sys
from pathlib import Path
from ehrtui.engines.names import kept_value_index
from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
import ehrtui.engines.names as names
engine = open_engine(sys.argv[1])
profile = load_profile(engine.schema(), engine.read)
naming = names.names_of
def names_of(*args):
    print("here", flush=True)
    sys.stdin.readline()
    return naming(*args)
names.names_of = names_of
print(len(list(kept_value_index(engine, profile, Path(sys.argv[2]), lambda: False))))
"""


@pytest.fixture
def builders(mimic_path: Path, cache: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Two processes in the middle of building the same index; each goes on when it reads a line."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _BUILDS_AT_ONCE, str(mimic_path), str(cache)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in started:
        assert process.stdout
        assert process.stdout.readline() == "here\n"
    yield started
    for process in started:
        process.kill()
        process.communicate()


def test_two_processes_build_it_at_once(builders: list[subprocess.Popen[str]], mimic_path: Path, cache: Path) -> None:
    expected = built(mimic_path)
    assert list(names(mimic_path, cache)) == expected  # and this one, meanwhile
    for process in builders:
        output, _ = process.communicate("\n")
        assert (process.returncode, int(output)) == (0, len(expected))
    assert len(files(cache)) == 1
    assert list(names(mimic_path, cache)) == expected


def test_what_a_killed_process_left_is_removed_when_it_is_old(
    builders: list[subprocess.Popen[str]], mimic_path: Path, cache: Path
) -> None:
    names(mimic_path, cache)
    for process in builders:
        process.kill()
    old, new = (path for path in files(cache) if path.suffix == ".part")
    utime(old, (time.time() - 10_000,) * 2)
    names(mimic_path, cache)
    assert not old.exists()
    assert new.exists()


def test_it_can_be_stopped(mimic_path: Path, cache: Path) -> None:
    with pytest.raises((Cancelled, QueryCancelled)):
        names(mimic_path, cache, stopped=lambda: True)
    assert files(cache) == []


def test_only_a_few_of_one_state_are_kept(mimic_path: Path, cache: Path) -> None:
    names(mimic_path, cache)
    [file] = files(cache)
    state = file.name.rpartition("-")[0]
    for number in range(5):
        shutil.copy(file, file.with_name(f"{state}-{number}.names"))
    file.unlink()
    names(mimic_path, cache)
    assert len(files(cache)) == 4
    assert file.exists()


def test_a_file_holds_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "index"
    entries = [Entry("lab", "Sodium", "sodium"), Entry("lab", "Sodium", "na", "field")]
    assert write_value_file(path, entries, (), never) == 2
    assert list(index_of(entries)) == entries
