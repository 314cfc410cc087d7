"""The rubber duck: the most probable cause of a plan's error, and its repair, without a language model (EHRAgent §3.4).

Each cause is a function that looks for its own evidence in a `Case` and gives a Diagnosis or nothing. They are tried in
order, the more specific ones first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ehrtui.errors import EhrtuiError, PlanError, QueryCancelled
from ehrtui.plans.causes import (
    dates,
    expressions,
    filter_grammar,
    frames,
    names,
    program,
    python_values,
    queries,
    suspicious,
    values,
)
from ehrtui.plans.diagnosis import UNKNOWN, Diagnosis, Facts
from ehrtui.plans.evidence import Case
from ehrtui.plans.explaining import error_suggestions
from ehrtui.plans.reports import Step

Cause: TypeAlias = Callable[[Case], Diagnosis | None]

CAUSES: tuple[Cause, ...] = (
    program.syntax,
    program.answer_never_set,
    program.endless_loop,
    program.missing_import,
    program.sql_word,
    program.unquoted_name,
    program.unsupported_module,
    program.misspelt_name,
    values.wrong_case,
    filter_grammar.list_as_text,
    filter_grammar.wrong_grammar,
    values.other_column,
    values.missing_dictionary_join,
    values.misspelt_value,
    values.other_identifier,
    values.other_table,
    values.unknown_value,
    names.unknown_table,
    names.table_by_its_name,
    names.wrong_arguments,
    names.unknown_aggregate,
    names.unknown_column,
    names.misread_duration,
    filter_grammar.list_for_one_value,
    filter_grammar.text_for_key,
    filter_grammar.year_for_a_date,
    filter_grammar.text_in_order,
    filter_grammar.malformed_conditions,
    filter_grammar.another_date_format,
    filter_grammar.number_expected,
    expressions.variable_in_expression,
    queries.misplaced_token,
    queries.changes_the_database,
    queries.list_in_sql,
    queries.unquoted_text,
    queries.plan_table_not_given,
    queries.unknown_sql_table,
    queries.ambiguous_column,
    queries.unknown_sql_column,
    queries.other_function,
    queries.aggregate_in_where,
    queries.sql_syntax,
    suspicious.large_join,
    dates.missing_clock,
    dates.days_of_a_number,
    dates.other_date_format,
    python_values.missing_value,
    dates.date_arithmetic_on_text,
    python_values.text_joined_to_other,
    python_values.number_as_text,
    frames.row_by_column_name,
    frames.compared_table,
    frames.table_as_frame,
    frames.method_of_a_frame,
    python_values.one_value_for_many,
    python_values.many_values_for_one,
    frames.table_as_value,
    python_values.empty_mean,
    expressions.words_in_expression,
    dates.day_for_a_moment,
    python_values.empty_list,
)
"""All causes of failures, in the order in which they are tried."""

SUSPICIONS: tuple[Cause, ...] = (
    dates.wall_clock_date,
    dates.day_for_a_moment,
    suspicious.equals_null,
    suspicious.absent_in_sql,
    suspicious.large_join,
    suspicious.letter_of_a_text,
)
"""What a plan may have got wrong that nevertheless ran."""


LONGEST = 20_000
"""Characters; a longer plan is not looked into."""


def diagnose(error: EhrtuiError, plan: str, facts: Facts) -> Diagnosis:
    """The most probable cause of `error`, which `plan` ended in. Looks at the database, within bounds; never raises for
    what it finds there, only QueryCancelled where the user stops it."""
    steps = error.steps if isinstance(error, PlanError) else ()
    case = Case(_normal(plan), facts, error, steps)
    return _first(CAUSES, case) or Diagnosis(
        UNKNOWN, error.why or error.what, case.line, None, 0.3, error_suggestions(error)
    )


def suspect(steps: tuple[Step, ...], plan: str, facts: Facts) -> Diagnosis | None:
    """What is most probably wrong with a plan that ran in these steps; None where nothing is suspicious."""
    return _first(SUSPICIONS, Case(_normal(plan), facts, None, steps))


def _first(causes: tuple[Cause, ...], case: Case) -> Diagnosis | None:
    if len(case.plan) > LONGEST:
        return None
    for cause in causes:
        try:
            found = cause(case)
        except QueryCancelled:
            raise
        except EhrtuiError:
            continue  # the database could not be asked in time: no evidence
        if found is not None:
            return found
    return None


def _normal(plan: str) -> str:
    return plan.replace("\r\n", "\n").replace("\r", "\n")
