"""The tables of a Spark server: what its catalogue says of them, and how their values are SQLite's.

The schemas that the address names count, or all of the current catalogue. The current one, or the first of those that
are named, has the names alone; where another has a table of that name too, its schema stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ehrtui.engines.engine import Row
from ehrtui.engines.introspection import quoted
from ehrtui.engines.relation import Relation, renamed
from ehrtui.errors import DatabaseError
from ehrtui.schema.model import Column, Table

Described = Sequence[tuple[str, str, bool]]
"""The columns of a relation: name, Spark's type in lower case, and whether it may be NULL."""
_NO_DATA = ("information_schema", "global_temp")
_WHOLE = {"tinyint": "SMALLINT", "smallint": "SMALLINT", "int": "INTEGER", "bigint": "BIGINT"}
_DECIMAL = re.compile(r"decimal\((\d+),\s*(-?\d+)\)")
_NESTED = ("array<", "map<", "struct<", "interval")


@dataclass(frozen=True)
class Found:
    """The `relations`, and the names of tables and columns that cannot be `read`."""

    relations: tuple[Relation, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """What of a server is wanted: a `catalog` (the current one where it is ""), and `schemas` of it (all where there
    are none). Times of day and night there are told in the `zone`."""

    catalog: str
    schemas: tuple[str, ...]
    zone: str = "UTC"


def find(
    wanted: Wanted,
    read: Callable[[str], list[Row]],
    described: Callable[[str], Described],
    fails: Callable[[Exception], bool],
) -> Found:
    """What the catalogue says of the tables now; `fails` is asked of an error of one table whether it is of that alone.
    Raises DatabaseError."""
    ((current_catalog, current_schema),) = read("SHOW CURRENT NAMESPACE")  # no job, which may have to wait
    catalog = wanted.catalog or str(current_catalog)
    known = [str(row[0]) for row in read(f"SHOW SCHEMAS IN {_spelled(catalog)}")]
    for schema in wanted.schemas:
        if schema.lower() not in map(str.lower, known):
            raise DatabaseError(
                f"The server has no schema {schema}.",
                why=f"The catalogue {catalog} has: {', '.join(known[:10])}{' …' if len(known) > 10 else ''}.",
                next_step="Name one of them in the address: sc://HOST:PORT/;schema=NAME",
            )
    schemas = wanted.schemas or [schema for schema in known if schema.lower() not in _NO_DATA]
    found: list[tuple[str, Relation]] = []
    unread: list[str] = []
    for schema in schemas:
        place = f"{_spelled(catalog)}.{_spelled(schema)}"
        views = {str(row[1]).lower() for row in _views(place, read, fails) if not row[2]}
        for name in [str(row[1]) for row in read(f"SHOW TABLES IN {place}") if not row[2]]:
            try:
                columns = described(f"SELECT * FROM {place}.{_spelled(name)}")
            except Exception as error:
                if not fails(error):
                    raise
                unread.append(f"{schema}.{name}")
                continue
            source = ".".join(map(quoted, (catalog, schema, name)))
            relation, left = _relation(name, source, name.lower() in views, columns, wanted.zone)
            unread += [f"{schema}.{name}.{column}" for column in left]
            if relation.columns:
                found.append((schema, relation))
    first = wanted.schemas[:1] or (str(current_schema),)
    unlike: dict[str, Relation] = {}
    for relation in renamed(found, first):
        unlike.setdefault(relation.table.name.lower(), relation)
    return Found(tuple(unlike.values()), tuple(unread))


def _views(place: str, read: Callable[[str], list[Row]], fails: Callable[[Exception], bool]) -> list[Row]:
    try:
        return read(f"SHOW VIEWS IN {place}")
    except Exception as error:  # a catalogue may know none
        if not fails(error):
            raise
        return []


def _relation(name: str, source: str, is_view: bool, columns: Described, zone: str) -> tuple[Relation, list[str]]:
    """The relation, and the columns that are left out of it."""
    held: dict[str, tuple[Column, str]] = {}
    left = []
    for column, type, nullable in columns:
        known = _value(quoted(column), type, zone)
        if known is None:
            left.append(column)
        else:
            held.setdefault(column.lower(), (Column(column.lower(), known[0], nullable=nullable), known[1]))
    table = Table(name, tuple(column for column, _ in held.values()), is_view=is_view)
    return Relation(table, source, {known: value for known, (_, value) in held.items()}, source), left


def _value(name: str, type: str, zone: str) -> tuple[str, str] | None:
    """The type of a column by a name that tells what its values are here, and the expression for them; None for a type
    that nothing can be made of."""
    if type in _WHOLE:
        return _WHOLE[type], name
    if type == "boolean":
        return "INTEGER", f"CAST({name} AS INT)"
    if found := _DECIMAL.fullmatch(type):
        whole = int(found[2]) == 0 and int(found[1]) <= 18
        return ("BIGINT", f"CAST({name} AS BIGINT)") if whole else ("NUMERIC", f"CAST({name} AS DOUBLE)")
    if type in ("double", "float"):
        return "DOUBLE", name if type == "double" else f"CAST({name} AS DOUBLE)"
    if type == "binary":
        return "BLOB", name
    if " collate " in type:
        return "VARCHAR", f"collate({name}, 'UTF8_BINARY')"
    if type == "string" or type.startswith(("char(", "varchar(")):
        return "VARCHAR", name
    if type == "timestamp" and zone != "UTC":
        there = zone.replace("'", "")
        return "TIMESTAMP", f"CAST(from_utc_timestamp({name}, '{there}') AS TEXT)"
    if type in ("timestamp", "timestamp_ntz", "date"):
        return "DATE" if type == "date" else "TIMESTAMP", f"CAST({name} AS TEXT)"
    if type.startswith("time("):
        return "TIME", f"CAST({name} AS TEXT)"
    if type == "variant":
        return "VARCHAR", f"to_json({name})"
    return ("VARCHAR", f"CAST({name} AS TEXT)") if type.startswith(_NESTED) else None


def _spelled(name: str) -> str:
    """A name as Spark reads it."""
    return "`" + name.replace("`", "``") + "`"
