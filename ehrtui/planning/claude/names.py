"""Names in the SQL of a plan that no vocabulary of the database has: it would find nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.planning.claude.catalogue import Catalogue

if TYPE_CHECKING:
    from sqlglot import exp

_MOST_NAMES = 5
_MOST_NEAR = 3
_LIKE = 60.0


def names_not_stored(sql: str, written: str, catalogue: Catalogue) -> str:
    """A line for each name that a column of a vocabulary is to equal and that is not stored so, with the nearest that
    are; "" where there is none. Only what stands in the plan as it was `written` is looked at, and nothing behind OR,
    where another name may be found."""
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(sql, read="sqlite")
    except (SqlglotError, RecursionError):
        return ""
    lines: dict[str, None] = {}
    for equality in tree.find_all(exp.EQ):
        column, value = equality.left, equality.right
        if not (isinstance(column, exp.Column) and isinstance(value, exp.Literal) and value.is_string):
            continue
        name = str(value.this)
        wanted = name in written and equality.find_ancestor(exp.Or, exp.Not, exp.Case) is None
        if wanted and _is_tested(equality) and catalogue.is_vocabulary(column.name) and catalogue.has(name) is False:
            near = ", ".join(one.told for one in catalogue.search(name, _MOST_NEAR)[0] if _is_like(one.name, name))
            lines[f"'{name}' is not stored{f'; the nearest are {near}' if near else ''}\n"] = None
    return "".join(list(lines)[:_MOST_NAMES])


def _is_like(stored: str, name: str) -> bool:
    """True for a stored name that may well be meant: it has all words of the other, or most of its letters."""
    from rapidfuzz import fuzz

    one, other = stored.lower(), name.lower()
    return set(other.split()) <= set(one.split()) or fuzz.ratio(one, other) >= _LIKE


def _is_tested(equality: exp.EQ) -> bool:
    """True for a condition, and false for a value that is selected or counted."""
    from sqlglot import exp

    inside: exp.Expr | None = equality.parent
    while isinstance(inside, exp.And | exp.Paren):
        inside = inside.parent
    return isinstance(inside, exp.Where | exp.Having | exp.Join)
