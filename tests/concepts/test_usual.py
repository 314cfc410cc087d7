"""Usual ranges are taken by the name that a database has for a test, and only in the same unit."""

from __future__ import annotations

import pytest

from ehrtui.concepts.shipped_files import shipped_concepts
from ehrtui.concepts.usual import UsualRanges, same_unit

RANGES = UsualRanges(concept for concept in shipped_concepts() if concept.kind in ("lab", "vital"))


@pytest.mark.parametrize(
    ("name", "unit", "ends"),
    [
        ("creatinine", "mg/dl", (0.6, 1.3)),
        ("Creatinine [Mass/volume] in Blood", "mg/dL", (0.6, 1.3)),
        ("Sodium [Moles/volume] in Serum or Plasma", "mmol/L", (135.0, 145.0)),
        ("platelets x 1000", "K/mcL", (150.0, 400.0)),
        ("Leukocytes [#/volume] in Blood by Automated count", "10*3/uL", (4.0, 11.0)),
        ("INR(PT)", "", (0.8, 1.2)),
        ("pH", "units", (7.35, 7.45)),
    ],
)
def test_a_test_is_known_by_name_in_each_spelling_of_its_unit(name, unit, ends):
    found = RANGES.of(name, unit, ("lab",))
    assert found is not None
    assert (found.low, found.high) == ends


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("creatinine", ""),  # no unit is stored
        ("creatinine", "umol/l"),
        ("free calcium", "meq/l"),  # with two charges it is another number
        ("Creatinine [Mass/volume] in Urine", "mg/dL"),
        ("rbc", "#/hpf"),  # of urine
        ("heart rate", "bpm"),  # a vital sign, and no lab test
        ("nothing of the kind", "mg/dl"),
    ],
)
def test_in_another_unit_or_fluid_nothing_is_usual(name, unit):
    assert RANGES.of(name, unit, ("lab",)) is None


def test_what_the_database_says_of_the_fluid_counts():
    assert RANGES.of("pH", "units", ("lab",), "Blood") is not None
    assert RANGES.of("pH", "units", ("lab",), "URINE") is None
    assert RANGES.of("Glucose", "mg/dL", ("lab",), "Cerebrospinal Fluid (CSF)") is None


def test_signs_of_a_millionth_and_spaces_are_one_unit():
    assert same_unit("µg/dL", "ug/dL")
    assert same_unit("mm Hg", "mmHg")
    assert same_unit("Deg. C", "°C")
    assert not same_unit("mmol/L", "mg/dL")
