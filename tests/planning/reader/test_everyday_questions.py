"""Everyday questions on a small hospital: what the reader's cheapest reading answers."""

from __future__ import annotations

from typing import Any

import pytest

from ehrtui.logic.algebra.render import render_statement
from ehrtui.planning.offline.shorthand import rewritten
from ehrtui.planning.reader.respelling import respelled
from tests.planning.reader.hospital import Hospital

_SURE = 1.5
"""A price above which a reading is not offered as an answer."""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # the one who had most
        ("patient with the highest creatinine", [(102, 4.6)]),
        ("the patient with the maximum creatinine", [(102, 4.6)]),
        ("which admission had the highest creatinine", [(1003, 4.6)]),
        ("stay with the lowest creatinine", [(1007, 0.7)]),
        # which stays on a care unit, and in which order
        ("how many icu stays were in the micu", [(2,)]),
        ("in the micu, how many stays were longer than a week?", [(1,)]),
        ("mean icu length of stay in the micu", [(14.153,)]),
        # whether there is anybody, and of what a breakdown is
        ("is anybody on furosemide?", [(1,)]),
        ("does anyone have heart failure?", [(1,)]),
        ("admission type breakdown", [("elective", 1), ("emergency", 5), ("urgent", 1)]),
        ("number of patients based on gender", [("f", 3), ("m", 2)]),
        # where somebody died, and when they were admitted
        ("how many hospital deaths were there in 2104", [(1,)]),
        ("how many people passed away in the hospital in 2104", [(1,)]),
        ("mean age of patients admitted in 2105", [(43.667,)]),
        ("how long were patients with heart failure in the icu on average", [(8.201,)]),
        # a name that is explained behind it
        ("the regulars, i.e. patients with at least 2 admissions: how many?", [(2,)]),
        ("water pill folks, that is patients on furosemide: how many", [(3,)]),
        # which they had most of
        ("which insurance accounted for the most deaths", [("private",)]),
        ("how many patients have medicare down as their insurance", [(1,)]),
        ("how many admissions had furosemide and aspirin together", [(1,)]),
        # per patient
        ("highest creatinine per patient", [(101, 1.4), (102, 4.6), (103, 0.8), (105, 0.7)]),
        ("mean creatinine for each patient with heart failure", [(101, 1.233), (102, 3.75)]),
        ("number of furosemide prescriptions by patient", [(101, 2), (102, 1), (104, 1)]),
        # what stands before the counting word
        ("Aspirin: how many got it?", [(2,)]),
        ("furosemide - how many patients?", [(3,)]),
        # records of one patient are counted, not the patient
        ("How often was the creatinine of patient 101 checked?", [(3,)]),
        # numbers in letters
        (
            "two most prescribed drugs",  # the last place is shared
            [("aspirin",), ("ceftriaxone",), ("furosemide",)],
        ),
        # who, beside an attribute
        ("Who is in the hospital right now, and which insurance do they have?", [(103, "private"), (105, "medicaid")]),
        ("Which patients are in intensive care right now, and on which unit?", [(103, "micu")]),
        # the record next to a moment
        ("What was the creatinine of patient 102 just before discharge?", [(4.6,)]),
        ("heart rate of patient 101 right after admission", [(96.0,)]),
        # ages
        ("How old was patient 101 at each admission?", [(1001, 57), (1002, 59)]),
        ("under 50s: which patients, and how old?", [(103, 45), (105, 34)]),
        # moments
        (
            "admission and discharge dates of patient 104",
            [("2104-07-11 06:00:00", "2104-07-15 12:20:00"), ("2105-05-02 19:25:00", "2105-05-12 10:00:00")],
        ),
        ("which patients were sent to a snf when they were discharged?", [(104,)]),
        # all in one stay
        ("patients on furosemide and aspirin during the same admission", [(101,)]),
        ("who had heart failure and died in that same stay?", [(102,)]),
        ("pneumonia patients with admission ids", [(103, 1004), (105, 1007)]),
        ("patients on metoprolol and how long they stayed", [(104, 4.264)]),
        # whether there is any
        ("Did any patient grow streptococcus pneumoniae?", [(1,)]),
        ("Has anyone had a potassium above 9?", [(0,)]),
        # of those who were counted
        ("how many admissions had furosemide, and in how many of them did the patient die", [(4, 1)]),
        ("how many stays had furosemide, and how many of those were of women", [(4, 2)]),
        ("how many stays had furosemide, and how many were of men", [(4, 2)]),
        # deaths in hospital
        ("how many men died before being discharged", [(1,)]),
        ("in how many stays of people over 60 did the patient die before discharge?", [(1,)]),
        # of which kind
        ("how many admissions of each type", [("elective", 1), ("emergency", 5), ("urgent", 1)]),
        ("mean hr of patient 101", [(89.0,)]),
        ("worst creatinine of patient 102", [(4.6,)]),
        # what does not matter
        ("patients on furosemide (any dose)", [(101,), (102,), (104,)]),
        # several numbers
        ("how many patients, hospital admissions and ICU stays are there?", [(5, 7, 3)]),
        ("number of labs and prescriptions", [(14, 10)]),
        # men and women
        ("mean creatinine of men and women", [("f", 1.04), ("m", 3.75)]),
        # what somebody was brought in with
        ("which patients were admitted with pneumonia?", [(103,), (105,)]),
        # groups set against each other
        ("mean length of stay, survivors versus non survivors", [(0, 7.291), (1, 14.212)]),
        ("single vs married patients: median age", [("married", 58), ("single", 39.5)]),
        ("how many women died vs how many survived", [(0, 3)]),
        # which group has the highest rate or average
        ("which insurance has the highest mortality?", [("private",)]),
        ("which admission type had the longest mean stay", [("emergency",)]),
        # a number beside another
        ("how many women, and what is their average age?", [(3, 48.75)]),
        ("how many men and their mean length of stay", [(2, 9.361)]),
        ("how many cases of pneumonia, and in how many patients?", [(2, 2)]),
        # columns named beside each other
        (
            "patients with potassium over 4 with times",
            [(101, "2103-02-03 09:00:00"), (102, "2104-03-09 06:00:00")],
        ),
        (
            "creatinine above 2: patients, dates and values",
            [(102, "2104-03-05 23:00:00", 2.9), (102, "2104-03-09 06:00:00", 4.6)],
        ),
        # who is said by an everyday word, or by what they use
        ("single patients", [(103,), (105,)]),
        ("aspirin users", [(101,), (103,)]),
        # a word of a limit is no name
        ("patients whose potassium fell below 4", [(104,)]),
        # one of several, not all of them
        ("patients with pneumonia or hypertension", [(101,), (103,), (104,), (105,)]),
        ("who got ceftriaxone or metoprolol or aspirin", [(101,), (103,), (104,), (105,)]),
        # at any of several times
        ("how many admissions in 2103 and 2105?", [(4,)]),
        ("how many people died in 2103 or 2104", [(1,)]),
        # what the share is of stands right behind it
        ("What percent of the admissions had a creatinine above 2?", [(14.286,)]),
        # so many times
        ("who was admitted twice or more", [(101,), (104,)]),
        ("furosemide 2 times or more: which patients", [(101,)]),
        # groups that are set against each other
        ("mean creatinine, survivors vs non-survivors", [(0, 1.04), (1, 3.75)]),
        ("mean age: emergency versus elective", [("elective", 51.0), ("emergency", 52.2)]),
        ("insurance counts", [("government", 1), ("medicaid", 1), ("medicare", 1), ("private", 2)]),
        # of each of several patients
        ("highest creatinine for each of these patients: 101, 102", [(101, 1.4), (102, 4.6)]),
        # ages
        ("patients 50+ with heart failure", [(101,), (102,), (104,)]),
        ("how many children were admitted", [(0,)]),
        # from the begin of records to their end
        ("how long do furosemide prescriptions last on average, in days?", [(8.75,)]),
        ("average duration of aspirin in days", [(7.0,)]),
        # within one stay
        ("who had more than one prescription in the same admission", [(101,), (102,), (103,)]),
        # the last or first value of all, below a limit
        ("patients whose last creatinine is above 1", [(101,), (102,)]),
        ("whose first creatinine was over 2?", [(102,)]),
        # what each of a group has beside
        ("who had a creatinine over 1, and the highest of each?", [(101, 1.4), (102, 4.6)]),
        ("patients with chf and their highest creatinine", [(101, 1.4), (102, 4.6), (104, None)]),
        # a share of those who had it
        ("in-hospital mortality of chf", [(25.0,)]),
        # what is left out
        ("furosemide yes, aspirin no: who?", [(102,), (104,)]),
        ("patients on furosemide, those on aspirin excluded", [(102,), (104,)]),
        # stays that have what is said of people
        ("average length of stay of medicare patients in days", [(7.646,)]),
        ("mean length of completed icu stays", [(8.201,)]),
        ("average number of icu days", [(8.201,)]),
        ("the year with the most deaths", [("2104",)]),
        ("how many admissions happened at night", [(2,)]),
        ("patients admitted on a weekend", [(101,), (103,), (104,)]),
        ("patients discharged in the afternoon", [(101,), (104,)]),
        ("how many patients died on a weekday", [(1,)]),
        ("which patients were in the hospital on 2104-03-07", [(102,)]),
        ("who was in the icu on 6 March 2104", [(102,)]),
        ("total number of hospital days", [(43.375,)]),
        ("who spent the longest time in the icu", [(102, 2002, 14.153)]),
        ("no of admissions in 2103 vs 2104", [(1, 3)]),
        # how many of each, in an order
        (
            "admissions per insurance, biggest first",
            [("government", 2), ("medicaid", 1), ("medicare", 2), ("private", 2)],
        ),
        # what flowed, and what was charged, of each
        ("average cost per admission", [(117.47,)]),
        ("most expensive drug", [("furosemide", 5.06)]),
        ("the cheapest procedure", [("hemodialysis", 310.75)]),
        ("what does a lab test cost", [(9.9,)]),
        ("urine output per day", [("2104-03-06", 120.0), ("2105-12-21", 340.0)]),
        # values with their units and times
        ("anyone weighing over 70 kg?", [(101,)]),
        ("top potassium of patient 102", [(5.8,)]),
        ("what was the last creatinine of patient 101, and when?", [(1.2, "2104-06-05 06:00:00")]),
        ("mean time between hospital admission and icu admission in hours", [(4.833,)]),
        ("average length of stay by admission type, longest first", None),
    ],
)
def test_answers(hospital: Hospital, question: str, rows: list[tuple[Any, ...]] | None) -> None:
    if rows is not None:
        found = [row[: len(rows[0])] for row in hospital.rows(question)]
        assert [tuple(round(one, 3) if isinstance(one, float) else one for one in row) for row in found] == [
            tuple(round(one, 3) if isinstance(one, float) else one for one in row) for row in rows
        ]
    else:
        assert "descending" in repr(hospital.read(question)[0].statement)


