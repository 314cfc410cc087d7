"""`ehrtui config`: a configuration file with every key, explained; written where there is none yet."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from ehrtui.errors import ConfigError
from ehrtui.settings import DEFAULTS, SECTIONS, Key, check_settings, load_settings, own_file

_HEAD = """\
# The configuration of ehrtui. Every key is here with its default; a line counts once its first # is gone.
# What is wrong in this file is said with its line when ehrtui starts: `ehrtui config --check` does it at once.
"""


def run(args: argparse.Namespace) -> int:
    """Print it, write it, or check the one that is there."""
    path: Path = args.file or own_file()
    if args.check:
        check_settings(load_settings(path))
        print(f"{path} is as it should be.")
    elif args.write:
        _write(path)
        print(f"Written: {path}")
    else:
        print(commented(), end="")
    return 0


def commented() -> str:
    """The file: each key as a comment, with what it is about and what it may be."""
    parts = [_HEAD]
    for section, keys in SECTIONS.items():
        parts += [f"[{section}]"] * bool(section)
        for name, key in keys.items():
            parts.append(f"# {key.about}: {key.allowed}\n#{name} = {json.dumps(_value(name, key))}")
        parts.append("")
    return "\n".join(parts)


def _value(name: str, key: Key) -> Any:
    """The default, or the example where there is none."""
    default = DEFAULTS.approach.strategy if name == "strategy" else getattr(DEFAULTS, name)
    return key.example if default in (None, "") else default


def _write(path: Path) -> None:
    """Write the file, for its owner alone. Raises ConfigError where it is there already, or cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise ConfigError(
            f"{path} is there already.", why="It is not overwritten.", next_step="`ehrtui config` prints a new one."
        ) from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be written.", why=error.strerror or "") from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(commented())
