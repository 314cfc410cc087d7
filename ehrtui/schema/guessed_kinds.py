"""Which kind of records a table holds whose name says nothing: told by the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ehrtui.schema.called import (
    bare_noun,
    field_of,
    kind_by_columns,
    kind_in_name,
    kind_of_table,
    lab_of,
    vital_of,
    words_of,
)
from ehrtui.schema.columns import Known, singular
from ehrtui.schema.guessing import PEOPLE

OF_ANY = ("measurement", "observation")
"""Kinds of records that may be of vital signs as well."""
_ABBREVIATED = re.compile(r"(?<=\w\w\w) \w\w$")
"""Two letters that a site puts behind the name of a table: "LAB_RESULT_CM"."""
_FEWEST_VITALS = 3
"""Columns that are called as vital signs: with so many, each row holds a round of them."""


def role_name(table: Known) -> str:
    """The name of a table's role: the kind of records that its values tell, or that it is named after, or that its
    columns tell, or its own name in the singular."""
    if table.kind:
        return table.kind
    noun = _noun(table)
    bare = singular(bare_noun(noun))
    named = kind_of_table(noun) or kind_in_name(bare) or kind_in_name(_ABBREVIATED.sub("", bare))
    if named == "allergy" and any(field_of(column) == "antibiotic" for column in (*table.texts, *table.keys)):
        return own_name(table)  # sensitivities of what grew
    if named in OF_ANY and vital_columns(table):
        return "vital"
    return named or _kind_by_columns(table) or own_name(table)


def own_name(table: Known) -> str:
    """The name of a table's role by its own name in the singular."""
    return singular(bare_noun(_noun(table))).replace(" ", "_")


def _noun(table: Known) -> str:
    words = singular(words_of(table.name)).split(" ")
    return " ".join(word for word in words if word not in PEOPLE and len(word) > 1)


def vital_columns(table: Known) -> Mapping[str, str]:
    """The vital signs of a table that has a column for each, by their names; none where it has but a few."""
    return _measured(table, vital_of)


def lab_columns(table: Known) -> Mapping[str, str]:
    """The laboratory values of a table that has a column for each, by their names; none where it has but a few."""
    return _measured(table, lab_of)


def _measured(table: Known, name_of: Callable[[str], str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for column in table.numbers:
        if name := name_of(column):
            found.setdefault(name, column)
    return found if len(found) >= _FEWEST_VITALS else {}


def _kind_by_columns(table: Known) -> str:
    if vital_columns(table):
        return "vital"
    if lab_columns(table):
        return "lab"
    columns = (*table.keys, *table.times, *table.numbers, *table.texts)
    return kind_by_columns({word for column in columns for word in words_of(column).split(" ")})
