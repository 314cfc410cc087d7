"""The schema of a SQLite database, read from its catalogue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.engines.engine import Row, Scalar
from ehrtui.errors import QueryCancelled, QueryError
from ehrtui.schema.model import Column, ForeignKey, Schema, Table

Read = Callable[[str, Sequence[Scalar]], list[Row]]


def read_schema(read: Read, count: Callable[[str], int | None]) -> Schema:
    """Tables and views in the order of the catalogue, without SQLite's own tables and the shadows of virtual ones.
    `count` gives the rows of a table (its name quoted), None where that takes too long. What cannot be read is left
    out: a view of tables that are gone, a virtual table whose module is not there."""
    shadows = {row[1] for row in read("PRAGMA main.table_list", ()) if row[2] == "shadow"}
    catalogue = read("SELECT name FROM main.sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid", ())
    tables = []
    for (name,) in catalogue:
        if name in shadows or str(name).lower().startswith("sqlite_"):
            continue
        try:
            table = _table(read, str(name))
            tables.append(replace(table, row_count=count(quoted(table.name))))
        except QueryCancelled:
            raise
        except QueryError:
            continue
    return _with_targets(Schema(tuple(tables)))


def quoted(name: str) -> str:
    """`name` as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _table(read: Read, name: str) -> Table:
    columns = tuple(
        Column(
            name=str(column),
            type=str(declared or "").upper(),
            primary_key=bool(key),
            nullable=not required and not key,
        )
        for _, column, declared, required, _, key in read(f"PRAGMA main.table_info({quoted(name)})", ())
    )
    keys = read(f"PRAGMA main.foreign_key_list({quoted(name)})", ())
    foreign = tuple(
        ForeignKey(column=str(source), target_table=str(table), target_column=str(target or ""))
        for _, _, table, source, target, *_ in sorted(keys, key=lambda key: (-int(key[0] or 0), int(key[1] or 0)))
    )
    return Table(name=name, columns=columns, foreign_keys=foreign)


def _with_targets(schema: Schema) -> Schema:
    """A foreign key that names no column points at the primary key of its target."""

    def resolved(key: ForeignKey) -> ForeignKey:
        target = schema.table(key.target_table)
        if key.target_column or target is None:
            return key
        primary = next((column.name for column in target.columns if column.primary_key), "")
        return replace(key, target_column=primary)

    return Schema(
        tuple(
            replace(table, foreign_keys=tuple(resolved(key) for key in table.foreign_keys)) for table in schema.tables
        )
    )
