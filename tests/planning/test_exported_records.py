"""Questions over an export of a health record that no profile describes: what is guessed of it is enough."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.schema.detection import load_profile
from tests import small_export
from tests.planning.test_families import Ask, asking, check_sure
from tests.small_export import ADA, BEN, CLEO


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    engine = open_engine(str(small_export.build(tmp_path_factory.mktemp("export") / "export.sqlite")))
    yield asking(engine, small_export.NOW)
    engine.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many encounters per year?", {("2019", 1), ("2020", 2)}),
        ("how many emergency encounters in 2020?", {(1,)}),
        ("count patients by race", {("black", 1), ("white", 2)}),
        ("how many patients older than 65?", {(1,)}),
        ("oldest patient", {(ADA, 70)}),
        (f"last body weight of patient {ADA}", {(72,)}),
        (f"body weight of patients {ADA} and {BEN}", {(70,), (72,), (90,)}),
        ("how many patients were prescribed metformin?", {(1,)}),
        ("which patients had essential hypertension?", {(ADA,)}),
        ("patients with essential hypertension on metformin", {(ADA,)}),
        (f"drugs of patient {ADA} in the first hospital stay", {("Metformin 500 MG Oral Tablet",)}),
        ("patients who never had a medication", {(CLEO,)}),
    ],
)
def test_a_question_on_an_export(ask: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    check_sure(ask, question, rows)


def test_each_drug_that_a_word_stands_for_is_named_in_the_logic(ask: Ask) -> None:
    proposal, _ = ask("how many patients were prescribed metformin?")
    assert '"Metformin 1000 MG Oral Tablet" or "Metformin 500 MG Oral Tablet"' in proposal.logic
    assert [doubt.kind for doubt in proposal.doubts if doubt.about == "metformin"] == ["inexact"]


@pytest.mark.parametrize("question", ["patients with severe hypertension", "how many patients were prescribed 500 mg?"])
def test_a_word_beside_a_name_or_inside_one_is_no_name(ask: Ask, question: str) -> None:
    proposal, _ = ask(question)
    assert proposal.confidence < 0.7


def test_names_of_people_are_not_said_and_bare_keys_are_keys(tmp_path: Path) -> None:
    engine = open_engine(str(small_export.build(tmp_path / "export.sqlite")))
    profile = load_profile(engine.schema(), engine.read)
    assert profile.roles["patient"].said == ("race",)
    assert profile.roles["patient"].fields["first name"] == "FIRST"
    assert {profile.roles[role].key for role in ("diagnosis", "prescription", "observation")} == {"ENCOUNTER"}
    planner = OfflinePlanner(schema=engine.schema(), profile=profile, now=small_export.NOW, read=engine.read)
    assert planner.propose("how many patients are called Ada?", []).confidence < 0.7
    engine.close()
