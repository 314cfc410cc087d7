from __future__ import annotations

from collections.abc import Callable

import pytest

from ehrtui.engines.engine import Engine, Row
from ehrtui.errors import PlanError
from ehrtui.plans.reports import Outcome

Run = Callable[[str], Outcome]


@pytest.mark.parametrize(
    ("plan", "columns", "rows"),
    [
        ("answer = [[1, 'a'], [2, 'b']]", ("answer_1", "answer_2"), [(1, "a"), (2, "b")]),
        ("answer = ([1, 'a'], [2, 'b'])", ("answer_1", "answer_2"), [(1, "a"), (2, "b")]),
        ("answer = ((1, 'a'), [2, 'b'])", ("answer_1", "answer_2"), [(1, "a"), (2, "b")]),
        ("answer = [[1], [2]]", ("answer",), [(1,), (2,)]),
        ("answer = [list(row)[1:3] for row in LoadDB('patients')[:1]]", ("answer_1", "answer_2"), [(101, "f")]),
        ("answer = (1, 'a')", ("answer_1", "answer_2"), [(1, "a")]),
        ("answer = {'iv': [1, 2], 'po': [3, 4]}", ("answer_1", "answer_2", "answer_3"), [("iv", 1, 2), ("po", 3, 4)]),
        ("answer = {('iv', 'f'): 2}", ("answer_1", "answer_2", "answer_3"), [("iv", "f", 2)]),
        ("answer = sorted({('iv', 'f'): 2}.items())", ("answer_1", "answer_2", "answer_3"), [("iv", "f", 2)]),
        ("answer = {'iv': 2}", ("key", "value"), [("iv", 2)]),
        ("answer = {}", ("key", "value"), []),
    ],
)
def test_lists_within_a_list_are_rows(
    run: Run, engine: Engine, plan: str, columns: tuple[str, ...], rows: list[Row]
) -> None:
    outcome = run(plan)
    assert outcome.columns == columns
    assert engine.page("answer", 0, 10) == rows


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ("answer = [[1, 2], [3]]", "Row 1 has 2 values, row 2 has 1 value."),
        ("answer = {'iv': [1, 2], 'po': 3}", "Row 1 has 3 values, row 2 has 2 values."),
        ("answer = [1, [2]]", "Some of its items are rows, and others are single values."),
        ("answer = [[]]", "Its rows are empty."),
        ("answer = [[1, [2, 3]]]", "It has lists within its rows."),
    ],
)
def test_what_has_no_rows_says_why(run: Run, plan: str, why: str) -> None:
    with pytest.raises(PlanError) as caught:
        run(plan)
    assert (caught.value.kind, caught.value.why) == ("AnswerError", why)


@pytest.mark.parametrize(
    "plan",
    [
        "answer = []\nfor (a, (b, c)) in [(1, (2, 3))]:\n    answer += [a, b, c]",
        "answer = [n for (a, (b, c)) in [(1, (2, 3))] for n in (a, b, c)]",
        "a, (b, c) = 1, (2, 3)\nanswer = [a, b, c]",
        "[a, [b, *c]] = [1, [2, 3]]\nanswer = [a, b, *c]",
        "answer = [n for a, (b, c) in {1: (2, 3)}.items() for n in [a, b, c]]",
        "answer = [n for a, (b, c) in enumerate(SQLInterpreter('SELECT 2, 3')) for n in (a + 1, b, c)]",
    ],
)
def test_nested_targets_take_their_values_apart(run: Run, engine: Engine, plan: str) -> None:
    run(plan)
    assert engine.page("answer", 0, 10) == [(1,), (2,), (3,)]
