"""What columns are called: numbers of the same kind by what tells them apart."""

from __future__ import annotations

import pytest

from ehrtui.logic.algebra.concepts import names_of_members, with_meanings
from ehrtui.logic.algebra.model import Item, Set, Single
from ehrtui.logic.algebra.naming import titles
from ehrtui.logic.algebra.parse import parse_statement


@pytest.mark.parametrize(
    ("logic", "named"),
    [
        ("count of patients, count of hospital stays", ["patients", "hospital_stays"]),
        (
            'count of patients with diagnosis "Gout", count of (patients with diagnosis "Gout" where gender = "F")',
            ["number_of_patient", "number_of_patient_f"],
        ),
        (
            'count of patients with prescription "Heparin" or "Heparin lock flush", '
            'count of patients with prescription "Warfarin"',
            ["number_of_patient_heparin", "number_of_patient_warfarin"],
        ),
        (
            "count of (hospital stays in 2103), count of (hospital stays in 2104)",
            ["number_of_hospital_stay_in_2103", "number_of_hospital_stay_in_2104"],
        ),
        (
            'count of patients with diagnosis "Gout", count of patients without diagnosis "Gout"',
            ["number_of_patient_gout", "number_of_patient_without_gout"],
        ),
        (
            "count of (patients where age > 70), count of (patients where age <= 50)",
            ["number_of_patient_age_over_70", "number_of_patient_age_at_most_50"],
        ),
        ("count of patients, count of patients", ["number_of_patient", "number_of_patient_2"]),
    ],
)
def test_numbers_are_told_apart_by_what_they_are_of(logic: str, named: list[str]) -> None:
    statement = parse_statement(logic)
    assert isinstance(statement, Single)
    assert titles(statement.columns) == named


def test_members_of_a_concept_are_called_as_the_concept_is() -> None:
    concepts = {
        "sodium": {"lab": Set("lab", (Item("like", "sodium"), Item("like", "sodium [Moles*")))},
        "potassium": {"lab": Set("lab", (Item("like", "potassium"), Item("like", "K")))},
    }
    asked = parse_statement(
        'value of (last lab concept "sodium" for patient 7), value of (last lab concept "potassium" for patient 7)'
    )
    meant = with_meanings(asked, concepts)
    assert isinstance(meant, Single)
    assert titles(meant.columns) == ["last_lab", "last_lab_2"]
    assert titles(meant.columns, called=names_of_members(asked, concepts)) == ["last_sodium", "last_potassium"]
