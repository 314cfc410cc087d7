"""Results that are kept here for systems that keep none."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.carried import Carried

COLUMNS = [("n", Kind.WHOLE), ("share", Kind.REAL), ("text", Kind.TEXT), ("bytes", Kind.BLOB), ("none", Kind.NULL)]


def test_rows_are_paged_across_batches_and_their_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pa = pytest.importorskip("pyarrow")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / "ehrtui-spark-999999999-x"
    left.mkdir()
    carried = Carried("spark")
    (folder,) = tmp_path.iterdir()  # what a process left that is gone is gone too
    assert folder.stat().st_mode & 0o777 == 0o700
    batches = [
        pa.record_batch(
            [
                pa.array(range(start, start + 3), pa.int32()),
                pa.array([0.5, float("nan"), None]),
                pa.array(["é", "", None]),
                pa.array([b"\x00", None, b""]),
                pa.nulls(3),
            ],
            names=["a", "b", "c", "d", "e"],
        )
        for start in (0, 3, 6)
    ]
    assert carried.keep("r1", COLUMNS, [batches[0], batches[0].slice(0, 0), *batches[1:]]) == 9
    assert carried.page("r1", 0, 3) == [
        (0, 0.5, "é", b"\x00", None), (1, None, "", None, None), (2, None, None, b"", None),
    ]  # fmt: skip
    assert [row[0] for row in carried.page("r1", 2, 5)] == [2, 3, 4, 5, 6]
    assert [row[0] for row in carried.page("r1", 8, 5)] == [8]
    assert carried.page("r1", 9, 5) == []
    assert carried.table("r1").num_rows == 9
    assert carried.insert("r2", COLUMNS[:3], [(n, None, "x") for n in range(10_001)]) == 10_001
    assert carried.page("r2", 9_999, 2) == [(9_999, None, "x"), (10_000, None, "x")]
    assert carried.insert("r3", COLUMNS[:1], []) == 0
    assert carried.page("r3", 0, 1) == []
    both = carried.used_bytes()
    carried.drop("r1")
    carried.drop("r1")
    assert 0 < carried.used_bytes() < both
    assert sorted(path.name for path in folder.iterdir()) == ["r2.arrow", "r3.arrow"]
    carried.close()
    assert list(tmp_path.iterdir()) == []
