"""Questions for what is asked of cohorts."""

from __future__ import annotations

from ehrtui.logic.algebra.model import (
    Arms,
    Attrition,
    Characteristics,
    Cohort,
    Histogram,
    Listing,
    Overlap,
    Prevalence,
    Summary,
    TimeTo,
    Workflow,
)
from ehrtui.logic.english.clauses import At, clause, noun
from ehrtui.logic.english.groups import key_name
from ehrtui.logic.english.numbers import heads
from ehrtui.logic.english.things import thing
from ehrtui.logic.english.words import listed, numeral


def of_workflow(statement: Workflow, at: At) -> str:
    """The question for what is asked of cohorts."""
    match statement:
        case Listing(of=of, lacking=lacking):
            if lacking is None:
                return f"which {thing(of, at).many()} are there, each with what describes them"
            return f"which {thing(of, at).many()} lack any {thing(lacking, at.about(of.unit)).many()}"
        case Summary(of=of):
            return (
                f"how many are {thing(of, at).many()}, how old, of which sex, how long did they stay, and how many died"
            )
        case Arms(of=cohorts, columns=columns):
            numbers = heads(columns, at.about(cohorts[0].of.unit))
            return f"what are {numbers} of {_cohorts(cohorts, at)}, each by themselves"
        case Characteristics(of=cohorts, more=more):
            beside = f", and {listed([noun(one, at.about(cohorts[0].of.unit)) for one in more])}" if more else ""
            return f"how do {_cohorts(cohorts, at)} differ in age, sex, stays and outcome{beside}"
        case Histogram(measure=measure, of=of, width=width):
            bins = f", in bins of {numeral(width)}" if width is not None else ""
            return f"how is the {noun(measure, at.about(of.unit))} of {thing(of, at).many()} distributed{bins}"
        case Prevalence(condition=condition, of=of, by=by, least=least):
            own = at.about(of.unit)
            keys = f", for each {listed([key_name(one, own, one=True) for one in by])}" if by else ""
            hidden = f", hiding what is below {least}" if least else ""
            return f"how many and what percentage of {thing(of, at).many()} {clause(condition, own).verb}{keys}{hidden}"
        case TimeTo(of=cohorts, event=event, start=start, until=until, unit=unit, within=within):
            own = at.about(cohorts[0].of.unit)
            event_name, start_name, until_name = (noun(one, own) for one in (event, start, until))
            span = f" within {numeral(within)} {unit}s" if within is not None else ""
            return (
                f"how many {unit}s pass from the {start_name} to the {event_name}{span}, for {_cohorts(cohorts, at)}, "
                f"seen until the {until_name}"
            )
        case Attrition(of=of, steps=steps):
            own = at.about(of.unit)
            if not steps:
                return f"how many are left after each criterion of {thing(of, at).many()}"
            said = ", then those that ".join(clause(one, own).verb for one in steps)
            return f"how many are left of {thing(of, at).many()}, then those that {said}"
        case Overlap(left=left, right=right):
            return f"how many are both {_called(left, at)} and {_called(right, at)}, and how many are one alone"


def _cohorts(cohorts: tuple[Cohort, ...], at: At) -> str:
    return listed([_called(one, at) for one in cohorts])


def _called(cohort: Cohort, at: At) -> str:
    said = thing(cohort.of, at).many()
    return f"{said} (“{cohort.name}”)" if cohort.name else said
