"""When patients died, where that is told in a table of deaths beside them, as in data warehouses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ehrtui.schema.called import field_of, words_of
from ehrtui.schema.columns import Known, singular

_DEATH_DATE = "death date"
_DEATHS = re.compile(r"\b(?:death|mortality|deceased)$")
_TOLD = "death_date"


def with_deaths_told(tables: Mapping[str, Known], people: Known | None) -> dict[str, Known]:
    """The tables, that of patients with the date of their death, where another tells it and it does not."""
    found = dict(tables)
    if people is None or any(field_of(one) == _DEATH_DATE for one in people.times):
        return found
    key = people.patient or people.primary_key
    for table in tables.values():
        died = next((one for one in table.times if field_of(one) == _DEATH_DATE), "")
        if table is people or not (died and table.patient and _DEATHS.search(singular(words_of(table.name)))):
            continue
        dates = f"SELECT {table.patient} AS died, MIN({died}) AS {_TOLD} FROM {table.source} GROUP BY {table.patient}"
        found[people.name] = replace(
            people,
            sql=f"SELECT {people.name}.*, deaths_told.{_TOLD} FROM {people.source} "
            f"LEFT JOIN ({dates}) AS deaths_told ON deaths_told.died = {people.name}.{key}",
            times=(*people.times, _TOLD),
        )
        break
    return found
