"""What people ask of cohorts: every question gives the rows that query logic for it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn
from tests.planning.answers import found

AGE = "age of first hospital stay"
CHF, ASPIRIN = 'diagnosis "chf nos"', 'prescription "aspirin"'
DIED = "whether (with (hospital stay where hospital death = 1))"
PEAK = 'lab "creatinine"'


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        # summaries, and figures that are listed
        ("summarise the patients with chf", f"summary of (patients with {CHF})"),
        ("demographics of the patients on aspirin", f"summary of (patients with {ASPIRIN})"),
        ("chf patients: n, mean age, how many women",
         f'count, mean ({AGE}), sum (whether (gender = "female")) of each of (patients with {CHF})'),
        ("patients on aspirin - how many people, median age, male vs female",
         "count, median (age of first hospital stay), sum (whether (gender = \"female\")), "
         f'sum (whether (gender = "male")) of each of (patients with {ASPIRIN})'),
        ("patients on furosemide: number, mean of their highest creatinine",
         f'count, mean (maximum value of {PEAK}) of each of (patients with prescription "furosemide")'),
        # several cohorts
        ("chf patients on aspirin vs not: n, mean age, hospital mortality",
         f"count, mean (age of first hospital stay), sum ({DIED}), "
         "percent (with (hospital stay where hospital death = 1)) of each of "
         f'(patients with {CHF} with {ASPIRIN}) as "with", (patients with {CHF} without {ASPIRIN}) as "without"'),
        ("table 1 of the patients on furosemide and the patients on aspirin",
         f'table 1 of (patients with prescription "furosemide"), (patients with {ASPIRIN})'),
        ("overlap of patients on furosemide and patients on aspirin",
         f'overlap of (patients with prescription "furosemide") and (patients with {ASPIRIN})'),
        # one value of each patient
        ("distribution of the highest creatinine among chf patients",
         f"for each patient with {CHF} with {PEAK}: id, maximum value of {PEAK}"),
        ("histogram of age of the patients on aspirin", f"for each patient with {ASPIRIN}: id, {AGE}"),
        # shares
        ("prevalence of chf by gender", f"prevalence of (with {CHF}) in patients by gender"),
        ("% of admissions with chf per admission type (numerator and denominator)",
         f"prevalence of (with {CHF}) in hospital stays by admission type"),
        ("chf in <60, 60-69 and 70+: n/N",
         f"prevalence of (with {CHF}) in patients by bands 60, 70 of (age of first hospital stay)"),
        # the stay that is meant is named by what happened in it
        ("distribution of the highest creatinine among chf patients (during the chf admission)",
         f"for each patient with {CHF} with ({PEAK} during (hospital stays with diagnosis \"chf nos\")): id, "
         f"maximum value of ({PEAK} during (hospital stays with diagnosis \"chf nos\"))"),
        ("patients on aspirin and no creatinine in that admission",
         f"patients with (hospital stays with {ASPIRIN} without {PEAK})"),
        # how long a drug was given, how far a value fell or rose, what parentheses call a question
        ("patients prescribed furosemide for more than 2 days",
         'patients with (prescription "furosemide" where (hours from time to end time) > 48)'),
        ("whose creatinine rose by 0.3 or more within 48 hours?",
         'patients with (lab "creatinine" where value - (previous value) >= 0.3 '
         "where (hours from (previous time) to time) <= 48)"),
        ("patients with a drop in creatinine of at least 0.5",
         'patients with (lab "creatinine" where (previous value) - value >= 0.5)'),
        ("patients on furosemide with chf (loop diuretic register)",
         f'patients with prescription "furosemide" with {CHF}'),
        ("the creatinine of the chf patients", f"patient, value of {PEAK} for (patients with {CHF})"),
        # time to death
        ("kaplan-meier curve of the patients with chf",
         "time to (death time) from (time of first hospital stay) until (end time of last hospital stay) in days of "
         f"(patients with {CHF})"),
        # what is left, and what is to be done
        ("attrition: patients on furosemide -> chf -> no aspirin",
         f'attrition of (patients with prescription "furosemide") then with {CHF} then without {ASPIRIN}'),
        ("feasibility: adults with chf, on furosemide, women. patients left after each step",
         f"attrition of (patients with {CHF} with (hospital stays where age >= 18)) "
         'then with prescription "furosemide" then gender = "female"'),
        ("which chf patients are due a potassium?", f'to do for (patients with {CHF}) lacking lab "potassium"'),
        ("which chf patients still need a potassium?", f'to do for (patients with {CHF}) lacking lab "potassium"'),
    ],
)  # fmt: skip
def test_what_is_asked_of_a_cohort_is_read(planner: OfflinePlanner, ehr: Path, question: str, logic: str) -> None:
    proposal = planner.propose(question, ())
    assert proposal.sql is not None, proposal.reason
    wanted = planner.propose_logic(logic, ()).sql
    assert wanted is not None
    assert _plain(found(ehr, proposal.sql)) == _plain(found(ehr, wanted)), proposal.logic


def _plain(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Rows in no order, without the texts by which a table calls its cohorts and criteria."""
    told = [[one for one in row if not isinstance(one, str)] for row in rows]
    kept = [tuple(round(one, 6) if isinstance(one, float) else one for one in row) for row in told]
    return sorted(kept, key=repr)


@pytest.mark.parametrize(
    "question",
    [
        "how many men vs women were admitted in 2104?",
        "compare the average creatinine of men and women",
        "patients on furosemide due to chf",  # none is due for anything
    ],
)
def test_what_only_sounds_so_is_read_as_before(planner: OfflinePlanner, question: str) -> None:
    logic = planner.propose(question, ()).logic or ""
    assert not logic.startswith(("table 1", "summary", "overlap", "to do"))


def test_a_key_that_nobody_knows_is_not_left_out(planner: OfflinePlanner) -> None:
    proposal = planner.propose("prevalence of chf by shoe size", ())
    assert proposal.reason or proposal.confidence < 0.7
    assert not (proposal.logic or "").startswith("prevalence")


def test_a_stay_that_the_question_tells_of_itself_is_known(planner: OfflinePlanner) -> None:
    told = planner.propose("patients with chf who were given furosemide in that stay", ())
    assert "hospital stays with" in (told.logic or ""), told.reason
    nowhere = planner.propose("which drugs were given in that stay?", ())
    assert "which stay is meant" in nowhere.reason


def test_those_of_an_earlier_answer_are_split_and_measured_in_its_stays(planner: OfflinePlanner, ehr: Path) -> None:
    first = planner.propose("patients with chf", ())
    before = PastTurn(1, "patients with chf", first.logic, first.sql, ("subject_id",), 3, "answered", 1.0)
    split = planner.propose("split them by furosemide, yes/no: n, mean age", (before,))
    assert 'as "with"' in (split.logic or "")
    assert "A1" in (split.logic or ""), split.reason
    days = planner.propose("how are their ICU days distributed? (add up the ICU stays of the chf admission)", (before,))
    assert (days.logic or "").startswith("for each patient in A1: id, sum length of (icu stays"), days.logic
    assert 'with diagnosis "chf nos"' in (days.logic or "")
