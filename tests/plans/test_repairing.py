"""Plans that fail are revised by the rubber duck, within bounds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.errors import EhrtuiError, PlanCancelled, PlanError, ToolError
from ehrtui.plans import rubber_duck
from ehrtui.plans.diagnosis import Diagnosis, Facts
from ehrtui.plans.repairing import MOST_REVISIONS, Revision, run_revising
from ehrtui.plans.reports import Outcome
from tests.small_mimic import NOW

Run = Callable[[str], Outcome]


@pytest.fixture
def facts(engine: Engine) -> Facts:
    return Facts(engine, NOW)


def test_a_sound_plan_runs_as_it_is(run: Run, facts: Facts) -> None:
    ran = run_revising(run, "answer = 1", facts)
    assert (ran.plan, ran.revisions, ran.surety) == ("answer = 1", (), 1.0)


def test_several_faults_are_repaired_one_after_the_other(run: Run, facts: Facts, engine: Engine) -> None:
    plan = (
        'rows = FilterDb(LoadDB("perscriptions"), "subject_id=101 and drug=furosmide"\n'
        'doses = GetValue(rows, "dose_val_rx, list")\n'
        "answer = sum(doses)"
    )
    told: list[Revision] = []
    ran = run_revising(run, plan, facts, revised=told.append)
    assert engine.page("answer", 0, 9) == [(60.0,)]
    assert [revision.diagnosis.cause for revision in told] == [
        "syntax",
        "unknown table",
        "misspelt name",
        "wrong grammar",
        "misspelt value",
        "number stored as text",
    ]
    assert tuple(told) == ran.revisions
    assert told[-1].plan == ran.plan


def test_a_repair_that_asks_for_another_value_lowers_the_surety(run: Run, facts: Facts) -> None:
    same = run_revising(run, 'answer = len(FilterDB(LoadDB("prescriptions"), "drug=ASPIRIN"))', facts)
    other = run_revising(run, 'answer = len(FilterDB(LoadDB("prescriptions"), "drug=asprin"))', facts)
    assert same.surety == 1.0
    assert other.surety == other.revisions[0].diagnosis.confidence < 1.0


def test_the_error_stays_where_there_is_no_repair(run: Run, facts: Facts) -> None:
    told: list[Revision] = []
    plan = 'answer = FilterDB(LoadDB("perscriptions"), "drug=xyzzy")'
    ran = run_revising(run, plan, facts, revised=told.append)
    assert ran.outcome is None
    assert isinstance(ran.error, ToolError)
    assert "xyzzy" in ran.error.what
    assert ran.diagnosis is not None
    assert ran.diagnosis.cause == "absent value"
    assert [(each.failed, each.plan) for each in told] == [(plan, ran.plan)]


def test_without_revisions_a_failure_is_only_explained(run: Run, facts: Facts) -> None:
    ran = run_revising(run, 'answer = LoadDB("perscriptions")', facts, most=0)
    assert ran.outcome is None
    assert ran.diagnosis is not None
    assert ran.diagnosis.automatic
    assert ran.revisions == ()


def test_a_plan_is_revised_at_most_ten_times_and_never_repeated(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def fails(plan: str) -> Outcome:
        tried.append(plan)
        raise PlanError("It fails.")

    def longer(error: EhrtuiError, plan: str, facts: Facts) -> Diagnosis:
        return Diagnosis("…", "…", repair=f"{plan}1", confidence=1.0)

    monkeypatch.setattr(rubber_duck, "diagnose", longer)
    assert run_revising(fails, "answer = 1", facts).outcome is None
    assert len(tried) == MOST_REVISIONS + 1 == 11

    def back_and_forth(error: EhrtuiError, plan: str, facts: Facts) -> Diagnosis:
        return Diagnosis("…", "…", repair="b" if plan == "a" else "a", confidence=1.0)

    tried.clear()
    monkeypatch.setattr(rubber_duck, "diagnose", back_and_forth)
    assert run_revising(fails, "a", facts).outcome is None
    assert tried == ["a", "b"]


def test_a_stopped_plan_is_not_revised(facts: Facts) -> None:
    tried: list[str] = []

    def stopped(plan: str) -> Outcome:
        tried.append(plan)
        raise PlanCancelled("Stopped.")

    with pytest.raises(PlanCancelled):
        run_revising(stopped, 'answer = len(LoadDB("patient"))', facts)
    assert len(tried) == 1
