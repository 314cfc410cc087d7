"""The retrieval of what the names in a text may mean: shortlists in reading order, each entry with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from ehrtui.concepts.candidates import Candidate, Mention
from ehrtui.concepts.library import Library
from ehrtui.concepts.linking import Linker
from ehrtui.concepts.retrieval import MOST_ENTRIES, Shortlist, reason_of, retrieve
from ehrtui.engines.opening import open_engine
from ehrtui.logic.algebra.model import Item
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from ehrtui.schema.value_index import Stored
from tests import small_mimic

Retrieve = Callable[[str], tuple[Shortlist, ...]]


def members(meaning: Candidate) -> list[Stored]:
    return [Stored(meaning.role, item.text) for item in meaning.items]


@pytest.fixture(scope="module")
def linker(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Linker]:
    engine = open_engine(str(small_mimic.build(tmp_path_factory.mktemp("retrieval") / "small.sqlite")))
    with closing(engine):
        profile = load_profile(engine.schema(), engine.read)
        yield Linker(build_value_index(profile, engine.read), profile, library)


@pytest.fixture(scope="module")
def found(linker: Linker) -> Retrieve:
    return lambda text: retrieve(text, linker.link, members)


def test_every_name_has_its_shortlist_in_reading_order(found: Retrieve) -> None:
    asked = found("water pills for CHF, and xyzzy")
    assert [one.text for one in asked] == ["water pills", "CHF"]
    assert [one.entries[0].meaning.role for one in asked] == ["prescription", "diagnosis"]
    assert asked[0].entries[0].meaning.items == (Item("concept", "diuretics"),)
    assert asked[1].entries[0].meaning.items == (Item("concept", "heart failure"),)
    assert found("how many people were there") == ()


@pytest.mark.parametrize(
    ("text", "how", "why"),
    [
        ("Lasix", "as a brand", "as a brand of “furosemide”"),
        ("furosimide", "as a misspelling", "as a misspelling of “furosemide”"),
        ("furosemide", "by all products of it", "by all products of it"),
        ("CHF", "as a concept", "as a concept"),
    ],
)
def test_every_entry_says_why_and_through_which_words(found: Retrieve, text: str, how: str, why: str) -> None:
    (one,) = found(text)
    assert (one.entries[0].reason, reason_of(one.entries[0].meaning)) == (how, why)
    assert all(entry.reason for entry in one.entries)


def test_a_shortlist_is_short_and_leaves_out_what_is_unlikely() -> None:
    best = Candidate("lab", (Item("name", "Sodium"),))
    many = [replace(best, role=f"r{at}", score=score) for at, score in enumerate((1.0, 0.9, 0.8, 0.7, 0.65, 0.62, 0.5))]
    (one,) = retrieve("sodium", lambda _: [Mention(0, 6, tuple(many))], members)
    assert [entry.meaning.role for entry in one.entries] == [f"r{at}" for at in range(MOST_ENTRIES)]
    (less,) = retrieve("sodium", lambda _: [Mention(0, 6, (many[0], many[6]))], members)
    assert [entry.meaning.role for entry in less.entries] == ["r0"]


def test_words_within_longer_ones_have_no_shortlist_of_their_own() -> None:
    whole, part = Candidate("diagnosis", (Item("name", "heart failure"),)), Candidate("vital", (Item("name", "heart"),))
    linked = [Mention(0, 5, (part,)), Mention(0, 13, (whole,))]
    (one,) = retrieve("heart failure", lambda _: linked, members)
    assert (one.text, one.entries[0].meaning) == ("heart failure", whole)
