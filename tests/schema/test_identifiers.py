"""Which columns tell rows apart, by their names alone."""

from __future__ import annotations

import pytest

from ehrtui.schema.identifiers import identifies


@pytest.mark.parametrize(
    "name", ["subject_id", "ITEMID", "patientunitstayid", "mrn", "ClientGUID", "row_uuid", "person"]
)
def test_it_identifies(name):
    assert identifies(name)


@pytest.mark.parametrize("name", ["value", "number_paid", "guidance", "persons", "age", "hospital_stays"])
def test_it_measures_or_describes(name):
    assert not identifies(name)
