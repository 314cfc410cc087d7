"""What the tokens of an earlier turn stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ehrtui.engines.engine import Row


@dataclass(frozen=True)
class Reference:
    """What the tokens of turn `number` stand for.

    `relation` is the SQL that names its kept rows in the engine, `columns` and `row_count` describe them. `flat` is its
    query in flat standard SQL, None where it was computed in Python; then `rows` is called to spell the rows out.
    `alike` is False where kept rows would compare differently than the query's own: then the query is what runs.
    """

    number: int
    relation: str
    columns: tuple[str, ...]
    row_count: int
    flat: str | None
    rows: Callable[[], list[Row]]
    alike: bool = True
