"""Turns that go on from earlier ones: the groups of one answer, limits on what was picked, other years, other stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.planning.follow.implied import goes_on_beside
from ehrtui.planning.follow.pointing import asks_from
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.settings import DEFAULTS
from tests.planning.test_acts_of_a_conversation import conversation, misread

WOMEN = 'where gender = "female"'
TWO = (
    f'count of (patients {WOMEN} with prescription "aspirin"),'
    f' count of (patients {WOMEN} with prescription "furosemide")'
)
LAST = 'patient, value of last lab "creatinine"'
HIGHEST = 'patient, value of highest lab "creatinine"'
YEAR = "count of (patients with (hospital stays in {}))"
IN_STAY = 'mean value of (lab "creatinine" during ({} for patient 101))'
GREW = 'patients with (culture "urine" where organism is present)'
EMERGENCY = 'hospital stays where admission type = "emergency"'

ASKED: list[tuple[list[str], str, list[str]]] = [
    (["name of prescription for patient 101"], f"{HIGHEST} per all",
     ["which patient had the highest creatinine?", "who had the highest creatinine?",
      "patient with the highest creatinine", "the patient with the highest creatinine"]),
    (['patients with prescription "furosemide"'], f"{HIGHEST} for (patients in A1) per all",
     ["who had the highest creatinine?", "which patient had the highest creatinine?"]),
    (['patients with prescription "furosemide"'], "any patient 101 in A1",
     ["is patient 101 one of them?", "was patient 101 among those?", "is patient 101 in A1?",
      "does the list include patient 101?"]),
    (['patients with prescription "furosemide"'], "any patient 103 in A1", ["is patient 103 one of them?"]),
    ([TWO], f'count of (patients {WOMEN} with prescription "aspirin" with prescription "furosemide")',
     ["how many are in both groups?", "how many were in both groups", "and in both?"]),
    ([TWO], f'count of (patients {WOMEN} without prescription "aspirin" without prescription "furosemide")',
     ["and in neither?", "how many are in neither of the two?"]),
    ([TWO], f'patients {WOMEN} with prescription "furosemide"',
     ["list the furosemide patients", "who is in the second group?", "which patients are in the second group"]),
    ([TWO], f'patients {WOMEN} with prescription "aspirin" with prescription "furosemide"',
     ["which patients are in both groups?"]),
    ([TWO], f'count of (patients {WOMEN} with prescription "aspirin" with deaths)',
     ["the first group: how many died?", "how many died in the first group?"]),
    ([TWO, f'count of (patients {WOMEN} with prescription "aspirin" with deaths)'],
     f'count of (patients {WOMEN} with prescription "furosemide" with deaths)',
     ["and the second?", "what about the other group?", "and in the second group", "and the second group?"]),
    (['patients with prescription "furosemide"'],
     f'count of (patients in A1), count of (patients in A1 {WOMEN})',
     ["how many is that and how many are women?", "how many are they, and how many are women"]),
    ([LAST], f'{LAST} for (patients where (value of last lab "creatinine") > 2)',
     ["only those above 2", "keep the ones above 2", "keep only those over 2"]),
    ([LAST], f'{LAST} for (patients where (value of last lab "creatinine") < 1.2)', ["just the ones under 1.2"]),
    ([f"distinct {HIGHEST}"], f"distinct {HIGHEST} where value > 2", ["keep only those above 2"]),
    ([YEAR.format(2105)], YEAR.format(2104), ["and the year before?", "what about the previous year?"]),
    ([YEAR.format(2104)], YEAR.format(2105), ["and the year after?", "and in the following year"]),
    (['patients with prescription "furosemide"', "count of (patients in A1 with deaths)"],
     "count of (patients in A1 with deaths), count of (patients where not (in A1) with deaths)",
     ["compare that with everyone else", "compare with everybody else's"]),
    (["count of hospital stays by insurance"], 'count of (hospital stays where insurance = "medicare" with icu stays)',
     ["how many of the medicare ones had an icu stay?"]),
    (['count of (patients with (hospital stays with prescription "furosemide"))',
      'patient, dose of highest (dose) prescription "furosemide" per all'],
     f'count of (patients with (hospital stays with prescription "furosemide") {WOMEN})',
     ["how many of all the furosemide patients are women?"]),
    (['patients with prescription "furosemide"', "count of (patients in A1 with (deaths where time is present))"],
     "mean age of (hospital stays for (patients in A1 without (deaths where time is present)))",
     ["and the mean age of the survivors?", "mean age of those who survived"]),
    (['patients with prescription "furosemide"'], "mean age of (hospital stays for (patients in A1))",
     ["what is the mean age of the patients?", "the average age of the patients"]),
    (['patients with prescription "furosemide"'], "percent (with prescription \"aspirin\") of (patients in A1)",
     ["what share of the patients got aspirin?"]),
    (['patients with prescription "furosemide"'], 'mean value of (lab "creatinine" for (patients in A1))',
     ["mean creatinine of the group", "what's the group's mean creatinine?"]),
    ([f"count of ({EMERGENCY})", f"count of ({EMERGENCY} where hospital death = 1)"],
     f"mean length of ({EMERGENCY} where not (hospital death = 1))",
     ["and the mean length of stay of the survivors?", "mean length of stay of those who survived"]),
    ([f"distinct {HIGHEST} for (patients with diagnosis \"gout\")"],
     'count of (patients with diagnosis "gout" with deaths)', ["how many of the patients died?"]),
    ([EMERGENCY], f"count of ({EMERGENCY} with icu stay)",
     ["how many of the admissions had an icu stay?", "how many of the stays had an icu stay?"]),
    ([IN_STAY.format("first hospital stay")], IN_STAY.format("last hospital stay"),
     ["same for the last admission", "and in the last one?", "and during the last stay"]),
    ([IN_STAY.format("first hospital stay")], IN_STAY.format("hospital stays"),
     ["and over all her stays together?", "across all stays"]),
    ([f"count of ({GREW})"], f'distinct organism of culture "urine" where organism is present for ({GREW})',
     ["which organisms?", "which organisms grew?"]),
    ([f"count of ({GREW})"], 'count patients of culture "urine" where organism is present by organism',
     ["patients per organism", "which organisms? patients per organism"]),
    ([f"count of ({EMERGENCY})"],
     f"count of ({EMERGENCY} where hospital death = 1), count of ({EMERGENCY} with icu stay)",
     ["in those admissions, how many died and how many had an icu stay?",
      "how many died and how many had an icu stay?"]),
    ([TWO],
     f'mean age of (hospital stays for (patients {WOMEN} with prescription "aspirin")),'
     f' mean age of (hospital stays for (patients {WOMEN} with prescription "furosemide"))',
     ["mean age in both groups"]),
    (['mean length of (icu stays where first care unit = "micu")'],
     'mean length of (icu stays where first care unit = "sicu")', ["same for the sicu", "and the sicu?"]),
    (['icu stays where first care unit = "micu"'],
     'id, length of icu stays where first care unit = "micu" ordered by length descending',
     ["list them, longest first"]),
    (["count of (hospital stays in 2105-03)"], "count of (hospital stays in 2105-12)",
     ["and december?", "what about December", "same for december"]),
    (["count of hospital stays for patient 101"], "any patient 101 without death",
     ["is she still alive?", "is he alive?"]),
    ([f"{HIGHEST} per all"], "any patients in A1 without death", ["is he still alive?", "is she still alive?"]),
    (['count of (hospital stays where discharge location = "home")',
      'mean length of (hospital stays where discharge location = "home" in hospital stays of A1)'],
     'count of (patients with (hospital stays where discharge location = "home") with deaths)',
     ["and how many died?"]),
    (["count of (hospital stays in 2105)"],
     'count of (hospital stays in 2105 where admission location = "emergency room admit")',
     ["how many of those came in through the ER?", "how many of those were admitted from the ER?"]),
    (['count patients with lab "creatinine" where value > 1'], 'mean value of lab "creatinine" where value > 1',
     ["what's the average?", "the average?", "and the mean?"]),
    (['count patients with lab "creatinine" where value > 1'], 'maximum value of lab "creatinine" where value > 1',
     ["and the highest?", "the maximum?"]),
    (['count patients with lab "creatinine" where value > 1'],
     'patient, value of highest lab "creatinine" where value > 1 per all',
     ["who had the highest one?", "who had the highest?"]),
    (["time of hospital stays for patient 103"], "any admission where end time is missing for patient 103",
     ["is he still here?", "is she still here?"]),
    (["count of icu stays by first care unit ordered by count descending first 1 showing keys"],
     'patient, length of highest (length) icu stay where first care unit = "micu" per all', ["longest stay there?"]),
]  # fmt: skip
"""Earlier logic, what is meant, and ways to say it."""


@pytest.mark.parametrize(("earlier", "logic", "wordings"), ASKED)
def test_a_turn_goes_on_from_what_was_told(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], logic: str, wordings: list[str]
) -> None:
    assert not misread(planner, ehr, earlier, logic, wordings)


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ([f"count of ({GREW})"], "from which wards? patients per care unit"),
        ([TWO], "and in the third group?"),
        (["count of icu stays by first care unit"], "how many of the micu ones are green?"),
        ([f"{HIGHEST} per all"], "their lowest?"),
        (['patients with prescription "furosemide"'], "are they all still alive?"),
        (['patients with prescription "furosemide"'], "why did the others not get it?"),
    ],
)
def test_what_may_be_of_others_is_not_sure(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], question: str
) -> None:
    proposal = planner.propose(question, conversation(planner, ehr, earlier))
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic


def test_a_second_number_beside_one_of_them_is_of_the_same(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(
        planner, ehr, ['patients with prescription "furosemide"', f"count of (patients in A1 {WOMEN})"]
    )
    turns[1] = replace(turns[1], question="how many of them are women?")
    assert planner.propose("and how many died?", turns).logic == "count patients in A1 with death"


@pytest.mark.parametrize(
    ("before", "beside"),
    [
        ("how many of them are men", True),
        ("and how many of those had surgery?", True),
        ("which of them had surgery?", False),
        ("how many of the women had surgery?", False),
    ],
)
def test_and_sets_two_numbers_beside_each_other(before: str, beside: bool) -> None:
    assert goes_on_beside("and how many died?", before) is beside
    assert not goes_on_beside("how many died?", before)


def test_a_few_words_that_ask_from_where_lean_on_what_was_told() -> None:
    assert asks_from("from which wards? patients per ward")
    assert not asks_from("in which year were most patients admitted?")


def test_them_after_the_commonest_of_them_may_be_either_and_is_not_sure(planner: OfflinePlanner, ehr: Path) -> None:
    commonest = (
        "count of hospital stays for (patients in A1) by insurance ordered by count descending first 1 showing keys"
    )
    turns = conversation(planner, ehr, ['patients with prescription "furosemide"', commonest])
    sure = planner.propose("how many of them died?", turns)
    assert sure.confidence >= DEFAULTS.threshold, sure.logic
    turns[1] = replace(turns[1], question="which insurance is commonest among them?")
    assert planner.propose("how many of them died?", turns).confidence < DEFAULTS.threshold


@pytest.mark.parametrize("group", ['prescription "furosemide"', 'diagnosis "chf nos"'])
def test_the_same_for_something_else_is_not_surely_of_those_of_before(
    planner: OfflinePlanner, ehr: Path, group: str
) -> None:
    turns = conversation(planner, ehr, [f"count of (patients with {group} with deaths)"])
    other = planner.propose("same for streptococcus pneumoniae", turns)
    assert other.confidence < DEFAULTS.threshold, other.logic
    same = planner.propose("same for aspirin" if "furosemide" in group else "same for hypertension", turns)
    assert same.confidence >= DEFAULTS.threshold, same.logic


@pytest.mark.parametrize("question", ["of A1, which are given orally?", "which of those are given orally?"])
def test_groups_that_were_kept_by_their_number_are_not_all_of_them(
    planner: OfflinePlanner, ehr: Path, question: str
) -> None:
    kept = "count patients of prescriptions by name having count patients >= 2 showing keys"
    proposal = planner.propose(question, conversation(planner, ehr, [kept]))
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic
