"""What a statement is about: the rows of a set that its answer tells of."""

from __future__ import annotations

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    UNITS,
    Aggregate,
    All,
    AnyOf,
    Arms,
    Attrition,
    Characteristics,
    Condition,
    Difference,
    Groups,
    Has,
    Histogram,
    Listing,
    Not,
    Of,
    Overlap,
    Picked,
    Prevalence,
    Rows,
    Set,
    Single,
    Statement,
    Summary,
    TimeTo,
    Whether,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.meanings import limited, parts_of


def tells_of_stays(node: object) -> bool:
    """Whether a statement, or a part of one, is about stays that have something."""
    stays = (one for one in walk(node) if isinstance(one, Set) and one.unit in (HOSPITAL, ICU))
    return any(isinstance(part, Has) for one in stays for part in parts_of(one.where))


def rows_about(statement: Statement) -> Set | None:
    """The patients, stays or records that a statement is about; None where these are no rows of a set."""
    match statement:
        case Single(columns=(first, *_)):
            return _of_measure(first)
        case Rows(of=of) | Groups(of=of) | Difference(left=of) | Summary(of=of) | Histogram(of=of):
            return of
        case Listing(of=of, lacking=lacking):
            return of if lacking is None else limited(of, Not(Has(lacking)))
        case Prevalence(of=of, condition=condition):
            return limited(of, condition)
        case Attrition(of=of, steps=steps):
            return limited(of, *steps)
        case Arms(of=cohorts) | Characteristics(of=cohorts) | TimeTo(of=cohorts):
            unit = cohorts[0].of.unit
            return Set(unit, where=AnyOf(tuple(Of(one.of) for one in cohorts))) if len(cohorts) > 1 else cohorts[0].of
        case Overlap(left=left, right=right) if left.of.unit in UNITS:
            return Set(left.of.unit, where=All((Of(left.of), Of(right.of))))
    return None


def _of_measure(measure: object) -> Set | None:
    match measure:
        case Aggregate(function="percent", of=Set() as of, measure=condition) if condition is not None:
            return limited(of, condition)  # type: ignore[arg-type]
        case Aggregate(of=Set() as of):
            return of
        case Aggregate(of=of) if of is not None:
            return rows_about(of)  # type: ignore[arg-type]
        case Picked(of=of):
            return of
        case Whether(condition=condition):
            return _of_condition(condition)
    return None


def _of_condition(condition: Condition) -> Set | None:
    match condition:
        case Has(of=of):
            return of
        case All(of=(first, *_)):
            return _of_condition(first)
    return None
