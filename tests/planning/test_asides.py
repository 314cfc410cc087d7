"""What is said beside a question and changes nothing of it, and what is said in more words than are needed."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.asides import asides
from ehrtui.planning.offline.shorthand import rewritten


def without(question: str, *, goes_on: bool = False) -> str:
    return rewritten(question, asides(question, goes_on=goes_on))


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("patients with a penicillin allergy (also written pcn)?", "patients with a penicillin allergy?"),
        ("who got lovenox (or generic)", "who got lovenox"),
        ("mean stay for each unit (MICU, CCU and so on)", "mean stay for each unit"),
        ("who was given an opioid (codeine, tramadol...)?", "who was given an opioid?"),
        ("what does a stay cost us on average (everything added up)", "what does a stay cost on average"),
        ("what % of all our AF pts were on warfarin?", "what % of all AF pts were on warfarin?"),
        ("aspirin and heparin: how many pts got each of them", "aspirin and heparin: number of patients for each"),
        (
            "What has grown in our urines, and in how many patients each?",
            "which organisms grew in our urines, with number of patients?",
        ),
        ("how many inpatients do we have right now?", "how many patients are in the hospital right now?"),
        ("how many of them still smoke?", "how many of them smoke?"),
        ("no-show rate for each outpatient clinic", "no-show rate for each clinic"),
        ("how many appointments were missed in May", "how many missed appointments in May"),
        ("share of ED visits in May that stayed over 4 hours", "share of ED visits in May that lasted over 4 hours"),
        ("which diabetic had the highest hba1c?", "which patient with diabetes had the highest hba1c?"),
        ("who waited longest in the ED", "who stayed longest in the ED"),
        ("was anybody on warfarin? Give me the patients", "was anybody on warfarin? list them"),
        ("what diagnoses did he have the first time?", "what diagnoses did he have during the first hospital stay?"),
        ("What was the diagnosis for patient 10021 the first time?",) * 2,  # the first diagnosis
        ("Is it true that 10021 was given heparin?", "tell me if 10021 was given heparin?"),
        ("patient 10021 died in hospital, right?", "tell me if patient 10021 died in hospital?"),
        ("10021 never got warfarin, true or false?", "tell me if 10021 never got warfarin?"),
        ("which ward is right?",) * 2,
        ("patients with gout (ICD-9 or ICD-10)", "patients with gout"),
        ("dnr codes, icd-9 and icd-10 taken together: how many patients", "dnr codes: how many patients"),
        ("which ICD-9 codes are there",) * 2,
        ("whose chart mentions gout?", "which patients have gout?"),
        ("last sodium of MRN LK204191", "last sodium of LK204191"),
        ("last sodium of 10021 (MRN)",) * 2,
        ("ED volume by month", "ED visits by month"),
        ("hospital mortality per admission, in percent", "hospital mortality of admissions, in percent"),
        ("hospital mortality per admission type",) * 2,
        ("deaths month by month", "deaths by month"),
        ("how did stays change from year to year", "how did stays change by year"),
        ("admissions/month in 2104", "admissions by month in 2104"),
        ("weekly transfer numbers", "number of transfers by week"),
        ("stays no later than 30 days after the discharge", "stays within 30 days after the discharge"),
        ("age wise, who is the oldest", " who is the oldest"),
        ("mean age, women v men", "mean age by sex"),
        ("how old are our patients usually?", "how old are our patients on average?"),
        (
            "Of the stays with gout, what share ended in death?",
            "what percentage of the stays with gout ended in death?",
        ),
        ("of those, what share died?",) * 2,
        ("longest time in theatre, in hours", "longest hours in theatre"),
        ("how long did the longest ICU stay last?", "how long was the longest ICU stay?"),
        ("who got oral prednisone?", "who got prednisone by mouth?"),
        ("procedures called feeding - oral feeding",) * 2,
        ("how many had an oral solution of it",) * 2,
        ("diabetics in whom metformin was never given", "diabetics without metformin"),
        ("patients with a cardiac arrest event", "patients with a cardiac arrest"),
        ("patients with an adverse event",) * 2,
        ("what share of the isolates came out R", "what share of the isolates were resistant"),
        ("dwell time per chest tube", "duration of chest tube"),
        ("mean PICC dwell time", "mean duration of PICC"),
        ("how many days does a chest drain stay in?", "how long does a chest drain last in days?"),
        ("drugs of 10021 in the stay that began on 2104-05-03", "drugs of 10021 in the stay of 2104-05-03"),
        ("what has 10021 been given this admission?", "what has 10021 been given during the current hospital stay?"),
        ("micu patients right now", "patients currently in the micu"),
        ("current census by ward", "number of patients in the hospital right now by ward"),
        ("what part of our patients died?", "what percentage of our patients died?"),
        ("in what part of the hospital is he",) * 2,
        ("mortality by the unit the ICU stay started in", "mortality by first care unit"),
        ("charges by category, and which one is the biggest?", "charges by category, highest first?"),
        (
            "how many had sepsis or gout as the admission diagnosis",
            "how many had sepsis as the admission diagnosis or gout as the admission diagnosis",
        ),
        ("cultures that came back no growth", "cultures that had no growth"),
        ("lowest o2 sat on the monitor", "lowest o2 sat"),
        ("What grew in blood cultures? organism and how many", "What grew in blood cultures, with counts"),
        ("last potassium, and is it flagged?", "last potassium, with its flag?"),
        ("what did our dead patients die of", "cause of death of our dead patients"),
        ("patients on any statin, split per statin please", "patients on any statin by drug please"),
        ("reasons for theatre cancellations", "cancellation reasons"),
        ("how long from admission to the ICU?", "how long from admission to icu admission?"),
        ("stays over a week, whatever the age", "stays over a week"),
        ("what was the very first potassium", "what was the first potassium"),
        ("which stay was the longest and how many days", "which stay was the longest"),
        ("who had a positive urine culture and what grew?", "who had a positive urine culture and the organism?"),
        ("common organisms in urine", "most common organisms in urine"),
        ("weekend admissions vs weekday admissions", "weekend vs weekday admissions"),
        ("how many had a fever over 39", "how many had a temperature over 39"),
        ("who is currently admitted?", "who is in the hospital right now?"),
        ("her admissions (date in, date out)", "her admissions (admission date, discharge date)"),
        ("which ward cost us the most?", "which ward had the highest total cost?"),
        ("what was the most expensive month?", "which month had the highest total cost?"),
        ("who had E. coli in the urine", "who grew E. coli in the urine"),
        (
            "who died within 30 days after being discharged alive",
            "who were discharged alive and died within 30 days of discharge",
        ),
    ],
)
def test_what_is_said_in_more_words_is_read_in_fewer(question: str, left: str) -> None:
    assert without(question) == left


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("mean age of men (90 = over 89, fine)", "mean age of men"),
    ],
)
def test_what_changes_nothing_is_left_out(question: str, left: str) -> None:
    assert without(question) == left


@pytest.mark.parametrize(
    "question",
    [
        "patients with low sodium (e.g. below 130)",
        "potassium above 6 (in 2104)",
        "for patients with sepsis: mean lactate",
        "wrong patient, I meant 10088",  # a first question corrects nothing
    ],
)
def test_what_says_something_stays(question: str) -> None:
    assert without(question) == question


@pytest.mark.parametrize(
    ("turn", "read"),
    [
        ("sorry, wrong patient, I meant 10088", "sorry, I meant 10088"),
        ("oops wrong one, 10088", "sorry, I meant 10088"),
        ("that was the wrong drug: it should be aspirin", "sorry, I meant aspirin"),
        ("in which specimens, number of patients each?", "by specimen?"),
        ("and from which wards, with nr of pts", "by ward?"),
    ],
)
def test_a_turn_is_read_in_fewer_words(turn: str, read: str) -> None:
    assert without(turn, goes_on=True) == read


def test_of_two_that_overlap_one_is_read() -> None:
    said = "in which wards (MICU and so on), number of patients each?"
    assert without(said, goes_on=True) in ("in which wards, number of patients each?", "by ward?")


@pytest.mark.parametrize(
    "paste", ["last value is it what " * 200, "charges by category" + " " * 400 + "which is the most"]
)
def test_a_paste_is_not_looked_through(paste: str) -> None:
    assert asides(paste, goes_on=True) == []


@pytest.mark.parametrize(
    ("turn", "read"),
    [
        ("limit that to the three biggest", "top 3"),
        ("too many, the top five will do", "top 5"),
        ("which three wards are the biggest?",) * 2,
        ("and the highest?", "and the maximum?"),
        ("lowest", "the minimum"),
        ("lowest sodium",) * 2,
        ("what share of the total number of stays does that represent?", "what percentage of all stays is that?"),
        ("how much is that relative to all the stays we had, in percent?", "what percentage of all stays is that?"),
        ("how many are left if you exclude the MICU?", "without the MICU?"),
        ("the MICU ones shouldn't be in there", "without the MICU"),
        ("Sorry, I should have asked about latex rather than codeine.", "latex instead of codeine."),
        ("replace codeine with latex", "latex instead of codeine"),
        ("change the cutoff to 120",) * 2,
    ],
)
def test_a_turn_says_briefly_what_is_changed(turn: str, read: str) -> None:
    assert without(turn, goes_on=True) == read
