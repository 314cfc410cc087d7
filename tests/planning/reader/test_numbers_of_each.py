"""Numbers of each, groups of patients, lists with counts, columns in a row, ratios, and what happened twice."""

from __future__ import annotations

import pytest

from ehrtui.logic.algebra.render import render_statement
from tests.planning.reader.hospital import Hospital

_SURE = 1.5
"""A price above which a reading is not offered as an answer."""


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        # the greatest of the numbers of each
        (
            "highest number of medications per patient",
            "maximum (count distinct name of prescriptions) of (patients with prescriptions)",
        ),
        ("most labs in a single admission", "maximum (count of labs) of (hospital stays with labs)"),
        ("smallest number of procedures per stay", "minimum (count of procedures) of (hospital stays with procedures)"),
        # patients, and not their stays
        ("number of people who survived and those who died", "count of patients by whether (with deaths)"),
        ("share of people on aspirin by insurance", 'percent (with prescription "aspirin") of patients by insurance'),
        ("mean age of those who died versus survived", "mean age of hospital stays by hospital death"),
        # each with its number
        (
            "which organisms grew, with counts",
            "count of cultures where organism is present by organism ordered by count descending",
        ),
        (
            "list insurances with the number of patients",
            "count patients of hospital stays by insurance ordered by count patients descending",
        ),
        (
            "top 2 procedures with patient counts",
            "count patients of procedures by name ordered by count patients descending first 2",
        ),
        ("number of wards", "count distinct ward of transfers"),
        ("visits by type", "count of hospital stays by admission type"),
        ("patients in 20-year age bands", "count of patients by bands of 20 of (age of first hospital stay)"),
        # columns of a row
        (
            "patients with chf nos with their age and highest creatinine",
            'for each patient with diagnosis "chf nos": id, age of first hospital stay, '
            'value of highest lab "creatinine"',
        ),
        (
            "women, gender and number of admissions",
            'for each patient where gender = "female": id, gender, count of hospital stays',
        ),
        ("hadm_id, admission type of patient 104", "id, admission type of hospital stays for patient 104"),
        ("pt id, gender, age", "distinct patient, gender, age of hospital stays"),
        (
            "first creatinine vs last creatinine of patient 102",
            'value of (first lab "creatinine" for patient 102), value of (last lab "creatinine" for patient 102)',
        ),
        # one for each of another
        (
            "ratio of women to men",
            '(count of (patients where gender = "female")) / (count of (patients where gender = "male"))',
        ),
        ("the ratio of icu stays to admissions", "(count of icu stays) / (count of hospital stays)"),
        # the first or last of all
        ("earliest admission date", "admission time of first hospital stay per all"),
        ("when was the last admission", "admission time of last hospital stay per all"),
        # in one and the same year, on several days
        (
            "patients with two admissions in the same year",
            "patients with (hospital stays after and on the same year as (hospital stays))",
        ),
        (
            "who had a creatinine over 1 on two different days",
            'patients with at least 2 days of (lab "creatinine" where value > 1)',
        ),
        (
            "who stopped aspirin",
            'patients with prescription "aspirin" without (prescription "aspirin" where end time is open)',
        ),
        ("patients discharged alive in May 2105", "patients with (discharges where hospital death = 0 in 2105-05)"),
        (
            "how many patients died in hospital in 2104",
            "count of (patients with (discharges where hospital death = 1 in 2104))",
        ),
        (
            "how many patients are under 40 and how many over 70",
            "count of (patients with (hospital stays where age < 40)), "
            "count of (patients with (hospital stays where age > 70))",
        ),
        # a group by a rank
        (
            "which diagnosis has the longest stays",
            "mean (days from admission time to discharge time) of diagnoses by name "
            "ordered by mean (days from admission time to discharge time) descending first 1 showing keys",
        ),
        (
            "which insurance has the most deaths",
            "count of hospital stays where hospital death = 1 by insurance ordered by count descending first 1 "
            "with ties showing keys",
        ),
        # numbers over groups, gaps, orders
        ("maximum number of admissions in a day", "maximum over (count of hospital stays by day of admission time)"),
        (
            "average days between admissions",
            "mean (days from (previous discharge time) to admission time) of "
            "(hospital stays where previous id is present)",
        ),
        (
            "list patients with chf nos, ordered by age",
            'for each patient with diagnosis "chf nos": id, age of first hospital stay '
            "ordered by age of first hospital stay",
        ),
        (
            "mean, min and max length of stay",
            "mean length of hospital stays, minimum length of hospital stays, maximum length of hospital stays",
        ),
        (
            "average time to first furosemide",
            "mean (days from admission time to (time of first prescription "
            '"furosemide")) of (hospital stays with first prescription "furosemide")',
        ),
        ("discharge location by insurance", "count patients of hospital stays by insurance, discharge location"),
        ("diagnoses sorted by frequency", "count of diagnoses by name ordered by count descending"),
        ("how often was furosemide given", 'count of prescription "furosemide"'),
        ("breakdown of admissions by type", "count of hospital stays by admission type"),
        ("who was in the icu the longest", "patient, id, length of highest (length) icu stay per all"),
        (
            "how many died on the day they were admitted",
            "count of (patients with (hospital stays where (day of death time) = (day of admission time)))",
        ),
    ],
)
def test_reads(hospital: Hospital, question: str, logic: str) -> None:
    read = hospital.read(question)[0]
    assert render_statement(read.statement) == logic
    assert read.price <= _SURE


@pytest.mark.parametrize(
    "question",
    [
        "patients with three admissions in the same year",
        "which organisms grew in sputum and how often",
        "the commonest diagnosis in each ward",
        "urine out foley over 3 liters in a day",
        "mean creatinine before and after furosemide",
    ],
)
def test_is_no_sure_reading(hospital: Hospital, question: str) -> None:
    assert all(one.price > _SURE for one in hospital.read(question))
