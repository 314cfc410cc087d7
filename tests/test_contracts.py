"""Which room may import which (the contracts are in pyproject.toml), and what start-up must not load."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = ("conversation", "planning", "memory", "logic", "plans", "schema", "engines", "demo", "errors", "settings")
HEAVY = {"textual", "rich", "sqlglot", "rapidfuzz", "pydantic_monty", "prompt_toolkit", "sqlite_utils"}


def modules_after(statement: str, parts: int = 1) -> set[str]:
    """The modules that a statement loads, by the first parts of their names."""
    names = f"{{'.'.join(name.split('.')[:{parts}]) for name in sys.modules}}"
    code = f"{statement}\nimport sys\nprint('\\n'.join(sorted({names})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_the_import_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def test_the_command_line_starts_without_anything_heavy() -> None:
    assert not modules_after("import ehrtui.cli") & HEAVY


_OPENED = """
import sys
from pathlib import Path
from ehrtui.conversation.start import start
from tests import small_mimic
folder = Path(sys.argv[1])
conversation = start(str(small_mimic.build(folder / "small.sqlite")), state=folder, memory=True)
conversation.engine.schema()
print(*sys.modules)
conversation.planner.prepare()
print(*sys.modules)
conversation.prepare_to_run()
print(*sys.modules)
assert conversation.run(conversation.propose("select 41 + 1", "sql")).decision == "answered"
print(*sys.modules)
conversation.close()
"""


def test_an_open_database_waits_for_nothing_heavy(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _OPENED, str(tmp_path)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    opened, prepared, ready, ran = (set(line.split()) for line in done.stdout.splitlines())
    assert not {name for name in opened if name.startswith(("ehrtui.planning.offline", "ehrtui.planning.claude.model"))}
    assert "ehrtui.planning.offline.offline_planner" in prepared
    assert "ehrtui.plans.runner" in ready - prepared
    assert not {name for name in ran - ready if name.startswith(("ehrtui.plans", "importlib", "pydantic_monty"))}
    assert not {name.partition(".")[0] for name in prepared} & (HEAVY | {"anthropic", "httpx"})


def test_the_tables_are_known_before_what_talks_about_them_is_loaded() -> None:
    loaded = modules_after("import ehrtui.conversation.opening", parts=2)
    assert "ehrtui.engines" in loaded
    assert not loaded & {f"ehrtui.{room}" for room in ("logic", "session", "concepts", "memory", "plans")}


@pytest.mark.parametrize("room", CORE)
def test_no_core_room_loads_the_screen(room: str) -> None:
    names = "import importlib, pkgutil, ehrtui\n"
    names += f"room = importlib.import_module('ehrtui.{room}')\n"
    names += "for found in pkgutil.walk_packages(getattr(room, '__path__', []), room.__name__ + '.'):\n"
    names += "    importlib.import_module(found.name)\n"
    assert not modules_after(names) & {"textual", "prompt_toolkit"}


@pytest.mark.parametrize("path", sorted((ROOT / "ehrtui").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_gives_a_name_two_meanings(path: Path) -> None:
    named: Counter[str] = Counter()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else ()
        named.update(one.id for one in targets if isinstance(one, ast.Name))
    assert [name for name, count in named.items() if count > 1] == []


def imported_by(path: Path) -> set[str]:
    """The modules that a file imports anywhere: at its top, for types alone, or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


def test_no_two_modules_import_each_other() -> None:
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (ROOT / "ehrtui").rglob("*.py")}
    imports = {name: imported_by(path) for name, path in files.items()}
    pairs = {(one, other) for one in files for other in imports[one] if other in files and one in imports[other]}
    assert pairs == set()
