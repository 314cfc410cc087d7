"""What the names in a question are linked to, in an index of names written here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.library import Library, shelf_of
from ehrtui.concepts.linking import Linker
from ehrtui.concepts.model import Concept, Member
from ehrtui.engines.opening import open_engine
from ehrtui.logic.algebra.model import Item
from ehrtui.schema.detection import load_profile
from ehrtui.schema.naming import build_value_index
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_file import index_of
from ehrtui.schema.value_index import Entry, StoredValue, ValueIndex
from tests import small_mimic

DIAGNOSES = [
    ("Congestive heart failure, unspecified", "4280", 9),
    ("Acute systolic heart failure", "42821", 2),
    ("Acute kidney failure, unspecified", "5849", 7),
    ("Acute kidney failure with lesion of tubular necrosis", "5845", 1),
    ("Pneumonia, organism unspecified", "486", 5),
    ("Pneumonitis due to inhalation of food or vomitus", "5070", 3),
    ("Personal history of pneumonia (recurrent)", "V1261", 2),
    ("Diabetes with ketoacidosis, type II", "25012", 0),
    ("Diabetes mellitus without mention of complication, type II", "25000", 6),
    ("Acute myocardial infarction of unspecified site", "41090", 4),
    ("Subdural hemorrhage", "4321", 3),
    ("COPD exacerbation", "49121", 3),
    ("Lipodosis, unspecified", "2728", 1),
    ("Infection due to other internal orthopedic device", "99667", 2),
    ("Sepsis", "99591", 3),
    ("Unspecified septicemia", "0389", 8),
]
OTHERS = [
    ("procedure", "Hemodialysis", "3995", 4),
    ("procedure", "Insertion of endotracheal tube", "9604", 5),
    ("prescription", "Vancomycin", "", 20),
    ("prescription", "Vancomycin Oral Liquid", "", 3),
    ("prescription", "Furosemide", "", 30),
    ("prescription", "Potassium Chloride", "", 12),
    ("prescription", "Losartan Potassium", "", 2),
    ("input", "Vancomycin", "", 9),
    ("input", "Norepinephrine", "", 6),
    ("lab", "Vancomycin", "", 8),
    ("lab", "Potassium", "", 50),
    ("lab", "White Blood Cells", "", 40),
    ("lab", "WBC", "", 4),
    ("lab", "Glucose", "", 70),
    ("lab", "Glucose, CSF", "", 1),
    ("lab", "Troponin T", "", 6),
    ("lab", "Troponin I", "", 0),
    ("lab", "Sodium", "", 60),
    ("lab", "Chloride", "", 60),
    ("vital", "Arterial BP [Systolic]", "", 30),
    ("vital", "Arterial Blood Pressure systolic", "", 20),
    ("vital", "Heart Rate", "", 90),
    ("lab", "Creatine Kinase (CK)", "", 9),
    ("output", "Cerebral Subdural #1", "", 2),
    ("output", "Foley", "", 30),
    ("output", "Urine Out Foley", "", 40),
    ("measurement", "Creatinine [Mass/volume] in Serum or Plasma", "", 5),
    ("culture", "SPUTUM", "", 5),
]
VALUES = [
    ("admission", "insurance", "Medicare", 9),
    ("admission", "insurance", "Private", 3),
    ("admission", "language", "SPAN", 2),
    ("admission", "ethnicity", "BLACK/AFRICAN AMERICAN", 2),
    ("admission", "discharge location", "HOME", 5),
    ("admission", "discharge location", "HOME HEALTH CARE", 4),
    ("admission", "discharge location", "REHAB/DISTINCT PART HOSP", 2),
    ("culture", "organism", "ESCHERICHIA COLI", 3),
    ("culture", "organism", "KLEBSIELLA PNEUMONIAE", 2),
    ("culture", "organism", "KLEBSIELLA OXYTOCA", 1),
    ("transfer", "", "MICU", 8),
    ("service", "", "ORTHO", 8),
    ("prescription", "route", "IV", 8),
]
CONCEPTS = [
    Concept("diabetes mellitus", "diagnosis", (Member("icd9", "250.*"),), ("diabetes",)),
    Concept("leprosy", "diagnosis", (Member("icd9", "030.*"),)),
    Concept("pump disease", "diagnosis", (Member("icd9", "428.*"),)),
    Concept("late group", "diagnosis", (Member("icd9", "428.*"),)),
    Concept("lipidosis", "diagnosis", (Member("icd9", "272.7"),)),
    Concept("zorbicides", "drug", (Member("ingredient", "furosemide"),), ("dropsy drugs",)),
]


def entries() -> Iterator[Entry]:
    for name, code, rows in DIAGNOSES:
        yield Entry("diagnosis", name, name.lower(), code=code, rows=rows)
    for role, name, code, rows in OTHERS:
        yield Entry(role, name, name.lower(), code=code, rows=rows)


@pytest.fixture(scope="module")
def index() -> ValueIndex:
    return index_of(entries(), values=[StoredValue(*one) for one in VALUES])


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    engine = open_engine(str(small_mimic.build(tmp_path_factory.mktemp("linking") / "small.sqlite")))
    try:
        return load_profile(engine.schema(), engine.read)
    finally:
        engine.close()


@pytest.fixture(scope="module")
def linker(index: ValueIndex, profile: Profile) -> Linker:
    return Linker(index, profile, Library([shelf_of(CONCEPTS)]))


def of(linker: Linker, text: str, said: str) -> tuple[Candidate, ...]:
    """The candidates of the mention that is `said` in a text."""
    for one in linker.link(text):
        if text[one.start : one.end] == said:
            return one.candidates
    return ()


def named(one: Candidate) -> set[str]:
    return {item.text for item in one.items} or set(one.values)


@pytest.mark.parametrize(
    ("said", "role", "names"),
    [
        ("heart failure", "diagnosis", {"Congestive heart failure, unspecified", "Acute systolic heart failure"}),
        ("CHF", "diagnosis", {"Congestive heart failure, unspecified"}),
        ("PNA", "diagnosis", {"Pneumonia, organism unspecified"}),
        ("pneumonia", "diagnosis", {"Pneumonia, organism unspecified"}),
        ("pnuemonia", "diagnosis", {"Pneumonia, organism unspecified"}),
        ("heart attack", "diagnosis", {"Acute myocardial infarction of unspecified site"}),
        ("sepsis", "diagnosis", {"Sepsis", "Unspecified septicemia"}),
        (
            "failure, acute renal",
            "diagnosis",
            {"Acute kidney failure, unspecified", "Acute kidney failure with lesion of tubular necrosis"},
        ),
        ("vanc", "prescription", {"Vancomycin", "Vancomycin Oral Liquid"}),
        ("vancomycin", "prescription", {"Vancomycin", "Vancomycin Oral Liquid"}),
        ("Lasix", "prescription", {"Furosemide"}),
        ("water pill", "prescription", {"Furosemide"}),
        ("Levophed", "input", {"Norepinephrine"}),
        ("K", "lab", {"Potassium"}),
        ("potasium", "lab", {"Potassium"}),
        ("white count", "lab", {"White Blood Cells"}),
        ("WBC", "lab", {"White Blood Cells"}),
        ("blood sugar", "lab", {"Glucose"}),
        ("CSF glucose", "lab", {"Glucose, CSF"}),
        ("troponin", "lab", {"Troponin T"}),
        ("electrolytes", "lab", {"Sodium", "Potassium", "Chloride"}),
        ("creatinine", "measurement", {"Creatinine [Mass/volume] in Serum or Plasma"}),
        ("BP systolic", "vital", {"Arterial BP [Systolic]", "Arterial Blood Pressure systolic"}),
        ("pulse", "vital", {"Heart Rate"}),
        ("urine output", "output", {"Foley", "Urine Out Foley"}),
        ("dialysed", "procedure", {"Hemodialysis"}),
        ("intubated", "procedure", {"Insertion of endotracheal tube"}),
        ("sputum culture", "culture", {"SPUTUM"}),
        ("sputum sample", "culture", {"SPUTUM"}),
        ("creatnine", "measurement", {"Creatinine [Mass/volume] in Serum or Plasma"}),
        ("orthopedics", "service", {"ORTHO"}),
        ("subdural drain", "output", {"Cerebral Subdural #1"}),
        ("hart rate", "vital", {"Heart Rate"}),
    ],
)
def test_finds_what_people_call_things(linker: Linker, said: str, role: str, names: set[str]) -> None:
    first = of(linker, said, said)[0]
    assert (first.role, named(first)) == (role, names)


@pytest.mark.parametrize(
    ("said", "role", "field", "values"),
    [
        ("paid by Medicare", "admission", "insurance", {"Medicare"}),
        ("Spanish-speaking", "admission", "language", {"SPAN"}),
        ("black patients", "admission", "ethnicity", {"BLACK/AFRICAN AMERICAN"}),
        ("sent home", "admission", "discharge location", {"HOME"}),
        ("went to rehab", "admission", "discharge location", {"REHAB/DISTINCT PART HOSP"}),
        ("E. coli", "culture", "organism", {"ESCHERICHIA COLI"}),
        ("klebsiella", "culture", "organism", {"KLEBSIELLA PNEUMONIAE", "KLEBSIELLA OXYTOCA"}),
        ("klebsiela", "culture", "organism", {"KLEBSIELLA PNEUMONIAE", "KLEBSIELLA OXYTOCA"}),
        ("medical ICU", "transfer", "", {"MICU"}),
        ("given intravenously", "prescription", "route", {"IV"}),
    ],
)
def test_finds_values_of_fields(linker: Linker, said: str, role: str, field: str, values: set[str]) -> None:
    found = [one for mention in linker.link(said) for one in mention.candidates[:1]]
    assert (role, field, values) in [(one.role, one.field, named(one)) for one in found]


def test_a_family_word_is_a_concept_with_its_codes_and_records(linker: Linker) -> None:
    first, *others = of(linker, "patients with diabetes", "diabetes")
    assert (first.how, first.items, first.rows) == ("concept", (Item("concept", "diabetes mellitus"),), 6)
    assert first.label == "diabetes mellitus: 2 codes"
    assert all(one.score <= first.score for one in others)


def test_a_concept_that_this_database_has_nothing_of_is_not_offered_nor_what_is_like_it(linker: Linker) -> None:
    assert of(linker, "patients with lipidosis", "lipidosis") == ()
    assert of(linker, "patients with leprosy", "leprosy") == ()


@pytest.mark.parametrize(
    ("said", "concept"),
    [
        ("zorbicides", "zorbicides"),
        ("dropsy drugs", "zorbicides"),
        ("dropsy meds", "zorbicides"),
        ("dropsy pills", "zorbicides"),
        ("late group", "late group"),
        ("pump disease", "pump disease"),
        ("pump trouble", "pump disease"),
    ],
)
def test_a_concept_is_found_by_words_that_nothing_stored_has(linker: Linker, said: str, concept: str) -> None:
    assert of(linker, f"who had {said}?", said)[0].items == (Item("concept", concept),)


@pytest.mark.parametrize(("said", "name"), [("lasx", "Furosemide"), ("cpod", "COPD exacerbation")])
def test_a_short_word_is_misspelt_from_one_name_and_less_sure(linker: Linker, said: str, name: str) -> None:
    found = of(linker, f"those with {said} today", said)
    assert named(found[0]) == {name}
    assert all(one.how == "misspelt" and one.score < 0.8 for one in found)


@pytest.mark.parametrize("said", ["lasi", "sold", "lsia", "bran", "hmpe"])
def test_a_short_word_that_is_not_done_or_english_or_near_nothing_is_no_name(linker: Linker, said: str) -> None:
    assert of(linker, f"given {said} today", said) == ()


@pytest.mark.parametrize(("said", "found"), [("dasix", False), ("kasix", True)])
def test_another_first_letter_is_a_slip_of_a_finger_only_beside_the_one_that_was_meant(
    linker: Linker, said: str, found: bool
) -> None:
    assert bool(of(linker, f"those on {said} today", said)) is found


def test_a_short_word_near_two_names_is_neither(profile: Profile) -> None:
    two = index_of([*entries(), Entry("prescription", "Laspx", "laspx", rows=1)])
    assert of(Linker(two, profile), "given lasx today", "lasx") == ()


def test_a_title_typed_letter_by_letter_is_that_entry(linker: Linker) -> None:
    title = "Acute kidney failure with lesion of tubular necrosis"
    first = of(linker, f"who had {title}?", title)[0]
    assert (first.how, named(first)) == ("exact", {title})


def test_roles_are_alternatives_and_words_around_decide(linker: Linker) -> None:
    assert {"prescription", "input", "lab"} <= {one.role for one in of(linker, "vancomycin", "vancomycin")}
    assert of(linker, "potassium level above 6", "potassium")[0].role == "lab"


def test_the_salt_of_another_drug_is_not_the_drug(linker: Linker) -> None:
    given_potassium = [
        one for one in of(linker, "potassium chloride", "potassium chloride") if one.role == "prescription"
    ]
    assert "Losartan Potassium" not in {name for one in given_potassium for name in named(one)}


@pytest.mark.parametrize(
    ("text", "said", "code", "rows"),
    [
        ("codes 428.x", "428.x", "428.*", 11),
        ("with 428.* in 2104", "428.*", "428.*", 11),
        ("ICD-9 code 250.00", "250.00", "250.00", 6),
        ("codes 584-586", "584-586", "584-586", 8),
        ("any V-codes", "V-codes", "V01-V91", 2),
    ],
)
def test_finds_codes_families_and_ranges(linker: Linker, text: str, said: str, code: str, rows: int) -> None:
    found = [one for mention in linker.link(text) for one in mention.candidates if one.how == "code"]
    assert (Item("code", code),) in [one.items for one in found]
    assert max(one.rows for one in found) == rows


def test_a_number_is_no_code_where_nothing_speaks_of_codes(linker: Linker) -> None:
    assert not [one for one in linker.link("glucose above 250") if one.candidates[0].how == "code"]


def test_names_without_records_come_after_those_with_some(linker: Linker) -> None:
    ketoacidosis = of(linker, "diabetes with ketoacidosis, type II", "diabetes with ketoacidosis, type II")[0]
    assert ketoacidosis.rows == 0
    assert ketoacidosis.score < of(linker, "pneumonia", "pneumonia")[0].score


def test_plain_words_are_no_mentions(linker: Linker) -> None:
    assert linker.link("how many patients were there in the last two years") == ()


@pytest.mark.parametrize("text", ["He came back to us as all men do", "any surgrey or diagnossis in 3 to 5 days"])
def test_plain_english_is_no_short_form_nor_a_name_misspelt(linker: Linker, text: str) -> None:
    assert linker.link(text) == ()


def test_words_of_the_question_tell_the_sense_of_a_short_form(index: ValueIndex, profile: Profile) -> None:
    added = [
        Entry("diagnosis", "Multiple sclerosis", "multiple sclerosis", code="340", rows=2),
        Entry("prescription", "Morphine Sulfate", "morphine sulfate", rows=9),
    ]
    linker = Linker(index_of([*entries(), *added]), profile)
    assert named(of(linker, "MS with relapsing weakness", "MS")[0]) == {"Multiple sclerosis"}
    assert named(of(linker, "MS given as a drip for pain", "MS")[0]) == {"Morphine Sulfate"}


def test_mentions_are_told_longest_first_with_their_places(linker: Linker) -> None:
    text = "Heart rate and urine output after vanc"
    found = [text[one.start : one.end] for one in linker.link(text)]
    assert found[:2] == ["urine output", "Heart rate"]
    assert "vanc" in found


def test_what_is_stored_in_a_database_is_found_in_it(mimic_path: Path) -> None:
    engine = open_engine(str(mimic_path))
    try:
        profile = load_profile(engine.schema(), engine.read)
        linker = Linker(build_value_index(profile, engine.stream), profile)
        lasix = of(linker, "on Lasix", "Lasix")[0]
        assert (lasix.role, named(lasix), lasix.rows) == ("prescription", {"furosemide"}, 4)
        failure = of(linker, "pts with CHF", "CHF")[0]
        assert (named(failure), failure.rows) == ({"chf nos"}, 4)
        assert of(linker, "on Medicaid", "Medicaid")[0].values == ("medicaid",)
    finally:
        engine.close()


WORDS = ("acute", "failure,", "Lasix", "K", "428.x", "(", "[", ";", "*", "of", "vancomycn", "’s", "İ", "AND", "NEAR")


@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_any_text_is_linked_within_its_bounds(linker: Linker, text: str) -> None:
    for mention in linker.link(text):
        assert 0 <= mention.start < mention.end <= len(text)
        assert mention.candidates
        assert [one.score for one in mention.candidates] == sorted(
            (one.score for one in mention.candidates), reverse=True
        )
        for one in mention.candidates:
            assert 0 < one.score <= 1
            assert bool(one.items) != bool(one.field and one.values)