@pytest.mark.parametrize(
    "question",
    [
        "principal diagnosis of patient 104",  # no ranks are kept
        "allergies of patient 103",  # no such records
        "blood type of patient 103",
        "Will patient 103 need the ICU tomorrow?",
        "What do the discharge letters of patient 101 say?",
    ],
)
def test_what_is_not_kept_is_not_passed_over(hospital: Hospital, question: str) -> None:
    assert all(one.price > _SURE for one in hospital.read(question))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("who was hosptialzed then", "who was hospitalized then"),  # letters that changed places, one too few
        ("all admissipms then", "all admissions then"),  # keys beside those that were meant
        ("has anybody an inherited disease", "has anybody an inherited disease"),  # not "inserted"
        ("how many were prëscrïbëd aspirin", "how many were prëscrïbëd aspirin"),
    ],
)
def test_two_slips_of_the_keyboard_are_mended_and_other_words_are_left(
    hospital: Hospital, typed: str, meant: str
) -> None:
    assert rewritten(typed, respelled(typed, hospital.world)) == meant


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "mean creatinine of women over 60",
            'mean value of (lab "creatinine" for (patients where gender = "female" '
            "with (hospital stays where age > 60)))",
        ),
        (
            "lowest creatinine in men under 40",
            'patient, value of lowest lab "creatinine" for (patients where gender = "male" '
            "with (hospital stays where age < 40)) per all",
        ),
        (
            "creatinine of women over 2",
            'value of lab "creatinine" for (patients where gender = "female") where value > 2',
        ),
        (
            "women and their last creatinine",
            'for each patient where gender = "female": id, value of last lab "creatinine"',
        ),
        (
            "women with their highest creatinine",
            'for each patient where gender = "female": id, value of highest lab "creatinine"',
        ),
        ("patients in their seventies", "patients with (hospital stays where age >= 70 where age <= 79)"),
        ("octogenarians", "patients with (hospital stays where age >= 80 where age <= 89)"),
        (
            "how many patients had an admission in both 2104 and 2105",
            "count of (patients with (hospital stays in 2104) with (hospital stays in 2105))",
        ),
    ],
)
def test_a_limit_is_of_what_it_stands_behind_and_their_own_value_is_told(
    hospital: Hospital, question: str, logic: str
) -> None:
    assert render_statement(hospital.read(question)[0].statement) == logic


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "which drugs were given to at least 2 different patients",
            "count patients of prescriptions by name having count patients >= 2 showing keys",
        ),
        (
            "which drugs were prescribed in more than 2 separate admissions",
            "count hospital stays of prescriptions by name having count hospital stays >= 3 showing keys",
        ),
        (
            "what share of the patients with heart failure died in one of their hospital stays",
            'percent (with (hospital stays where hospital death = 1)) of (patients with diagnosis "chf nos")',
        ),
        (
            "compare the mean creatinine of the women and everybody else",
            'mean value of (lab "creatinine" for (patients where gender = "female")), '
            'mean value of (lab "creatinine" where not (for (patients where gender = "female")))',
        ),
        (
            "Was patient 101 ever on aspirin? When was the first time?",
            'time of first prescription "aspirin" for patient 101',
        ),
        (
            "creatinine of patient 101 from 2104 onwards",
            'value of lab "creatinine" for patient 101 since 2104',
        ),
        ("mean unit length of stay", "mean length of icu stays"),
    ],
)
def test_whom_what_and_when_is_said_in_more_words(hospital: Hospital, question: str, logic: str) -> None:
    assert render_statement(hospital.read(question)[0].statement) == logic
