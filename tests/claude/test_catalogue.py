"""The search of stored names: what is found first, and that nothing private is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.planning.claude.catalogue import Catalogue
from ehrtui.planning.claude.searching import found
from ehrtui.privacy.codes import codes_in
from ehrtui.privacy.request import ToolUse
from ehrtui.privacy.vocabulary import Speakable, speakable
from ehrtui.schema.detection import load_profile
from tests import small_mimic


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Catalogue, Speakable]]:
    path = small_mimic.build(tmp_path_factory.mktemp("names") / "mimic.sqlite")
    with closing(sqlite3.connect(path)) as connection, connection:
        titles = [("2720", "pure cholesterolemia"), ("5751", "cholecystitis"), ("4281", "left heart failure")]
        connection.executemany("INSERT INTO d_icd_diagnoses VALUES (?, ?, ?, ?)", [
            (900 + at, code, title, title) for at, (code, title) in enumerate(titles)
        ])  # fmt: skip
        labels = ["Urine", "urine color", "Cholesterol, HDL", "pH", "Potassium, Urine", "potassium"]
        connection.executemany("INSERT INTO d_labitems VALUES (?, ?, ?)", [
            (800 + at, 70_000 + at, label) for at, label in enumerate(labels)
        ])  # fmt: skip
    engine = open_engine(str(path))
    schema = engine.schema()
    profile = load_profile(schema, engine.read)
    may = speakable(schema, profile, engine.read)
    yield Catalogue(schema, profile, engine.read, may), may
    engine.close()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("urine", "Urine"),
        ("PH", "pH"),
        ("HDL cholesterol", "Cholesterol, HDL"),
        ("congestive heart failure", "chf nos"),
        ("furosemid", "furosemide"),
    ],
)
def test_the_best_name_comes_first_as_it_is_stored(known: tuple[Catalogue, Speakable], text: str, first: str) -> None:
    names, _ = known[0].search(text)
    assert names[0].name == first


def test_names_in_use_come_before_others(known: tuple[Catalogue, Speakable]) -> None:
    names, _ = known[0].search("heart failure")
    assert [(one.name, bool(one.rows)) for one in names[:2]] == [("chf nos", True), ("left heart failure", False)]


def test_the_search_tells_no_name_that_would_find_nothing(known: tuple[Catalogue, Speakable]) -> None:
    assert "left heart failure" not in found(ToolUse("", "search", {"text": "heart failure"}), known[0]).text
    assert "Urine" in found(ToolUse("", "search", {"text": "urine"}), known[0]).text  # it is stored so


def test_several_items_of_one_name_are_told_as_several(known: tuple[Catalogue, Speakable]) -> None:
    names, _ = known[0].search("potassium")
    same = [one for one in names if one.name == "potassium"]
    assert len({one.key for one in same}) == 2
    assert "d_labitems.label, itemid 50971, meq/l, a few rows" in next(one for one in same if one.rows).told


def test_the_beginning_of_a_code_finds_its_family(known: tuple[Catalogue, Speakable]) -> None:
    names, _ = known[0].search("428.x")
    assert {one.key for one in names} == {"icd9_code 4280", "icd9_code 4281"}


@pytest.mark.parametrize("text", ["101", "2103-02-03", "zebrowska", "", "%"])
def test_nothing_else_is_found(known: tuple[Catalogue, Speakable], text: str) -> None:
    assert known[0].search(text) == ((), 0)


def test_names_in_a_question_are_found_beforehand(known: tuple[Catalogue, Speakable]) -> None:
    named = [one.name for one in known[0].mentioned("How many patients got Furosemide or aspirin in 2104?")]
    assert named == ["furosemide", "aspirin"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("AKI (428.x) but no 401.*", ["428.x", "401.*"]),
        ("ICD-9 codes 401-428", ["ICD-9", "401-428"]),
        ("any 428 code", ["428"]),
        ("patient 428 with a code", []),
        ("more than 428 patients", []),
        ("a sodium of 428, coded", ["428"]),
        ("codes above 428 mg", []),
        ("777.x and 428", []),
    ],
)
def test_codes_of_the_database_may_be_said(known: tuple[Catalogue, Speakable], text: str, codes: list[str]) -> None:
    assert [text[start:end] for start, end in sorted(codes_in(text, known[1]))] == codes
