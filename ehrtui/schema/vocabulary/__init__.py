"""What clinicians call the items of an EHR: abbreviations, US brand names and synonyms, as tables beside this file."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_TABLES = ("abbreviations.tsv", "brands.tsv", "synonyms.tsv")


@dataclass(frozen=True, slots=True)
class Term:
    """What a clinician says (`said`) for an item of a role, and the names that the item may be stored under, the one
    to be preferred first."""

    role: str
    said: str
    names: tuple[str, ...]


@cache
def vocabulary() -> tuple[Term, ...]:
    """All terms; the tables are read once."""
    return tuple(term for table in _TABLES for term in _terms(Path(__file__).with_name(table)))


def vocabulary_digest() -> str:
    """A hash of the tables, which changes with any of them."""
    tables = (Path(__file__).with_name(table).read_bytes() for table in _TABLES)
    return hashlib.sha256(b"\0".join(tables)).hexdigest()


def _terms(table: Path) -> list[Term]:
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Term(row["role"], row["said"], tuple(row["names"].split(";"))) for row in rows]
