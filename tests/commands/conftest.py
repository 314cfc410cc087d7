"""`ehrtui` as a process of its own, as people and programs call it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Ehrtui: TypeAlias = "Callable[..., subprocess.CompletedProcess[str]]"


@pytest.fixture
def ehrtui(tmp_path: Path, shipped_concepts: Callable[[Path | None], None]) -> Ehrtui:
    """Run `ehrtui ARGS…` in `tmp_path`, with nothing of the user's own: `input` is its standard input."""
    shipped_concepts(tmp_path / "home" / "cache" / "ehrtui")
    environment = {
        **os.environ,
        "XDG_STATE_HOME": str(tmp_path / "home" / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "home" / "cache"),
        "XDG_CONFIG_HOME": str(tmp_path / "home" / "config"),
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
    }
    environment.pop("EHRTUI_DEBUG", None)

    def run(*arguments: object, input: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ehrtui", *map(str, arguments)]
        return subprocess.run(
            command, input=input, capture_output=True, encoding="utf-8", env=environment, cwd=tmp_path, timeout=120
        )

    return run


def json_lines(text: str) -> list[dict[str, Any]]:
    """The objects of JSON Lines."""
    return [json.loads(line) for line in text.splitlines()]
