"""Questions in words over the small EHR: what they are understood to mean, and that nothing is made up."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.errors import LogicError
from ehrtui.planning.offline.offline_planner import LONGEST_QUESTION, OfflinePlanner
from ehrtui.planning.proposal import PastTurn
from tests.planning.answers import check_answer


def turn(number: int, logic: str | None, *columns: str) -> PastTurn:
    return PastTurn(number, "…", logic, "SELECT 1", columns, 3, "answered")


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("How many patients were prescribed furosemide in 2104?",
         'count patients with prescription "furosemide" in 2104'),
        ("number of women diagnosed with chf nos since 2103",
         'count patients of sex female with diagnosis "chf nos" since 2103'),
        ("Which patients had pneumonia, organism nos?", 'patients with diagnosis "pneumonia, organism nos"'),
        ("list the patients diagnosed with congestive heart failure, unspecified and prescribed aspirin",
         'patients with (diagnosis "chf nos") with (prescription "aspirin")'),
        ("patients diagnosed with chf nos but never prescribed aspirin",
         'patients with (diagnosis "chf nos") without (prescription "aspirin")'),
        ("what is the gender of patient 101?", "gender of patient 101"),
        ("date of birth of patient 102", "birth date of patient 102"),
        ("What insurance did patient 103 have during the current hospital visit?",
         "insurance of admission for patient 103 during current hospital stay"),
        ("how old is patient 104?", "last age of admission for patient 104"),
        ("what was the last creatinine value of patient 101?", 'last value of lab "creatinine" for patient 101'),
        ("first hemoglobin lab test result of patient 103 on the current hospital stay",
         'first value of lab "hemoglobin" for patient 103 during current hospital stay'),
        ("what was the heart rate of patient 102 during the first ICU stay",
         'value of vital "heart rate" for patient 102 during first icu stay'),
        ("what is the maximum creatinine of patient 102", 'maximum value of lab "creatinine" for patient 102'),
        ("Has patient 101 ever been prescribed aspirin?", 'any prescription "aspirin" for patient 101'),
        ("did patient 102 undergo hemodialysis in 03/2104?",
         'any procedure "hemodialysis" for patient 102 in 2104-03'),
        ("which drugs were prescribed to patient 101 during the last hospital stay?",
         "name of prescription for patient 101 during last hospital stay"),
        ("when was patient 104 first admitted to the hospital?", "first time of admission for patient 104"),
        ("how many times was furosemide prescribed to patient 101?",
         'count prescription "furosemide" for patient 101'),
        ("how many drugs did patient 101 get prescribed?", "count names of prescription for patient 101"),
        ("what was the dose of furosemide prescribed to patient 102?",
         'dose of prescription "furosemide" for patient 102'),
        ("what organism was found in the sputum culture of patient 103?",
         'organism of culture "sputum" for patient 103'),
        ("weight of patient 101", 'value of vital "admit wt" for patient 101'),
        ("how many patients are there?", "count patients"),
        ("how many current patients are in their 40s?",
         "count patients aged 40 to 49 with admission during current hospital stay"),
        ("what are the two most frequent diagnoses since 2104?", "top 2 diagnosis since 2104"),
        ("What are the top 3 frequent drugs that patients were prescribed within 2 months after being diagnosed with "
         "chf nos?", 'top 3 prescription within 2 months after (diagnosis "chf nos")'),
        ("how many patients were prescribed aspirin in the same hospital visit after being diagnosed with chf nos?",
         'count patients with prescription "aspirin" same hospital stay after (diagnosis "chf nos")'),
        ("how many patients were diagnosed with chf nos and then prescribed aspirin?",
         'count patients with prescription "aspirin" ever after (diagnosis "chf nos")'),
        ("What drug was patient 101 prescribed two times?", "name of prescription for patient 101 exactly 2 times"),
        ("how many patients were prescribed furosemide two or more times in 2104?",
         'count patients with prescription "furosemide" in 2104 at least 2 times'),
        ("what is the difference in creatinine of patient 102 between the last value and the first value?",
         '(last value of lab "creatinine" for patient 102) - (first value of lab "creatinine" for patient 102)'),
        ("Was the last creatinine of patient 101 higher than the first one measured?",
         '(last value of lab "creatinine" for patient 101) > (first value of lab "creatinine" for patient 101)'),
        ("how many days have passed since patient 103 was admitted to the hospital?",
         "days since (time of admission for patient 103 during current hospital stay)"),
        ("how many hours has it been since the last furosemide prescription of patient 101?",
         'hours since (last time of prescription "furosemide" for patient 101)'),
        ("what is the length of the last hospital stay of patient 101?",
         "length of admission for patient 101 during last hospital stay"),
        ("what is the cost of hemodialysis?", 'cost of procedure "hemodialysis"'),
        ("what was the total hospital cost of patient 101 in 2103?", "sum value of cost for patient 101 in 2103"),
        ("What is the average total hospital cost that involves chf nos?",
         'mean cost of stays with diagnosis "chf nos"'),
        ("what does chf nos stand for?", 'meaning of "chf nos"'),
        ("What is the two-year survival rate of patients diagnosed with chf nos?",
         'survival over 2 years after diagnosis "chf nos"'),
        ("What are the top 3 diagnoses with the highest one-year mortality rate?",
         "top 3 diagnosis by mortality over 1 years"),
        ("has the heart rate of patient 102 been greater than 100?",
         'any vital "heart rate" where value > 100 for patient 102'),
        ("was the heart rate of patient 101 normal in 2103?",
         'any vital "heart rate" where value is normal for patient 101 in 2103'),
        ("what is the daily maximum heart rate of patient 101?",
         'maximum value per day of vital "heart rate" for patient 101'),
        ("When did patient 102 have the maximum creatinine for the first time?",
         'first time of lab "creatinine" where value is maximum for patient 102'),
        ("what drugs were prescribed to patient 101 via po route?",
         'name of prescription where route = "po" for patient 101'),
        ("Has patient 102 been to an emergency room in 2104?",
         'any admission where admission location = "emergency room admit" for patient 102 in 2104'),
        ("how many patients stayed in ward 12?", "count patients with transfer where ward = 12"),
        ("how many patients died after having been diagnosed with chf nos?",
         'count patients with death ever after first (diagnosis "chf nos")'),
    ],
)  # fmt: skip
def test_a_question_is_understood(planner: OfflinePlanner, ehr: Path, question: str, logic: str) -> None:
    proposal = planner.propose(question, [])
    check_answer(planner, ehr, proposal, logic)
    assert proposal.reason == ""
    assert proposal.unexplained == ()
    assert proposal.confidence >= 0.7
    assert proposal.plan
    assert proposal.sql


FIRST = 'patients with diagnosis "chf nos"'


@pytest.mark.parametrize(
    ("earlier", "columns", "question", "logic"),
    [
        (FIRST, ("subject_id",), "which of those were also prescribed aspirin?",
         'patients in A1 with prescription "aspirin"'),
        (FIRST, ("subject_id",), "how many of the patients in A1 were prescribed aspirin?",
         'count patients in A1 with prescription "aspirin"'),
        (FIRST, ("subject_id",), "how many of those patients are female?", "count patients in A1 of sex female"),
        (FIRST, ("subject_id",), "show their genders", "gender of patients in A1"),
        (FIRST, ("subject_id",), "how many are in A1?", "count rows of A1"),
        (FIRST + " in 2104", ("subject_id",), "and in 2105?", 'patients with diagnosis "chf nos" in 2105'),
        ('count patients with prescription "furosemide" in 2104', ("patients",), "what about aspirin?",
         'count patients with prescription "aspirin" in 2104'),
        ('last value of lab "creatinine" for patient 101', ("valuenum",), "what about the first one?",
         'first value of lab "creatinine" for patient 101'),
        ('last value of lab "creatinine" for patient 101', ("valuenum",), "and for patient 102?",
         'last value of lab "creatinine" for patient 102'),
        ('last value of lab "creatinine" for patient 101', ("valuenum",), "and the potassium?",
         'last value of lab "potassium" for patient 101'),
        ("name of prescription for patient 101", ("name",), "only the last one of A1",
         "last name of prescription for patient 101"),
        ("name of prescription for patient 101", ("name",), "what are the routes of the drugs in A1?",
         "route of prescription in A1"),
        ("gender of patient 101", ("gender",), "which drugs was she prescribed?",
         "name of prescription for patient 101"),
        (None, ("a", "b"), "only the first of A1", "first row of A1"),
    ],
)  # fmt: skip
def test_a_follow_up_refers_to_or_edits_the_earlier_turn(
    planner: OfflinePlanner, earlier: str | None, columns: tuple[str, ...], question: str, logic: str
) -> None:
    proposal = planner.propose(question, [turn(1, earlier, *columns)])
    assert proposal.logic == logic
    assert proposal.reason == ""


def test_an_older_turn_can_be_named_over_a_newer_one(planner: OfflinePlanner) -> None:
    history = [turn(1, FIRST, "subject_id"), turn(2, "gender of patient 101", "gender")]
    assert planner.propose("genders of the patients in A1", history).logic == "gender of patients in A1"


def test_a_reference_to_a_turn_without_a_result_says_which_there_are(planner: OfflinePlanner) -> None:
    history = [turn(1, FIRST, "subject_id"), turn(2, None)]
    reason = planner.propose("genders of the patients in A2", history).reason
    assert "A2" in reason
    assert "A1" in reason


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("what is the phone number of patient 101?", "phone"),
        ("when is the next appointment of patient 101?", "appointment"),
        ("what are the side effects of furosemide?", "effects"),
        ("how many patients were prescribed xylozanthin?", "xylozanthin"),
    ],
)
def test_words_without_a_counterpart_are_named_and_lower_the_confidence(
    planner: OfflinePlanner, question: str, word: str
) -> None:
    proposal = planner.propose(question, [])
    assert word in proposal.reason
    assert proposal.refusal is not None
    assert any(word in said for said in (*proposal.unexplained, *proposal.refusal.words))
    assert proposal.confidence < 0.7


@pytest.mark.parametrize(
    ("question", "kind"),
    [("should patient 101 be prescribed aspirin?", "advice"), ("who is the doctor of patient 101?", "column")],
)
def test_what_no_record_can_answer_is_refused_by_its_kind(planner: OfflinePlanner, question: str, kind: str) -> None:
    refusal = planner.propose(question, []).refusal
    assert refusal is not None
    assert refusal.kind == kind


def test_a_misspelt_name_is_linked_with_less_than_full_confidence(planner: OfflinePlanner) -> None:
    exact = planner.propose("how many patients were prescribed furosemide?", [])
    misspelt = planner.propose("how many patients were prescribed furosemid?", [])
    assert misspelt.logic == exact.logic
    assert misspelt.confidence < exact.confidence
    assert any(link.text == "furosemid" and link.value == "furosemide" for link in misspelt.links)


def test_links_point_at_the_words_that_were_typed(planner: OfflinePlanner) -> None:
    question = "How many patients were prescribed FUROSEMIDE in 2104?"
    links = {link.kind: link for link in planner.propose(question, []).links}
    assert question[links["prescription"].start : links["prescription"].end] == "FUROSEMIDE"
    assert links["prescription"].value == "furosemide"
    assert links["time"].value == "in 2104"
    patient = planner.propose("gender of patients 101 and 102", []).links[-1]
    assert (patient.kind, patient.value) == ("patient", "101, 102")


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("how many admissions per insurance?", "per insurance", "insurance"),
        ("creatinine of patient 101 above 1.5", "above 1.5", "value > 1.5"),
        ("patients prescribed aspirin within 2 months after chf nos", "within 2 months after", "within 2 months after"),
        ("aspirin prescriptions in 2104", "in 2104", "in 2104"),
        ("drugs that patient 101 was prescribed at least twice", "at least twice", "at least 2 times"),
        ("how many patients over 65 are there?", "over 65", "> 65"),
        ("drugs given po to patient 101", "po", 'route = "po"'),
        ("the last creatinine of patient 101", "last", "last"),
        ("the difference in creatinine of patient 101 between the first and the last value", "difference in", ""),
    ],
)
def test_what_a_stretch_was_taken_for_is_said_in_words(
    planner: OfflinePlanner, question: str, text: str, value: str
) -> None:
    links = planner.propose(question, []).links
    assert [link.value for link in links if link.text.strip() == text] == [value]


@pytest.mark.parametrize(
    "question",
    ["", "   ", "🩺🩺🩺", "?" * 50, "furosemide " * 10_000, "and for patient 103?", "Ist Patient 101 krank?"],
)
def test_what_is_not_a_question_is_declined_with_a_reason(planner: OfflinePlanner, question: str) -> None:
    proposal = planner.propose(question, [])
    assert proposal.reason
    assert proposal.confidence < 0.7


def test_the_longest_question_is_a_limit_that_the_reason_names(planner: OfflinePlanner) -> None:
    assert f"{LONGEST_QUESTION:,}" in planner.propose("a" * (LONGEST_QUESTION + 1), []).reason


@pytest.mark.parametrize("number", ["9" * 310, "1" + "0" * 400, "9" * 400 + ".5", ",".join(["999"] * 110), "٣" * 320])
@pytest.mark.parametrize(
    "question", ["patients aged {}", "more than {} times", "{} or more admissions", "what is {} x 2?"]
)
def test_a_number_without_a_finite_value_is_declined(planner: OfflinePlanner, question: str, number: str) -> None:
    proposal = planner.propose(question.format(number), [])
    assert "more than 300 digits" in proposal.reason
    assert number not in proposal.reason


_PIECES = st.sampled_from(
    [
        *("how many", "patients", "were", "prescribed", "furosemide", "aspirin", "last", "first", "value of"),
        *(
            "creatinine",
            "patient",
            "101",
            "in 2104",
            "since",
            "A1",
            "those",
            "during",
            "icu stay",
            "when",
            "did",
            "has",
        ),
        *(
            "has",
            "lab test",
            "never",
            "and",
            "or",
            "?",
            ",",
            "'",
            '"',
            "İ",
            "ß",
            "05/2104",
            "mean",
            "age",
            "women",
            "]",
        ),
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(_PIECES, max_size=14).map(" ".join), st.booleans())
def test_no_question_makes_the_planner_fail(planner: OfflinePlanner, question: str, follows: bool) -> None:
    proposal = planner.propose(question, [turn(1, FIRST, "subject_id")] if follows else [])
    assert 0.0 <= proposal.confidence <= 1.0
    assert proposal.plan or proposal.reason
    for link in proposal.links:
        assert question[link.start : link.end] == link.text


def test_logic_written_by_hand_is_planned_as_it_stands(planner: OfflinePlanner) -> None:
    proposal = planner.propose_logic('count   patients with prescription "aspirin"', [])
    assert proposal.logic == 'count patients with prescription "aspirin"'
    assert "aspirin" in proposal.plan
    with pytest.raises(LogicError):
        planner.propose_logic("count the beans", [])


def test_examples_are_questions_that_the_planner_itself_understands(planner: OfflinePlanner) -> None:
    examples = planner.examples(6)
    assert len(examples) == 6
    for question in examples:
        assert planner.propose(question, []).reason == ""


def test_a_relative_of_a_patient_is_no_patient_with_a_number(planner: OfflinePlanner) -> None:
    proposal = planner.propose("is the mother of patient 101 in the database, and what is her name?", [])
    assert "There is no patient" not in proposal.reason
