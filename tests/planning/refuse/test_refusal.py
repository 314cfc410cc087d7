"""What is declined for the words of a question alone, over databases that keep different things."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.planning.proposal import Refusal
from ehrtui.planning.refuse.acts import acts
from ehrtui.planning.refuse.fields import fields
from ehrtui.planning.refuse.refusal import refusal
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from tests import small_mimic, small_native, small_omop

LAST = "2105-12-31"
Refuse = Callable[[str], Refusal | None]


def refusing(path: Path) -> Refuse:
    """What refuses questions over the database in a file."""
    with closing(open_engine(str(path))) as engine:
        schema = engine.schema()
        profile = load_profile(schema, engine.read)
        index = build_value_index(profile, engine.read)
    return lambda text: refusal(text, profile, schema, index, LAST)


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Refuse]:
    folder = tmp_path_factory.mktemp("databases")
    built = {"mimic": small_mimic.build, "native": small_native.build, "omop": small_omop.build}
    return {name: refusing(build(folder / f"{name}.sqlite")) for name, build in built.items()}


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("should I give patient 101 more heparin?", "advice"),
        ("Good morning - which antibiotic should we start in 101?", "advice"),
        ("is it safe to combine aspirin and heparin?", "advice"),
        ("can heparin and warfarin be given together?", "advice"),
        ("what would you do with a potassium of 6?", "advice"),
        ("what is the normal range of lactate?", "advice"),
        ("max daily dose of aspirin for a child", "advice"),
        ("will he survive?", "future"),
        ("how many beds will be needed next winter?", "future"),
        ("is she likely to die?", "future"),
        ("when is patient 101 going home?", "future"),
        ("what would happen without heparin?", "future"),
        ("why was patient 101 given heparin?", "opinion"),
        ("what caused the fall in sodium?", "opinion"),
        ("do you think 101 is septic?", "opinion"),
        ("was it a mistake to stop heparin?", "opinion"),
        ("which ward takes better care of its patients?", "opinion"),
        ("can you order a CT for patient 101?", "administrative"),
        ("order a blood culture for 101", "administrative"),
        ("please email the labs of 101 to dr smith", "administrative"),
        ("delete the last sodium of 101", "administrative"),
        ("UPDATE patients SET dod = NULL", "administrative"),
        ("change the dose of heparin to 5000", "administrative"),
        ("what tests are planned for 101?", "plan"),
        ("does 101 have an appointment?", "plan"),
    ],
)
def test_what_is_no_question_for_records_is_declined(databases: Mapping[str, Refuse], question: str, kind: str) -> None:
    found = databases["mimic"](question)
    assert found is not None
    assert found.kind == kind
    assert all(word in question.lower() for word in found.words)


@pytest.mark.parametrize(
    "question",
    [
        "print the number of women",
        "which drugs were given together with aspirin?",
        "how many patients were treated with heparin?",
        "how many patients developed sepsis?",
        "report the mean age of women",
        "order the drugs by name",
        "show my patients",
        "I should know this: how many patients died?",
        "I will need this for the board: number of admissions",
        "what is the dose form of aspirin?",
        "could you give me the last sodium of 101?",
        "can I see the labs of 101?",
        "how many were expected to stay two days?",
        "change in sodium of 101",
        "discharge time of 101",
        "total bill, all patients",
        "drugs given on the next day after admission",
        "next week after surgery, how many died?",
        "one-year survival probability of sepsis",
        "that is why I ask: how many died?",
        "what reason for admission is listed as 'why is he here'?",
    ],
)
def test_harmless_uses_of_such_words_are_asked(databases: Mapping[str, Refuse], question: str) -> None:
    assert databases["mimic"](question) is None


@pytest.mark.parametrize(
    ("question", "with_it", "without"),
    [
        ("religion of 101", "native", "mimic"),
        ("what language does 101 speak?", "mimic", "omop"),
        ("payer mix of the admissions", "mimic", "omop"),
        ("what did the stay of 101 cost?", "mimic", "native"),
        ("is 101 married?", "native", "omop"),
        ("chief complaint of 101", "native", "mimic"),
    ],
)
def test_a_kind_of_information_is_asked_where_it_is_kept(
    databases: Mapping[str, Refuse], question: str, with_it: str, without: str
) -> None:
    assert databases[with_it](question) is None
    found = databases[without](question)
    assert found is not None
    assert found.kind == "column"
    assert found.sentence.startswith("No table or column here keeps ")


@pytest.mark.parametrize(
    "question",
    [
        "phone number of 101",
        "breakdown of admissions by zip code",
        "who is the next of kin of 101?",
        "who was the attending of 101?",
        "which nurse looked after 101?",
        "what did the chest x-ray of 101 show?",
        "discharge summary of 101",
        "what is the blood type of 101?",
        "APACHE score of 101",
        "nurse to patient ratio last night",
        "patient satisfaction by ward",
        "what did 101 die of?",
    ],
)
def test_what_none_of_them_keeps_is_declined(databases: Mapping[str, Refuse], question: str) -> None:
    assert {name: found.kind for name in databases if (found := databases[name](question))} == dict.fromkeys(
        databases, "column"
    )


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("CREATE TABLE contacts (subject_id INT, phone_number TEXT)", "phone number of 101"),
        ("CREATE TABLE noteevents (subject_id INT, text TEXT)", "discharge summary of 101"),
        ("CREATE TABLE apacheapsvar (stay INT, score INT)", "APACHE score of 101"),
    ],
)
def test_a_table_with_rows_keeps_it_and_an_empty_one_does_not(tmp_path: Path, table: str, question: str) -> None:
    path = small_mimic.build(tmp_path / "more.sqlite")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(table)
    empty = refusing(path)(question)
    assert empty is not None
    assert empty.kind == "column"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"INSERT INTO {table.split()[2]} VALUES (101, 'x')")
        connection.commit()
    assert refusing(path)(question) is None


def test_a_name_that_is_stored_says_nothing_but_itself(tmp_path: Path) -> None:
    path = small_mimic.build(tmp_path / "named.sqlite")
    question = "how many patients have discharge summary refused?"
    assert refusing(path)(question) is not None
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "UPDATE d_icd_diagnoses SET short_title = 'discharge summary refused' WHERE row_id = "
            "(SELECT MIN(row_id) FROM d_icd_diagnoses)"
        )
        connection.commit()
    assert refusing(path)(question) is None


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("wie viele Patienten hatten eine Lungenentzündung?", "German"),
        ("combien de patients sont morts ?", "French"),
        ("¿cuántos pacientes murieron en 2104?", "Spanish"),
        ("quanti pazienti sono stati ricoverati?", "Italian"),
        ("hoeveel patiënten zijn er opgenomen?", "Dutch"),
        ("сколько пациентов умерло?", "Cyrillic"),
        ("有多少病人", "Chinese"),
    ],
)
def test_another_language_is_told_which_is_understood(
    databases: Mapping[str, Refuse], question: str, language: str
) -> None:
    found = databases["mimic"](question)
    assert found is not None
    assert found.kind == "language"
    assert language in found.sentence
    assert "English" in found.sentence


@pytest.mark.parametrize(
    "question", ["la patients", "de novo heart failure", "patients on vancomycin", "hr pt 101", "42"]
)
def test_short_questions_are_english(databases: Mapping[str, Refuse], question: str) -> None:
    assert databases["mimic"](question) is None


def test_the_data_are_whole(databases: Mapping[str, Refuse]) -> None:
    assert {act.kind for act in acts()} == {"advice", "future", "plan", "administrative", "opinion"}
    assert all("{}" in act.sentence for act in acts())
    assert all(not field.asks.search("") and replace(field).near for field in fields())


@pytest.mark.parametrize(
    "question", ["how many stays per hospital?", "which hospital had the most deaths?", "how many hospitals are there?"]
)
def test_which_hospital_it_was_is_told_only_where_it_is_kept(databases: Mapping[str, Refuse], question: str) -> None:
    found = databases["mimic"](question)
    assert found is not None
    assert "hospital" in found.sentence


@pytest.mark.parametrize(
    "question", ["mean hospital stay by hospital ward", "how many died in the hospital?", "deaths per hospital stay"]
)
def test_the_hospital_at_hand_is_no_kind_of_information(databases: Mapping[str, Refuse], question: str) -> None:
    assert databases["mimic"](question) is None
