"""How much time lies between two events, however it is asked: of one patient, and on average over all."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.reader.event_words import told
from ehrtui.settings import DEFAULTS
from tests.planning.answers import found

BETWEEN_STAYS = "julianday('2104-06-01 10:30') - julianday('2103-02-10 14:00')"
TO_DIALYSIS = "julianday('2104-03-09 15:30') - julianday('2104-03-05 22:05')"
TO_THE_ICU = "(julianday('2104-03-05 23:30') - julianday('2104-03-05 22:05')) * 24"


def assert_answers(planner: OfflinePlanner, ehr: Path, question: str, sql: str) -> None:
    """The question is answered with the number that `sql` gives."""
    proposal = planner.propose(question, ())
    assert proposal.confidence >= DEFAULTS.threshold, (question, proposal.logic, proposal.reason)
    [(number,)] = found(ehr, proposal.sql or "")
    assert number == pytest.approx(found(ehr, f"SELECT {sql}")[0][0]), (question, proposal.logic)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("patient 101: days between 1st d/c and 2nd adm?", BETWEEN_STAYS),
        ("How many days passed between the first discharge of patient 101 and the second admission?", BETWEEN_STAYS),
        ("After patient 101 was discharged the first time, how many days until she was admitted again?", BETWEEN_STAYS),
        ("Interval in days, patient 101, discharge from first stay to next admission", BETWEEN_STAYS),
        ("how many days between the first and second stay of patient 101", BETWEEN_STAYS),
        (
            "Patient 101: what is the interval, in days, from the end of her first stay to the start of her second?",
            BETWEEN_STAYS,
        ),
        ("patient 102: days from adm to hemodialysis?", TO_DIALYSIS),
        ("How many days after admission did patient 102 get hemodialysis?", TO_DIALYSIS),
        (
            "How many days passed from the hospital admission of patient 102 until the hemodialysis was done?",
            TO_DIALYSIS,
        ),
        ("how long was patient 102 in before getting hemodialysis, in days?", TO_DIALYSIS),
        ("patient 102 admission -> ICU admission, hours?", TO_THE_ICU),
        ("How many hours did it take patient 102 from hospital admission to getting to the ICU?", TO_THE_ICU),
        ("time in min from admission of patient 102 to the ICU admission", f"{TO_THE_ICU} * 60"),
    ],
)
def test_the_time_between_two_events_of_one_patient(
    planner: OfflinePlanner, ehr: Path, question: str, sql: str
) -> None:
    assert_answers(planner, ehr, question, sql)


def test_over_all_it_is_one_number(planner: OfflinePlanner, ehr: Path) -> None:
    question = "On average how many hours pass between hospital admission and ICU admission?"
    hours = "AVG(julianday(i.intime) - julianday(a.admittime)) * 24"
    assert_answers(planner, ehr, question, f"{hours} FROM icustays i JOIN admissions a USING (hadm_id)")


def test_a_word_that_says_more_is_not_passed_over(planner: OfflinePlanner) -> None:
    question = "On average how many hours pass between zzyzx hospital admission and ICU admission?"
    assert planner.propose(question, ()).confidence < DEFAULTS.threshold


def test_a_length_of_stay_between_two_years_is_none_between_events(planner: OfflinePlanner) -> None:
    proposal = planner.propose("average length of stay of admissions between 2103 and 2104", ())
    assert "days from" not in (proposal.logic or "")


def test_a_year_is_no_patient(planner: OfflinePlanner) -> None:
    question = "average hours between hospital admission and ICU admission in 2104"
    proposal = planner.propose(question, ())
    assert "patient 2104" not in (proposal.logic or "")
    assert "2104" in (proposal.logic or "") or proposal.confidence < DEFAULTS.threshold, proposal.logic


def test_what_begins_and_ends_is_found_with_its_name() -> None:
    [one] = [each for each in told("sepsis: days from start to end for each patient") if each.lasted]
    assert (one.start, one.left) == ("sepsis", ())
