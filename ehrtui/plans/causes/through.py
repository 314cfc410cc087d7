"""Repairs that reach a value through another table: first the keys that belong to it, then the records with them."""

from __future__ import annotations

from ehrtui.plans.editing import fresh, in_comprehension, inserting, statement_of
from ehrtui.plans.evidence import Case
from ehrtui.plans.filter_conditions import parse_conditions
from ehrtui.plans.literals import Literal, conditions_of
from ehrtui.plans.stored import Place
from ehrtui.schema.model import Table


def through(case: Case, index: int, table: Table, place: Place, key: str) -> str | None:
    """The plan whose condition `index` asks `table` for the keys of the rows of `place.table` that hold the value;
    None where the conditions are put together in a way that cannot be taken apart."""
    found = conditions_of(case)
    if found is None or case.tree is None:
        return None
    call, literal, text = found
    condition = parse_conditions(text.split("||")[index])[0]
    statement = statement_of(case.tree, call)
    piece = literal.pieces[index]
    dynamic = literal.formatted and "{" in piece
    if statement is None or condition.operator != "=" or (dynamic and in_comprehension(case.tree, call)):
        return None
    asked = piece.partition("=")[2].strip(" =") if dynamic else place.value
    if not dynamic and literal.quote[0] in asked:
        return None
    variable = fresh(case.plan, f"{key}s")
    prefix = "f" if dynamic else ""
    given = f"{prefix}{literal.quote}{place.column.lower()}={asked}{literal.quote}"
    before = f'{variable} = GetValue(FilterDB(LoadDB("{place.table.lower()}"), {given}), "{key.lower()}, list")'
    changed = literal.with_piece(index, f"{key.lower()} in {{{variable}}}", formatted=True)
    line = statement.lineno if _line_of(literal) >= statement.lineno else _line_of(literal)
    return inserting(changed, line, before)


def _line_of(literal: Literal) -> int:
    return literal.plan.count("\n", 0, literal.start) + 1
