"""A plan whose last steps are `context` and a selection from it has rows for people beside its answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.plans.reports import Outcome

SERIES = "SELECT subject_id, valuenum, charttime AS at FROM labevents WHERE subject_id = 102"


def _plan(context: str, asked: str) -> str:
    answer = f'SQLInterpreter("SELECT {asked} FROM context", context=context)'
    return f'context = SQLInterpreter("""{context}""")\nanswer = {answer}'


def test_both_are_kept_and_the_answer_is_the_first_columns(run: Callable[[str], Outcome], engine: Engine) -> None:
    outcome = run(_plan(SERIES, "subject_id, valuenum"))
    assert outcome.columns == ("subject_id", "valuenum")
    assert outcome.context is not None
    assert outcome.context.columns == ("subject_id", "valuenum", "at")
    rows, whole = engine.page("answer", 0, 99), engine.page(outcome.context.name, 0, 99)
    assert [row[:2] for row in whole] == rows
    assert len(rows) == outcome.row_count > 1


def test_the_sql_of_the_answer_is_as_if_it_had_been_asked_alone(run: Callable[[str], Outcome], engine: Engine) -> None:
    outcome = run(_plan(SERIES, "subject_id"))
    assert outcome.statement is not None
    assert "context" not in outcome.statement.flat
    assert "valuenum" not in outcome.statement.flat
    assert engine.read(outcome.statement.flat) == engine.page("answer", 0, 99)


@pytest.mark.parametrize(
    "context",
    [
        "SELECT DISTINCT subject_id, itemid FROM labevents",
        "SELECT subject_id, charttime || '' AS at FROM labevents ORDER BY at",
        "SELECT subject_id, COUNT(*) AS n FROM labevents",
    ],
)
def test_where_other_columns_have_a_part_in_the_rows_the_sql_has_them(
    run: Callable[[str], Outcome], engine: Engine, context: str
) -> None:
    outcome = run(_plan(context, "subject_id"))
    assert outcome.statement is not None
    assert "context" in outcome.statement.flat
    assert engine.read(outcome.statement.flat) == engine.page("answer", 0, 999)


@pytest.mark.parametrize(
    "plan",
    [
        _plan(SERIES, "valuenum"),
        _plan(SERIES, "COUNT(*)"),
        _plan(SERIES, "subject_id, valuenum, at"),
        _plan(SERIES, "subject_id").replace("FROM context", "FROM context WHERE valuenum > 1"),
        _plan(SERIES, "subject_id").replace("FROM context", "FROM context LIMIT 1"),
        f'context = SQLInterpreter("{SERIES}")\nanswer = len(context)',
    ],
)
def test_what_is_more_than_a_selection_has_no_context(run: Callable[[str], Outcome], plan: str) -> None:
    assert run(plan).context is None


def test_a_plan_that_names_its_context_may_do_more_in_python(run: Callable[[str], Outcome]) -> None:
    outcome = run("few = 1 + 1\n" + _plan(SERIES, "subject_id"))
    assert outcome.context is not None
