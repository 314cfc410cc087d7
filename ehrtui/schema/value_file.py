"""A value index as a file: JSON Lines, one name a line, so that reading it can do nothing but give names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from operator import attrgetter
from pathlib import Path

from ehrtui.schema.value_index import Entry, ValueIndex, index_of

_TEXTS = tuple(field.name for field in fields(Entry))


def write_value_index(index: ValueIndex, path: Path) -> None:
    """Write the names to `path`. Raises OSError."""
    texts = attrgetter(*_TEXTS)
    with path.open("w", encoding="utf-8") as file:
        for words, entries in index.entries.items():
            for entry in entries:
                file.write(json.dumps([" ".join(words), *texts(entry)]) + "\n")


def read_value_index(path: Path) -> ValueIndex:
    """The index that `write_value_index` wrote. Raises OSError, or ValueError where the file is anything else."""
    return index_of(_named(path))


def _named(path: Path) -> Iterator[tuple[list[str], Entry]]:
    known: dict[str, str] = {}  # what is said is mostly the name itself: kept once
    with path.open(encoding="utf-8") as file:
        for line in file:
            texts = json.loads(line)
            if not (isinstance(texts, list) and len(texts) == 1 + len(_TEXTS) and set(map(type, texts)) == {str}):
                raise ValueError(f"{path.name} is not a value index.")
            yield texts[0].split(" "), Entry(*map(known.setdefault, texts[1:], texts[1:]))
