"""The first and the last of people are told by when they came to what is said of them."""

from __future__ import annotations

from pathlib import Path

from ehrtui.concepts.library import open_library
from ehrtui.concepts.meaning import Meanings
from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.schema.detection import load_profile
from tests import small_maternity

ASKED = {
    "who was the last patient to get aspirin?": ("maximum time of prescription", "descending first 1"),
    "who got aspirin first": ("minimum time of prescription", "first 1"),
    "who died last?": ("maximum time of deaths", "descending first 1"),
    "the last three patients who died": ("maximum time of deaths", "descending first 3"),
    "the 4 most recent deaths": ("maximum time of deaths", "descending first 4"),
    "name the five most recently admitted patients": ("maximum admission time", "descending first 5"),
    "the first 2 patients with a creatinine above 1": ("minimum time of (lab", "first 2"),
    "gender of the last two patients who died": ("gender", "descending first 2"),
    "who was discharged last?": ("maximum discharge time", "descending first 1"),
}
NOT_OF_PEOPLE = (
    "when did the last patient die?",
    "average age of the last patients",
    "last two creatinines of patient 3",
)


def test_the_first_and_the_last_are_told(planner: OfflinePlanner) -> None:
    for question, parts in ASKED.items():
        proposal = planner.propose(question, ())
        assert proposal.confidence >= 0.7, (question, proposal.logic)
        assert all(part in (proposal.logic or "") for part in parts), (question, proposal.logic)


def test_other_questions_are_left_alone(planner: OfflinePlanner) -> None:
    for question in NOT_OF_PEOPLE:
        logic = planner.propose(question, ()).logic or ""
        assert "for each patient" not in logic, (question, logic)


def test_so_many_of_a_family_are_ranked(tmp_path: Path) -> None:
    engine = open_engine(str(small_maternity.build(tmp_path / "small.db")))
    schema, library = engine.schema(), open_library(tmp_path)
    profile = load_profile(schema, engine.read)
    planner = OfflinePlanner(
        schema=schema,
        profile=profile,
        now=small_maternity.NOW,
        read=engine.read,
        concepts=Meanings(lambda: library, profile),
        library=lambda: library,
    )
    proposal = planner.propose("which two antibiotics were given most often?", ())
    assert proposal.confidence >= 0.7, proposal.logic
    assert proposal.sql is not None
    assert {name for name, *_ in engine.read(proposal.sql)} == {"Amoxicillin", "Gentamicin"}
    engine.close()


def test_words_that_choose_some_are_no_names_that_are_missing(planner: OfflinePlanner) -> None:
    for question in ("which drugs did the first three patients get?", "average stay of the last ten patients who died"):
        reason = planner.propose(question, ()).reason
        assert reason.startswith("I cannot tell what"), (question, reason)
