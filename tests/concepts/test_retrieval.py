"""The retrieval of concepts for mentions: two tools, a shortlist with reasons, and nothing that was made up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.concepts.athena import load
from ehrtui.concepts.library import Library
from ehrtui.concepts.linking import Linker
from ehrtui.concepts.retrieval import (
    MOST_ENTRIES,
    MOST_STEPS,
    TOOLS,
    Entry,
    Look,
    Mention,
    ReturnShortlist,
    Search,
    retrieve,
)
from ehrtui.concepts.vocabulary import Vocabulary
from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from tests import small_mimic
from tests.concepts.test_vocabulary import CONCEPTS, export


def names(library: Library, *texts: str) -> list[list[str]]:
    found = retrieve([Mention(text) for text in texts], library)
    return [[entry.concept.name for entry in one.entries] for one in found]


def test_what_is_called_so_is_the_shortlist_in_the_order_of_the_mentions(library: Library) -> None:
    assert names(library, "heart attack", "blood thinners", "xyzzy") == [
        ["myocardial infarction"],
        ["anticoagulants"],
        [],
    ]


def test_every_entry_says_why(library: Library) -> None:
    [found] = retrieve([Mention("recurrent aspiration pneumonia")], library)
    assert found.entries[0].concept.name == "aspiration pneumonia"
    assert all(entry.reason for entry in found.entries)
    assert len(found.entries) <= MOST_ENTRIES


def test_the_kind_of_a_mention_counts(library: Library) -> None:
    [found] = retrieve([Mention("albumin", "lab")], library)
    assert {entry.concept.kind for entry in found.entries} == {"lab"}


def test_a_vocabulary_leads_a_brand_to_a_class(library: Library, tmp_path: Path) -> None:
    concepts = CONCEPTS + "6\tmorphine sulfate opioids\tDrug\tRxNorm\tIngredient\tS\t1\n"
    load(export(tmp_path, concepts), tmp_path / "vocabulary.db")
    with closing(Vocabulary(tmp_path / "vocabulary.db")) as vocabulary:
        [found] = retrieve([Mention("Zosyn")], library, vocabulary=vocabulary)
        assert found.searches > 1


@pytest.mark.parametrize(
    ("text", "concept"), [("chf", "heart failure"), ("Pts w/ CHF", "heart failure"), ("htn", "hypertension")]
)
def test_what_words_are_linked_to_is_their_shortlist(library: Library, tmp_path: Path, text: str, concept: str) -> None:
    engine = open_engine(str(small_mimic.build(tmp_path / "small.sqlite")))
    with closing(engine):
        profile = load_profile(engine.schema(), engine.read)
        linker = Linker(build_value_index(profile, engine.read), profile, library)
        [found] = retrieve([Mention(text)], library, link=linker.link)
        assert concept in [entry.concept.name for entry in found.entries]
        assert "in this database" in found.entries[0].reason
        [unknown] = retrieve([Mention("xyzzy")], library, link=linker.link)
        assert unknown.entries == ()


def test_somebody_else_may_decide_but_not_make_names_up(library: Library) -> None:
    seen: list[Sequence[Look]] = []

    def decide(mention: Mention, looks: Sequence[Look]) -> Search | ReturnShortlist:
        seen.append(looks)
        if not looks:
            return Search("dialysis")
        return ReturnShortlist((Entry("no such concept", "made up"), Entry("DIALYSIS", "it is meant")))

    [found] = retrieve([Mention("washed his blood")], library, decide)
    assert [(entry.concept.name, entry.reason) for entry in found.entries] == [("dialysis", "it is meant")]
    assert [look.text for look in seen[1]] == ["dialysis"]


def test_who_never_ends_is_ended(library: Library) -> None:
    [found] = retrieve([Mention("stroke")], library, lambda mention, looks: Search("stroke"))
    assert found.searches == MOST_STEPS
    assert found.entries[0].concept.name == "stroke"


def test_the_tools_are_the_two_of_the_paper() -> None:
    assert [tool["name"] for tool in TOOLS] == ["search", "return_shortlist"]
