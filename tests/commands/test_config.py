"""`ehrtui config`: a file with every setting, explained."""

from __future__ import annotations

import re
from pathlib import Path

from ehrtui.commands.config import commented
from ehrtui.settings import DEFAULTS, SECTIONS, load_settings
from tests.commands.conftest import Ehrtui


def test_every_setting_is_in_it_with_its_default(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(commented())
    assert load_settings(path) == DEFAULTS
    examples = [f"{name} =" for keys in SECTIONS.values() for name, key in keys.items() if key.example is not None]
    said = re.sub(r"^#(?=\w+ =)", "", commented(), flags=re.MULTILINE)
    path.write_text("\n".join(line for line in said.splitlines() if not line.startswith(tuple(examples))))
    assert load_settings(path) == DEFAULTS
    assert all(f"\n{name} = " in said for keys in SECTIONS.values() for name in keys)
    path.write_text(said)
    assert load_settings(path).budget == 5.0  # the examples can be read, too


def test_it_is_printed_written_once_and_checked(ehrtui: Ehrtui, tmp_path: Path) -> None:
    assert ehrtui("config").stdout == commented()
    written = ehrtui("config", "--write")
    path = Path(written.stdout.partition(": ")[2].strip())
    assert path.read_text("utf-8") == commented()
    assert path.stat().st_mode & 0o077 == 0
    again = ehrtui("config", "--write")
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
    assert ehrtui("config", "--check").returncode == 0
    (tmp_path / "mine.toml").write_text("\nthreshold = 7\n")
    wrong = ehrtui("config", "--check", "mine.toml")
    assert (wrong.returncode, "line 2" in wrong.stderr) == (2, True)
