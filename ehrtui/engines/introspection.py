"""The schema of a SQLite database, read from its catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ehrtui.engines.engine import Row, Scalar
from ehrtui.errors import QueryCancelled, QueryError
from ehrtui.schema.model import Column, ForeignKey, Schema, Table

Read = Callable[[str, Sequence[Scalar]], list[Row]]

_VIRTUAL = "sql LIKE 'CREATE VIRTUAL %'"
_PLAIN = f"(SELECT name FROM main.sqlite_master WHERE type = 'table' AND NOT {_VIRTUAL}) AS plain"


def read_schema(read: Read, count: Callable[[str], int | None]) -> Schema:
    """Tables and views in the order of the catalogue, without SQLite's own tables and the shadows of virtual ones.
    `count` gives the rows of a table (its name quoted), None where that takes too long. What cannot be read is left
    out: a view of tables that are gone, a virtual table whose module is not there."""
    catalogue = read(
        f"SELECT name, type, {_VIRTUAL} FROM main.sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid", ()
    )
    shadows = _shadows(read) if any(virtual for *_, virtual in catalogue) else frozenset()
    plain = {table.name: table for table in _plain_tables(read)}
    tables = []
    for name, kind, _ in catalogue:
        if name in shadows or str(name).lower().startswith("sqlite_"):
            continue
        try:
            table = plain.get(str(name)) or _table(read, str(name))
            tables.append(replace(table, row_count=count(quoted(table.name)), is_view=kind == "view"))
        except QueryCancelled:
            raise
        except QueryError:
            continue
    return _with_targets(Schema(tuple(tables)))


def quoted(name: str) -> str:
    """`name` as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _shadows(read: Read) -> frozenset[str]:
    """The tables in which virtual ones keep their data; to tell them, SQLite looks through every view."""
    return frozenset(str(row[1]) for row in read("PRAGMA main.table_list", ()) if row[2] == "shadow")


def _plain_tables(read: Read) -> Iterator[Table]:
    """The tables that are neither views nor virtual, all read at once: there may be thousands."""
    columns, keys = (
        _by_table(read(f"SELECT plain.name, p.* FROM {_PLAIN}, pragma_{about}(plain.name, 'main') AS p", ()))
        for about in ("table_info", "foreign_key_list")
    )
    return (_made(name, found, keys.get(name, [])) for name, found in columns.items())


def _by_table(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for name, *row in rows:
        found.setdefault(str(name), []).append(tuple(row))
    return found


def _table(read: Read, name: str) -> Table:
    columns = read(f"PRAGMA main.table_info({quoted(name)})", ())
    return _made(name, columns, read(f"PRAGMA main.foreign_key_list({quoted(name)})", ()))


def _made(name: str, columns: Iterable[Row], keys: Iterable[Row]) -> Table:
    """The table of these rows of PRAGMA table_info and foreign_key_list."""
    foreign = (
        ForeignKey(column=str(source), target_table=str(table), target_column=str(target or ""))
        for _, _, table, source, target, *_ in sorted(keys, key=lambda key: (-int(key[0] or 0), int(key[1] or 0)))
    )
    described = (
        Column(
            name=str(column),
            type=str(declared or "").upper(),
            primary_key=bool(key),
            nullable=not required and not key,
        )
        for _, column, declared, required, _, key in columns
    )
    return Table(name=name, columns=tuple(described), foreign_keys=tuple(foreign))


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
