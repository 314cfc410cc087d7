"""Which room may import which (the contracts are in pyproject.toml), and what start-up must not load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = ("conversation", "planning", "memory", "logic", "plans", "schema", "engines", "demo", "errors", "settings")
HEAVY = {"textual", "rich", "sqlglot", "rapidfuzz", "pydantic_monty", "prompt_toolkit", "sqlite_utils"}


def modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint('\\n'.join(sorted({{name.split('.')[0] for name in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_the_import_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def test_the_command_line_starts_without_anything_heavy() -> None:
    assert not modules_after("import ehrtui.cli") & HEAVY


@pytest.mark.parametrize("room", CORE)
def test_no_core_room_loads_the_screen(room: str) -> None:
    names = "import importlib, pkgutil, ehrtui\n"
    names += f"room = importlib.import_module('ehrtui.{room}')\n"
    names += "for found in pkgutil.walk_packages(getattr(room, '__path__', []), room.__name__ + '.'):\n"
    names += "    importlib.import_module(found.name)\n"
    assert not modules_after(names) & {"textual", "prompt_toolkit"}
