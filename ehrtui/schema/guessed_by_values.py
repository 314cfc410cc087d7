"""Which kind of records a table holds whose name says nothing of it: told by the names of what was found."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from ehrtui.schema.called import lab_of, vital_of, words_of
from ehrtui.schema.columns import Known, Read, distinct_values
from ehrtui.schema.guessed_kinds import OF_ANY, role_name
from ehrtui.schema.guessing import is_named
from ehrtui.schema.kinds import kinds

_MOST_NAMES = 300
_FEWEST = 3
"""Names of one kind that are known: so many are no chance."""
_FOUND = re.compile(r"value|result|reading|level|score|finding", re.IGNORECASE)
"""What the columns are called of what was found."""


def with_kinds_by_values(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables; those of findings that nothing else tells with their kind: results of the laboratory, or vital
    signs."""
    found = dict(tables)
    for name, table in tables.items():
        named = role_name(table)
        told = (*table.numbers, *table.texts)
        if (named in OF_ANY or named not in kinds()) and any(_FOUND.search(one) for one in told):
            found[name] = replace(table, kind=_kind(table, read))
    return found


def _kind(table: Known, read: Read) -> str:
    """The kind of the findings in a table, by the column of names of which most are known; "" where few are."""
    best, most = "", _FEWEST - 1
    for column in (one for one in table.said if is_named(one)):
        names = [one for one in distinct_values(column, table.source, read, _MOST_NAMES) if isinstance(one, str)]
        for kind, of in (("vital", vital_of), ("lab", lab_of)):
            known = _known(names, of)
            if known > most:
                best, most = kind, known
    return best


def _known(names: list[str], of: Callable[[str], str]) -> int:
    """How many of the names are those of something that is known."""
    return len({told for one in names if (told := of(one) or of(words_of(one).partition(" ")[0]))})
