"""What the profile of the OMOP data model knows beside events: eras, ingredients, periods of observation, causes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.schema.naming import names_of
from tests import small_omop
from tests.logic.algebra.conftest import Database, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return small_omop.build_whole(tmp_path / "omop.sqlite")


@pytest.fixture
def omop(path: Path) -> Database:
    return opened(path)


@pytest.mark.parametrize(
    ("logic", "rows"),
    [
        ("for each patient where death time is present: id, death cause", [(2, "Heart failure")]),
        ("for each patient 3: gender, race, birth year", [("FEMALE", "hawaiian", 1988)]),
        ('patient of hospital stays where visit type = "Emergency Room Visit"', [(3,)]),
        ("patient, name, length of diagnoses where end time is present", [(3, "Pneumonia", 10)]),
        ("patient, name, length, occurrence count of condition eras", [(1, "Heart failure", 60, 2)]),
        ('count patients, count of ingredient "Furosemide"', [(3, 4)]),
        ('count of prescription "Furosemide"', [(2,)]),
        ('text of measurement "Creatinine" where value is missing', [("Detected",)]),
        ('patients with (observation period where (time <= "2021-03-10" and end time >= "2021-03-10"))', [(1,), (2,)]),
    ],
)
def test_a_statement_on_omop(omop: Database, logic: str, rows: list[tuple[Any, ...]]) -> None:
    assert sorted(omop.rows(logic)) == rows


def test_a_name_means_the_records_and_not_their_eras(path: Path, omop: Database) -> None:
    with closing(open_engine(str(path))) as engine:
        roles = {entry.role for entry in names_of(omop.profile, engine.read)}
    assert {"diagnosis", "prescription"} <= roles
    assert roles.isdisjoint({"condition_era", "ingredient", "drug_era"})
