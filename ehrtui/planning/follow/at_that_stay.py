"""What is told of the one whose stay an answer picked of all: as it was at that stay."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, PATIENT, Has, Of, Own, Rows, Set, Statement


def at_that_stay(statement: Statement) -> Statement:
    """The age, insurance… at that stay ("age and sex of that patient", after the costliest stay of all), and not at
    each stay that the patient ever had; any other statement as it is."""
    match statement:
        case Rows(of=Set(unit=unit, where=Of(Set(unit=whose, where=Has(of=stay, times=None), pick=None)), pick=None)):
            one = unit == HOSPITAL and whose == PATIENT and stay.unit == HOSPITAL and stay.pick is not None
            if one and stay.pick.per == "all" and not stay.pick.through and statement.columns != (Own("id"),):
                return replace(statement, of=stay)
    return statement
