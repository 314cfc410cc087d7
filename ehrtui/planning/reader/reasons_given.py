"""Groups by a reason are of what has one: "operations by cancellation reason" asks of those that were cancelled."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import Groups, Is, Own, Statement
from ehrtui.planning.reader.meanings import limited, parts_of

_REASON = " reason"


def of_those_with_reasons(statement: Statement) -> Statement:
    """A statement about groups by a reason, of the rows that tell it."""
    if not isinstance(statement, Groups):
        return statement
    reasons = [key for key in statement.by if isinstance(key, Own) and key.field.endswith(_REASON)]
    told = [Is(key, "present") for key in reasons if key.field != f"visit{_REASON}"]
    new = [one for one in told if one not in parts_of(statement.of.where)]
    return replace(statement, of=limited(statement.of, *new)) if new else statement
