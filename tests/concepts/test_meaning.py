"""What a concept stands for in a database, counted in it, and taken by query logic."""

from __future__ import annotations

import re

import pytest

from ehrtui.concepts.library import Library, shelf_of
from ehrtui.concepts.meaning import Meanings, items_of, sets_of
from ehrtui.concepts.model import Concept, Limit, Member
from ehrtui.concepts.preview import Count, preview
from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import Item
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.written import written
from ehrtui.schema.profile import Profile, read_profile
from tests.concepts.conftest import PROFILES, Read
from tests.small_mimic import NOW

BOTH = Concept(
    "kidney", "diagnosis", (Member("icd9", "584.*"), Member("icd10", "N17.*"), Member("name", "*kidney failure*"))
)


def asked(text: str, concepts: Library, profile: Profile, read: Read) -> list[tuple[object, ...]]:
    meanings = Meanings(lambda: concepts, profile)
    return read(flat_sql(written(text, profile, now=NOW, turns={}, concepts=meanings).steps))


def test_codes_are_those_of_the_revisions_that_a_database_has() -> None:
    def of(name: str) -> tuple[Item, ...]:
        return items_of(BOTH, read_profile(PROFILES / f"{name}.toml"))["diagnosis"]

    assert of("mimic_iii_native") == (Item("code", "584.*"),)
    assert of("mimic_iv_native") == (Item("code", "icd9|584.*"), Item("code", "icd10|N17.*"))
    assert of("eicu_ehrsql")[-1] == Item("like", "*kidney failure*")
    assert len(of("omop_cdm_5_4")) == 3


def test_an_ingredient_begins_a_word_of_a_product(mimic: Profile) -> None:
    drug = Concept("m", "drug", (Member("ingredient", "morphine"),))
    patterns = [item.text for item in items_of(drug, mimic)["prescription"]]

    def holds(product: str) -> bool:
        return any(re.fullmatch(re.escape(one).replace(r"\*", ".*"), product) for one in patterns)

    assert holds("morphine sulfate")
    assert holds("5 ml morphine")
    assert holds("naltrexone/morphine")
    assert not holds("apomorphine")
    assert not holds("hydromorphone")


def test_an_ingredient_is_found_under_its_brands(mimic: Profile) -> None:
    drug = Concept("a", "drug", (Member("ingredient", "acetaminophen"),))
    assert Item("like", "tylenol*") in items_of(drug, mimic)["prescription"]


def test_a_concept_counts_the_family(library: Library, mimic: Profile, read: Read) -> None:
    assert asked('count of patients with diagnosis concept "CHF"', library, mimic, read) == [(3,)]
    assert asked('count of patients with prescription concept "water pills"', library, mimic, read) == [(3,)]
    assert asked('count of patients with diagnosis concept "Heart Failure"', library, mimic, read) == [(3,)]
    assert asked('count of patients with procedure concept "ventilated"', library, mimic, read) == [(1,)]


def test_a_limit_belongs_to_the_concept(mimic: Profile, read: Read) -> None:
    potassium = Concept("k", "lab", (Member("name", "potassium"),))
    high = Concept("high k", "lab", (Member("name", "potassium"),), limit=Limit(">", 5.0))
    concepts = Library([shelf_of([potassium, high])])
    [(all_of_them,)] = asked('count of lab concept "k"', concepts, mimic, read)
    [(above,)] = asked('count of lab concept "high k"', concepts, mimic, read)
    assert (
        above
        == read(
            "SELECT count(*) FROM labevents JOIN d_labitems USING (itemid) WHERE label = 'potassium' AND valuenum > 5"
        )[0][0]
    )
    assert above < all_of_them
    with pytest.raises(LogicError, match="stands alone"):
        asked('count of lab concept "high k" or "creatinine"', concepts, mimic, read)


def test_what_is_excluded_is_left_out(mimic: Profile, read: Read) -> None:
    heart = Concept("heart", "diagnosis", (Member("icd9", "4*"), Member("icd9", "486", excluded=True)))
    concepts = Library([shelf_of([heart])])
    rows = asked('count of patients with diagnosis concept "heart"', concepts, mimic, read)
    assert rows == read(
        "SELECT count(DISTINCT subject_id) FROM diagnoses_icd WHERE icd9_code LIKE '4%' AND icd9_code <> '486'"
    )


