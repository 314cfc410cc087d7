"""An answer as Parquet, by pyarrow, which is an extra."""

from __future__ import annotations

import io
from typing import Any

from ehrtui.errors import UsageError
from ehrtui.export.answer import Answer, shown


def to_parquet(answer: Answer, *, values: bool) -> bytes:
    """A table of the rows, each column of one type; where and how it was made is in its metadata."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise UsageError(
            "Parquet needs pyarrow.", why="It is not installed.", next_step='pip install "ehrtui[export]"'
        ) from error
    rows = answer.rows if values else ()
    names = _names(answer.columns)
    columns = [pa.array(_of_one_type([row[at] for row in rows])) for at in range(len(names))]
    facts = {f"ehrtui {number}": line for number, line in enumerate(answer.facts)}
    facts |= {"ehrtui logic": answer.logic, "ehrtui sql": answer.sql}
    table = pa.Table.from_arrays(columns, names=names).replace_schema_metadata(facts)
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def _names(columns: tuple[str, ...]) -> list[str]:
    """The titles, none twice."""
    found: list[str] = []
    for title in columns:
        same = sum(one == title or one.startswith(f"{title}_") for one in found)
        found.append(title if title not in found else f"{title}_{same + 1}")
    return found


def _of_one_type(values: list[Any]) -> list[Any]:
    """Values that a column can hold: numbers as they are; of different types as texts."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) <= 1:
        return values
    if kinds == {int, float}:
        return [None if value is None else float(value) for value in values]
    return [None if value is None else shown(value) for value in values]
