"""Whether an engine would understand a repaired statement, without running it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ehrtui.engines.engine import Engine
from ehrtui.errors import EhrtuiError

_TOKEN = re.compile(r"\bPREV_(RESULT|QUERY)\d+\b", re.IGNORECASE)
_WITH = re.compile(r"\s*WITH\b(\s+RECURSIVE\b)?", re.IGNORECASE)


def compiles(engine: Engine, sql: str, tables: Mapping[str, tuple[str, ...]] | None = None) -> bool:
    """True where the engine can compile `sql`; `tables` are the columns of tables of the plan that it may name. PREV_
    tokens stand for a query of one column."""
    sql = _TOKEN.sub("SELECT NULL", sql)
    empty = []
    for name, columns in (tables or {}).items():
        named = ", ".join(f'NULL AS "{column}"' for column in columns)
        empty.append(f"{name} AS (SELECT {named} LIMIT 0)")
    if empty:
        own = _WITH.match(sql)
        head = f"{own.group()} {', '.join(empty)}, " if own else f"WITH {', '.join(empty)} "
        sql = head + sql[own.end() if own else 0 :]
    try:
        return bool(engine.columns(sql))
    except EhrtuiError:
        return False
