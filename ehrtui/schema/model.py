"""The shape of a database: tables, columns and keys, as introspection finds them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class ForeignKey:
    """`column` of this table points at `target_table`.`target_column`."""

    column: str
    target_table: str
    target_column: str


@dataclass(frozen=True)
class Column:
    """One column: its name, the declared type in upper case ("" when none), and whether it is a primary key."""

    name: str
    type: str
    primary_key: bool = False
    nullable: bool = True

    @property
    def is_time(self) -> bool:
        """True for columns that hold instants (TIMESTAMP, DATETIME, DATE)."""
        return self.type.startswith(("TIMESTAMP", "DATE", "TIME"))

    @property
    def is_number(self) -> bool:
        """True for columns that hold numbers."""
        return any(word in self.type for word in ("INT", "REAL", "DOUBLE", "FLOAT", "NUM", "DEC"))

    @property
    def is_fraction(self) -> bool:
        """True for columns that are declared to hold fractions: no keys."""
        return any(word in self.type for word in ("REAL", "DOUBLE", "FLOAT"))


@dataclass(frozen=True)
class Table:
    """One table, or a view. `row_count` is exact; None where it was not counted, or not in time."""

    name: str
    columns: tuple[Column, ...]
    foreign_keys: tuple[ForeignKey, ...] = ()
    row_count: int | None = None
    is_view: bool = False

    @property
    def is_endless(self) -> bool:
        """True for a view that takes long to give its rows, if it ever does."""
        return self.is_view and self.row_count is None

    def column(self, name: str) -> Column | None:
        """The column of that name, in any case."""
        return self._by_name.get(name.lower())

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name.lower(): column for column in reversed(self.columns)}


@dataclass(frozen=True)
class Schema:
    """All tables of a database, in the order of the catalogue."""

    tables: tuple[Table, ...]

    def table(self, name: str) -> Table | None:
        """The table of that name, in any case."""
        return self._by_name.get(name.lower())

    @cached_property
    def _by_name(self) -> dict[str, Table]:
        return {table.name.lower(): table for table in reversed(self.tables)}

    def has(self, table: str, *columns: str) -> bool:
        """True when the table is there with all of these columns."""
        found = self.table(table)
        return found is not None and all(found.column(name) is not None for name in columns)
