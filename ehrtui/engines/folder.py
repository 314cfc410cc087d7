"""Folders of CSV and Parquet files as they are downloaded: which tables they hold, and what state they are in."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from ehrtui.errors import DatabaseError

_TABLE = re.compile(r"(?P<name>.+?)\.(?P<form>csv|tsv|parquet)(?P<packed>\.gz)?", re.IGNORECASE)
_PART = re.compile(r"part[-_.]?\d|\d+(_\d+)*$", re.IGNORECASE)
_DEEPEST = 2
"""Folders within folders that are looked into: MIMIC-IV has its tables in `hosp` and `icu`."""
_MOST_FILES = 10_000
_DATABASES = (".db", ".sqlite", ".sqlite3", ".duckdb")
_PREFERRED = (".parquet", ".csv", ".tsv", ".csv.gz", ".tsv.gz")


@dataclass(frozen=True)
class TableFiles:
    """The files that hold the rows of one table, in their order; only Parquet has several."""

    name: str
    paths: tuple[Path, ...]
    is_parquet: bool

    @property
    def bytes(self) -> int:
        """Bytes of all files."""
        return sum(path.stat().st_size for path in self.paths)


@dataclass(frozen=True)
class Folder:
    """The tables of a folder by their names in lower case, and what of it is `unread`, in words."""

    path: Path
    tables: tuple[TableFiles, ...]
    unread: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        """Bytes of all tables."""
        return sum(table.bytes for table in self.tables)


def read_folder(path: Path) -> Folder:
    """What a folder holds. Raises DatabaseError where it cannot be looked into, or holds no table."""
    try:
        files = [file for file in _files(path, _DEEPEST) if _TABLE.fullmatch(file.name)]
    except OSError as error:
        raise DatabaseError(
            f"You may not look into {path.name}.", why=str(error.strerror), next_step="Ask its owner for permission."
        ) from error
    found: dict[str, list[Path]] = {}
    unread = []
    for file in files:
        if not file.stat().st_size:
            unread.append(f"{file.name} is empty")
            continue
        found.setdefault(_name(file), []).append(file)
    tables = []
    for name, paths in sorted(found.items()):
        kept = _chosen(paths)
        unread += [f"{path.name} is left aside for {kept[0].name}" for path in paths if path not in kept]
        tables.append(TableFiles(name, kept, kept[0].suffix.lower() == ".parquet"))
    if not tables:
        raise DatabaseError(
            f"{path.name or path} is a folder without CSV or Parquet files.",
            why="; ".join(unread) + "." if unread else "",
            next_step=_databases_in(path),
        )
    return Folder(path, tuple(tables), tuple(unread))


def state_of(folder: Folder) -> str:
    """A text that changes when a file does. Raises OSError."""
    facts = []
    for table in folder.tables:
        for path in table.paths:
            status = path.stat()
            facts.append((str(path.relative_to(folder.path)), status.st_size, status.st_mtime_ns))
    return hashlib.sha256(repr(facts).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _files(path: Path, depth: int) -> list[Path]:
    found: list[Path] = []
    for entry in sorted(path.iterdir()):
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_file():
            found.append(entry)
        elif depth and entry.is_dir():
            found += _files(entry, depth - 1)
        if len(found) > _MOST_FILES:
            raise DatabaseError(
                f"{path.name} holds more than {_MOST_FILES:,} files.", next_step="Give the folder of one database."
            )
    return found


def _name(file: Path) -> str:
    """The name of the table that a file belongs to: its own, or that of its folder where it is a part."""
    found = _TABLE.fullmatch(file.name)
    assert found is not None
    if found["form"].lower() == "parquet" and _PART.match(found["name"]):
        return file.parent.name.lower().removesuffix(".parquet")
    return found["name"].lower()


def _chosen(paths: list[Path]) -> tuple[Path, ...]:
    """Of the files of one table, all parts of the form that is read fastest."""

    def form(path: Path) -> int:
        return next(at for at, ending in enumerate(_PREFERRED) if path.name.lower().endswith(ending))

    best = min(map(form, paths))
    same = [path for path in paths if form(path) == best]
    return tuple(same) if _PREFERRED[best] == ".parquet" else (same[0],)


def _databases_in(path: Path) -> str:
    names = sorted(each.name for each in path.iterdir() if each.suffix.lower() in _DATABASES)
    return f"Open a file in it, such as {path / names[0]}" if names else "Give a database, or a folder of CSV files."