def test_codes_of_two_revisions_in_one_column_are_told_apart(read: Read) -> None:
    profile = read_profile(PROFILES / "mimic_iv_ehrsql.toml")
    concepts = Library([shelf_of([Concept("fall", "diagnosis", (Member("icd9", "E88*"),)),
                                  Concept("sugar", "diagnosis", (Member("icd10", "E88*"),)),
                                  Concept("larynx", "procedure", (Member("icd9", "30.*"),))])])  # fmt: skip
    meanings = Meanings(lambda: concepts, profile)

    def kept(logic: str, table: str, codes: list[str]) -> list[str]:
        where = re.search(
            r"WHERE\s+(.*?)\n\)", flat_sql(written(logic, profile, now=NOW, turns={}, concepts=meanings).steps), re.S
        )
        assert where is not None
        values = ", ".join(f"('{code}')" for code in codes)
        query = f"WITH {table}(icd_code) AS (VALUES {values}) SELECT icd_code FROM {table} WHERE {where[1]}"
        return [code for (code,) in read(query)]

    codes = ["icd9|e8809", "icd10|e889"]
    assert kept('patients with diagnosis concept "fall"', "diagnosis", codes) == ["icd9|e8809"]
    assert kept('patients with diagnosis concept "sugar"', "diagnosis", codes) == ["icd10|e889"]
    procedures = ["icd9|3009", "icd10|30233n1", "3009", "30233n1"]
    assert kept('patients with procedure concept "larynx"', "procedure", procedures) == ["icd9|3009", "3009"]


def test_a_preview_counts_each_member(mimic: Profile, read: Read) -> None:
    heart = Concept("heart", "diagnosis", (Member("icd9", "428.*"), Member("icd9", "401.9"), Member("icd9", "999.9")))
    assert [(one.member and one.member.text, one.rows, one.patients) for one in preview(heart, mimic, read, NOW)] == [
        (None, 6, 3),
        ("428.*", 4, 3),
        ("401.9", 2, 2),
        ("999.9", 0, 0),
    ]


def test_codes_that_a_database_lacks_count_nothing(mimic: Profile, read: Read) -> None:
    nowhere = Concept("n", "diagnosis", (Member("icd9", "999.9"),))
    assert preview(nowhere, mimic, read, NOW) == (
        Count("diagnosis", 0, 0),
        Count("diagnosis", 0, 0, Member("icd9", "999.9")),
    )
    assert preview(Concept("e", "diagnosis", ()), mimic, read, NOW) == ()


def test_logic_says_what_is_wrong_with_a_concept(library: Library, mimic: Profile, read: Read) -> None:
    with pytest.raises(LogicError, match="no concept “unheard of”") as unknown:
        asked('patients with diagnosis concept "unheard of"', library, mimic, read)
    assert unknown.value.position is not None
    with pytest.raises(LogicError, match="no members among records") as elsewhere:
        asked('patients with lab concept "sepsis"', library, mimic, read)
    assert "diagnosis concept" in elsewhere.value.next_step


def test_organisms_are_a_field_of_cultures(library: Library, mimic: Profile) -> None:
    [of] = sets_of(library.named("E coli")[0], mimic).values()
    assert of.unit == "culture"
    assert of.items == ()
    assert of.where is not None


def test_a_named_cohort_is_its_query_logic_wherever_patients_are_named(mimic: Profile, read: Read) -> None:
    ill = Concept("Heart failing", "cohort", (Member("logic", 'patients with diagnosis "chf nos"'),))
    treated = Concept("treated", "cohort", (Member("logic", 'patients concept "heart failing" with prescription'),))
    round_one = Concept("one", "cohort", (Member("logic", 'patients concept "other"'),))
    round_other = Concept("other", "cohort", (Member("logic", 'patients concept "one"'),))
    concepts = Library([shelf_of([ill, treated, round_one, round_other])])
    by_hand = asked('count of patients with diagnosis "chf nos" with prescription', concepts, mimic, read)
    assert asked('count of patients concept "HEART failing" with prescription', concepts, mimic, read) == by_hand
    assert asked('count of patients concept "treated"', concepts, mimic, read) == by_hand
    with pytest.raises(LogicError, match="made of itself"):
        asked('patients concept "one"', concepts, mimic, read)
    with pytest.raises(LogicError, match="no concept “nobody”"):
        asked('patients concept "nobody"', concepts, mimic, read)
