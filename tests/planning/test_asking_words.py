"""Words that only ask, or only say that something happened, are understood in their places; the same words where they
change what is asked are not, and the question is declined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.planning.offline.asking_words import find_asking
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import Proposal
from ehrtui.settings import DEFAULTS

LAST = 'last value of lab "creatinine" for patient 101'
GIVEN = "count patients with prescription"


def is_sure(proposal: Proposal) -> bool:
    return not proposal.reason and proposal.confidence >= DEFAULTS.threshold


@pytest.mark.parametrize(
    "asked",
    [
        "Could you fetch {}?",
        "Please inform me about {}",
        "Reveal {}",
        "I'd like you to look up {}",
        "Could you kindly dig out {}?",
        "Can you help me find {}?",
        "I'm curious about {}.",
        "I am looking for {}.",
        "Might you tell me {}?",
        "Can anyone tell me {}?",
        "Do you happen to know {}?",
        "Is it possible to know {}?",
        "Would you mind telling me {}?",
        "Good morning, what was {}?",
        "Quick question: what was {}?",
        "What exactly was {}?",
    ],
)
def test_ways_to_ask(planner: OfflinePlanner, asked: str) -> None:
    proposal = planner.propose(asked.format("the last creatinine of patient 101"), ())
    assert (proposal.logic, is_sure(proposal)) == (LAST, True)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        # what is asked for
        ("Compile a list of the drugs prescribed to patient 101.", "name of prescription for patient 101"),
        ("Work out the average creatinine of patient 101.", 'mean value of lab "creatinine" for patient 101'),
        ("Retrieval of the two most common diagnoses.", "top 2 places diagnosis"),
        ("Share the three most prescribed drugs.", "top 3 places prescription"),
        ("What are the two most prevalent diagnoses?", "top 2 places diagnosis"),
        ("What are the two most conducted lab tests?", "top 2 places lab"),
        ("In total, how many patients were prescribed furosemide?", f'{GIVEN} "furosemide"'),
        ("How many patients altogether were prescribed furosemide?", f'{GIVEN} "furosemide"'),
        ("How many distinct patients have been given furosemide to date?", f'{GIVEN} "furosemide"'),
        ("What amount of patients received furosemide?", f'{GIVEN} "furosemide"'),
        ("How much was patient 102 billed?", "sum value of cost for patient 102"),
        ("How high was the last creatinine of patient 101?", LAST),
        ("When was patient 101 let go from the hospital?", "time of discharge for patient 101"),
        ("What day was patient 101 last admitted to the hospital?", "last time of admission for patient 101"),
        ("What drug has been prescribed most?", "top 1 prescription"),
        ("Count the total patients who were prescribed furosemide.", f'{GIVEN} "furosemide"'),
        ("What was the aggregate output of patient 102?", "sum value of output for patient 102"),
        ("What was the discharge time of patient 101?", "time of discharge for patient 101"),
        ("List the identifications of patients diagnosed with chf nos.", 'patients with diagnosis "chf nos"'),
        # that something happened
        ("Has patient 102 gone through any procedure?", "any procedure for patient 102"),
        ("Has patient 101 acquired any medication in 2104?", "any prescription for patient 101 in 2104"),
        ("Which lab tests were undertaken by patient 101?", "name of lab for patient 101"),
        ("Has patient 102 been subjected to a creatinine test?", 'any lab "creatinine" for patient 102'),
        ("When was the last microbiology test of patient 103 held?", "last time of culture for patient 103"),
        ("How many times did patient 101 attend the hospital?", "count admission for patient 101"),
        ("How many patients stayed on micu since 2104?", 'count patients with transfer "micu" since 2104'),
        ("Has patient 101 already been given furosemide?", 'any prescription "furosemide" for patient 101'),
        ("Has patient 101 been given furosemide before?", 'any prescription "furosemide" for patient 101'),
        ("What output did patient 102 produce last?", "last name of output for patient 102"),
        ("How many patients are affected by chf nos?", 'count patients with diagnosis "chf nos"'),
        ("How many patients were given aspirin after already being diagnosed with chf nos?",
         f'{GIVEN} "aspirin" ever after (diagnosis "chf nos")'),
        ("What were the two most common drugs for patients who had hemodialysis before within 2 months?",
         'top 2 places prescription within 2 months after (procedure "hemodialysis")'),
        ("What drugs were prescribed to patient 102 within 2 days post hemodialysis?",
         'name of prescription for patient 102 within 2 days after (procedure "hemodialysis")'),
        # of which records, and of whom
        ("What is the average creatinine in patient 101's body?", 'mean value of lab "creatinine" for patient 101'),
        ("How much does patient 101 weigh based on the last measurement?",
         'last value of vital "admit wt" for patient 101'),
        ("Was patient 102 involved in any medical procedure?", "any procedure for patient 102"),
        ("Has patient 101 been given any sort of diagnosis?", "any diagnosis for patient 101"),
        ("When did patient 103 get a sputum microbial test?", 'time of culture "sputum" for patient 103'),
        ("What organism was found in the microbiology test on patient 103's sputum?",
         'organism of culture "sputum" for patient 103'),
        ("What are the most common diagnoses of patients with an age of 50s?",
         "top 5 places diagnosis for patients aged 50 to 59"),
        ("How many current patients fall into the 30s age group?",
         "count patients aged 30 to 39 with admission during current hospital stay"),
        # ways and costs
        ("How is furosemide typically consumed?", 'route of prescription "furosemide"'),
        ("What are the consumption methods of furosemide?", 'route of prescription "furosemide"'),
        ("Which drug was last prescribed to patient 101 via the iv method?",
         'last name of prescription where route = "iv" for patient 101'),
        ("How much will it cost to get hemodialysis done?", 'cost of procedure "hemodialysis"'),
        ("How much am I expected to pay for hemodialysis?", 'cost of procedure "hemodialysis"'),
        ("How much does it cost to purchase furosemide?", 'cost of prescription "furosemide"'),
        ("What is the cost of chf nos diagnostic?", 'cost of diagnosis "chf nos"'),
        ("How much is the average bill for a visit that involves a creatinine test?",
         'mean cost of stays with lab "creatinine"'),
    ],
)  # fmt: skip
def test_words_that_add_nothing(planner: OfflinePlanner, question: str, logic: str) -> None:
    proposal = planner.propose(question, ())
    assert (proposal.logic, is_sure(proposal)) == (logic, True)


@pytest.mark.parametrize(
    "question",
    [
        # the same words in other places
        "What did the chest x-ray of patient 101 reveal?",
        "Collect the blood culture of patient 102.",
        "Share the creatinine of patient 101 with patient 102.",
        "Inform patient 101 of the last creatinine.",
        "When was furosemide held for patient 101?",
        "How many patients had a creatinine test and had furosemide held?",
        "Has patient 101 been diagnosed with hospital acquired pneumonia?",
        "How many women delivered?",
        "Did patient 101 fall?",
        "What was delivered to patient 101's home?",
        "What phase of the moon was patient 101 admitted in?",
        "How high should the creatinine of patient 101 be?",
        "What type of blood does patient 101 have?",
        "Which body part of patient 101 was operated on?",
        "What is patient 101's body mass index?",
        "What specific gravity did patient 101 have?",
        "What is the usual dose of aspirin?",
        "Which tests are used for diagnosing pneumonia?",
        "Which diagnostics were run on patient 101?",
        "How is patient 101 affected by heart failure?",
        "When did patient 101 visit another department?",
        "Has patient 101 received aspirin in another hospital?",
        "Had patient 101 already received aspirin when she got furosemide?",
        "Which doctor was assigned to patient 101?",
        "Who brought patient 101 to the hospital?",
        "Find out why patient 101 got aspirin.",
        "Help me decide whether patient 101 should get aspirin.",
        "Reveal the cause of death of patient 102.",
        "What was the cause of death of patient 102?",
        # what is to come, or to be done
        "Will patient 101 be given aspirin?",
        "Is patient 101 expected to survive?",
        "Is patient 101 going to have hemodialysis?",
        "Which procedures are still to be undertaken for patient 102?",
        "How much will it cost patient 101 to stay another week?",
        "How much is patient 101 expected to pay next year?",
        "What would the dose of aspirin be for patient 101?",
        "In what ways can aspirin harm patient 101?",
        "Should aspirin be delivered to patient 101?",
        "Can we give patient 101 aspirin?",
        "Could you give aspirin to patient 101?",
        "Is it possible to give aspirin to patient 101?",
        "Would you mind giving patient 101 aspirin?",
        "I'd like a creatinine test for patient 101.",
    ],
)
def test_words_that_change_what_is_asked(planner: OfflinePlanner, question: str) -> None:
    proposal = planner.propose(question, ())
    assert not is_sure(proposal), proposal.logic


@given(st.text(max_size=60) | st.text("please can you help me to, ", max_size=200))
def test_every_mark_lies_in_the_question(typed: str) -> None:
    lower = typed.lower()
    for mark in find_asking(lower):
        assert lower[mark.start : mark.end].strip() == lower[mark.start : mark.end] != ""
