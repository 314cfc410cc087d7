"""Records that are parts of others, and leave to them what they are of: the doses that were given of an order, the
susceptibilities of what grew in a culture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ehrtui.schema.called import field_of, words_of
from ehrtui.schema.columns import Known, Read
from ehrtui.schema.guessed_kinds import role_name
from ehrtui.schema.guessed_records import DOSES, item_of
from ehrtui.schema.guessing import holds_keys
from ehrtui.schema.kinds import ADMISSION
from ehrtui.schema.references import Targets

SUSCEPTIBILITY = "susceptibility"
_DRUG = re.compile(r"\b(?:drug|medic\w*|generic|product|substance|preparation|brand)\b")
_TEST_ORDER = re.compile(r"\b(?:lab|laboratory|test|investigation|pathology)\b.*\b(?:order|request|requisition)s?$")
"""What the tables are called that say which tests were asked for."""
_TOLD_OF_CULTURES = ("organism", "fluid")
_TOLD_OF_ORDERS = ("route",)


@dataclass(frozen=True)
class Wholes:
    """The tables of orders, of cultures, of tests that were asked for, and of stays, to which the rows of others may
    belong."""

    orders: Targets
    cultures: Targets
    tests: Targets
    stays: Targets
    read: Read

    @classmethod
    def among(cls, tables: Iterable[Known], read: Read) -> Wholes:
        """Those of the tables that tell when each was."""
        named = [(one, role_name(one)) for one in tables if one.times]
        orders = Targets.among(one for one, name in named if name == "prescription")
        cultures = Targets.among(one for one, name in named if name == "culture")
        tests = Targets.among(one for one, _ in named if _TEST_ORDER.search(words_of(one.name)))
        stays = Targets.among(one for one, name in named if name == ADMISSION)
        return cls(orders, cultures, tests, stays, read)

    def part_called(self, table: Known) -> str:
        """The name of the role of a table whose rows are parts of orders or of cultures; "" where they are not."""
        if table.times and any(_leads(table, self.orders, self.read)):
            return DOSES
        tested = _tells(table, "antibiotic") and _tells(table, "organism")
        return SUSCEPTIBILITY if tested and any(_leads(table, self.cultures, self.read)) else ""


def with_wholes_told(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables; those whose rows are parts of orders or cultures with what these say of each."""
    found, wholes = dict(tables), Wholes.among(tables.values(), read)
    for name, table in tables.items():
        order, tested = _led(table, wholes.orders, read), _tells(table, "antibiotic") and not _tells(table, "organism")
        if order is not None and not any(map(_says_drug, table.texts)):
            stay = {column for column, _ in wholes.stays.of(order[1]) if column != order[1].primary_key}
            found[name] = _told(table, *order, {item_of(order[1]), *_columns(order[1], _TOLD_OF_ORDERS), *stay})
        elif tested and (culture := _led(table, wholes.cultures, read)) is not None:
            columns = {*_columns(culture[1], _TOLD_OF_CULTURES), *culture[1].times[:1]}
            found[name] = _told(table, *culture, columns)
        elif role_name(table) == "lab" and (test := _led(table, wholes.tests, read)) is not None:
            found[name] = _told(table, *test, {item_of(test[1]), *_catalogued(test[1], tables)})
    return found


def _catalogued(table: Known, tables: Mapping[str, Known]) -> set[str]:
    """The keys of a table that lead to a catalogue: what is in it is nobody's."""
    targets = Targets.among(one for one in tables.values() if not (one.patient or one.times))
    return {column for column, _ in targets.of(table) if column != table.primary_key}


def _led(table: Known, wholes: Targets, read: Read) -> tuple[str, Known] | None:
    """The key of a table that leads to one of `wholes`, with that."""
    return next((pair for pair in _leads(table, wholes, read) if holds_keys(table, *pair, read)), None)


def _leads(table: Known, wholes: Targets, read: Read) -> Iterator[tuple[str, Known]]:
    """The keys of a table that lead to one of `wholes`, with that, or are called as its key and hold it, where that is
    the key of what it adds to; a table's own key is but called as theirs."""
    led = [*wholes.of(table)]
    called = ((one, wholes.keyed(table, one)) for one in table.keys if one not in dict(led))
    led += ((column, one) for column, one in called if one is not None and holds_keys(table, column, one, read))
    return (pair for pair in led if pair[0] != table.primary_key)


def _says_drug(column: str) -> bool:
    return _DRUG.search(words_of(column)) is not None


def _told(table: Known, key: str, whole: Known, columns: set[str]) -> Known:
    """A table with columns of what its rows are parts of, as far as it has none that are called so."""
    own = {column.name.lower() for column in table.table.columns}
    held = (*whole.texts, *whole.times, *whole.keys)
    new = [one for one in held if one in columns and one.lower() not in own]
    if not new:
        return table
    told = ", ".join(f"{whole.name}.{one}" for one in new)
    sql = (
        f"SELECT {table.name}.*, {told} FROM {table.source} "
        f"LEFT JOIN {whole.source} ON {whole.name}.{whole.primary_key} = {table.name}.{key}"
    )
    return replace(
        table,
        sql=sql,
        texts=(*table.texts, *(one for one in new if one in whole.texts)),
        keys=(*table.keys, *(one for one in new if one in whole.keys)),
        said=(*table.said, *(one for one in new if one in whole.said)),
        times=(*table.times, *(one for one in new if one in whole.times)),
    )


def _columns(table: Known, fields: tuple[str, ...]) -> set[str]:
    return {one for one in table.texts if field_of(one) in fields}


def _tells(table: Known, field: str) -> bool:
    return any(field_of(one, words_of(table.name)) == field for one in (*table.texts, *table.keys))
