from __future__ import annotations

from collections.abc import Callable

import pytest

from ehrtui.errors import EhrtuiError, LogicError, PlanError
from ehrtui.plans.duck import explain
from ehrtui.plans.steps import Outcome


def explained(run: Callable[[str], Outcome], plan: str) -> tuple[str, tuple[str, ...]]:
    with pytest.raises(PlanError) as caught:
        run(plan)
    return explain(caught.value, plan)


def test_an_empty_step_is_the_cause_of_what_it_breaks(run: Callable[[str], Outcome]) -> None:
    cause, suggestions = explained(
        run,
        'stays = LoadDB("admissions")\n'
        'none = FilterDB(stays, "admission_type=elective||subject_id=101")\n'
        'first = none["hadm_id"][0]\n'
        'answer = FilterDB(stays, f"hadm_id={first}")',
    )
    assert "line 2 found no rows" in cause
    assert "admission_type=elective" in cause
    assert "line 3" in cause
    assert suggestions


def test_a_misspelt_name_is_answered_with_near_ones(run: Callable[[str], Outcome]) -> None:
    plan = 'none = FilterDB(LoadDB("patients"), "subject_id=102||gender=f")\nanswer = GetValue(none, "gander")'
    cause, suggestions = explained(run, plan)
    assert suggestions[0] == "gender"
    assert "found no rows" not in cause


def test_any_error_has_a_cause_and_a_way_on() -> None:
    error: EhrtuiError = LogicError("The logic cannot be read.", why="A bracket is open.", next_step="Close it.")
    assert explain(error, "") == ("A bracket is open.", ("Close it.",))
    assert explain(EhrtuiError("It failed."), "answer = 1") == ("It failed.", ())
