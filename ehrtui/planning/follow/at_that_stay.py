"""What is told of those whose stay an answer picked, or by whose stay it told them: as it was at that stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, Has, InAnswer, Of, Own, Rows, Set, Statement
from ehrtui.planning.follow.subject import Subject


def at_that_stay(statement: Statement, subjects: Mapping[int, Subject]) -> Statement:
    """The age, insurance… at that stay ("age and sex of that patient", after the costliest stay of all), and not at
    each stay that the patient ever had; and how long that stay was; any other statement as it is."""
    if not isinstance(statement, Rows) or statement.columns == (Own("id"),):
        return statement
    match statement.of:
        case Set(
            unit="hospital stay", where=Of(Set(unit="patient", where=Has(of=stay, times=None), pick=None)), pick=None
        ):
            pick = stay.pick
            if stay.unit == HOSPITAL and pick is not None and pick.per == "all" and not pick.through:
                return replace(statement, of=stay)
        case Set(unit="hospital stay", where=Of(Set(unit="patient", where=InAnswer(turn=turn))), pick=None):
            subject = subjects.get(turn)
            stays = subject.stays if subject is not None else None
            if stays is not None and stays.unit == HOSPITAL and Own("length") in statement.columns:
                return replace(statement, of=stays)
    return statement
