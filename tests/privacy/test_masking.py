"""Masking: nothing private survives, what may be said does, and the way back restores every letter."""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.errors import PlaceholderError, QueryLimit
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.placeholders import PLACEHOLDER, Placeholders
from ehrtui.privacy.restoring import restored, restored_logic, restored_plan
from ehrtui.privacy.stored import StoredTexts
from ehrtui.privacy.vocabulary import speakable
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import GENERIC
from tests import small_mimic

CELLS = (
    "zebrowska",
    "Anna-Maria Quux",
    "history of falls",
    "He was seen by brzezinski at home.",
    "ward 7 east",
    "Ünal",
    "x-ray of qwertz",
)


@dataclass(frozen=True)
class Notes:
    """A database whose notes are private and whose drugs are shareable."""

    engine: Engine

    def mask(self, profile_shares: bool = True) -> Mask:
        shares = {"orders": ("drug",)} if profile_shares else {}
        profile = replace(GENERIC, shareable=shares)
        schema = self.engine.schema()
        may = speakable(schema, profile, self.engine.read, ("LoadDB",))
        return Mask(may, StoredTexts(schema, profile, self.engine.read), Placeholders())


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notes]:
    path = tmp_path_factory.mktemp("notes") / "notes.sqlite"
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE TABLE notes (patient_id INT, written TIMESTAMP, author TEXT, note)")
        connection.execute("CREATE TABLE orders (patient_id INT, drug VARCHAR(50), given_by TEXT)")
        connection.executemany(
            "INSERT INTO notes VALUES (77123, '2104-03-05 10:00:00', 'dr vandermolen', ?)", zip(CELLS)
        )
        drugs = ("vitamin b12 complex", "glorbizine", "7 11", "e1234")
        connection.executemany("INSERT INTO orders VALUES (77123, ?, 'nurse ratchedson')", zip(drugs))
    connection.close()
    engine = open_engine(str(path))
    yield Notes(engine)
    engine.close()


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize(
    "around", ["did {} get a drug?", "{}", "notes that say '{}'", "Was {}, aged 60, in icu", "({})"]
)
def test_a_private_cell_never_survives_in_a_question(notes: Notes, cell: str, around: str) -> None:
    for spelled in (cell, cell.lower(), cell.upper()):
        masked = notes.mask().words(around.format(spelled))
        assert spelled.strip(".").lower() not in masked.lower()


@pytest.mark.parametrize("name", ["zebrowska", "brzezinski", "vandermolen", "ratchedson", "Ratchedson", "Kowalczyk"])
def test_a_name_within_a_private_cell_and_an_unknown_name_never_survive(notes: Notes, name: str) -> None:
    assert name.lower() not in notes.mask().words(f"how many patients did {name} see").lower()


@pytest.mark.parametrize(
    ("question", "masked"),
    [
        ("how many drugs did patient 77123 get", "how many drugs did patient <PATIENT_1> get"),
        ("labs of stay 4711 and of patient id 12", "labs of stay <STAY_1> and of patient id <PATIENT_1>"),
        ("since 2104-03-05", "since <DATE_1>"),
        ("on March 5th, 2104 at 10:30", "on <DATE_1> at <DATE_2>"),
        ("in 2104, over 60 years", "in <DATE_1>, over <NUMBER_1> years"),
        ("the 2nd dose of glorbizine", "the 2nd dose of glorbizine"),
        ("who got vitamin b12 complex", "who got vitamin b12 complex"),
        ("who got e1234 or 7 11", "who got <TEXT_1> or <NUMBER_1> <NUMBER_2>"),
        ("mrn a-77-b", "mrn <PATIENT_1>"),
        ("notes like 'sad story'", "notes like '<TEXT_1>'"),
        ("drug = 'glorbizine' and who = 'vitamin b12 complex'", "drug = 'glorbizine' and who = 'vitamin b12 complex'"),
        ("drug = 'glorbizine' and note = 'sad'", "drug = 'glorbizine' and note = '<TEXT_1>'"),
        ("note = 'sad', note = 'old glorbizine'", "note = '<TEXT_1>', note = '<TEXT_2>'"),
        (
            "patient 77123 and subject_id = 77123 or '77123'",
            "patient <PATIENT_1> and subject_id = <PATIENT_1> or '<PATIENT_1>'",
        ),
        ("on March 5th, 2104, or 2104-03-05", "on <DATE_1>, or <DATE_1>"),
        ("<PATIENT_9>", "<<TEXT_1>>"),
        ("of A1 and PREV_RESULT2 and A7", "of A1 and PREV_RESULT2 and <TEXT_1>"),
    ],
)
def test_what_becomes_of_a_question(notes: Notes, question: str, masked: str) -> None:
    assert notes.mask().words(question, turns=2) == masked


def test_without_a_shareable_column_a_stored_value_is_private(notes: Notes) -> None:
    assert "glorbizine" not in notes.mask(profile_shares=False).words("who got glorbizine")


def test_a_word_that_cannot_be_looked_up_is_private(notes: Notes) -> None:
    def broken(sql: str, parameters: Sequence[Any] = ()) -> Sequence[Sequence[Any]]:
        raise QueryLimit("It took too long.")

    stored = StoredTexts(notes.engine.schema(), GENERIC, broken)
    mask = replace(notes.mask(), stored=stored)
    assert mask.words("flibbertigibbet") == "<TEXT_1>"


