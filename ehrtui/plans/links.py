"""Which columns tie tables together: the identifiers of patients and stays, and the keys of dictionaries."""

from __future__ import annotations

from dataclasses import dataclass

from ehrtui.schema.model import Column, Schema, Table


@dataclass(frozen=True)
class Link:
    """`column` of one table and `other_column` of `other` hold the same identifiers or codes."""

    column: str
    other: Table
    other_column: str


def is_link(schema: Schema, table: Table, column: str) -> bool:
    """True for a column that ties its table to another one."""
    return any(link.column.lower() == column.lower() for link in links(schema, table))


def is_dictionary(table: Table) -> bool:
    """True for a table that names codes: nothing in it happens at a time."""
    return not any(column.is_time for column in table.columns)


def links(schema: Schema, table: Table) -> tuple[Link, ...]:
    """All links of a table, those that its foreign keys state first, then those of equal names."""
    stated = [
        Link(key.column, other, key.target_column)
        for key in table.foreign_keys
        if key.column.lower() == key.target_column.lower() and (other := schema.table(key.target_table)) is not None
    ]
    named = [
        Link(column.name, other, there.name)
        for column in table.columns
        if _names_a_link(schema, column)
        for other in schema.tables
        if other is not table and (there := other.column(column.name)) is not None
    ]
    return tuple(dict.fromkeys((*stated, *named)))


def links_between(schema: Schema, table: Table, other: Table) -> list[Link]:
    """How two tables may be joined: the shared identifier that says most comes first, as a stay's identifier says more
    than a patient's."""
    return sorted(
        (link for link in links(schema, table) if link.other is other), key=lambda link: _shared_by(schema, link.column)
    )


def is_stated(table: Table, link: Link) -> bool:
    """True for a link that a foreign key of one of the two tables states."""
    forth = any(
        (key.column.lower(), key.target_table.lower()) == (link.column.lower(), link.other.name.lower())
        for key in table.foreign_keys
    )
    return forth or any(
        (key.column.lower(), key.target_table.lower()) == (link.other_column.lower(), table.name.lower())
        for key in link.other.foreign_keys
    )


def links_of(schema: Schema, table: Table, column: str) -> list[Link]:
    """The links of one column, those to small tables first."""
    found = [link for link in links(schema, table) if link.column.lower() == column.lower()]
    return sorted(found, key=lambda link: (link.other.row_count is None, link.other.row_count or 0))


def _names_a_link(schema: Schema, column: Column) -> bool:
    """A name such as subject_id or icd9_code that several tables share, but not all, as they do a row number."""
    name = column.name.lower()
    having = _shared_by(schema, name)
    return name.endswith(("id", "_code")) and 1 < having < max(len(schema.tables), 3) and not name.startswith("row")


def _shared_by(schema: Schema, column: str) -> int:
    return sum(table.column(column) is not None for table in schema.tables)
