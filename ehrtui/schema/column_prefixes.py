"""What the columns of a table are called behind a short name of their table: "lr_test" of lab_result is a test.

Some systems begin the name of every column with letters of its table. Then the letters say nothing of what a column
holds; but keys are told by them: the visits' own "st_no" is the "dg_stno" of diagnoses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ehrtui.schema.model import Table

_LONGEST = 5
"""Letters of such a beginning."""
_FEWEST_COLUMNS = 3
_FEWEST_TABLES = 3
_MOST_OF_THEM = 0.75
"""The share of the tables of several columns whose columns begin so, from which on that is the style of the house."""
_KEYS = frozenset(("id", "no", "nr", "num", "number", "key", "code", "cd"))
"""What the keys of any table are called behind it."""

Renamed = Mapping[str, Mapping[str, str]]
"""By table and column, the name without its beginning."""


def without_prefixes(tables: Sequence[Table]) -> Renamed:
    """The names of the columns without the beginning that all columns of their table share; none where that is not how
    most tables are built."""
    wide = [table for table in tables if len(table.columns) >= _FEWEST_COLUMNS]
    shared = {table.name: found for table in wide if (found := _prefix(table))}
    if len(shared) < _FEWEST_TABLES or len(shared) < _MOST_OF_THEM * len(wide) or len(set(shared.values())) == 1:
        return {}
    bare = {
        table.name: {column.name: column.name[len(shared[table.name]) + 1 :] for column in table.columns}
        for table in wide
        if table.name in shared
    }
    led = {name.lower() for names in bare.values() for name in names.values()}
    own = {table.name: _own_keys(table) for table in wide}
    return {
        table: {
            column: _key(shared[table], name, led) if name.lower() in _KEYS and column in own[table] else name
            for column, name in names.items()
        }
        for table, names in bare.items()
    }


def _prefix(table: Table) -> str:
    """The letters before the underscore that all names of its columns have; "" where they have none."""
    first = {column.name.lower().partition("_")[0] for column in table.columns}
    found = next(iter(first))
    told = all(column.name.partition("_")[2] for column in table.columns)
    return found if len(first) == 1 and told and len(found) <= _LONGEST else ""


def _own_keys(table: Table) -> set[str]:
    """The columns that may tell the rows of a table apart: its key, or any where it declares none."""
    keys = {column.name for column in table.columns if column.primary_key}
    return keys if len(keys) == 1 else set() if keys else {column.name for column in table.columns}


def _key(prefix: str, name: str, led: set[str]) -> str:
    """What a key is called by which rows of any table may be told: as others lead to it, or else in its own words."""
    joined = f"{prefix}{name}"
    return joined if joined.lower() in led else f"{prefix}_{name}"
