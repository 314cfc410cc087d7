"""What leans on earlier turns: which turn is meant, what is changed in it, how sure it is, and what is declined."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.planning.offline.conversation_words import hear
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.offline.words import read
from ehrtui.planning.proposal import PastTurn, Proposal
from ehrtui.settings import DEFAULTS
from tests.planning.answers import check_answer

ASKS_BACK = pytest.mark.xfail(reason="the chart reads on where it should ask back", strict=True)
"""Known: what the marks would ask back about, and the chart answers."""

Earlier = tuple[str, str]
"""The logic of an earlier turn, and the column of its result."""

LIST = ('patients with diagnosis "chf nos"', "subject_id")
COUNT = ('count patients with prescription "furosemide" in 2104', "patients")
ASPIRIN = ('patients with prescription "aspirin"', "subject_id")
FUROSEMIDE = ('patients with prescription "furosemide"', "subject_id")
LAST = ('last value of lab "creatinine" for patient 101', "valuenum")
DRUGS = ("name of prescription for patient 101 during first hospital stay", "drug")
STAYS = ("id of admission for patient 101", "hadm_id")
MEAN = ('mean value of lab "creatinine" for patients in A1', "mean")


def after(planner: OfflinePlanner, question: str, *earlier: Earlier, confidence: float = 1.0) -> Proposal:
    """What is made of a question after turns A1, A2… with this logic."""
    history = [
        PastTurn(number, "…", logic, "SELECT 1", (column,), 3, "answered", confidence)
        for number, (logic, column) in enumerate(earlier, start=1)
    ]
    return planner.propose(question, history)


@pytest.mark.parametrize(
    ("earlier", "question", "logic"),
    [
        # how many, which, when, a number over them
        ([LIST], "how many?", "count rows of A1"),
        ([LIST], "how many are left?", "count rows of A1"),
        ([COUNT], "who are they?", 'patients with prescription "furosemide" in 2104'),
        ([COUNT], "list the patients, not the number", 'patients with prescription "furosemide" in 2104'),
        ([LAST], "when was that?", 'last time of lab "creatinine" for patient 101'),
        ([('maximum value of lab "creatinine" for patient 101', "maximum")], "when was it taken?",
         'time of lab "creatinine" where value is maximum for patient 101'),
        ([LAST], "and the maximum?", 'maximum value of lab "creatinine" for patient 101'),
        ([LIST, ("last age of admission for patients in A1", "age")], "average?",
         "last mean age of admission for patients in A1"),
        ([LIST, ("last age of admission for patients in A1", "age")], "the average of A2", "mean of rows of A2"),
        ([("count admission in 2105", "records")], "per month", "count per month admission in 2105"),
        ([("count patients with admission in 2105", "patients")], "break it down by month",
         "count per month patients of admission in 2105"),
        ([DRUGS], "the most common one?", "top 1 prescription for patient 101 during first hospital stay"),
        ([('last time of lab "creatinine" for patient 101', "charttime")], "and the lowest?",
         'minimum value of lab "creatinine" for patient 101'),
        ([('time of lab "creatinine" where value is maximum for patient 101', "charttime")], "and the lowest?",
         'minimum value of lab "creatinine" for patient 101'),
        ([("any patient 102 without death", "found")], "and 101?", "any patient 101 without death"),
        ([('count patients with (diagnosis "chf nos") with (death)', "patients")], "and of hypertension nos?",
         'count patients with (diagnosis "hypertension nos") with (death)'),
        ([COUNT], "over 65 only", 'count patients aged 66 to any with prescription "furosemide" in 2104'),
        ([LIST], "who died?", "patients in A1 with death"),
        ([LAST], "is it lower than the first?",
         '(last value of lab "creatinine" for patient 101) < (first value of lab "creatinine" for patient 101)'),
        ([('value of lab "creatinine" for patient 101', "valuenum")], "below 30",
         'value of lab "creatinine" where value < 30 for patient 101'),
        # other patients, another time, other records
        ([LAST], "and 102?", 'last value of lab "creatinine" for patient 102'),
        ([COUNT], "2105?", 'count patients with prescription "furosemide" in 2105'),
        ([COUNT], "and since then?", 'count patients with prescription "furosemide" since 2104'),
        ([COUNT], "in any year", 'count patients with prescription "furosemide"'),
        ([COUNT], "men?", 'count patients of sex male with prescription "furosemide" in 2104'),
        ([COUNT], "over 65?", 'count patients aged 66 to any with prescription "furosemide" in 2104'),
        ([COUNT], "sorry, I meant aspirin", 'count patients with prescription "aspirin" in 2104'),
        ([LAST], "potassium rather than creatinine", 'last value of lab "potassium" for patient 101'),
        ([LAST], "the previous one", 'second to last value of lab "creatinine" for patient 101'),
        ([DRUGS], "no, I meant the last hospital stay",
         "name of prescription for patient 101 during last hospital stay"),
        ([DRUGS], "and procedures?", "name of procedure for patient 101 during first hospital stay"),
        ([DRUGS], "only those given iv",
         'name of prescription where route = "iv" for patient 101 during first hospital stay'),
        ([DRUGS], "was aspirin among them?", 'any prescription "aspirin" for patient 101 during first hospital stay'),
        ([LIST], "remove the men", 'patients of sex female with diagnosis "chf nos"'),
        ([('patients with lab "potassium" where value > 5', "subject_id")], "above 4?",
         'patients with lab "potassium" where value > 4'),
        ([LAST], "how many times?", 'count lab "creatinine" for patient 101'),
        ([LIST, ("count admission for patients in A1", "records")], "and how many icu stays?",
         "count icu stay for patients in A1"),
        ([LIST], "how many male vs female?", "count patients in A1 by gender"),
        ([LIST], "men vs women?", "count patients in A1 by gender"),
        ([COUNT], "by gender", 'count patients with prescription "furosemide" in 2104 by gender'),
        ([LIST, ("patients in A1 with death", "subject_id")], "the others", "(rows of A1) except (rows of A2)"),
        ([('count patients of sex female with prescription "aspirin"', "patients")], "and overall?",
         'count patients with prescription "aspirin"'),
        # the last question of values, the list that was counted, the stays that were listed
        ([('value of lab "creatinine" for patient 101', "valuenum"), ("any icu stay for patient 101", "found")],
         "what about potassium?", 'value of lab "potassium" for patient 101'),
        ([DRUGS, ("count rows of A1", "rows")], "only those given iv",
         'name of prescription where route = "iv" for patient 101 during first hospital stay'),
        ([("id of icu stay for patient 101", "stay_id")], "how long was the first one?",
         "first length of icu stay for patient 101"),
        ([LIST, ASPIRIN], "who had both?", "patients in A2 in A1"),
        ([LIST], "with hypertension nos", 'patients in A1 with diagnosis "hypertension nos"'),
        ([LIST], "whose potassium was over 5", 'patients in A1 with lab "potassium" where value > 5'),
        ([COUNT], "without those who died",
         'count patients with (prescription "furosemide" in 2104) without (death)'),
        ([("count icu stay in 2104", "records")], "how many over 10 days?",
         "count icu stay where length > 10 days in 2104"),
        ([("count admission by gender", "gender")], "and the mean age?", "mean age of admission by gender"),
        ([("count icu stay in 2104", "records")], "and the average length?", "mean length of icu stay in 2104"),
        ([("gender of patient 101", "gender")], "how old?", "last age of admission for patient 101"),
        ([DRUGS, ("count rows of A1", "rows")], "were there any procedures?", "any procedure for patient 101"),
        ([("any procedure for patient 101", "found")], "which?", "name of procedure for patient 101"),
        ([LIST, ("patients in A1 of sex male", "subject_id"), ("count patients in A2 with death", "patients")],
         "of the women?", "count patients in A1 of sex female with death"),
        ([LIST, ("last age of admission for patients in A1", "age")], "which one is a woman?",
         "patients in A1 of sex female"),
        # orders of what an answer shows
        ([('time of lab "creatinine" for patient 101', "charttime")], "latest first",
         "ordered descending (rows of A1)"),
        ([('value of lab "creatinine" for patient 101', "valuenum")], "sort them by value, highest first",
         "ordered descending (rows of A1)"),
        ([LIST], "the youngest two", "first 2 ordered by age ascending (patients in A1)"),
        # limits on values, which are no ages
        ([('value of lab "creatinine" for patient 101', "valuenum")], "only those above 1.2",
         'value of lab "creatinine" where value > 1.2 for patient 101'),
        ([LIST], "show everyone whose potassium was over 5", 'patients with lab "potassium" where value > 5'),
        # patients of an earlier answer
        ([LIST], "which of A1 have died?", "patients in A1 with death"),
        ([LIST], "which of these were prescribed aspirin?", 'patients in A1 with prescription "aspirin"'),
        ([LIST], "how many died?", "count patients in A1 with death"),
        ([LIST], "how many of them are still alive?", "count patients in A1 without death"),
        ([LIST], "without those who died", "patients in A1 without death"),
        ([LIST], "and without aspirin", 'patients in A1 without prescription "aspirin"'),
        ([LIST], "show their ages", "last age of admission for patients in A1"),
        ([LIST, MEAN], "which of them are women?", "patients in A1 of sex female"),
        ([LIST, COUNT], "back to A1: how many of those died?", "count patients in A1 with death"),
        ([LIST, COUNT], "of the first list, how many died?", "count patients in A1 with death"),
        ([LIST, ASPIRIN, MEAN], "and of the patients in A2?",
         'mean value of lab "creatinine" for patients in A2'),
        # two answers
        ([LAST, LAST], "what is the difference between A1 and A2?", "(rows of A1) - (rows of A2)"),
        ([LAST, LAST], "subtract A1 from A2", "(rows of A2) - (rows of A1)"),
        ([LAST, LAST], "is A1 greater than A2?", "(rows of A1) > (rows of A2)"),
        ([LIST, LIST], "which patients are in both A1 and A2?", "(rows of A1) and (rows of A2)"),
        ([LIST, LIST], "who is in A1 but not in A2?", "(rows of A1) except (rows of A2)"),
        ([ASPIRIN, FUROSEMIDE], "both?", 'patients with (prescription "aspirin") with (prescription "furosemide")'),
        ([ASPIRIN, FUROSEMIDE], "either of the two?", 'patients with prescription "aspirin" or "furosemide"'),
        ([ASPIRIN, FUROSEMIDE], "neither?",
         'patients without (prescription "aspirin") without (prescription "furosemide")'),
        # orders
        ([LIST], "sort that by age", "ordered by age ascending (patients in A1)"),
        ([LIST], "the two oldest", "first 2 ordered by age descending (patients in A1)"),
        # stays
        ([STAYS], "what was the last creatinine in the hospital stays of A1?",
         'last value of lab "creatinine" during hospital stays in A1'),
        ([STAYS], "was there any hemodialysis during those stays?",
         'any procedure "hemodialysis" during hospital stays in A1'),
        ([DRUGS], "what was the first creatinine during that stay?",
         'first value of lab "creatinine" for patient 101 during first hospital stay'),
        ([("last length of admission for patient 101", "length")], "what insurance did she have then?",
         "insurance of admission for patient 101 during last hospital stay"),
        # a question of its own
        ([LIST], "how many patients were prescribed aspirin?", 'count patients with prescription "aspirin"'),
        ([DRUGS], "what are the top 2 diagnoses?",
         "top 2 diagnosis"),
        ([LAST], "how many patients are there?", "count patients"),
        ([LAST], "what is the gender of patient 103?", "gender of patient 103"),
    ],
)  # fmt: skip
def test_a_question_in_a_conversation(
    planner: OfflinePlanner, earlier: list[Earlier], question: str, logic: str
) -> None:
    proposal = after(planner, question, *earlier)
    assert proposal.logic == logic
    assert (proposal.reason, proposal.unexplained) == ("", ())


@pytest.mark.parametrize(
    ("earlier", "question", "says"),
    [
        ([], "and for women?", "no earlier answer"),
        ([], "how old is she?", "which patient"),
        ([], "what about her?", "which patient"),
        ([], "how many of those died?", "“those” could refer to"),
        ([], "their ages", "“their” could refer to"),
        ([], "which of them were on aspirin?", "“them” could refer to"),
        ([], "which drugs did they get?", "“they” could refer to"),
        ([], "how many of the same patients died?", "“the same patients” could refer to"),
        ([LIST], "how old is she?", "which patient"),
        pytest.param([LIST], "what was the last creatinine during that icu stay?", "which stay", marks=ASKS_BACK),
        ([LIST], "how many of the patients in A7 died?", "no answer A7"),
        ([LIST], "and xylozanthin?", "xylozanthin"),
        ([DRUGS], "and the average?", "what this changes in A1"),
        ([('value of lab "creatinine" for patient 101', "valuenum")], "sort them by time", "does not show “time”"),
        ([LAST], "was she in the icu then?", "points at a time"),
        ([LIST], "the first three", "no order that was asked for"),
        ([LIST], "older ones", "gives no limit"),
        ([LIST], "the rest", "what this changes in A1"),
        ([COUNT], "and on the ward?", "what this changes in A1"),
        ([COUNT], "in the icu?", "what this changes in A1"),
        ([LAST], "how much did it cost?", "what this changes in A1"),
        (
            [('patients with lab "potassium" where value > 5', "subject_id")],
            "and creatinine?",
            "what this changes in A1",
        ),
        ([LAST], "was that in the icu?", "does not say"),
        ([("top 5 diagnosis", "name")], "who had that?", "what this changes in A1"),
        ([DRUGS], "how many had aspirin?", "what this changes in A1"),
        (
            [('patients aged 61 to any with diagnosis "chf nos"', "subject_id")],
            "and under 70?",
            "what this changes in A1",
        ),
        ([LAST], "any death?", "does not say of whom"),
        pytest.param([DRUGS], "what did they do?", "of which records", marks=ASKS_BACK),
        ([LAST], "any icu stay then?", "points at a time"),
        ([LAST], "plot it", "only reads the records"),
        ([LAST], "can you export that?", "only reads the records"),
    ],
)
def test_what_cannot_be_resolved_is_declined_with_what_to_say_instead(
    planner: OfflinePlanner, earlier: list[Earlier], question: str, says: str
) -> None:
    proposal = after(planner, question, *earlier)
    assert proposal.reason
    assert says in proposal.reason


OLDEST = PastTurn(
    2, "…", "first 1 ordered by age descending (patients in A1)", "SELECT 1", ("subject_id", "age"), 1, "answered"
)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("what drugs did she get on her last admission?",
         "name of prescription for patients in A2 during last hospital stay"),
        ("her last creatinine?", 'last value of lab "creatinine" for patients in A2'),
        ("how long did she stay?", "length of admission for patients in A2"),
        ("is she a woman?", "any patients in A2 of sex female"),
        ("what was the last potassium?", 'last value of lab "potassium" for patients in A2'),
    ],
)  # fmt: skip
def test_she_is_the_one_patient_of_an_answer(planner: OfflinePlanner, question: str, logic: str) -> None:
    listed = PastTurn(1, "…", LIST[0], "SELECT 1", ("subject_id",), 3, "answered")
    assert planner.propose(question, [listed, OLDEST]).logic == logic


def test_a_name_in_a_list_is_told_by_its_place(planner: OfflinePlanner) -> None:
    ranked = ("top 3 prescription in 2104", "drug")
    for question, logic in (
        ("who got the first one?", "patients with (prescriptions where name = (the (row 1 of A1)))"),
        ("who got the third drug?", "patients with (prescriptions where name = (the (row 3 of A1)))"),
        ("how many patients got these drugs?", "count patients with prescription in A1"),
        ("the second one", "distinct name of prescriptions where name = (the (row 2 of A1))"),
    ):
        proposal = after(planner, question, ranked)
        assert proposal.logic == logic
        assert proposal.confidence >= DEFAULTS.threshold, question
    assert after(planner, "how many patients got the fifth one?", ranked).confidence < DEFAULTS.threshold


def test_a_word_that_changes_nothing_is_doubted(planner: OfflinePlanner) -> None:
    proposal = after(planner, "which of them more than once?", COUNT)
    assert [doubt.about for doubt in proposal.doubts if doubt.kind == "unused"] == ["more than once"]
    assert proposal.confidence < DEFAULTS.threshold


def test_an_answer_that_was_not_given_is_nothing_to_refer_to(planner: OfflinePlanner) -> None:
    declined = [PastTurn(1, "should they get aspirin?", None, None, (), None, "abstained", 0.0)]
    assert "“those” could refer to" in planner.propose("how many of those died?", declined).reason


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("how many of those with chf nos died?", 'count patients with (diagnosis "chf nos") with (death)'),
        ("of patients with chf nos, how many of them died?", 'count patients with (diagnosis "chf nos") with (death)'),
        ("drugs prescribed in 2104 and their routes", "name, route of prescription in 2104"),
        ("top 2 drugs for those aged 60 or above", "top 2 prescription for patients aged 60 to any"),
    ],
)
def test_a_pronoun_that_the_question_explains_needs_no_earlier_turn(
    planner: OfflinePlanner, ehr: Path, question: str, logic: str
) -> None:
    check_answer(planner, ehr, after(planner, question), logic)


@pytest.mark.parametrize("question", ["how many of those died?", "in 2105?", "how many?", "and without aspirin"])
def test_a_follow_up_is_no_surer_than_the_turn_that_it_builds_on(planner: OfflinePlanner, question: str) -> None:
    assert after(planner, question, LIST, confidence=0.31).confidence <= 0.31
    assert after(planner, question, LIST).confidence > 0.7


def test_what_a_follow_up_builds_on_is_said(planner: OfflinePlanner) -> None:
    changed = after(planner, "in 2105?", LIST, COUNT)
    assert [doubt.sentence for doubt in changed.doubts if doubt.kind == "continued"] == ["it was completed from A2"]
    pointed = after(planner, "how many of those died?", LIST)
    assert [(link.text, link.value) for link in pointed.links if link.kind == "turn"] == [("of those", "A1")]


def test_a_guess_that_was_withheld_is_not_continued(planner: OfflinePlanner) -> None:
    history = [
        PastTurn(1, "…", COUNT[0], "SELECT 1", ("patients",), 1, "answered"),
        PastTurn(2, "…", LAST[0], "SELECT 1", ("valuenum",), 1, "abstained"),
    ]
    assert planner.propose("2105?", history).logic == 'count patients with prescription "furosemide" in 2105'


SAID = (
    *(
        "and for women?",
        "how many?",
        "list them",
        "when was that?",
        "average?",
        "the last one",
        "and in 2104?",
        "both?",
    ),
    *("during that stay", "only those given iv", "without aspirin", "the previous one", "sort it by age", "per month"),
    *("top 3", "and potassium?", "and procedures?", "their drugs", "his age?", "A1", "count A1", "since then", "who?"),
    *(
        "was aspirin among them?",
        "is A1 greater than A2?",
        "the drugs in A1",
        "for everyone",
        "instead of drugs",
        "102?",
    ),
    *("the difference between the two", "exclude men", "the current one", "in the stays of A2", "what was the dose?"),
)
ASKED: tuple[Earlier, ...] = (
    *(
        LIST,
        COUNT,
        ASPIRIN,
        LAST,
        DRUGS,
        STAYS,
        MEAN,
        ("count rows of A1", "rows"),
        ("(rows of A1) - (rows of A2)", "n"),
    ),
    *(("top 3 diagnosis", "name"), ('survival over 1 years after diagnosis "chf nos"', "survival")),
    *(('meaning of "chf nos"', "meaning"), ("days since (last time of admission for patient 101)", "days")),
    *(("first 2 ordered by age descending (patients in A1)", "subject_id"), ("any death for patient 102", "found")),
    *(('mean cost of stays with diagnosis "chf nos"', "mean"), ("count per month admission in 2105", "month")),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(earlier=st.lists(st.sampled_from(ASKED), min_size=1, max_size=3), said=st.sampled_from(SAID))
def test_whatever_is_said_after_whatever_is_understood_or_declined_with_a_reason(
    planner: OfflinePlanner, earlier: list[Earlier], said: str
) -> None:
    proposal = after(planner, said, *earlier)
    assert proposal.logic or proposal.reason


@given(st.text(max_size=80))
def test_taking_words_out_of_a_text_keeps_the_place_of_all_others(text: str) -> None:
    heard = hear(read(text))
    assert len(heard.text.lower) == len(read(text).lower)
    assert all(heard.text.lower[word.start : word.end] == word.text for word in heard.text.words)
    assert {(word.text, word.start) for word in heard.text.words} <= {
        (word.text, word.start) for word in read(text).words
    }


def test_keywords_that_say_of_whom_and_what_are_a_question_of_their_own(planner):
    proposal = after(
        planner, "women over 80 with chf, number", ('patients with diagnosis "chf nos" in 2104', "subject_id")
    )
    assert "A1" not in proposal.logic
    assert "2104" not in proposal.logic
    assert "age > 80" in proposal.logic
