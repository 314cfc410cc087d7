"""The value index answers as a plain search over all names does."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from ehrtui.errors import Cancelled
from ehrtui.schema.value_file import index_of
from ehrtui.schema.value_index import Entry, Stored, StoredValue, ValueIndex, split
from ehrtui.schema.vocabulary import Term

ROLES = ("prescription", "lab", "vital")


class Plain:
    """The same answers, by walking through all names."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.by_words: dict[tuple[str, ...], list[Entry]] = {}
        for entry in entries:
            same = self.by_words.setdefault(split(entry.said), [])
            if entry not in same:
                same.append(entry)
        self.by_words.pop((), None)

    def at(self, words: Sequence[str], start: int) -> list[tuple[int, tuple[Entry, ...]]]:
        rest = tuple(words[start:])
        found = [(len(name), tuple(same)) for name, same in self.by_words.items() if rest[: len(name)] == name]
        return sorted(found, key=lambda one: -one[0])

    def names(self, role: str) -> dict[str, Entry]:
        return {" ".join(words): entry for words, same in self.by_words.items() for entry in same if entry.role == role}

    def nearest(self, text: str, roles: Iterable[str] | None, limit: int, at_least: float) -> list[tuple[Entry, float]]:
        wanted = " ".join(split(text))
        seen = [entry.role for same in self.by_words.values() for entry in same]
        found = [
            (entry, fuzz.ratio(wanted, name) / 100)
            for role in dict.fromkeys(seen if roles is None else roles)
            for name, entry in self.names(role).items()
        ]
        near = [(entry, likeness) for entry, likeness in found if likeness >= at_least]
        return sorted(near, key=lambda one: -one[1])[:limit] if wanted else []

    def starting(self, text: str, limit: int) -> tuple[Entry, ...]:
        begun = " ".join(split(text))
        found = [entry for words, same in self.by_words.items() if " ".join(words).startswith(begun) for entry in same]
        found.sort(key=lambda entry: (len(entry.name), entry.name, entry.role))
        return tuple(found[:limit]) if begun else ()

    def holding(self, text: str, roles: Iterable[str], limit: int) -> tuple[Entry, ...]:
        wanted, counts = " ".join(split(text)), []
        for role in roles:
            found = {
                entry.name: replace(entry, said=text)
                for name, entry in self.names(role).items()
                if (name.startswith(f"{wanted} ") if role == "prescription" else f" {wanted} " in f" {name} ")
                and not entry.field
            }
            if wanted and 0 < len(found) <= limit:
                counts.append(found)
        fewest = min(counts, key=len, default={})
        return tuple(fewest[name] for name in sorted(fewest))


def entry(role: str, words: list[str], between: str, upper: bool, field: str) -> Entry:
    name = between.join(words)
    return Entry(role, name.upper() if upper else name, name.lower(), field)


WORDS = st.text(st.sampled_from("abé1ß"), min_size=1, max_size=4)
PHRASES = st.lists(WORDS, max_size=4)
ENTRIES = st.lists(
    st.builds(
        entry,
        st.sampled_from(ROLES),
        PHRASES,
        st.sampled_from((" ", ", ", "-")),
        st.booleans(),
        st.sampled_from(("", "unit")),
    ),
    max_size=25,
)


@given(ENTRIES, st.lists(WORDS, max_size=6))
def test_names_in_a_text_are_found(entries: list[Entry], words: list[str]) -> None:
    index, plain = index_of(entries), Plain(entries)
    text = [*words, *(word for one in entries[:2] for word in split(one.said)), *words]
    for start in range(len(text)):
        assert [(size, sorted(map(repr, same))) for size, same in index.at(text, start)] == [
            (size, sorted(map(repr, same))) for size, same in plain.at(text, start)
        ]


@given(ENTRIES, PHRASES, st.none() | st.lists(st.sampled_from((*ROLES, "none"))), st.integers(1, 4), st.data())
def test_the_nearest_names_are_found(
    entries: list[Entry], words: list[str], roles: list[str] | None, limit: int, data: st.DataObject
) -> None:
    text = data.draw(st.sampled_from([one.said for one in entries] or ["a"])) if data.draw(st.booleans()) else ""
    text = text[1:] or " ".join(words)
    at_least = data.draw(st.sampled_from((0.0, 0.3, 0.6, 0.86)))
    found = index_of(entries).nearest(text, roles, limit=limit, at_least=at_least)
    assert found == Plain(entries).nearest(text, roles, limit, at_least)


@given(ENTRIES, PHRASES, st.integers(1, 4))
def test_names_that_begin_like_a_text_are_found(entries: list[Entry], words: list[str], limit: int) -> None:
    found = index_of(entries).starting(" ".join(words), limit)
    expected = Plain(entries).starting(" ".join(words), limit)
    assert [(one.name, one.role) for one in found] == [(one.name, one.role) for one in expected]


@given(ENTRIES, PHRASES, st.lists(st.sampled_from(ROLES)), st.integers(1, 4))
def test_names_that_hold_words_are_found(entries: list[Entry], words: list[str], roles: list[str], limit: int) -> None:
    found = index_of(entries).holding(" ".join(words), roles, limit=limit)
    assert found == Plain(entries).holding(" ".join(words), roles, limit)


