"""The library: what is in it, how concepts are found, and the user's own beside the shipped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.concepts.concept_file import form_of
from ehrtui.concepts.library import Library, open_library, shelf_of
from ehrtui.concepts.model import Concept, Limit, Member, Normal
from ehrtui.concepts.shipped_files import read_table, shipped_concepts
from ehrtui.concepts.store import ConceptStore, own_library
from ehrtui.errors import ConceptError
from ehrtui.logic.algebra.codes import coded
from ehrtui.logic.algebra.sql import column

MINE = Concept(
    "My Sepsis",
    "diagnosis",
    (Member("icd9", "995.91"), Member("icd10", "A41.*", excluded=True)),
    ("ms", "the bad one"),
    "as I count it",
    Limit(">", 2.0, "mmol/L"),
    Normal(None, 4.5),
    "3",
    "ward",
)


def test_it_ships_with_what_it_promises() -> None:
    concepts = list(shipped_concepts())
    kinds = {kind: [one for one in concepts if one.kind == kind] for kind in ("diagnosis", "drug", "lab", "vital")}
    assert len([one for one in kinds["diagnosis"] if not one.name.startswith("ICD-")]) >= 250
    assert len(kinds["drug"]) >= 80
    assert sum(one.normal is not None for one in kinds["lab"] + kinds["vital"]) >= 60
    assert {f"ICD-9-CM {code}" for code in ("001", "250", "999", "V58", "E888")} <= {
        one.name.split(":")[0] for one in concepts
    }


def test_every_shipped_concept_has_members_a_source_and_a_name_of_its_own() -> None:
    concepts = list(shipped_concepts())
    assert all(one.members and one.source for one in concepts)
    assert len({one.name.lower() for one in concepts}) == len(concepts)


def test_every_shipped_code_is_one_that_query_logic_takes() -> None:
    for concept in shipped_concepts():
        if codes := concept.of("icd9", "icd10"):
            coded(codes, column("d", "code"))  # raises for a text that is no code


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("heart attack", "myocardial infarction"),
        ("Heart-Attack", "myocardial infarction"),
        ("CHF", "heart failure"),
        ("sugar disease", "diabetes mellitus"),
        ("water pills", "diuretics"),
        ("blood thinner", "anticoagulants"),
        ("dialysed", "dialysis"),
        ("BUN", "urea nitrogen"),
        ("staph aureus", "Staphylococcus aureus"),
    ],
)
def test_what_people_say_is_the_concept(library: Library, said: str, name: str) -> None:
    assert library.named(said)[0].name == name


def test_search_finds_by_name_then_synonym_then_words(library: Library) -> None:
    assert [(one.concept.name, one.how) for one in library.search("sepsis", limit=1)] == [("sepsis", "name")]
    assert library.search("blood poisoning")[0].how == "synonym"
    words = library.search("failure kidney acute")
    assert words[0].how == "words"
    assert "acute kidney injury" in [one.concept.name for one in words]
    assert library.search("vasopr", kind="drug")[0].concept.name == "vasopressors"


def test_some_of_the_words_are_enough_where_no_concept_has_all(library: Library) -> None:
    found = library.search("dialysis of zebras")
    assert found[0].how == "some words"
    assert "dialysis" in found[0].concept.name


@given(st.text(max_size=60))
def test_any_text_can_be_searched(text: str) -> None:
    library = Library([shelf_of([MINE])])
    assert all(one.concept == MINE for one in library.search(text))
    assert library.named(text) == ((MINE,) if form_of(text) in ("my sepsis", "ms", "the bad one") else ())
    library.close()


def test_the_library_is_read_from_the_cache_once_it_is_there(tmp_path: Path) -> None:
    open_library(tmp_path).close()
    [file] = (tmp_path / "concepts").glob("*.sqlite")
    written = file.stat().st_mtime_ns
    with closing(open_library(tmp_path)) as again:
        assert again.named("sepsis")
    assert file.stat().st_mtime_ns == written


def test_a_damaged_cache_is_built_again(tmp_path: Path) -> None:
    open_library(tmp_path).close()
    [file] = (tmp_path / "concepts").glob("*.sqlite")
    file.write_bytes(b"no database" * 1000)
    with closing(open_library(tmp_path)) as again:
        assert again.named("sepsis")


def test_own_concepts_are_kept_whole_and_come_first(tmp_path: Path) -> None:
    store = ConceptStore(tmp_path / "own" / "concepts.db")
    assert store.add([MINE, Concept("sepsis", "diagnosis", (Member("icd9", "038.9"),), source="mine")]) == 2
    assert store.concepts()[0] == MINE
    with closing(own_library(store.path, tmp_path)) as library:
        assert library.named("the bad one") == (MINE,)
        assert [one.source == "mine" for one in library.named("sepsis")] == [True, False]
    assert (store.path.stat().st_mode & 0o077) == 0


def test_two_versions_of_a_name_are_both_there_the_newest_first(tmp_path: Path) -> None:
    store = ConceptStore(tmp_path / "concepts.db")
    for version in ("1", "2"):
        store.add([Concept("shock", "diagnosis", (), version=version)])
    with closing(Library([shelf_of(store.concepts())])) as library:
        assert [one.version for one in library.named("shock")] == ["2", "1"]
    assert store.forget("shock", "1") == 1
    assert [one.version for one in store.concepts()] == ["2"]


def test_the_same_concept_again_takes_the_place_of_the_older(tmp_path: Path) -> None:
    store = ConceptStore(tmp_path / "concepts.db")
    store.add([Concept("shock", "diagnosis", (), ("bad",))])
    store.add([Concept("shock", "diagnosis", (Member("icd9", "785.5*"),))])
    assert store.concepts() == (Concept("shock", "diagnosis", (Member("icd9", "785.5*"),)),)
    with closing(own_library(store.path, tmp_path)) as library:
        assert library.named("bad") == ()


@pytest.mark.parametrize("content", [b"", b"no database", b"\0" * 5000])
def test_a_file_that_is_no_store_is_named_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "concepts.db"
    path.write_bytes(content)
    for action in (ConceptStore(path).concepts, lambda: ConceptStore(path).add([MINE]), ConceptStore(path).shelf):
        with pytest.raises(ConceptError, match=r"concepts\.db"):
            action()
    assert path.read_bytes() == content


def test_a_row_that_another_program_wrote_is_said(tmp_path: Path) -> None:
    store = ConceptStore(tmp_path / "concepts.db")
    store.add([MINE])
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("UPDATE concepts SET rest = '[]'")
        connection.commit()
    with pytest.raises(ConceptError, match="My Sepsis"):
        store.concepts()


def test_a_malformed_table_names_its_row(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("# from somewhere\nname\tkind\ticd9\nshock\tdiagnosis\t785.5*;-785.51\nshort\n")
    rows = read_table(path)
    assert next(rows).members == (Member("icd9", "785.5*"), Member("icd9", "785.51", excluded=True))
    with pytest.raises(ValueError, match="short"):
        next(rows)
