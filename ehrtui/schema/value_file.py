"""A value index as a file: JSON Lines, one name a line, so that reading it can do nothing but give names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ehrtui.schema.value_index import Entry, ValueIndex, index_of


def write_value_index(index: ValueIndex, path: Path) -> None:
    """Write the names to `path`. Raises OSError."""
    with path.open("w", encoding="utf-8") as file:
        for words, entries in index.entries.items():
            for entry in entries:
                said = None if entry.said == entry.name else entry.said
                file.write(json.dumps([" ".join(words), entry.role, entry.name, said]) + "\n")


def read_value_index(path: Path) -> ValueIndex:
    """The index that `write_value_index` wrote. Raises OSError, or ValueError where the file is anything else."""
    return index_of(_named(path))


def _named(path: Path) -> Iterator[tuple[list[str], Entry]]:
    roles: dict[str, str] = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            match json.loads(line):
                case [str(words), str(role), str(name), str() | None as said]:
                    yield words.split(" "), Entry(roles.setdefault(role, role), name, said or name)
                case _:
                    raise ValueError(f"{path.name} is not a value index.")
