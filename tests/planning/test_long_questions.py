"""Long questions: as many readings as can be told apart, and words looked for as long as they may be slips."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.offline_planner import MOST_WORDS, OfflinePlanner
from ehrtui.schema.detection import load_profile
from ehrtui.schema.value_file import index_of
from ehrtui.schema.value_index import Entry, ValueIndex
from tests import small_mimic
from tests.planning.test_acts_of_a_conversation import conversation

NAMES = ("sodium", "potassium", "calcium", "albumin", "lactate", "glucose", "ferritin", "troponin", "bilirubin",
         "magnesium", "phosphate", "chloride")  # fmt: skip


@pytest.fixture(scope="module")
def ambiguous(ehr: Path) -> Iterator[OfflinePlanner]:
    """A planner to which each of twelve names may be one of three kinds of records."""
    engine = open_engine(str(ehr))
    schema = engine.schema()
    roles = ("prescription", "lab", "input")
    index: ValueIndex = index_of(Entry(role, name, name) for name in NAMES for role in roles)
    profile = load_profile(schema, engine.read)
    yield OfflinePlanner(schema=schema, profile=profile, now=small_mimic.NOW, read=engine.read, stored=lambda: index)
    engine.close()


def test_many_names_of_several_kinds_have_so_many_readings_and_no_more(ambiguous: OfflinePlanner) -> None:
    few = ambiguous.propose(f"Patients with {' and '.join(NAMES[:3])}.", ())
    assert len(few.readings) == 27
    many = ambiguous.propose(f"Patients with {' and '.join(NAMES)}.", ())
    assert many.logic is not None
    assert all(f'"{name}"' in many.logic for name in NAMES)
    assert len(many.readings) <= 64


def test_a_slip_is_found_among_a_few_unknown_words_only(planner: OfflinePlanner) -> None:
    slip = "how many patients were prescribed furosemid"
    assert 'prescription "furosemide"' in (planner.propose(slip, ()).logic or "")
    unknown = " ".join(f"zxq{at}vwk" for at in range(30))
    assert planner.propose(f"{unknown} {slip}", ()).reason


def test_a_text_of_several_questions_is_not_read_as_one_and_those_that_can_be_answered_are_offered(
    planner: OfflinePlanner,
) -> None:
    asked = ("How many patients were prescribed furosemide?", "What was the last creatinine of patient 101?")
    between = "the ward has been busy with the new forms and the old forms and all that comes with forms of a ward "
    proposal = planner.propose(f"{asked[0]} {between * 3}. Will patient 101 recover by next year? {asked[1]}", ())
    assert str(MOST_WORDS) in proposal.reason
    assert proposal.refusal is not None
    assert proposal.refusal.instead == asked


def test_what_was_asked_long_ago_is_still_known_by_its_name(planner: OfflinePlanner, ehr: Path) -> None:
    lists = ['patients with diagnosis "chf nos"', *['patients with prescription "furosemide"'] * 120]
    turns = conversation(planner, ehr, lists)
    assert "A1" in (planner.propose("how many of A1 were women?", turns).logic or "")
