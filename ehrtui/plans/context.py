"""The context of an answer: a plan whose last two steps are `context = SQLInterpreter(…)` and the first columns of that
as its answer has rows for people, which say more than what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.logic.steps import CONTEXT
from ehrtui.plans.composing import Query
from ehrtui.plans.handles import Table
from ehrtui.plans.parsing import PlanStep
from ehrtui.plans.reports import Statement

if TYPE_CHECKING:
    from sqlglot import exp

_SELECTS = re.compile(rf"\s*SELECT\s+[^()']+?\s+FROM\s+{CONTEXT}\s*", re.IGNORECASE | re.DOTALL)


def context_step(steps: Sequence[PlanStep]) -> int | None:
    """The number (from 1) of the step that gives the context, which the last one selects from; None where there is
    none."""
    call = steps[-1].call
    if call is None or call.tables != {CONTEXT: CONTEXT} or _SELECTS.fullmatch(call.sql) is None:
        return None
    places = [number for number, step in enumerate(steps, start=1) if step.target == CONTEXT]
    return places[0] if len(places) == 1 and steps[places[0] - 1].call is not None else None


def is_beside(context: Table, answer: Table) -> bool:
    """Whether the rows of `context` begin with those of the `answer`, and have more columns."""
    count = len(answer.columns)
    whole = context.row_count == answer.row_count and len(context.columns) > count
    return whole and context.kept_as is not None and context.columns[:count] == answer.columns


def asked_alone(context: Table, statement: Statement, count: int) -> Statement:
    """The answer's `statement`, which selects the first `count` columns of the context, as it would have been written
    without one; as it is where the other columns have a part in which rows there are."""
    flat = _narrowed(context.flat.select(), count, context.dialect)
    seq = flat if context.seq == context.flat else _narrowed(context.seq.select(), count, context.dialect)
    return replace(statement, flat=flat or statement.flat, seq=seq or statement.seq)


def _narrowed(query: Query, count: int, dialect: str) -> str | None:
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        select = parse_one(query.body, dialect=dialect)
    except (SqlglotError, RecursionError):
        return None
    if not isinstance(select, exp.Select) or select.args.get("distinct") or select.args.get("with_"):
        return None
    if not select.args.get("group") and _counts(select.expressions[count:]) and not _counts(select.expressions[:count]):
        return None  # it is one row only with the numbers
    left_out = {one.alias for one in select.expressions[count:] if isinstance(one, exp.Alias)}
    order = select.args.get("order")
    if order is not None and any(column.name in left_out for column in order.find_all(exp.Column)):
        return None
    select.set("expressions", select.expressions[:count])
    body = select.sql(dialect=dialect, pretty=True, max_text_width=110)
    used = {name.lower() for name in re.findall(r"\w+", " ".join([body, *(text for _, text in query.ctes)]))}
    return Query(body, tuple((name, text) for name, text in query.ctes if name.lower() in used)).text


def _counts(columns: Sequence[exp.Expr]) -> bool:
    """Whether any of these may make one row of many: a function that is not known may be an aggregate."""
    from sqlglot import exp

    return any(column.find(exp.AggFunc, exp.Anonymous) is not None for column in columns)
