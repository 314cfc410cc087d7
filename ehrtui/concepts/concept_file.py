"""Concepts as an SQLite database: what its tables hold, how it is written, and how concepts come back out of it.

`concepts`: one row each, the concept itself as JSON. `said`: every form under which one is known, that is the words of
its name or of a synonym with one space between them. Names, synonyms and descriptions have a full-text index.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ehrtui.concepts.model import COMPARISONS, KINDS, VOCABULARIES, Concept, Limit, Member, Normal
from ehrtui.errors import ConceptError
from ehrtui.schema.value_index import split

if TYPE_CHECKING:
    import sqlite_utils

VERSION = 1
"""The version of the file (SQLite's user_version); any other is refused."""


def form_of(text: str) -> str:
    """The words of a text with one space between them: what is the same whatever its case and punctuation."""
    return " ".join(split(text))


def make_tables(tables: sqlite_utils.Database) -> None:
    """Make the tables of an empty database."""
    texts = {"name": str, "synonyms": str, "description": str, "kind": str, "version": str, "source": str}
    concepts = tables.table("concepts")
    concepts.create({"number": int, **texts, "rest": str}, pk="number", not_null=texts)
    concepts.create_index(["name", "version", "source"], unique=True)
    concepts.enable_fts(["name", "synonyms", "description"], create_triggers=True)
    said = tables.table("said")
    said.create({"form": str, "number": int, "rank": int}, pk=("form", "number"))
    tables.execute(f"PRAGMA user_version = {VERSION}")


def write_concepts(tables: sqlite_utils.Database, concepts: Iterable[Concept]) -> int:
    """Keep concepts; one of the same name, version and source takes the place of the one that is there. The value is
    how many there were."""
    count = 0
    for concept in concepts:
        number, is_new = _write(tables, concept)
        forms = {form_of(said): place for place, said in reversed(list(enumerate((concept.name, *concept.synonyms))))}
        forms.pop("", None)
        if not is_new:
            tables.execute("DELETE FROM said WHERE number = ?", [number])
        tables.conn.executemany(
            "INSERT INTO said (form, number, rank) VALUES (?, ?, ?)",
            [(form, number, min(place, 1)) for form, place in forms.items()],
        )
        count += 1
    return count


def _write(tables: sqlite_utils.Database, concept: Concept) -> tuple[int, bool]:
    """The number of a concept that is written, and whether it is a new one."""
    row = _row(concept)
    key = [concept.name, concept.version, concept.source]
    where = "name = ? AND version = ? AND source = ?"
    same = tables.execute(f"SELECT number FROM concepts WHERE {where}", key).fetchone()
    if same is not None:  # in the transaction, which sqlite-utils' own method would end
        changes = ", ".join(f"{column} = ?" for column in row)
        tables.execute(f"UPDATE concepts SET {changes} WHERE number = ?", [*row.values(), same[0]])
        return int(same[0]), False
    marks = ", ".join("?" * len(row))
    written = tables.execute(f"INSERT INTO concepts ({', '.join(row)}) VALUES ({marks})", list(row.values()))
    return int(written.lastrowid or 0), True


def _row(concept: Concept) -> dict[str, str]:
    rest = {
        "synonyms": concept.synonyms,
        "members": [[one.vocabulary, one.text, one.excluded] for one in concept.members],
        "limit": asdict(concept.limit) if concept.limit else None,
        "normal": asdict(concept.normal) if concept.normal else None,
    }
    return {
        "name": concept.name,
        "synonyms": "; ".join(concept.synonyms),
        "description": concept.description,
        "kind": concept.kind,
        "version": concept.version,
        "source": concept.source,
        "rest": json.dumps(rest, separators=(",", ":")),
    }


SELECT = "SELECT name, kind, description, version, source, rest FROM concepts"


def concept_of(row: tuple[Any, ...]) -> Concept:
    """The concept of a row of `SELECT`. Raises ConceptError for a row that ehrtui never wrote."""
    name, kind, description, version, source, rest = row[:6]
    try:
        data = json.loads(rest)
        return Concept(
            name=name,
            kind=next(one for one in KINDS if one == kind),
            members=tuple(_member(*one) for one in data["members"]),
            synonyms=tuple(map(str, data["synonyms"])),
            description=description,
            limit=_limit(**data["limit"]) if data["limit"] else None,
            normal=_normal(**data["normal"]) if data["normal"] else None,
            version=version,
            source=source,
        )
    except (ValueError, TypeError, KeyError, StopIteration, RecursionError) as error:
        raise ConceptError(
            f"The concept “{str(name)[:80]}” cannot be read.",
            why="Its file was changed by another program.",
            next_step="Forget it, and import it again.",
        ) from error


def _member(vocabulary: str, text: str, excluded: bool) -> Member:
    return Member(next(one for one in VOCABULARIES if one == vocabulary), str(text), bool(excluded))


def _limit(relation: str, value: float, unit: str) -> Limit:
    return Limit(next(one for one in COMPARISONS if one == relation), float(value), str(unit))


def _normal(low: float | None, high: float | None, unit: str) -> Normal:
    return Normal(None if low is None else float(low), None if high is None else float(high), str(unit))


def is_concept_file(connection: sqlite3.Connection) -> bool:
    """True for a database of this version with the tables of concepts."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return version == VERSION and {"concepts", "said", "concepts_fts"} <= tables
