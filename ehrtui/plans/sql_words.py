"""Names and texts as SQL spells them, and names that look alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ehrtui.errors import ToolError

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@lru_cache(maxsize=4096)
def sql_name(name: str, dialect: str) -> str:
    """A table or column name as SQL: in quotes only where it needs them."""
    from sqlglot import exp, tokenize

    if _PLAIN.fullmatch(name) and tokenize(name, read=dialect)[0].token_type.name == "VAR":
        return name
    return str(exp.to_identifier(name, quoted=True).sql(dialect=dialect))


def sql_text(value: str, dialect: str) -> str:
    """A text as an SQL literal."""
    from sqlglot import exp

    if "\x00" in value:
        raise ToolError("A value contains the character NUL.", next_step="Remove it.")
    return str(exp.Literal.string(value).sql(dialect=dialect))


def nearest(name: str, names: Iterable[str], limit: int = 5, at_least: float = 50) -> tuple[str, ...]:
    """The names most like `name`, best first, without regard to case; only those that are `at_least` (0 to 100)."""
    from rapidfuzz import fuzz, process

    found = process.extract(
        name.strip(), list(names), scorer=fuzz.ratio, processor=str.lower, limit=limit, score_cutoff=at_least
    )
    return tuple(match for match, _, _ in found)


def likeness(one: str, other: str) -> float:
    """How alike two names are, from 0 to 100, without regard to case."""
    from rapidfuzz import fuzz

    return float(fuzz.ratio(one.strip().lower(), other.strip().lower()))