@given(st.text())
def test_the_way_back_restores_every_letter(notes: Notes, text: str) -> None:
    mask = notes.mask()
    assert restored(mask.words(text), mask.placeholders) == text


WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=9)
IDENTIFIERS = st.one_of(
    st.integers(0, 10**12).map(str),
    st.from_regex(r"[a-zA-Z]{0,3}[-_.]?[0-9]{2,8}[a-z]{0,2}", fullmatch=True),
    st.datetimes().map(lambda moment: f"{moment:%Y-%m-%d %H:%M:%S}"),
    st.dates().map(lambda day: f"{day:%d/%m/%Y}"),
    st.dates().map(lambda day: f"{day:%B %d, %Y}"),
)


@given(
    before=st.lists(WORDS, max_size=4),
    value=IDENTIFIERS,
    after=st.lists(WORDS, max_size=4),
    mark=st.sampled_from("?. ,"),
)
def test_no_identifier_and_no_date_survives(
    notes: Notes, before: list[str], value: str, after: list[str], mark: str
) -> None:
    mask = notes.mask()
    text = " ".join([*before, value + mark, *after])
    left = PLACEHOLDER.sub("", mask.words(text))
    assert not re.search(r"\d", re.sub(r"\b\d{1,2}(?:st|nd|rd|th)\b", "", left))
    assert mask.words(text) == mask.words(text)


@given(
    said=st.text(min_size=1), quote=st.sampled_from(["'", '"', "'''", '"""']), prefix=st.sampled_from(["", "f", "r"])
)
@example(said="\x000", quote="'", prefix="")
def test_any_value_is_one_value_inside_a_literal_of_a_plan(said: str, quote: str, prefix: str) -> None:
    said = said.encode("utf-8", "replace").decode()
    placeholders = Placeholders()
    name = placeholders.of("TEXT", said, said, "a text").name
    plan = f"answer = SQLInterpreter({prefix}{quote}SELECT {name}{quote})  # {name}"
    tree = ast.parse(restored_plan(plan, placeholders))
    call = tree.body[0].value  # type: ignore[attr-defined]
    value = (
        ast.literal_eval(ast.unparse(call.args[0]))
        if prefix != "f"
        else "".join(part.value for part in call.args[0].values)
    )
    assert value == f"SELECT {said}"


def test_quotes_are_doubled_inside_quotes_of_sql() -> None:
    placeholders = Placeholders()
    name = placeholders.of("TEXT", "o'brien", "o'brien", "a text").name
    assert "'%o''brien%'" in restored_plan(f"""answer = f("SELECT 1 WHERE n LIKE '%{name}%'")""", placeholders)
    assert restored_logic(f'count prescription "{name}"', placeholders) == 'count prescription "o\'brien"'
    plan = restored_plan(f"answer = SQLInterpreter(\"SELECT 1 WHERE n = '{name}'\")", placeholders)
    assert plan == "answer = SQLInterpreter(\"SELECT 1 WHERE n = 'o''brien'\")"


def test_a_number_outside_a_literal_is_a_number_and_a_text_is_a_literal() -> None:
    placeholders = Placeholders()
    number, text = placeholders.of("PATIENT", "5", "5", ""), placeholders.of("TEXT", "a b", "a b", "")
    assert restored_plan(f"x = {number.name} + len({text.name})", placeholders) == "x = 5 + len('a b')"


def test_a_placeholder_that_stands_for_nothing_is_refused() -> None:
    with pytest.raises(PlaceholderError):
        restored_plan("x = '<PATIENT_4>'", Placeholders())


def test_every_word_of_a_question_about_shipped_roles_can_be_said(tmp_path: Path) -> None:
    engine = open_engine(str(small_mimic.build(tmp_path / "mimic.sqlite")))
    profile = load_profile(engine.schema(), engine.read)
    mask = Mask(
        speakable(engine.schema(), profile, engine.read),
        StoredTexts(engine.schema(), profile, engine.read),
        Placeholders(),
    )
    for question in (
        "what share of patients with congestive heart failure, unspecified got furosemide within the first icu day?",
        "average creatinine before and after hemodialysis by marital status",
        "which patients had a positive fluid balance but a falling urine output?",
    ):
        assert mask.words(question) == question
    engine.close()


@pytest.mark.parametrize("letter", ["a", "é", "-", "/", ".", "ſ", "1", "jan ", "'", "“", "<"])
def test_long_texts_are_masked_in_no_time(notes: Notes, letter: str) -> None:
    text = letter * 2000
    mask = notes.mask()
    assert restored(mask.words(text), mask.placeholders) == text


def test_what_a_word_was_linked_to_has_the_placeholder_of_the_word(notes: Notes) -> None:
    mask = notes.mask()
    assert mask.words("what did Ratchedson give") == "what did <TEXT_1> give"
    mask.same("Ratchedson", "nurse ratchedson")
    assert mask.words('given_by "nurse ratchedson"') == 'given_by "<TEXT_1>"'
    mask.same("somebody else", "dr vandermolen")
    assert mask.words('author "dr vandermolen"') == 'author "<TEXT_2>"'
