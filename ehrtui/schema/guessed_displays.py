"""Codes that are told in words by a column beside them, as exports of FHIR resources and many warehouses keep them:
"class_code" with "class_display" is the class, "code" with "code_display" is what a condition is called.

The words take the name, and the code keeps its own. Records that were entered in error are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ehrtui.schema.called import bare_noun, words_of
from ehrtui.schema.columns import Known, Read, as_text, distinct_values, plain_name, singular

_WORDS = re.compile(r"^(?P<of>.+?)(?:[ _]?code(?:able)?)? (?:display|displaytext)$")
"""What a column is called that tells in words what a code means."""
_CODES = ("code", "cd", "codeable", "coding")
_SAID_OTHERWISE = {"value": "value text"}
"""What is found in words, where a number has the name."""
_STATUS = re.compile(r"\b(?:status|state)\b")
_ERROR = re.compile(
    r"(?:entered[- _](?:in[- _]error|by[- _]mistake)|void(?:ed)?|erroneous|retracted|deleted)\b", re.IGNORECASE
)
"""What the state of a record says that should not be there."""
_DELETED = re.compile(r"^(?:is |was )?(?:soft )?(?:deleted|voided|discarded)(?: (?:at|on|date|time|flag|yn|ind))?$")
"""What a column is called that says that a row is there no longer, or since when."""
_MOST_STATES = 20


def with_displays_told(tables: Mapping[str, Known]) -> dict[str, Known]:
    """The tables, where a column that tells a code in words has the name of what it tells."""
    found = dict(tables)
    for name, table in tables.items():
        told = dict(_displays(table))
        if told:
            new = ", ".join(f"{name}.{column} AS {called}" for column, called in told.items())
            found[name] = replace(
                table,
                sql=f"SELECT {name}.*, {new} FROM {table.source}",
                texts=_first(table.texts, told),
                said=_first(table.said, told),
            )
    return found


def without_errors(tables: Mapping[str, Known], read: Read) -> dict[str, Known]:
    """The tables without the rows that were entered in error, or deleted without being removed."""
    found = dict(tables)
    for name, table in tables.items():
        stated = [column for column in table.said if _STATUS.search(words_of(column))]
        wrong = {column: _errors(column, table, read) for column in stated}
        left_out = [
            f"COALESCE({name}.{column}, '') NOT IN ({', '.join(map(as_text, values))})"
            for column, values in wrong.items()
            if values
        ]
        gone = [column for column in table.table.columns if _DELETED.search(words_of(column.name))]
        left_out += [f"COALESCE({name}.{column.name}, 0) IN (0, '', 'N', 'n', 'f')" for column in gone]
        if left_out:
            sql = f"SELECT {name}.* FROM {table.source} WHERE {' AND '.join(left_out)}"
            dropped = {column.name for column in gone}
            found[name] = replace(
                table,
                sql=sql,
                times=tuple(one for one in table.times if one not in dropped),
                numbers=tuple(one for one in table.numbers if one not in dropped),
                texts=tuple(one for one in table.texts if one not in dropped),
                said=tuple(one for one in table.said if one not in dropped),
            )
    return found


def _errors(column: str, table: Known, read: Read) -> list[str]:
    """The states in a column of what was entered in error, where others are there too."""
    held = distinct_values(column, table.source, read, _MOST_STATES + 1)
    wrong = [value for value in held if isinstance(value, str) and _ERROR.match(value)]
    return wrong if len(wrong) < len(held) <= _MOST_STATES else []


def _displays(table: Known) -> Iterator[tuple[str, str]]:
    """The columns that tell codes in words, each with the name of what it tells, which no other column has."""
    taken = {column.name.lower() for column in table.table.columns}
    noun = singular(bare_noun(words_of(table.name)))
    for column in table.texts:
        match = _WORDS.match(words_of(column))
        if match is None:
            continue
        of = match["of"]
        called = plain_name(f"{noun} name" if of in _CODES else _SAID_OTHERWISE.get(of, of))
        if called not in taken:
            taken.add(called)
            yield column, called


def _first(columns: tuple[str, ...], told: Mapping[str, str]) -> tuple[str, ...]:
    """The columns with the new names instead of the old ones, before all others."""
    return (*(told[one] for one in columns if one in told), *(one for one in columns if one not in told))
