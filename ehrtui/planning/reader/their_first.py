"""What "their first diagnosis" is of people with a disease: "persons with gout and the date of their first diagnosis"
asks for that of gout, and "patients on warfarin and when they got the first prescription" for one of warfarin; and
"the first stay of each patient", which makes no group of each of them."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, Condition, Groups, Has, Of, Own, Picked, Rows, Set, Statement
from ehrtui.logic.nodes import mapped
from ehrtui.planning.reader.meanings import parts_of

_WHEN = Own("time")


def of_what_they_have(statement: Statement) -> Statement:
    """The statement in which the first or last record of a kind, whose time is asked for, is of what the people must
    have had of that kind."""
    if not isinstance(statement, Rows) or not isinstance(statement.of, Set):
        return statement
    if statement.of.unit == PATIENT:
        had = parts_of(statement.of.where)

        def told(node: object) -> object:
            if isinstance(node, Picked) and node.measure == _WHEN and isinstance(node.of, Set):
                return replace(node, of=_named(node.of, had))
            return node

        columns: tuple[object, ...] = tuple(mapped(one, told) for one in statement.columns)
        return replace(statement, columns=columns)  # type: ignore[arg-type]
    whose = [part.of for part in parts_of(statement.of.where) if isinstance(part, Of) and part.of.unit == PATIENT]
    if _WHEN not in statement.columns or len(whose) != 1:
        return statement
    of = _named(statement.of, parts_of(whose[0].where))
    if of == statement.of:
        return statement
    return replace(statement, of=of, columns=tuple(one for one in statement.columns if one != Own("name")))


def of_one_each(statement: Statement) -> Statement:
    """ "The mean length of the first ICU stay of each patient, by unit": the patients are no further groups, of whom
    there is but one stay each."""
    theirs = isinstance(statement, Groups) and statement.of.pick is not None and statement.of.pick.per == PATIENT
    if not isinstance(statement, Groups) or not theirs or statement.asked == "keys" or len(statement.by) < 2:
        return statement
    return replace(statement, by=tuple(key for key in statement.by if key != Own(PATIENT)))


def _named(of: Set, had: tuple[Condition, ...]) -> Set:
    """A picked record of no name, as one of the only names of its kind that are demanded."""
    if of.items or of.pick is None or of.pick.by is not None:
        return of
    same = [part.of.items for part in had if isinstance(part, Has) and part.of.unit == of.unit and part.of.items]
    return replace(of, items=same[0]) if len(same) == 1 else of
