"""The concepts that ship with ehrtui, as tables beside this file: one header line, tab-separated, no quoting.

Lines that begin with # say where a table is from. Several values in a cell have semicolons between them.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path

from ehrtui.concepts.model import COMPARISONS, KINDS, Concept, Kind, Limit, Member, Normal, Vocabulary

_FOLDER = Path(__file__).with_name("shipped")
_MEMBERS: dict[str, Vocabulary] = {
    "icd9": "icd9",
    "icd10": "icd10",
    "ingredients": "ingredient",
    "names": "name",
    "logic": "logic",
}
VERSION = "1"
"""Of all shipped concepts; raised when what one means changes."""


def shipped_concepts() -> Iterator[Concept]:
    """All of them, table by table."""
    for path in _tables():
        yield from read_table(path)


def shipped_digest() -> str:
    """A hash of the tables, which changes with any of them."""
    tables = (path.name.encode() + path.read_bytes() for path in _tables())
    return hashlib.sha256(b"\0".join(tables)).hexdigest()


def read_table(path: Path) -> Iterator[Concept]:
    """The concepts of one table. Raises ValueError for a row that is none, with its name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    source = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
    rows = csv.DictReader(
        (line for line in lines if line and not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    for row in rows:
        if None in row or None in row.values():
            raise ValueError(f"{path.name}: {row.get('name')!r} has too many or too few cells")
        yield _concept(row, source)


def _tables() -> list[Path]:
    return sorted(_FOLDER.glob("*.tsv"))


def _concept(row: dict[str, str], source: str) -> Concept:
    found: list[Kind] = [kind for kind in KINDS if kind == row["kind"]]
    if not found:
        raise ValueError(f"{row['name']!r} is of no kind: {row['kind']!r}")
    members = [
        Member(vocabulary, text.removeprefix("-"), excluded=text.startswith("-"))
        for column, vocabulary in _MEMBERS.items()
        for text in _cells(row.get(column, ""))
    ]
    return Concept(
        name=row["name"],
        kind=found[0],
        members=tuple(members),
        synonyms=_cells(row.get("synonyms", "")),
        description=row.get("description", ""),
        limit=_limit(row.get("limit", "")),
        normal=_normal(row),
        version=VERSION,
        source=source,
    )


def _cells(text: str) -> tuple[str, ...]:
    return tuple(cell for part in text.split(";") if (cell := part.strip()))


def _limit(text: str) -> Limit | None:
    if not text:
        return None
    relation, value, *unit = text.split(maxsplit=2)
    return Limit(next(sign for sign in COMPARISONS if sign == relation), float(value), "".join(unit))


def _normal(row: dict[str, str]) -> Normal | None:
    low, high = row.get("low", ""), row.get("high", "")
    if not low and not high:
        return None
    return Normal(float(low) if low else None, float(high) if high else None, row.get("unit", ""))
