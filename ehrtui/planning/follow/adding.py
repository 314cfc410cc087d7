"""A criterion that the user adds to a cohort, as query logic has it or in words."""

from __future__ import annotations

from collections.abc import Callable

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import PATIENT, UNITS, Condition, Has, Not, Of, Rows, Set, Statement
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.algebra.render import set_text
from ehrtui.logic.written import statement_of
from ehrtui.planning.proposal import Proposal
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.meanings import parts_of


def criteria_of(text: str, unit: str, propose: Callable[[str], Proposal]) -> tuple[Condition, ...]:
    """What a text demands of the rows of a `unit`: as it is written in query logic, else as it is read among patients'
    criteria (`propose` reads a question). Raises LogicError where it says neither."""
    rows = set_text(Set(unit))
    for form in (f"{rows} {text}", f"{rows} where {text}"):
        try:
            statement = parse_statement(form)
        except LogicError:
            continue
        if isinstance(statement, Rows) and statement.of.unit == unit and statement.of.where is not None:
            return parts_of(statement.of.where)
    if unit in UNITS:
        for form in (f"patients {text}", f"patients with {text}"):
            proposal = propose(form)
            if proposal.logic and not proposal.reason and not proposal.unexplained:
                found = _of_patients(statement_of(proposal.logic), unit)
                if found:
                    return found
    raise LogicError(
        f"“{text[:60]}” is no criterion that I know.",
        why='As query logic: with lab "creatinine", age >= 65, without diagnosis code "428.*".',
    )


def _of_patients(statement: Statement, unit: str) -> tuple[Condition, ...]:
    """What a statement demands of patients, of the rows of a unit; nothing where it tells of other rows."""
    of = rows_about(statement)
    if of is None or of.where is None or of.unit not in UNITS or of.pick is not None:
        return ()
    parts = parts_of(of.where)
    if of.unit == unit or (of.unit == PATIENT and all(map(_of_either, parts))):
        return parts
    return (Of(of),) if of.unit == PATIENT else (Has(of),) if unit == PATIENT else ()


def _of_either(condition: Condition) -> bool:
    """Whether a condition on patients says the same of one of their stays: that there were records."""
    held = condition.of if isinstance(condition, Not) else condition
    return isinstance(held, Has) and held.of.unit not in UNITS
