"""What preparing a database would add, what it would take, and whether it is worth it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from ehrtui.engines.engine import Engine
from ehrtui.engines.introspection import quoted
from ehrtui.engines.prepared import PreparedEngine
from ehrtui.engines.sqlite import SQLiteEngine
from ehrtui.errors import EhrtuiError, QueryError
from ehrtui.schema.indexing import LARGE, Index, useful_indexes
from ehrtui.schema.model import Table
from ehrtui.schema.profile import Profile

# Measured with two cores and a local disk; a database on a network drive takes longer.
_COPIED_BYTES_PER_SECOND = 250e6
_INDEXED_ROWS_PER_SECOND = 2.5e6

_WORTH_BYTES = 50_000_000  # a smaller file answers at once as it is
_SAMPLED_ROWS = 1000
_ENTRY_BYTES = 8  # what an index adds to each value: the number of its row, and lengths
_YEAR_BYTES = 4
_TABLES = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %'"
_LEADING = """
SELECT m.name, c.name FROM main.sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' AND c.pk = 1
UNION SELECT m.name, c.name
FROM main.sqlite_master AS m, pragma_index_list(m.name) AS i, pragma_index_info(i.name) AS c
WHERE m.type = 'table' AND c.seqno = 0 AND NOT i.partial
"""


@dataclass(frozen=True)
class NewIndex:
    """An index that preparing adds: the rows of its table and about how many bytes it takes."""

    index: Index
    rows: int
    bytes: int

    @property
    def seconds(self) -> float:
        """About how long it takes to build."""
        return self.rows / _INDEXED_ROWS_PER_SECOND


@dataclass(frozen=True)
class Estimate:
    """What preparing takes: a file of `file_bytes` is copied, and `indexes` are added, the most useful first."""

    file_bytes: int
    indexes: tuple[NewIndex, ...]

    @property
    def bytes(self) -> int:
        """About the size of the prepared copy."""
        return self.file_bytes + sum(new.bytes for new in self.indexes)

    @property
    def copying_seconds(self) -> float:
        """About how long copying the file takes."""
        return self.file_bytes / _COPIED_BYTES_PER_SECOND

    @property
    def seconds(self) -> float:
        """About how long preparing takes."""
        return self.copying_seconds + sum(new.seconds for new in self.indexes)

    def __str__(self) -> str:
        """The time and the space, in words: "about 45 s, 380 MB"."""
        seconds = f"{self.seconds:,.0f} s" if self.seconds < 120 else f"{self.seconds / 60:,.0f} min"
        space = f"{self.bytes / 1e6:,.0f} MB" if self.bytes < 10e9 else f"{self.bytes / 1e9:,.0f} GB"
        return f"about {seconds}, {space}"


def estimate(engine: Engine, profile: Profile, file_bytes: int) -> Estimate:
    """What preparing the database of `engine`, a file of that size, would take. Raises QueryError or DatabaseError."""
    schema = engine.schema()
    tables = {name for (name,) in engine.read(_TABLES)}
    there = set(engine.read(_LEADING))
    indexes = []
    for index in useful_indexes(profile, schema):
        table = schema.table(index.table)
        if table and index.table in tables and (index.year or (index.table, index.column) not in there):
            rows = min(_rows(engine, table), file_bytes)
            indexes.append(NewIndex(index, rows, int(rows * (_ENTRY_BYTES + _value_bytes(engine, index)))))
    return Estimate(file_bytes, tuple(indexes))


def advice(engine: Engine, profile: Profile) -> str:
    """Why preparing the file of `engine` would help, and what it takes; "" where it is prepared or answers at once, or
    is no SQLite file."""
    if not isinstance(engine, SQLiteEngine):
        return ""
    try:
        size = engine.path.stat().st_size
        if isinstance(engine, PreparedEngine) or size < _WORTH_BYTES:
            return ""
        planned = estimate(engine, profile, size)
    except (OSError, EhrtuiError):  # advice is not worth a failure
        return ""
    missed = max((new for new in planned.indexes if not new.index.year), key=lambda new: new.rows, default=None)
    if missed is None or missed.rows < LARGE:
        return ""
    index = missed.index
    command = shlex.join(["ehrtui", "prepare", str(engine.path)])
    return f"{index.table} has no index on {index.column}. This makes questions faster ({planned}): {command}"


def _rows(engine: Engine, table: Table) -> int:
    """The rows of a table, as its row numbers tell where they were not counted."""
    if table.row_count is not None:
        return table.row_count
    try:
        return int(engine.read(f"SELECT max(rowid) FROM {quoted(table.name)}")[0][0] or 0)
    except (QueryError, ValueError, TypeError):  # a table without row numbers, or with a column of that name
        return 0


def _value_bytes(engine: Engine, index: Index) -> float:
    """The mean size of a row's values in an index, by the first rows."""
    if index.year:
        return _YEAR_BYTES
    names = [quoted(name) for name in (index.column, *((index.row, *index.beside) if index.row else ()))]
    sizes = (
        f"CASE typeof({name}) WHEN 'null' THEN 0 WHEN 'integer' THEN 3 WHEN 'real' THEN 8 "
        f"ELSE length(CAST({name} AS BLOB)) END"
        for name in names
    )
    sample = f"SELECT {' + '.join(sizes)} AS octets FROM {quoted(index.table)} LIMIT {_SAMPLED_ROWS}"
    return float(engine.read(f"SELECT avg(octets) FROM ({sample})")[0][0] or 0.0)
