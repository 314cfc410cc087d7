"""Results on the disk: what is there is taken up again, and never mixed with results of other conditions."""

from __future__ import annotations

import json
import resource
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.errors import UsageError
from ehrtui.evaluation.results_file import Header, ResultsFile, kept_results
from ehrtui.evaluation.scores import Sample, Scored
from ehrtui.trust.doubts import Doubt
from tests.evaluation.test_scores import scored

HEADER = Header(
    version="1",
    questions="q",
    database="d",
    profile="p",
    planner="offline",
    now="2105-12-31 23:59:00",
    threshold=0.7,
    calibration="c",
    memory="",
)
FIRST = replace(
    scored(True, False, 0.9, case="a"),
    gold=Sample((("furosemide", None),), 1),
    guess=Sample(((1, 2.5),), 7),
    doubts=(Doubt("unused", 2.0, "twice"),),
    f1=0.5,
)
SECOND = (scored(False, None, 0.1, case="b"), scored(True, True, 0.1, case="b", turn=2))


@contextmanager
def results(path: Path, header: Header = HEADER, *, with_rows: bool = True) -> Iterator[ResultsFile]:
    with closing(ResultsFile(path, header, with_rows=with_rows)) as file:
        yield file


def filled(path: Path, *, with_rows: bool = True) -> Path:
    with results(path, with_rows=with_rows) as file:
        file.add([FIRST])
        file.add(SECOND)
    return path


def finished(path: Path) -> dict[str, tuple[Scored, ...]]:
    with results(path) as file:
        return file.finished


def test_what_was_kept_is_there_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "out.jsonl")
    assert finished(path) == {"a": (FIRST,), "b": SECOND}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_a_finished_run_kept_can_be_read_by_others(tmp_path: Path) -> None:
    assert kept_results(filled(tmp_path / "out.jsonl")) == {"a": (FIRST,), "b": SECOND}
    for content in ("my notes", ""):
        (tmp_path / "other").write_text(content)
        with pytest.raises(UsageError):
            kept_results(tmp_path / "other")
    with pytest.raises(UsageError):
        kept_results(tmp_path / "nowhere")


def test_rows_of_the_database_are_kept_only_on_demand(tmp_path: Path) -> None:
    path = filled(tmp_path / "out.jsonl", with_rows=False)
    assert "furosemide" not in path.read_text()
    (first,) = finished(path)["a"]
    assert first == replace(FIRST, gold=Sample((), 1), guess=Sample((), 7))


@pytest.mark.parametrize("cut", [1, 5, 200])
def test_a_torn_line_is_dropped_and_written_over(tmp_path: Path, cut: int) -> None:
    path = filled(tmp_path / "out.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])
    with results(path) as file:
        assert list(file.finished) == ["a"]
        file.add(SECOND)
    assert finished(path) == {"a": (FIRST,), "b": SECOND}


def test_a_header_that_was_torn_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text('{"format": 1, "vers')
    with results(path) as file:
        file.add([FIRST])
    assert finished(path) == {"a": (FIRST,)}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": "2"}, "the version of ehrtui"),
        ({"questions": "other"}, "the questions"),
        ({"database": "other"}, "the database"),
        ({"calibration": "other", "memory": "m"}, "the calibration, the approved cases"),
        ({"threshold": 0.5, "now": "2104-01-01 00:00:00"}, "the database now, the threshold"),
    ],
)
def test_results_of_other_conditions_are_refused_and_left_alone(
    tmp_path: Path, change: dict[str, str], said: str
) -> None:
    path = filled(tmp_path / "out.jsonl")
    before = path.read_bytes()
    with pytest.raises(UsageError) as caught, results(path, replace(HEADER, **change)):  # type: ignore[arg-type]
        pass
    assert caught.value.why == f"Different: {said}."
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        "my notes",
        "my notes\nof today\n",
        "[]\n",
        "{}\n",
        "[" * 50_000 + "\n",
        json.dumps({**HEADER.__dict__}) + "\n3\n",
        json.dumps({**HEADER.__dict__}) + '\n{"case": "a", "turns": [{}]}\n',
        json.dumps({**HEADER.__dict__}) + '\n{"case": ["a"], "turns": []}\n',
    ],
)
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError), results(path):
        pass
    assert path.read_text() == content


def test_a_value_of_the_wrong_type_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "out.jsonl")
    path.write_text(path.read_text().replace('"confidence": 0.9', '"confidence": "sure"'))
    with pytest.raises(UsageError):
        finished(path)


def test_a_directory_is_no_place_for_results(tmp_path: Path) -> None:
    with pytest.raises(UsageError), results(tmp_path):
        pass


def test_a_disk_that_is_full_is_said_as_such(tmp_path: Path) -> None:
    path = filled(tmp_path / "out.jsonl")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, hard))
    try:
        with pytest.raises(UsageError, match="cannot be kept"), results(path) as file:
            file.add([replace(FIRST, case="c")])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert set(finished(path)) == {"a", "b"}
