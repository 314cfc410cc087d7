"""Turns about one patient who is not named again, about stays that go on, and about what names hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn
from ehrtui.planning.reader.choosing import names_in
from ehrtui.settings import DEFAULTS
from tests.planning.test_acts_of_a_conversation import conversation, misread

STAYS = "for each patient 101: count of hospital stays"
NOW_IN = "count of (patients with (hospital stays where end time is missing))"
LASTING = "days from time to now"
LONG = (
    f"for each hospital stay where end time is missing where ({LASTING}) > 5: patient, {LASTING}"
    f" ordered by ({LASTING}) descending"
)
FLOWS = "sum value of (inputs for patient 103), sum value of (outputs for patient 103)"
DRUGS = 'count of (patients with prescription like "*furo*")'

ASKED: list[tuple[list[str], str, list[str]]] = [
    ([STAYS], "admission time, length of hospital stays for patient 101",
     ["give me the admission dates and lengths in days", "admission dates and lengths of stay?"]),
    ([STAYS], "distinct name of diagnoses during first hospital stay for patient 101",
     ["what were the diagnoses in the first stay?"]),
    (["admission time, length of hospital stays for patient 101"],
     'value of highest lab "creatinine" during (highest (length) hospital stay for patient 101 per all)',
     ["highest creatinine in the longest one?"]),
    ([NOW_IN], LONG,
     ["those who've been in for more than 5 days, with the number of days, longest first",
      "who has been here for over 5 days? with days, longest first"]),
    ([NOW_IN], f"patients with (hospital stays where end time is missing where ({LASTING}) > 5)",
     ["which of them have been in for more than 5 days?"]),
    ([NOW_IN], f"count of (patients with (hospital stays where end time is missing where ({LASTING}) > 5))",
     ["how many have been there for more than 5 days?", "how many of them have been in for over 5 days"]),
    ([NOW_IN, LONG, "count of (patients in A2 where gender = \"female\")"],
     f'patients with (hospital stays where end time is missing where ({LASTING}) > 5)'
     ' with diagnosis "pneumonia, organism nos"',
     ["back to the long stayers: which of them have pneumonia?"]),
    (["count of (patients where gender = \"female\" with (hospital stays where end time is missing))"],
     f'patients where gender = "female" with (hospital stays where end time is missing where ({LASTING}) > 5)',
     ["who of them has been here longer than 5 days?"]),
    ([FLOWS], "(sum value of (inputs for patient 103)) - (sum value of (outputs for patient 103))",
     ["net balance then?", "so what's her net balance?", "and the fluid balance?"]),
    (['count of (hospital stays with prescription "furosemide")'],
     'count of (hospital stays with (prescription "furosemide" where route = "iv"))',
     ["no wait, I meant IV only", "sorry, I only want the iv orders, not the po ones", "oops, iv only please"]),
    (['count of (hospital stays with prescription "furosemide" or "aspirin")'],
     'count of (hospital stays with prescription "furosemide")',
     ["no, leave out the aspirin", "sorry, without the aspirin"]),
    (['count of (hospital stays with lab "creatinine")'],
     'hospital stay, value of highest lab "creatinine" during (hospital stays with lab "creatinine") per hospital stay'
     " ordered by value descending first 2",
     ["peak level per admission, top 2", "highest value of each stay, top 2"]),
    (["count of hospital stays"],
     'hospital stay, value of lowest lab "creatinine" where value < 1.3 per hospital stay',
     ["lowest creatinine of each of those stays, only where it went under 1.3"]),
    (['count of (hospital stays with prescription "furosemide" with diagnosis "hypertension nos")'],
     'mean length of (hospital stays with prescription "furosemide" with diagnosis "hypertension nos"),'
     ' mean length of (hospital stays with prescription "furosemide" without diagnosis "hypertension nos")',
     ["average length of stay of those with hypertension nos vs those without (finished stays)"]),
    (['count of (hospital stays with prescription "furosemide"),'
      ' count of (hospital stays without prescription "furosemide")'],
     'count of (hospital stays with (prescription "furosemide") where hospital death = 1),'
     ' count of (hospital stays without (prescription "furosemide") where hospital death = 1)',
     ["how many died in hospital in each of the two groups?"]),
    (["length of first hospital stay for patient 101"],
     "for each first hospital stay for patient 101: days from discharge time to (next admission time)",
     ["how many days between that discharge and the next admission?",
      "how long from that hospital discharge to the next hospital admission, in days"]),
    (["length of last hospital stay for patient 103"],
     f"for each hospital stay for patient 103 where end time is missing: {LASTING}",
     ["she's in the hospital again. how long by now, in days?", "how many days has she been in the hospital so far"]),
    (['distinct hospital stay, value of lowest lab "creatinine" during (hospital stays in 2104) where value < 1.3'
      " per hospital stay"],
     'count of (hospital stays in 2104 where (value of lowest lab "creatinine" per hospital stay) >= 1.3)',
     ["so in how many was the nadir 1.3 or above", "how many had a nadir of at least 1.3?"]),
    ([DRUGS], 'count of (patients with prescription like "*aspi*")',
     ["aspi in the name?", "aspi - name contains 'aspi'"]),
]  # fmt: skip
"""Earlier logic, what is meant, and ways to say it."""


@pytest.mark.parametrize(("earlier", "logic", "wordings"), ASKED)
def test_a_turn_is_of_those_it_goes_on_from(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], logic: str, wordings: list[str]
) -> None:
    assert not misread(planner, ehr, earlier, logic, wordings)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("how many patients have a drug with aspi or furo in the name",
         'count of (patients with prescription like "*aspi*" or like "*furo*")'),
        ("patients with aspi in the name of any drug: count", 'count of (patients with prescription like "*aspi*")'),
        ("number of patients with a diagnosis whose title contains kidney",
         'count of (patients with diagnosis like "*kidney*")'),
        ("which drugs have furo in their name", 'distinct name of prescription like "*furo*"'),
        ("furosemide and aspirin orders: number of patients for each",
         'count of (patients with prescription "furosemide"), count of (patients with prescription "aspirin")'),
        ("stays with hypertension, and with heart failure: n each",
         'count of (hospital stays with diagnosis "hypertension nos"),'
         ' count of (hospital stays with diagnosis "chf nos")'),
        ("how many stays have a discharge location on file",
         "count of hospital stays where discharge location is present"),
        ("stays with a marital status - n?", "count of hospital stays where marital status is present"),
        ("chf nos - number of hospital stays", 'count of (hospital stays with diagnosis "chf nos")'),
        ("admission date and insurance of patient 101", "admission time, insurance of hospital stays for patient 101"),
        ("length of stay and admission date of patient 101",
         "length, admission time of hospital stays for patient 101"),
        ("total input and total output of patient 103",
         "sum value of (inputs for patient 103), sum value of (outputs for patient 103)"),
        ("how many days have the current stays lasted on average?",
         f"mean ({LASTING}) of hospital stays where end time is missing"),
    ],
)  # fmt: skip
def test_a_question_is_read(planner: OfflinePlanner, ehr: Path, question: str, logic: str) -> None:
    assert not misread(planner, ehr, [], logic, [question])


def test_what_is_asked_of_all_in_a_talk_of_one_patient_is_of_all(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, [STAYS])
    of_all = planner.propose("how many patients had pneumonia?", turns)
    assert "101" not in (of_all.logic or "")
    commonest = planner.propose("what are the top 2 drugs?", turns)
    assert "101" not in (commonest.logic or "")


def test_those_who_got_it_then_are_some_of_those_before(planner: OfflinePlanner, ehr: Path) -> None:
    before = 'patients with prescription "furosemide" with diagnosis "hypertension nos"'
    turns = conversation(planner, ehr, [before])
    proposal = planner.propose("only those who got it in 2104", turns)
    unsure = proposal.reason or proposal.confidence < DEFAULTS.threshold
    assert unsure or "hypertension" in (proposal.logic or "") or "A1" in (proposal.logic or "")


def test_all_seven_are_those_of_the_answer_that_lists_so_many(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, ["patients", 'patients with prescription "aspirin"'])
    turns = [PastTurn(1, "…", turns[0].logic, turns[0].sql, turns[0].columns, 5, "answered", 0.95), turns[1]]
    proposal = planner.propose("last creatinine of all five", turns)
    assert "A1" in (proposal.logic or ""), proposal.logic


def test_a_patient_is_known_by_an_identifier_of_letters() -> None:
    assert names_in('count of hospital stays for patient "006-1"') == {'patient "006-1"'}
