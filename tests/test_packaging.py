"""The wheel carries everything that ehrtui needs at run time, and nothing of the tests."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_carries_code_themes_sessions_and_data(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for source in ("themes/*.toml", "sessions/*.jsonl"):
        shipped = {f"ehrtui/{path.relative_to(ROOT)}" for path in ROOT.glob(source)}
        assert shipped
        assert shipped <= names
    for pattern in ("ehrtui/**/*.py", "ehrtui/**/*.toml", "ehrtui/**/*.tsv", "ehrtui/**/*.tcss", "ehrtui/py.typed"):
        assert {str(path.relative_to(ROOT)) for path in ROOT.glob(pattern)} <= names
    assert not [name for name in names if name.startswith(("tests", "benchmarks"))]
