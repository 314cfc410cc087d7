"""Masking: what a case holds of a question and its query, and that it gives the query back for other values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ehrtui.conversation.database import open_database
from ehrtui.errors import EhrtuiError, MaskingError
from ehrtui.logic.parse import parse
from ehrtui.memory.approval import check_words
from ehrtui.memory.case import SLOT, Case, coarse
from ehrtui.memory.masking import checked, filled, form_of, masked_with_logic, masked_with_sql
from ehrtui.planning.proposal import Planner
from tests.small_mimic import NOW

DRUGS = ("furosemide", "aspirin")
LABS = ("creatinine", "potassium", "hemoglobin")
DIAGNOSES = ("chf nos", "hypertension nos", "pneumonia, organism nos")
STORED = (*DRUGS, *LABS, *DIAGNOSES, "hemodialysis", "heart rate")


@pytest.fixture(scope="module")
def planner(ehr: Path) -> Iterator[Planner]:
    database = open_database(str(ehr), now=NOW, profile=None, planner="offline", state=ehr.parent)
    yield database.planner
    database.close()


def masked(planner: Planner, question: str) -> Case:
    proposal = planner.propose(question, ())
    assert proposal.slots is not None
    assert proposal.logic is not None
    return masked_with_logic(question, proposal.slots, proposal.logic)


@pytest.mark.parametrize(
    ("question", "form", "logic"),
    [
        ("How many patients were prescribed furosemide in 2104?",
         "how many patients were prescribed <drug> <time>", "count patients with prescription <drug> <time>"),
        ("What was the last creatinine value of patient 101 since 03/2104?",
         "what was the <nth> <lab> value of <patient> <time>",
         "<nth> value of lab <lab> for patient <patient> <time>"),
        ("When was furosemide first prescribed to patient 101 during the last hospital stay?",
         "when was <drug> <nth> prescribed to <patient> <stay>",
         "<nth> time of prescription <drug> for patient <patient> during <stay>"),
        ("Was patient 101 given iv furosemide?",
         "was <patient> given <route> <drug>", "any prescription <drug> where <route> for patient <patient>"),
        ("list patients diagnosed with chf nos or hypertension nos",
         "list patients diagnosed with <diagnosis> or <diagnosis 2>",
         "patients with diagnosis <diagnosis> or <diagnosis 2>"),
        ("What are the top two drugs prescribed?", "what are <top> drugs prescribed", "<top> places prescription"),
    ],
)  # fmt: skip
def test_values_become_typed_slots(planner: Planner, question: str, form: str, logic: str) -> None:
    assert masked(planner, question) == Case(form, logic)


PATIENTS = st.integers(101, 105)
WHO = PATIENTS.map(lambda number: f"patient {number}")
WHEN = st.one_of(
    st.integers(2102, 2106).map(lambda year: f"in {year}"),
    st.dates().map(lambda day: f"since {day:%m/%d/2104}"),
    st.sampled_from(["this year", "last month", "since 3 months ago", "in 05/last year"]),
    st.just(""),
)
WHAT = st.one_of(
    st.sampled_from(LABS).map(lambda lab: f"what was the last {lab} value of"),
    st.sampled_from(DRUGS).map(lambda drug: f"when was {drug} first prescribed to"),
    st.tuples(st.sampled_from(DRUGS), st.sampled_from(DRUGS)).map(lambda two: f"was {two[0]} or {two[1]} given to"),
)
NOISE = st.sampled_from(["", "please", "in room 4471", "account 00123456", "b4471", "dob 1950-01-02", "¼ ٣٤٥٦٧"])


@given(WHAT, WHO, WHEN, NOISE)
@settings(max_examples=120, deadline=None)
def test_no_value_survives_and_the_query_comes_back(
    planner: Planner, what: str, who: str, when: str, noise: str
) -> None:
    question = f"{what} {who} {when} {noise}?"
    proposal = planner.propose(question, ())
    assume(proposal.slots is not None)  # a question that no record can answer has no case
    assert proposal.slots is not None
    try:
        case = masked_with_logic(question, proposal.slots, proposal.logic or "")
    except MaskingError:
        return
    for text in (case.question, case.logic):
        assert not re.search(r"\d{2}", SLOT.sub("", text))
        assert not any(stored in text for stored in STORED)
    assert filled(case, proposal.slots) == proposal.logic
    assert coarse(case.question) == form_of(question, proposal.slots)


@given(st.sampled_from(LABS), WHO, st.sampled_from(LABS), PATIENTS)
@settings(max_examples=40, deadline=None)
def test_a_case_is_filled_with_the_values_of_another_question(
    planner: Planner, lab: str, who: str, other: str, patient: int
) -> None:
    case = masked(planner, f"what was the last {lab} value of {who}?")
    slots = planner.propose(f"what was the last {other} value of patient {patient}?", ()).slots
    assert slots is not None
    assert filled(case, slots) == f'last value of lab "{other}" for patient {patient}'


def test_a_slot_takes_no_name_of_another_kind(planner: Planner) -> None:
    case = masked(planner, "how many patients were prescribed furosemide?")
    slots = planner.propose("how many patients were prescribed creatinine?", ()).slots
    assert slots is not None
    assert filled(case, slots) is None


def test_the_same_value_said_twice_must_be_the_same_again(planner: Planner) -> None:
    case = Case("<lab> of <patient> or of <patient>", "last value of lab <lab> for patient <patient>")
    same = planner.propose("creatinine of patient 101 or of patient 101", ()).slots
    other = planner.propose("creatinine of patient 101 or of patient 102", ()).slots
    assert same is not None
    assert other is not None
    assert filled(case, same) == 'last value of lab "creatinine" for patient 101'
    assert filled(case, other) is None


@pytest.mark.parametrize(
    ("logic", "why"),
    [
        ('last value of lab "potassium" for patient 101', "does not use"),
        ('last value of lab "creatinine" for patient 102', "does not use"),
        ('last value of lab "creatinine" for patient 101 in 2104', "a name or a number"),
        ('last value of lab "creatinine" for patient 101 then', "cannot be read"),
    ],
)
def test_logic_that_says_other_than_the_question_is_refused(planner: Planner, logic: str, why: str) -> None:
    question = "what was the last creatinine value of patient 101?"
    slots = planner.propose(question, ()).slots
    assert slots is not None
    with pytest.raises(MaskingError, match=why):
        masked_with_logic(question, slots, logic)


def test_sql_keeps_the_shape_of_a_time(planner: Planner) -> None:
    question = "how many patients were prescribed furosemide in 03/2104?"
    sql = "SELECT count(*) FROM prescriptions WHERE drug = 'furosemide' AND strftime('%Y-%m', startdate) = '2104-03'"
    slots = planner.propose(question, ()).slots
    assert slots is not None
    case = masked_with_sql(question, slots, sql)
    assert case.question == "how many patients were prescribed <drug> <time: in month>"
    assert "furosemide" not in case.sql
    assert "2104" not in case.sql
    month = planner.propose("how many patients were prescribed aspirin in 11/2105?", ()).slots
    year = planner.propose("how many patients were prescribed aspirin in 2105?", ()).slots
    assert month is not None
    assert year is not None
    assert filled(case, month) == sql.replace("furosemide", "aspirin").replace("2104-03", "2105-11")
    assert filled(case, year) is None


def test_a_quote_in_a_value_cannot_leave_its_literal(planner: Planner, tmp_path: Path) -> None:
    slots = planner.propose("was furosemide prescribed to patient 101?", ()).slots
    assert slots is not None
    case = masked_with_sql(
        "was furosemide prescribed to patient 101?",
        slots,
        "SELECT 1 FROM prescriptions WHERE drug = 'furosemide' AND subject_id = 101",
    )
    assert case.sql == "SELECT 1 FROM prescriptions WHERE drug = <drug> AND subject_id = <patient>"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FROM prescriptions WHERE drug = 'furosemide'",
        "SELECT 1 FROM prescriptions WHERE drug = 'furosemide' AND subject_id = 101 AND hadm_id = 1001",
        "SELECT 1 FROM prescriptions WHERE drug = 'furosemide' AND subject_id = 101 AND x = 'prescribed'",
    ],
)
def test_sql_that_cannot_be_filled_or_would_keep_a_value_is_refused(planner: Planner, sql: str) -> None:
    slots = planner.propose("was furosemide prescribed to patient 101?", ()).slots
    assert slots is not None
    with pytest.raises(MaskingError):
        masked_with_sql("was furosemide prescribed to patient 101?", slots, sql)


def test_words_that_may_be_names_of_people_are_refused() -> None:
    with pytest.raises(MaskingError, match="Smith"):
        check_words("Show the creatinine of Smith", ["smith"])
    check_words("Swallowed furosemide?", ["swallowed"])


@pytest.mark.parametrize(
    "case",
    [
        Case("last <lab> of <patient>", "last value of lab <lab> for patient <patient> <time>"),
        Case("last <lab> of 101", "last value of lab <lab>"),
        Case("last <lab>", 'last value of lab <lab> for patient "x"'),
        Case("last <lab>", "what <lab> is"),
    ],
)
def test_a_case_written_by_hand_must_hold_together(case: Case) -> None:
    with pytest.raises(MaskingError):
        checked(case)


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=150)
def test_whatever_is_written_as_a_case_is_taken_or_refused(question: str, logic: str) -> None:
    try:
        case = checked(Case(question, logic))
    except MaskingError:
        return
    assert checked(case) == case


@given(st.text(max_size=80))
@settings(max_examples=80, deadline=None)
def test_any_text_is_masked_or_refused(planner: Planner, question: str) -> None:
    proposal = planner.propose(question, ())
    if proposal.slots is None or proposal.logic is None:
        return
    try:
        case = masked_with_logic(question, proposal.slots, proposal.logic)
    except EhrtuiError:
        return
    assert parse(filled(case, proposal.slots) or "") == parse(proposal.logic)
