"""Attributes, their values, dates and patients' names, read in databases that no profile describes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.lexicon import lexicon_of
from ehrtui.planning.reader.patients_named import NamedPatients, find_named
from ehrtui.planning.reader.world import World
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from tests import small_flat, small_synthea
from tests.planning.reader.test_reader import answer
from tests.small_synthea import ADA, CLEO


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("schemas")
    return {"flat": small_flat.build(folder / "flat.db"), "synthea": small_synthea.build(folder / "synthea.db")}


@pytest.fixture(scope="module")
def worlds(paths: dict[str, Path]) -> Iterator[dict[str, World]]:
    made, engines = {}, []
    for name, path in paths.items():
        engine = open_engine(str(path))
        profile = load_profile(engine.schema(), engine.read)
        now = {"flat": small_flat.NOW, "synthea": small_synthea.NOW}[name]
        made[name] = World(profile, build_value_index(profile, engine.read), lexicon_of(profile), now, None)
        engines.append(engine)
    yield made
    for engine in engines:
        engine.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("gender of Omar Said", [("M",)]),
        ("how many patients whose admission type is elective", [(2,)]),
        ("how many patients have discharge location home", [(2,)]),
        ("number of patients with primary disease hernia", [(2,)]),
        ("how many patients were born before 2100", [(1,)]),
        ("how many patients were born after 2106", [(1,)]),
        ("how many patients with birth year less than 2110", [(2,)]),
        ("how many patients with expire flag 1", [(1,)]),
        ("how many patients have the diagnosis short title sepsis", [(1,)]),
        ("how many patients had a lab test with fluid urine", [(1,)]),
    ],
)
def test_a_flat_export_is_asked_by_its_attributes(
    worlds: dict[str, World], paths: dict[str, Path], question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert sorted(answer(worlds["flat"], paths["flat"], question)) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients live in Boston", [(2,)]),
        ("patients born before 1960", [(ADA,)]),
        ("patients born in 1985", [(CLEO,)]),
        ("how many emergency encounters did Ada Harris have", [(1,)]),
    ],
)
def test_synthea_is_asked_by_its_attributes(
    worlds: dict[str, World], paths: dict[str, Path], question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert sorted(answer(worlds["synthea"], paths["synthea"], question)) == rows


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("allergies of ada604 harris789", NamedPatients(13, 29, (ADA,))),
        ("allergies of mrs ada harris", NamedPatients(13, 27, (ADA,))),
        ("what does cleo take", NamedPatients(10, 14, (CLEO,), part=True)),
    ],
)
def test_patients_are_named_with_or_without_the_numbers_of_their_names(
    worlds: dict[str, World], text: str, named: NamedPatients
) -> None:
    world = worlds["synthea"]
    assert list(find_named(text, world.index, world.profile)) == [named]


def test_nobody_is_named_where_no_names_are_kept(world: World) -> None:
    assert list(find_named("ada harris", world.index, world.profile)) == []
