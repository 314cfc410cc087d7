"""The classes of everyday English words: each word is in one class, and none is dear that the lexicon knows."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

import ehrtui
from ehrtui.planning.reader import lexicon

FILE = Path(ehrtui.__file__).parent / "planning" / "reader" / "english.toml"
CLASSES = ("grammar", "speech", "happening", "setting", "quality", "thing", "scope")
DEAR = ("quality", "thing")
LEAST_OF_A_CLASS = 100
WORDS = range(3500, 6001)


@pytest.fixture(scope="module")
def templates() -> Mapping[str, list[str]]:
    sections = tomllib.loads(FILE.read_text("utf-8"))
    return {name: [template for group in section.values() for template in group] for name, section in sections.items()}


@pytest.fixture(scope="module")
def phrases(templates: Mapping[str, list[str]]) -> Mapping[str, set[tuple[str, ...]]]:
    """The phrases of each class, in all their inflections."""
    return {name: {phrase for one in listed for phrase in lexicon.expanded(one)} for name, listed in templates.items()}


def test_every_class_is_there_in_lower_case(templates: Mapping[str, list[str]]) -> None:
    assert tuple(templates) == CLASSES
    assert all(one and one == one.lower().strip() for listed in templates.values() for one in listed)


def test_no_template_is_written_twice(templates: Mapping[str, list[str]]) -> None:
    written = Counter(one for listed in templates.values() for one in listed)
    assert [one for one, times in written.items() if times > 1] == []


def test_no_word_is_in_two_classes(phrases: Mapping[str, set[tuple[str, ...]]]) -> None:
    classes = Counter(phrase for found in phrases.values() for phrase in found)
    assert [" ".join(phrase) for phrase, times in classes.items() if times > 1] == []


def test_classes_are_of_a_sane_size(phrases: Mapping[str, set[tuple[str, ...]]]) -> None:
    words = {name: sum(len(phrase) == 1 for phrase in found) for name, found in phrases.items()}
    assert min(words.values()) >= LEAST_OF_A_CLASS
    assert sum(words.values()) in WORDS


def test_no_word_that_the_lexicon_knows_is_dear(phrases: Mapping[str, set[tuple[str, ...]]]) -> None:
    known = lexicon.phrases().senses
    told = {phrase for phrase, senses in known.items() if any(sense.kind not in ("verb", "unkept") for sense in senses)}
    assert sorted(" ".join(phrase) for name in DEAR for phrase in phrases[name] & told) == []


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("basically", "grammar"),
        ("wouldve", "grammar"),
        ("wondering", "speech"),
        ("colleagues", "speech"),
        ("underwent", "happening"),
        ("routinely", "happening"),
        ("databases", "setting"),
        ("severe", "quality"),
        ("elective", "quality"),
        ("mother", "thing"),
        ("machines", "thing"),
        ("removed", "thing"),
        ("elsewhere", "scope"),
        ("afterwards", "scope"),
    ],
)
def test_a_word_is_in_its_class(phrases: Mapping[str, set[tuple[str, ...]]], word: str, kind: str) -> None:
    assert [name for name, found in phrases.items() if (word,) in found] == [kind]
