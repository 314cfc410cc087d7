"""One turn of a decomposition, and what it was in the statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["subquery", "with", "arm", "clause", "main"]
"""What a turn was in the statement: a subquery, a query of WITH, an arm of UNION, some of the clauses of one of these,
or the statement itself."""


@dataclass(frozen=True)
class Part:
    """One turn: its SQL, its role, and in words what it was in the statement."""

    sql: str
    role: Role
    why: str