@given(ENTRIES)
def test_every_name_is_there_once(entries: list[Entry]) -> None:
    index = index_of(entries)
    assert list(index) == list(dict.fromkeys(one for one in entries if split(one.said)))
    assert index.names == len({split(one.said) for one in index})


def named(*names: str, role: str = "lab") -> ValueIndex:
    return index_of(Entry(role, name, name.lower()) for name in names)


def test_names_are_found_by_their_beginning() -> None:
    index = named("potassium chloride", "potassium", "Potassium, Whole Blood", "sodium")
    assert [entry.name for entry in index.starting("potas", 5)] == [
        "potassium",
        "potassium chloride",
        "Potassium, Whole Blood",
    ]
    assert [entry.name for entry in index.starting("potassium, wh", 5)] == ["Potassium, Whole Blood"]
    assert len(index.starting("potas", 1)) == 1
    assert index.starting("?", 5) == ()


def test_a_role_of_thousands_of_names_is_not_searched_for_words_in_them() -> None:
    index = named(*(f"sodium {number}" for number in range(5001)))
    assert index.holding("4999", ("lab",), limit=8) == ()
    assert [one.name for one in named("sodium 4999").holding("4999", ("lab",), limit=8)] == ["sodium 4999"]


def test_a_term_stands_for_what_is_stored() -> None:
    terms = (Term("lab", "k", ("kalium", "potassium")), Term("lab", "na", ("natrium",)))
    index = index_of([Entry("lab", "Potassium", "potassium")], terms)
    assert index.of(("k",)) == (Entry("lab", "Potassium", "k"),)
    assert index.of(("na",)) == ()
    assert index.nearest("k", limit=1, at_least=1.0) == [(Entry("lab", "Potassium", "k"), 1.0)]


def test_an_index_that_is_stopped_is_not_built() -> None:
    with pytest.raises(Cancelled):
        index_of((Entry("lab", str(number), str(number)) for number in range(50_000)), stopped=lambda: True)


def test_an_error_of_the_names_is_told() -> None:
    def broken() -> Iterable[Entry]:
        yield Entry("lab", "a", "a")
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        index_of(broken())


def test_an_index_that_can_no_longer_be_read_is_built_again() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE TABLE role (place INTEGER, name TEXT, forms INTEGER);"
        "CREATE TABLE size (names INTEGER, words INTEGER, letters INTEGER); INSERT INTO size VALUES (1, 1, 6);"
    )
    index = ValueIndex(connection, again=lambda: named("sodium"))
    assert [entry.name for entry in index.of(("sodium",))] == ["sodium"]
    assert index.nearest("sodum", limit=1)[0][0].name == "sodium"


def _stored() -> ValueIndex:
    entries = [
        Entry("diagnosis", "Acute renal failure", "acute renal failure", code="5849", rows=3),
        Entry("diagnosis", "Acute renal failure", "arf nos", code="5849", rows=3),
        Entry("diagnosis", "Chronic failures", "chronic failures", code="5859"),
        Entry("lab", "Renal Cells", "renal cells", rows=7),
    ]
    values = [StoredValue("admission", "insurance", "Medicare", 4), StoredValue("admission", "insurance", "Private", 9)]
    return index_of(entries, values=values)


def test_items_are_found_by_words_in_any_order_those_with_most_records_first() -> None:
    index = _stored()
    assert [one.name for one in index.matching('"renal"')] == ["Renal Cells", "Acute renal failure"]
    assert [one.name for one in index.matching('"failure" AND "chronic"')] == ["Chronic failures"]
    assert [one.name for one in index.matching('"arf"')] == ["Acute renal failure"]


def test_an_item_has_its_codes_and_the_number_of_its_records() -> None:
    index = _stored()
    assert index.coded("diagnosis", "584") == (Stored("diagnosis", "Acute renal failure", ("5849",), 3),)
    assert [one.name for one in index.coded("diagnosis", "58")] == ["Acute renal failure", "Chronic failures"]
    assert index.coded("lab", "58") == ()
    assert index.items("lab", ("Renal Cells", "Glucose")) == (Stored("lab", "Renal Cells", (), 7),)


def test_a_label_that_was_never_charted_leaves_its_name_to_one_that_was() -> None:
    entries = [
        Entry("vital", "Drain #1", "drain #1"),
        Entry("output", "Drain #1", "drain #1", rows=4),
        Entry("vital", "Drain site", "drain site"),
        Entry("lab", "Protein", "protein"),
        Entry("input", "Protein", "protein", rows=2),
    ]
    index = index_of(entries)
    assert [one.role for one in index.of(("drain", "1"))] == ["output"]
    assert [one.role for one in index.of(("drain", "site"))] == ["vital"]
    assert [one.role for one in index.of(("protein",))] == ["lab", "input"]  # laboratories have no thousands of labels


def test_values_are_told_by_how_often_they_are_stored() -> None:
    assert [one.name for one in _stored().values] == ["Private", "Medicare"]


def test_words_are_known_in_one_form() -> None:
    index = _stored()
    assert index.has_word("failure")
    assert index.has_word("medicare")
    assert not index.has_word("failures")
    assert set(index.words_so_long(5)) == {"acute", "renal"}
