"""Moves from ward to ward that are kept as events, of coming and of going, each pair tied by a key: told as what lasted
from one to the other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ehrtui.schema.called import words_of
from ehrtui.schema.columns import Known, Read, as_text, distinct_values
from ehrtui.schema.guessed_kinds import role_name
from ehrtui.schema.guessed_stays import END
from ehrtui.schema.kinds import TRANSFER

_NEXT = re.compile(r"^next\b.*\b(?:id|number|key)$|^next\b")
"""What the key is called that leads from coming to going."""
_KIND = re.compile(r"\b(?:type|kind|event|action)\b")
_COMING = re.compile(r"admi|\bin$|arriv|enter", re.IGNORECASE)
"""What such an event is called that begins a time on a ward."""
LEFT = "left_time"
"""The column of the view that tells when a time on a ward ended."""
_MOST_KINDS = 40


def with_moves_ended(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables; of moves that are kept as events those of coming, with the time of the event of going."""
    found = dict(tables)
    for name, table in tables.items():
        key, time = table.primary_key, next(iter(table.times), "")
        following = next((one for one in table.keys if one != key and _NEXT.search(words_of(one))), "")
        if not (key and time and following) or role_name(table) != TRANSFER:
            continue
        if any(END.search(words_of(one)) for one in table.times):
            continue
        kind, coming = _coming(table, read)
        if not coming:
            continue
        begun = f"{name}.{kind} IN ({', '.join(map(as_text, coming))})"
        sql = (
            f"SELECT {name}.*, gone.{time} AS {LEFT} FROM {table.source} "
            f"LEFT JOIN (SELECT {key}, {time} FROM {table.source}) AS gone ON gone.{key} = {name}.{following} "
            f"WHERE {begun}"
        )
        found[name] = replace(table, sql=sql, times=(*table.times, LEFT))
    return found


def _coming(table: Known, read: Read) -> tuple[str, list[str]]:
    """The column that says of what kind an event is, and its values that tell of coming."""
    for column in table.said:
        if _KIND.search(words_of(column)):
            held = distinct_values(column, table.source, read, _MOST_KINDS)
            if coming := sorted(one for one in held if isinstance(one, str) and _COMING.search(one)):
                return column, coming
    return "", []
