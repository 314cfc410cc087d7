"""The registers of a hospital that no profile describes: its staff by their names, its beds, its wards with how many
beds each has. They belong to no patient."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ehrtui.schema.called import field_of, words_of
from ehrtui.schema.columns import Known
from ehrtui.schema.guessing import STAFF, Database, label_of
from ehrtui.schema.profile import Role

STAFF_MEMBER, BED, WARD = "staff_member", "bed", "ward"
_BEDS = re.compile(r"\b(?:beds|bed (?:count|cnt|number|no|capacity)|(?:count|number|no) of beds|capacity)\b")
_BED = re.compile(r"^(?:hospital |ward )?beds?$")
_WARDS = re.compile(r"\b(?:wards?|departments?|dept|care units?|nursing units?)\b")
_NAMES = ("last name", "first name", "name")
_CALLED = "called"
_NOUNS = {
    STAFF_MEMBER: ("staff", "staff member", "staff members", "employee", "employees", "member of staff"),
    BED: ("bed", "beds"),
    WARD: ("ward", "wards", "department", "departments", "unit", "units"),
}


def registers(database: Database, views: dict[str, str]) -> Iterator[tuple[str, Role]]:
    """The registers by the names of their roles; the views that they need are added to `views`."""
    for table in database.tables.values():
        if table.name in database.links or table is database.people or table.table.row_count == 0:
            continue
        words = words_of(table.name)
        beds = next((one for one in table.numbers if _BEDS.search(words_of(one))), "")
        if STAFF.search(words) and label_of(table):
            yield STAFF_MEMBER, _register(table, STAFF_MEMBER, label_of(table), {}, views)
        elif _BED.search(words) and table.primary_key:
            where = next((one for one in table.said if _WARDS.search(words_of(one))), "")
            told = {name: where for name in ("ward", "department") if where}
            yield BED, _register(table, BED, table.primary_key, told, views)
        elif _WARDS.search(words) and beds and label_of(table):
            yield WARD, _register(table, WARD, label_of(table), {"beds": beds}, views)


def _register(table: Known, called: str, label: str, told: dict[str, str], views: dict[str, str]) -> Role:
    """The role of the entries of a table, each called as its `label` says; `told` are fields that are known."""
    view = f"{table.name}_{_CALLED}"
    views[view] = f"SELECT {table.name}.*, {label} AS {_CALLED} FROM {table.source}"
    own = {} if called == BED else {field_of(one): one for one in table.texts if field_of(one) in _NAMES}
    fields = dict(told)
    for column in (*table.texts, *table.numbers):
        if column not in (*own.values(), *told.values(), label) and field_of(column) != "gender":
            name = field_of(column) or words_of(column)
            fields.setdefault("specialty" if name == "fluid" else name, column)  # "spec" is no specimen here
    return Role(
        view,
        item=_CALLED,
        row=table.primary_key,
        fields=fields,
        spelled=tuple(column for column in fields.values() if column in table.numbers),
        said=tuple(name for name, column in fields.items() if column in table.said),
        nouns=_NOUNS[called],
    )
