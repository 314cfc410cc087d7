"""DuckDB database files as origins: the tables of all their schemas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.duck import Origin, kind_of, value_of
from ehrtui.engines.engine import DataState, Row
from ehrtui.engines.introspection import quoted
from ehrtui.engines.relation import Relation, renamed
from ehrtui.schema.model import Column, ForeignKey, Table

_TABLES = """
SELECT schema_name, table_name, 0 FROM duckdb_tables() WHERE database_name = 'data' AND NOT internal
UNION ALL
SELECT schema_name, view_name, 1 FROM duckdb_views() WHERE database_name = 'data' AND NOT internal
"""
_COLUMNS = """
SELECT schema_name, table_name, column_name, data_type, CAST(is_nullable AS INTEGER) FROM duckdb_columns()
WHERE database_name = 'data' AND NOT internal ORDER BY schema_name, table_name, column_index
"""
_KEYS = """
SELECT schema_name, table_name, constraint_type, array_to_string(constraint_column_names, chr(31)),
  referenced_table, array_to_string(referenced_column_names, chr(31))
FROM duckdb_constraints() WHERE database_name = 'data' AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
"""


def file_origin(path: Path) -> Origin:
    """The DuckDB database file at `path`."""
    return Origin(
        label=path.name,
        place=str(path.resolve()),
        state=lambda: _state(path),
        relations=_relations,
        attach=path,
    )


def _state(path: Path) -> DataState:
    try:
        status = path.stat()
    except OSError:
        return DataState("", "")
    log = path.with_name(path.name + ".wal")
    waiting = log.stat().st_size if log.exists() else 0
    return DataState(f"{status.st_dev}:{status.st_ino}", f"{status.st_size} {status.st_mtime_ns} {waiting}")


def _relations(read: Callable[[str], list[Row]]) -> Sequence[Relation]:
    columns: dict[tuple[str, str], list[tuple[str, str, bool]]] = {}
    for schema, table, column, type, nullable in read(_COLUMNS):
        columns.setdefault((str(schema), str(table)), []).append((str(column), str(type), bool(nullable)))
    primary: dict[tuple[str, str], set[str]] = {}
    foreign: dict[tuple[str, str], list[ForeignKey]] = {}
    for schema, table, kind, names, target, targets in read(_KEYS):
        at, own, others = (str(schema), str(table)), str(names).split("\x1f"), str(targets or "").split("\x1f")
        if kind == "PRIMARY KEY":
            primary.setdefault(at, set()).update(own)
        else:
            pairs = zip(own, others, strict=False)
            foreign.setdefault(at, []).extend(ForeignKey(one, str(target), other) for one, other in pairs)
    found = []
    for schema, table, is_view in read(_TABLES):
        at, name = (str(schema), str(table)), quoted(str(table))
        given = columns.get(at, [])
        if not given:
            continue
        keys = primary.get(at, set())
        described = Table(
            name=str(table),
            columns=tuple(Column(column, declared(type), column in keys, nullable) for column, type, nullable in given),
            foreign_keys=tuple(foreign.get(at, ())),
            is_view=bool(is_view),
        )
        alone = f"{quoted(str(schema))}.{name}"
        values = {column: value_of(column, type) for column, type, _ in given}
        found.append((str(schema), Relation(described, f"data.{alone}", values, alone)))
    return renamed(found)


def declared(type: str) -> str:
    """A type by a name that tells what its values are here."""
    upper = type.upper()
    if upper.startswith(("TIMESTAMP", "DATE", "TIME")) and not upper.endswith("]"):
        return upper
    kind = kind_of(type)
    if kind is Kind.TEXT:
        return "VARCHAR"
    return "INTEGER" if upper == "BOOLEAN" else upper
