"""Words that say nothing where they stand, and questions of which a statement answers only a part."""

from __future__ import annotations

import pytest

from ehrtui.planning.reader.harmless import comes_back_as_found, harmless


@pytest.mark.parametrize(
    ("words", "idle"),
    [
        ("mean glucose in mg / dl by sex", "in mg / dl"),
        ("split the surgical admissions up by sex", "split up"),
        ("yes or no : any stroke", "yes or no"),
        ("patients with at least one admission", "at least one"),
        ("the single highest lactate", "single"),
        ("which insurer covers most stays", "covers"),
        ("pressures charted by the nurses", "by the nurses"),
        ("doses of patient 7 , most recent first", "most recent first"),
        ("who has asthma , by their diagnosis codes", "by their diagnosis codes"),
    ],
)
def test_words_that_say_nothing_where_they_stand(words: str, idle: str) -> None:
    found = words.split()
    said = [found[at] for at in sorted(harmless(found))]
    assert [word for word in said if word != "in"] == [word for word in idle.split() if word != "in"]


@pytest.mark.parametrize(
    "words",
    [
        "patients with at least one of these drugs",
        "stays of at least one day",
        "charted by which nurse",
        "at least 3 admissions",
        "no or few strokes",
        "the single room",
        "patients with asthma by diagnosis code",
    ],
)
def test_the_same_words_say_something_elsewhere(words: str) -> None:
    assert not harmless(words.split())


@pytest.mark.parametrize(("words", "found"), [("came back above 5", True), ("came back within 30 days", False)])
def test_a_result_comes_back_and_a_patient_does(words: str, found: bool) -> None:
    assert comes_back_as_found(words.split(), 2) is found
