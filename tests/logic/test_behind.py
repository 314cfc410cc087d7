"""What is behind a value of an answer, as query logic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ehrtui.logic.behind import behind
from ehrtui.logic.parse import parse
from ehrtui.logic.render import render
from ehrtui.schema.profile import Profile, read_profile

PROFILES = Path(__file__).parents[2] / "ehrtui" / "schema" / "profiles"


@pytest.fixture(scope="module")
def profile() -> Profile:
    return read_profile(PROFILES / "mimic_iii_ehrsql.toml")


def opened(
    profile: Profile, logic: str | None, columns: tuple[str, ...], row: tuple[Any, ...], column: int
) -> str | None:
    found = behind(parse(logic) if logic else None, columns, row, column, profile)
    return None if found is None else render(found)


@pytest.mark.parametrize(
    ("logic", "columns", "row", "column", "expected"),
    [
        ("top 5 diagnosis in 2104", ("name",), ("chf nos",), 0, 'patients with diagnosis "chf nos" in 2104'),
        ('patients with diagnosis "chf nos"', ("subject_id",), (101,), 0,
         "id, admission type, time, end time of admission for patient 101"),
        (None, ("gender", "SUBJECT_ID"), ("f", 101), 1,
         "id, admission type, time, end time of admission for patient 101"),
        ("count rows of A2", ("rows",), (4,), 0, "rows of A2"),
    ],
)  # fmt: skip
def test_a_value_opens_as_what_it_stands_for(
    profile: Profile,
    logic: str | None,
    columns: tuple[str, ...],
    row: tuple[Any, ...],
    column: int,
    expected: str,
) -> None:
    assert opened(profile, logic, columns, row, column) == expected


@pytest.mark.parametrize(
    ("logic", "columns", "row", "column"),
    [
        (None, ("gender",), ("f",), 0),
        ("gender of patient 101", ("gender",), ("f",), 0),
        ("count patients", ("patients",), (None,), 0),
        ('survival over 3 years after diagnosis "chf nos"', ("survival",), (80,), 0),
        (None, ("subject_id",), ("not a number",), 0),
    ],
)
def test_behind_some_values_nothing_is_known(
    profile: Profile, logic: str | None, columns: tuple[str, ...], row: tuple[Any, ...], column: int
) -> None:
    assert opened(profile, logic, columns, row, column) is None
