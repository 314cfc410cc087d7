"""The search of stored names: what is found first, and that nothing private is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.retrieval import Entry, Shortlist
from ehrtui.engines.opening import open_engine
from ehrtui.logic.algebra.model import Item
from ehrtui.planning.claude.catalogue import Catalogue
from ehrtui.planning.claude.searching import found
from ehrtui.privacy.codes import codes_in
from ehrtui.privacy.request import ToolUse
from ehrtui.privacy.vocabulary import Speakable, speakable
from ehrtui.schema.detection import load_profile
from ehrtui.schema.value_index import Stored
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
    nothing: tuple[Shortlist, ...] = ()
    use = ToolUse("", "search", {"text": "heart failure"})
    assert "left heart failure" not in found(use, known[0], lambda _: nothing).text
    use = ToolUse("", "search", {"text": "urine"})
    assert "Urine" in found(use, known[0], lambda _: nothing).text  # it is stored so


def listed(said: str, role: str, *names: str) -> Shortlist:
    meaning = Candidate(role, tuple(Item("name", name) for name in names), how="brand")
    return Shortlist(said, (Entry(meaning, tuple(Stored(role, name) for name in names), "as a brand"),))


def test_the_search_tells_what_a_text_means_by_another_name_and_why(known: tuple[Catalogue, Speakable]) -> None:
    use = ToolUse("", "search", {"text": "Lasix"})
    meant = listed("Lasix", "prescription", "furosemide", "zebrowska")
    assert found(use, known[0], lambda _: [meant]).text.splitlines() == [
        "“furosemide” (prescription: prescriptions.drug, a few rows), as a brand"
    ]
    use = ToolUse("", "search", {"text": "furosemide"})
    assert found(use, known[0], lambda _: [meant]).text == "“furosemide” (prescription: prescriptions.drug, a few rows)"


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


def test_only_names_in_use_that_may_be_said_are_told_of_shortlists(known: tuple[Catalogue, Speakable]) -> None:
    lists = [
        listed("zebrowska", "patient", "zebrowska"),
        listed("furosemide", "diagnosis", "furosemide"),
        listed("chf", "diagnosis", "CHF NOS", "left heart failure", "unheard of"),
        *[listed("aspirin", "prescription", "aspirin")] * 6,
    ]
    told = known[0].shortlisted(lists, 3)
    assert [line[: line.index("”") + 1] for line in told] == ["“chf nos”"]
    assert told[0].endswith(", as a brand")
    assert len(known[0].shortlisted(lists)) == 2


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
