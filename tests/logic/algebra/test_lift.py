"""Statements of the algebra as forms: a form comes back from what it means, and nothing is said that is not meant."""

from __future__ import annotations

import pytest

from ehrtui.logic.algebra.lift import lifted, read_back, says_the_same
from ehrtui.logic.algebra.lower import lowered
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.parse import parse
from ehrtui.logic.render import render

ROLES = frozenset({"patient", "admission", "icu_stay", "lab", "prescription", "diagnosis", "culture"})

FORMS = [
    "patients",
    "gender of patient 3",
    'patients with diagnosis "chf"',
    'patients with diagnosis "chf" in 2104 without prescription "aspirin"',
    'last value of lab "k" for patient 3 during last hospital stay',
    'value, time of lab "k" or "na" for patient 3 in 2104-05',
    'name of prescription where route = "po" for patient 3 since 1 year ago',
    'any prescription "aspirin" for patient 3 during current icu stay',
    'count patients of prescription "aspirin" in 2104',
    'count patients with diagnosis "chf" at least 2 times',
    "count names of prescription for patient 3",
    "count admission for patient 3",
    'mean value of lab "k" for patients of sex female',
    'maximum value per month of lab "k" for patient 3',
    "count admission by insurance",
    "top 5 diagnosis in 2104",
    'value of lab "k" for patients in A2',
    "second row of A1",
    '(patients with diagnosis "chf") except (patients with prescription "aspirin")',
]


@pytest.mark.parametrize("text", FORMS)
def test_a_form_comes_back_from_the_statement_it_means(text: str) -> None:
    form = parse(text)
    found = lifted(lowered(form))
    assert found is not None
    assert says_the_same(found, lowered(form)), render(found)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('value of last lab "k" for patient 3', 'last value of lab "k" for patient 3'),
        ("distinct name of prescriptions for patient 3", "name of prescription for patient 3"),
        (
            "distinct name of prescriptions during (last hospital stay for patient 3)",
            "name of prescription for patient 3 during last hospital stay",
        ),
        ('count of (patients with diagnosis "chf" in 2104)', 'count patients with diagnosis "chf" in 2104'),
        ('whether (with (prescription "aspirin" for patient 3))', 'any prescription "aspirin" for patient 3'),
        ('value of highest lab "k" for patient 3', 'maximum value of lab "k" for patient 3'),
        ("count of (hospital stays for patient 3)", "count admission for patient 3"),
    ],
)
def test_what_a_form_can_say_is_read_as_one(text: str, form: str) -> None:
    found = read_back(text, ROLES).form
    assert found is not None
    assert render(found) == form


@pytest.mark.parametrize(
    "text",
    [
        "percent (hospital death = 1) of hospital stays",
        'value of lab "k" for patient 3 within 2 hours after (first prescription "aspirin")',
        'patients with diagnosis code "428.*"',
        'value, patient of lab like "k*"',
        'patients with (diagnosis "chf" per all)',
        "SELECT 1",
        "",
    ],
)
def test_what_no_form_says_is_none(text: str) -> None:
    assert read_back(text, ROLES).form is None


def test_a_form_that_drops_a_condition_does_not_say_the_same() -> None:
    statement = parse_statement("count of (culture where organism is present)")
    found = lifted(statement)
    assert found is not None
    assert not says_the_same(found, statement)


def test_the_order_of_conditions_and_repeats_make_no_difference() -> None:
    statement = parse_statement('distinct value of lab "k" for patient 3 in 2104 where value > 3')
    assert says_the_same(parse('value of lab "k" where value > 3 for patient 3 in 2104'), statement)
    assert not says_the_same(parse('value of lab "k" where value > 4 for patient 3 in 2104'), statement)


def test_the_beginning_of_a_stay_has_two_names() -> None:
    monthly = parse_statement("count of hospital stays in 2104 by month of admission time")
    assert says_the_same(parse("count per month admission in 2104"), monthly)
    ended = parse_statement("count of hospital stays in 2104 by month of discharge time")
    assert not says_the_same(parse("count per month admission in 2104"), ended)
