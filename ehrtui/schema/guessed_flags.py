"""Numbers that say only whether something is so, told as "yes" and "no", so that people can say what it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ehrtui.schema.called import field_of, words_of
from ehrtui.schema.columns import Known, Read, distinct_values, plain_name

FLAG = re.compile(r"^(?:is|was|has|had|needs?|requires?) |\b(?:flag|indicator|ind|yn|required|needed)\b")
"""What the names of such columns have beside what they are about."""
_GLUE = ("as", "if", "when", "of", "to", "on")
"""What says nothing by itself: "as needed" is not about "as"."""
_TYPED = re.compile(r"^(?:bln|bol)(?=[A-Z])")
"""What the names of such columns begin with where names begin with types."""


def with_flags_told(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables, each with what its flags say under the name of what they are about: "interpreter" for
    "InterpreterRequired"."""
    found = dict(tables)
    for name, table in tables.items():
        taken = {column.name.lower() for column in table.table.columns}
        told: dict[str, str] = {}
        for column in table.numbers:
            about = _about(column)
            if not about or about in (*taken, *told.values()):
                continue
            if set(distinct_values(column, table.source, read, 3)) == {0, 1}:
                told[column] = about
        if told:
            said = ", ".join(
                f"CASE {name}.{column} WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS {about}"
                for column, about in told.items()
            )
            found[name] = replace(
                table,
                sql=f"SELECT {name}.*, {said} FROM {table.source}",
                numbers=tuple(one for one in table.numbers if one not in told),
                texts=(*table.texts, *told.values()),
                said=(*table.said, *told.values()),
            )
    return found


def _about(column: str) -> str:
    """What a flag is about, as the name of a column; "" for a column that is not called as one, or is known."""
    words = words_of(column)
    if _TYPED.match(column):
        return "" if field_of(column) else plain_name(words)
    bare = FLAG.sub("", words).strip()
    return "" if bare in ("", words, *_GLUE) or field_of(column) else plain_name(bare)
