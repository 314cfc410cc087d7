"""Records that leave to others when they were: the drug of an order, which has the rest of it in a table of its own;
what grew in a specimen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ehrtui.schema.called import words_of
from ehrtui.schema.columns import Known, Read, singular
from ehrtui.schema.guessed_kinds import role_name
from ehrtui.schema.guessing import PLACES, holds_keys
from ehrtui.schema.kinds import ADMISSION, PATIENT
from ehrtui.schema.references import Targets

_ALONE = (ADMISSION, PATIENT)
"""What has records, and no parts: when a stay was is no time of its diagnoses."""


def with_times_of_wholes(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables; those without a time whose rows belong to records that have one with all that these tell."""
    found = dict(tables)
    targets = Targets.among(one for one in tables.values() if _is_whole(one))
    for name, table in tables.items():
        if table.times or not table.texts or table.patient:
            continue
        key, whole = next(_leading(table, targets, read), ("", None))
        if whole is not None:
            found[name] = _with_all_of(table, key, whole)
    return found


def _is_whole(table: Known) -> bool:
    """True for records of patients that say when they were."""
    of_records = bool(table.times and table.patient and table.primary_key)
    return of_records and role_name(table) not in _ALONE and PLACES.search(singular(words_of(table.name))) is None


def _leading(table: Known, targets: Targets, read: Read) -> Iterator[tuple[str, Known]]:
    return (pair for pair in targets.of(table) if holds_keys(table, *pair, read))


def _with_all_of(table: Known, key: str, whole: Known) -> Known:
    """A table with the columns of what its rows belong to, as far as it has none that are called so."""
    own = {column.name.lower() for column in table.table.columns}
    more = {
        kind: tuple(one for one in held if one.lower() not in own)
        for kind, held in (
            ("keys", whole.keys), ("times", whole.times), ("texts", whole.texts), ("numbers", whole.numbers),
        )
    }  # fmt: skip
    told = ", ".join(f"{whole.name}.{one}" for held in more.values() for one in held)
    sql = (
        f"SELECT {table.name}.*, {told} FROM {table.source} "
        f"JOIN {whole.source} ON {whole.name}.{whole.primary_key} = {table.name}.{key}"
    )
    new = set().union(*more.values())
    return replace(
        table,
        sql=sql,
        patient=whole.patient,
        keys=(*table.keys, *more["keys"]),
        times=more["times"],
        texts=(*table.texts, *more["texts"]),
        numbers=(*table.numbers, *more["numbers"]),
        said=(*table.said, *(one for one in whole.said if one in new)),
        amounts=(*table.amounts, *(one for one in whole.amounts if one in new)),
        spelled=(*table.spelled, *(one for one in whole.spelled if one in new)),
    )
