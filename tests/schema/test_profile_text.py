"""Profiles as TOML: what is written is read back, and what is left out is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import GENERIC, Profile, Role, read_profile
from ehrtui.schema.profile_text import profile_text, unplaced
from tests import small_clinic, small_native

SHIPPED = sorted((Path(__file__).parents[2] / "ehrtui" / "schema" / "profiles").glob("*.toml"))


def read_back(profile: Profile, path: Path) -> Profile:
    path.write_text(profile_text(profile), encoding="utf-8")
    return read_profile(path)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_profile_is_read_back_as_it_was(path: Path, tmp_path: Path) -> None:
    profile = read_profile(path)
    assert read_back(profile, tmp_path / "again.toml") == profile


def test_a_profile_without_roles_is_read_back_as_it_was(tmp_path: Path) -> None:
    assert read_back(GENERIC, tmp_path / "again.toml") == GENERIC


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(min_size=1), view=st.text(min_size=1))
def test_any_name_and_any_sql_survive(tmp_path: Path, name: str, view: str) -> None:
    texts = [one.encode("utf-8", "replace").decode() for one in (name, view)]
    role = Role(texts[0], fields={texts[0]: texts[1]}, sayings={texts[0]: {texts[1]: texts[0]}}, nouns=(texts[1],))
    profile = replace(GENERIC, summary=texts[1], roles={texts[0]: role}, views={texts[0]: (texts[1],)})
    assert read_back(profile, tmp_path / "again.toml") == profile


def test_what_no_role_uses_is_named(tmp_path: Path) -> None:
    for build, whole, parts in (
        (small_clinic.build, {"consumables"}, {}),
        (small_native.build, set(), {"icustays": ("row_id",), "chartevents": ("hadm_id",)}),
    ):
        engine = open_engine(str(build(tmp_path / f"{build.__module__}.sqlite")))
        schema = engine.schema()
        left = unplaced(load_profile(schema, engine.read), schema)
        engine.close()
        assert {table for table, columns in left.items() if not columns} == whole
        assert parts.items() <= left.items()
