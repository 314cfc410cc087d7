"""Folders of CSV and Parquet files as origins: every file is a table, read as it lies there."""

from __future__ import annotations

import glob
import hashlib
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ehrtui.engines.csv_columns import CSVColumn, CSVFile, read_csv_file
from ehrtui.engines.disk import size
from ehrtui.engines.duck import Origin, value_of
from ehrtui.engines.duck_file import declared
from ehrtui.engines.engine import DataState, Row
from ehrtui.engines.folder import Folder, TableFiles, read_folder, state_of
from ehrtui.engines.introspection import quoted
from ehrtui.engines.prepared import copy_of
from ehrtui.engines.relation import Relation
from ehrtui.errors import DatabaseError
from ehrtui.schema.model import Column, Table

_WORTH_BYTES = 50_000_000
"""Of files; less is read at once."""
_FORMAT = 1
"""Part of the name of a copy: raise it when the same files give another one."""
_NAMED = 5
"""Files that are named of those that are not read."""


def folder_origin(path: Path, cache: Path | None = None) -> Origin:
    """The folder at `path`, read from its copy where `cache` has one that fits. Raises DatabaseError where it holds no
    table that can be read."""
    copy = copy_of_folder(path, cache) if cache is not None else None
    files = _Files(path, copy if copy is not None and copy.is_file() else None)
    files.look()
    notices = list(files.unread)
    if files.copy is None and files.folder.bytes > _WORTH_BYTES:
        command = shlex.join(["ehrtui", "prepare", str(path)])
        notices.append(f"Questions read {size(files.folder.bytes)} of files. This makes them faster: {command}")
    return Origin(
        label=path.resolve().name,
        place=str(path.resolve()),
        state=partial(_state, path),
        relations=files.relations,
        attach=files.copy,
        directory=path.resolve(),
        notice=" ".join(notices),
    )


def copy_of_folder(path: Path, cache: Path) -> Path:
    """Where the copy of the folder at `path`, in the state of now, is or would be. Raises DatabaseError."""
    made = hashlib.sha256(f"{_FORMAT} {state_of(read_folder(path))}".encode()).hexdigest()[:16]
    return copy_of(str(path.resolve()), made, cache).with_suffix(".duckdb")


class _Files:
    """The files of a folder, each looked into once for every state that it has; `unread` says what is left out. As long
    as the folder stays as it is, rows are read from its `copy`, if there is one."""

    def __init__(self, path: Path, copy: Path | None) -> None:
        self.copy = copy
        self.folder = read_folder(path)
        self._state = state_of(self.folder)
        self.unread: tuple[str, ...] = ()
        self._path = path
        self._looked: dict[tuple[Path, int, int], CSVFile] = {}
        self._files: dict[str, CSVFile] = {}

    def look(self) -> None:
        """Look at what the folder holds now. Raises DatabaseError where none of it can be read."""
        self.folder, self._files = read_folder(self._path), {}
        names = self.folder.unread
        more = "…" if len(names) > _NAMED else ""
        unread = [f"Not read: {'; '.join(names[:_NAMED])}{more}."] if names else []
        for table in self.folder.tables:
            if not table.is_parquet:
                try:
                    self._files[table.name] = self._file(table.paths[0])
                except DatabaseError as error:
                    unread.append(f"{error.what} {error.why} Its table is left out.")
        self.unread = tuple(unread)
        if not self._files and not any(table.is_parquet for table in self.folder.tables):
            raise DatabaseError(
                f"None of the files in {self._path.name} can be read.",
                why=" ".join(unread),
                next_step="Take them from their source again.",
            )

    def _file(self, path: Path) -> CSVFile:
        status = path.stat()
        key = (path, status.st_size, status.st_mtime_ns)
        if key not in self._looked:
            self._looked[key] = read_csv_file(path)
        return self._looked[key]

    def relations(self, read: Callable[[str], list[Row]]) -> Sequence[Relation]:
        """The tables as they are now."""
        self.look()
        found = []
        for table in self.folder.tables:
            if table.is_parquet:
                found.append(_of_parquet(self.folder, table, read))
            elif table.name in self._files:
                found.append(_of_csv(self.folder, table, self._files[table.name]))
        if self.copy is None or state_of(self.folder) != self._state:
            return found
        copied = {str(name) for (name,) in read("SELECT table_name FROM duckdb_tables() WHERE database_name = 'data'")}
        return [_from_copy(relation) if relation.table.name in copied else relation for relation in found]


def _state(path: Path) -> DataState:
    try:
        status = path.stat()
        return DataState(f"{status.st_dev}:{status.st_ino}", state_of(read_folder(path)))
    except (OSError, DatabaseError):
        return DataState("", "")


def _from_copy(relation: Relation) -> Relation:
    """A table as the copy has it: with SQLite's values already."""
    columns = {name: quoted(name) for name in relation.columns}
    alone = f"({relation.select(relation.alone)})"
    return replace(relation, source=f"data.main.{quoted(relation.table.name)}", columns=columns, alone=alone)


def _of_csv(folder: Folder, table: TableFiles, file: CSVFile) -> Relation:
    typed = ", ".join(f"{_text(column.name)}: {_text(_read_as(column))}" for column in file.columns)
    options = (
        f"auto_detect = false, header = true, delim = {_text(file.delimiter)}, quote = '\"', escape = '\"', "
        f"nullstr = '', columns = {{{typed}}}, encoding = {_text(file.encoding)}"
    )
    path = table.paths[0]
    return Relation(
        table=Table(table.name, tuple(Column(column.name, column.type) for column in file.columns)),
        source=f"read_csv({_text(glob.escape(str(path.resolve())))}, {options})",
        columns={column.name: _value(column) for column in file.columns},
        alone=f"read_csv({_text(glob.escape(str(path.relative_to(folder.path))))}, {options})",
    )


def _read_as(column: CSVColumn) -> str:
    return column.type if column.type in ("BIGINT", "DOUBLE") else "VARCHAR"


def _value(column: CSVColumn) -> str:
    name = quoted(column.name)
    if column.written == "T":
        return f"rtrim(replace({name}, 'T', ' '), 'Z')"
    if column.written == "plain":
        return f"substring({name}, 1, 4) || '-' || substring({name}, 5, 2) || '-' || substring({name}, 7, 2)"
    return name


def _of_parquet(folder: Folder, table: TableFiles, read: Callable[[str], list[Row]]) -> Relation:
    def source(paths: Sequence[str]) -> str:
        return f"read_parquet([{', '.join(_text(glob.escape(path)) for path in paths)}])"

    here = source([str(path.resolve()) for path in table.paths])
    described = [(str(row[0]), str(row[1])) for row in read(f"DESCRIBE SELECT * FROM {here}")]
    return Relation(
        table=Table(table.name, tuple(Column(name, declared(type)) for name, type in described)),
        source=here,
        columns={name: value_of(name, type) for name, type in described},
        alone=source([str(path.relative_to(folder.path)) for path in table.paths]),
    )


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
