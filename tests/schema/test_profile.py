"""Profiles: the shipped ones are whole, the right one is found, a wrong one is refused with a reason."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.errors import ProfileError
from ehrtui.schema.detection import load_profile
from ehrtui.schema.model import Column, Schema, Table
from ehrtui.schema.profile import GENERIC, database_now, read_profile
from tests.small_mimic import NOW

SHIPPED = sorted((Path(__file__).parents[2] / "ehrtui" / "schema" / "profiles").glob("*.toml"))


def schema_of(path: Path) -> Schema:
    engine = open_engine(str(path))
    try:
        return engine.schema()
    finally:
        engine.close()


def nothing(sql: str) -> list[tuple[Any, ...]]:
    """Reads from a database without rows."""
    return []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_profile_has_patients_stays_and_roles_that_hang_together(path: Path) -> None:
    profile = read_profile(path)
    assert profile.patient is not None
    assert "hospital" in profile.stays
    for role in profile.roles.values():
        assert role.is_register or role.patient or role.stay in profile.stays
        assert set().union(*role.aliases.values()) <= set(role.wide) or not role.wide


def test_the_family_of_a_database_is_detected_by_its_tables(mimic_path: Path) -> None:
    assert load_profile(schema_of(mimic_path), nothing).name == "MIMIC-III (EHRSQL)"


def test_an_unknown_family_gets_the_generic_profile() -> None:
    assert load_profile(Schema((Table("visits", (Column("id", "INT"),)),)), nothing) is GENERIC


def test_now_is_the_end_of_the_day_of_the_latest_event(mimic_path: Path) -> None:
    engine = open_engine(str(mimic_path))
    profile = load_profile(engine.schema(), engine.read)
    assert database_now(profile, engine.schema(), engine.read, print) == "2105-12-30 23:59:00"
    engine.close()
    assert NOW > "2105-12-30 23:59:00"


def test_now_of_an_unknown_family_comes_from_any_time_column(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE visits (id INT, seen DATETIME, note TEXT)")
        connection.execute("INSERT INTO visits VALUES (1, '2019-03-02 10:00:00', 'zzz')")
    connection.close()
    engine = open_engine(str(path))
    assert database_now(GENERIC, engine.schema(), engine.read, print) == "2019-03-02 23:59:00"
    engine.close()


@pytest.mark.parametrize(
    "text",
    [
        "not toml [",
        "name = 3",
        'name = "x"\nsummary = "y"\nrequires = {}\nroles = { patient = { table = ["a"] } }',
        'name = "x"\nsummary = "y"\nrequires = {}\nroles = { patient = { table = "a", fields = 5 } }',
        'name = "x"\nsummary = "y"\nrequires = {}\nroles = { patient = { table = "a", fields = { id = 5 } } }',
        'name = "x"\nsummary = "y"',
        'name = "x"\nsummary = "y"\npatient = 1\nrequires = 2',
    ],
)
def test_a_malformed_profile_is_refused_with_a_reason(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ProfileError) as caught:
        read_profile(path)
    assert caught.value.why
    assert caught.value.next_step


def test_what_no_profile_can_be_is_refused_in_plain_words(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("a = " + "[" * 5_000)
    with pytest.raises(ProfileError, match="cannot be read"):
        read_profile(path)
    path.write_text('name = "mine"')
    with pytest.raises(ProfileError) as caught:
        read_profile(path)
    assert caught.value.why == "It lacks 'summary'."


def test_a_profile_of_another_family_names_what_is_missing(mimic_path: Path) -> None:
    eicu = next(path for path in SHIPPED if path.stem.startswith("eicu"))
    with pytest.raises(ProfileError) as caught:
        load_profile(schema_of(mimic_path), nothing, eicu)
    assert "vitalperiodic" in caught.value.why
