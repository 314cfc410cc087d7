"""What people ask of a practice whose tables nobody described: its keys are told by values, its kinds by columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from tests import small_practice
from tests.planning.test_families import Ask, asking, check_sure

_FIRST_DRUGS = ("Salbutamol", "Salbutamol", "Hydrocortisone", "Hydrocortisone")


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    engine = open_engine(str(small_practice.build(tmp_path_factory.mktemp("practice") / "practice.db")))
    yield asking(engine, small_practice.NOW)
    engine.close()


def test_keys_are_guessed_by_their_values_and_kinds_by_their_columns(tmp_path):
    engine = open_engine(str(small_practice.build(tmp_path / "practice.db")))
    profile = load_profile(engine.schema(), engine.read)
    engine.close()
    kinds = {role.table: name for name, role in profile.roles.items() if name not in ("patient", "death")}
    assert kinds == {
        "bookings": "admission",
        "ailments": "diagnosis",
        "scripts": "prescription",
        "samples": "lab",
        "sensitivities": "allergy",
    }
    assert profile.patient is not None
    assert (profile.patient.table, profile.patient.id) == ("members", "member_ref")
    visits = profile.roles["admission"]
    assert (visits.time, visits.end) == ("held_on", "")
    assert {"provider", "admission type", "visit reason", "cost", "age"} <= visits.fields.keys()
    assert visits.sayings["room"] == {"blue room": "R1", "office": "R2"}
    assert profile.roles["prescription"].dictionary is not None
    assert profile.roles["prescription"].dictionary.fields == {"drug class": "family"}
    assert profile.roles["prescription"].amounts == ("tablets",)
    assert profile.roles["diagnosis"].fields["rank"] == "pos"


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients are registered with our practice?", {(3,)}),
        ("what is the average age of the women?", {((72 + 42) / 2,)}),
        ("visits per year", {("2021", 1), ("2022", 3)}),
        ("how many patients were seen in 2022?", {(2,)}),
        ("how many children under 10 came in?", {(1,)}),
        ("how many phone consultations were there?", {(1,)}),
        ("breakdown of visits by kind of visit", {("clinic", 3), ("phone call", 1)}),
        ("who was seen by Dr Rook?", {("P1",)}),
        ("average fee of clinic visits", {(110 / 3,)}),
        ("how many smokers are there?", {(1,)}),
        ("patients without any visits", {("P3",)}),
        ("who has a severe latex allergy?", {("P1",)}),
        ("what reactions did people have to latex?", {("rash",), ("nausea",)}),
        ("mean number of tablets by drug", {("Salbutamol", 40.0), ("Hydrocortisone", 20.0)}),
        ("prescriptions by drug class", {("inhaler", 2), ("steroid", 2)}),
        ("how many abnormal ferritin results were there?", {(2,)}),
        ("main diagnosis of each visit", {("B1", "Asthma"), ("B3", "Eczema"), ("B4", "Eczema")}),
        ("how many patients had gout as their main diagnosis?", {(0,)}),
        ("who has chronic eczema?", {("P2",)}),
        ("patients with no ailment recorded", {("P3",)}),
        ("how many members live in Elm Park?", {(2,)}),
        ("which members were not seen in 2022?", {("P3",)}),
        ("men vs women", {("M", 1), ("W", 2)}),
        ("first drug of each visit", {(f"B{n}", drug) for n, drug in zip("1234", _FIRST_DRUGS, strict=True)}),
        ("compare visits in 2021 and 2022", {(1, 3)}),
        ("change in the number of visits from 2021 to 2022", {(2,)}),
        ("by what percentage did visits rise from 2021 to 2022?", {(200.0,)}),
    ],
)
def test_everyday_questions(ask: Ask, question: str, rows: set[tuple[Any, ...]]) -> None:
    check_sure(ask, question, rows)


def test_how_long_visits_lasted_is_not_made_up_where_they_have_no_end(ask: Ask) -> None:
    assert ask("what was the average length of visits?")[0].logic is None or ask("how long do visits last?")[0].reason
