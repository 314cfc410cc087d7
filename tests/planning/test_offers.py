"""What can be asked of the patients or stays that an answer tells of."""

from __future__ import annotations

import pytest

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.algebra.render import set_text
from ehrtui.logic.written import statement_of
from ehrtui.planning.follow.offers import cohort_of, offers, standing_alone
from ehrtui.planning.offline.offline_planner import OfflinePlanner

CHF = 'patients with diagnosis "chf nos" with prescription "furosemide"'


def test_offers_are_query_logic_that_runs(planner: OfflinePlanner) -> None:
    profile = planner.world().profile
    of = cohort_of(1, statement_of(CHF), (), profile)
    other = cohort_of(2, statement_of('patients with prescription "aspirin"'), (), profile)
    assert of is not None
    assert other is not None

    def fits(logic: str) -> bool:
        try:
            return planner.propose_logic(logic, ()).sql is not None
        except LogicError:
            return False

    found = offers(of, {"A2": other}, fits, profile)
    logic = [one.logic for one in found]
    assert f"summary of ({CHF})" in logic
    assert f"attrition of ({CHF})" in logic
    assert any(one.title == "Overlap with A2" for one in found)
    assert not any("religion" in one or "first care unit" in one for one in logic if not fits(one))
    assert offers(of, {}, lambda logic: False, profile) == []


def test_the_cohort_of_an_answer_are_the_patients_whom_it_tells_of(planner: OfflinePlanner) -> None:
    profile = planner.world().profile

    def told(logic: str) -> str:
        of = cohort_of(3, statement_of(logic), (), profile)
        assert of is not None
        return set_text(of)

    assert told('count of (hospital stays with diagnosis "chf nos")') == 'hospital stays with diagnosis "chf nos"'
    assert told('value of last lab "potassium"') == 'patients with last lab "potassium"'
    assert told("attrition of patients then with lab") == "patients with labs"
    listed = cohort_of(3, None, ("drug", "subject_id"), profile)
    assert listed is not None
    assert set_text(listed) == "patients in A3"
    assert cohort_of(3, None, ("drug",), profile) is None


def test_a_cohort_stands_alone_without_the_answers_that_it_builds_on() -> None:
    statements = {1: parse_statement(CHF), 2: parse_statement("patients in A1 with lab")}
    of = standing_alone(statement_of("patients in A2 without culture").of, statements)  # type: ignore[union-attr]
    assert "A1" not in set_text(of)
    assert "A2" not in set_text(of)
    assert parse_statement(set_text(of))
    with pytest.raises(LogicError, match="What A2 holds is not known"):
        standing_alone(statement_of("patients in A2").of, {})  # type: ignore[union-attr]
