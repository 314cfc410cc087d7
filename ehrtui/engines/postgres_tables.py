"""The tables of a PostgreSQL database: what its catalogue says of them, and how their values are SQLite's.

All schemas count, or those of the search path where that names others than `public`: so `mimiciii.patients` is
`patients`, and where two schemas have a table of one name, the search path decides which has the name alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ehrtui.engines.engine import Row
from ehrtui.engines.introspection import quoted
from ehrtui.engines.relation import Relation, renamed
from ehrtui.schema.model import Column, ForeignKey, Table

_TABLES = """
SELECT c.oid::bigint, n.nspname::text, c.relname::text, (c.relkind IN ('v', 'm'))::int,
  has_any_column_privilege(c.oid, 'SELECT')::int,
  (c.relkind IN ('r', 'p') AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'))::int
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
  AND has_schema_privilege(n.oid, 'USAGE')
  AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = c.oid)
  AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e'
    AND d.classid = 'pg_catalog.pg_class'::regclass)
ORDER BY c.oid
"""
_COLUMNS = """
SELECT a.attrelid::bigint, a.attname::text, t.typname::text, t.typtype::text, a.atttypmod, (NOT a.attnotnull)::int
FROM pg_catalog.pg_attribute AS a
JOIN pg_catalog.pg_type AS own ON own.oid = a.atttypid
JOIN pg_catalog.pg_type AS t ON t.oid = CASE own.typtype WHEN 'd' THEN own.typbasetype ELSE own.oid END
WHERE a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
  AND a.attrelid = ANY (ARRAY[{oids}]::oid[])
ORDER BY a.attrelid, a.attnum
"""
_KEYS = """
SELECT k.conrelid::bigint, k.contype::text, a.attname::text, f.relname::text, b.attname::text
FROM pg_catalog.pg_constraint AS k
CROSS JOIN LATERAL unnest(k.conkey, k.confkey) AS pair(own, other)
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = pair.own
LEFT JOIN pg_catalog.pg_class AS f ON f.oid = k.confrelid
LEFT JOIN pg_catalog.pg_attribute AS b ON b.attrelid = k.confrelid AND b.attnum = pair.other
WHERE k.contype IN ('p', 'f') AND k.conrelid = ANY (ARRAY[{oids}]::oid[])
"""
_PATH = "SELECT unnest(current_schemas(false))::text"
_PUBLIC = "public"
_WHOLE = {"int2": "SMALLINT", "int4": "INTEGER", "int8": "BIGINT"}
_TIMES = {"timestamp": "TIMESTAMP", "timestamptz": "TIMESTAMP", "date": "DATE", "time": "TIME"}
_NUMERIC_HEAD = 4
"""What PostgreSQL adds to the precision and scale of a numeric."""


@dataclass(frozen=True)
class Found:
    """The `relations` that may be read, their `oids`, and the names of tables that may not be `read`, or that could be
    `written`."""

    relations: tuple[Relation, ...]
    oids: tuple[int, ...]
    unread: tuple[str, ...]
    writable: tuple[str, ...]


def find(read: Callable[[str], list[Row]]) -> Found:
    """What the catalogue says of the tables now."""
    path = [str(name) for (name,) in read(_PATH)]
    listed: list[tuple[Any, ...]] = list(read(_TABLES))
    own = [schema for schema in path if schema != _PUBLIC and any(row[1] == schema for row in listed)]
    if own:
        listed = [row for row in listed if row[1] in path]
    may = [row for row in listed if row[4]]
    oids = ", ".join(str(row[0]) for row in may)
    columns: dict[object, list[Row]] = {}
    for row in read(_COLUMNS.format(oids=oids)):
        columns.setdefault(row[0], []).append(row)
    primary: dict[object, set[str]] = {}
    foreign: dict[object, list[ForeignKey]] = {}
    for oid, kind, column, target, other in read(_KEYS.format(oids=oids)):
        if kind == "p":
            primary.setdefault(oid, set()).add(str(column).lower())
        elif target is not None and other is not None:
            foreign.setdefault(oid, []).append(ForeignKey(str(column).lower(), str(target), str(other).lower()))
    found = [
        (str(schema), _relation(str(schema), str(name), bool(is_view), columns[oid], primary.get(oid, set()),
                                foreign.get(oid, [])))
        for oid, schema, name, is_view, *_ in may
        if columns.get(oid)
    ]  # fmt: skip
    relations = _unlike(renamed(found, [*own, _PUBLIC] if own else path))
    return Found(
        relations=tuple(relations),
        oids=tuple(int(str(row[0])) for row in may),
        unread=tuple(f"{row[1]}.{row[2]}" for row in listed if not row[4]),
        writable=tuple(f"{row[1]}.{row[2]}" for row in listed if row[5]),
    )


def _relation(
    schema: str, name: str, is_view: bool, columns: Sequence[Row], primary: set[str], foreign: list[ForeignKey]
) -> Relation:
    described: dict[str, tuple[Column, str]] = {}
    for _, column, type, sort, modifier, nullable in columns:
        known = str(column).lower()  # SQLite finds names in any case: of two that differ by it, the first counts
        declared, value = _described(str(column), str(type), str(sort), int(str(modifier)))
        described.setdefault(known, (Column(known, declared, known in primary, bool(nullable)), value))
    source = f"{quoted(schema)}.{quoted(name)}"
    table = Table(name, tuple(column for column, _ in described.values()), tuple(foreign), is_view=is_view)
    return Relation(table, source, {known: value for known, (_, value) in described.items()}, source)


def _described(column: str, type: str, sort: str, modifier: int) -> tuple[str, str]:
    """The type of a column by a name that tells what its values are here, and the expression for them. Whole numbers
    are left as they are, for indexes."""
    name = quoted(column)
    if type in _WHOLE:
        return _WHOLE[type], name
    if type == "bool":
        return "INTEGER", f"CAST({name} AS INT)"
    if type == "oid":
        return "BIGINT", f"CAST({name} AS BIGINT)"
    if type == "numeric":
        if modifier >= _NUMERIC_HEAD and not (modifier - _NUMERIC_HEAD) & 0xFFFF and modifier >> 16 <= 18:
            return "BIGINT", f"CAST({name} AS BIGINT)"
        return "NUMERIC", f"CAST({name} AS DOUBLE PRECISION)"
    if type == "float8":
        return "DOUBLE PRECISION", name
    if type == "float4":
        return "DOUBLE PRECISION", f"CAST({name} AS DOUBLE PRECISION)"
    if type == "bytea":
        return "BLOB", name
    if type in ("text", "varchar") and sort == "b":
        return "VARCHAR", f'{name} COLLATE "C"'
    instant = f"({name} AT TIME ZONE 'UTC')" if type == "timestamptz" else name
    return _TIMES.get(type, "VARCHAR"), f'CAST({instant} AS TEXT) COLLATE "C"'


def _unlike(relations: Sequence[Relation]) -> list[Relation]:
    """The relations with names that differ by more than their case: of two that do not, the first counts."""
    found: dict[str, Relation] = {}
    for relation in relations:
        found.setdefault(relation.table.name.lower(), relation)
    return list(found.values())
