"""An Athena export: read to its end or from where it stopped, and looked up."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.vocabulary import write_export, written
from ehrtui.concepts import athena
from ehrtui.concepts.athena import load
from ehrtui.concepts.expansion import expanded
from ehrtui.concepts.linking import link
from ehrtui.concepts.model import Concept, Member
from ehrtui.concepts.retrieval import reason_of
from ehrtui.concepts.store import KeptLibrary
from ehrtui.concepts.vocabulary import Vocabulary
from ehrtui.errors import Cancelled, ConceptError
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_file import index_of
from ehrtui.schema.value_index import Entry

CONCEPTS = (
    "concept_id\tconcept_name\tdomain_id\tvocabulary_id\tconcept_class_id\tstandard_concept\tconcept_code\n"
    "1\tpiperacillin\tDrug\tRxNorm\tIngredient\tS\t8339\n"
    "2\ttazobactam\tDrug\tRxNorm\tIngredient\tS\t37617\n"
    "3\tZosyn\tDrug\tRxNorm\tBrand Name\t\t74170\n"
    "4\tpiperacillin / tazobactam [Zosyn]\tDrug\tRxNorm\tBranded Drug\tS\t1\n"
    "5\tpiperacillin / tazobactam\tDrug\tRxNorm\tClinical Drug\tS\t2\n"
)
RELATED = "concept_id_1\tconcept_id_2\trelationship_id\n3\t4\tBrand name of\n4\t5\tTradename of\n4\t3\tHas brand name\n"
ABOVE = "ancestor_concept_id\tdescendant_concept_id\n1\t5\n2\t5\n1\t4\n2\t4\n5\t5\n"
SYNONYMS = "concept_id\tconcept_synonym_name\n1\tpip\n"


def export(folder: Path, concepts: str = CONCEPTS) -> Path:
    for name, text in (
        ("CONCEPT", concepts),
        ("CONCEPT_RELATIONSHIP", RELATED),
        ("CONCEPT_ANCESTOR", ABOVE),
        ("CONCEPT_SYNONYM", SYNONYMS),
    ):
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def vocabulary(tmp_path: Path) -> Iterator[Vocabulary]:
    load(export(tmp_path), tmp_path / "vocabulary.db")
    with closing(Vocabulary(tmp_path / "vocabulary.db")) as opened:
        yield opened


@pytest.mark.parametrize("said", ["Zosyn", "zosyn 3.375 g IV", "ZOSYN®", "Zosin", "piperacillin / tazobactam"])
def test_a_brand_leads_to_its_ingredients_however_it_is_written(vocabulary: Vocabulary, said: str) -> None:
    assert [term.name for term in vocabulary.ingredients(said)] == ["piperacillin", "tazobactam"]


def test_words_lead_up_down_and_back(vocabulary: Vocabulary) -> None:
    assert [term.id for term in vocabulary.named("PIP")] == [1]
    assert [term.id for term in vocabulary.search("tazo")] == [2, 5, 4]
    assert [term.id for term in vocabulary.search("piperacillin", 1)] == [1]
    assert vocabulary.synonyms(1) == ("piperacillin", "pip")
    assert [term.id for term in vocabulary.descendants(1)] == [4, 5]
    assert [term.id for term in vocabulary.ancestors(4)] == [1, 2]
    assert [term.name for term in vocabulary.brands(1)] == ["Zosyn"]
    assert vocabulary.ingredients("unheard of") == ()
    assert vocabulary.search("?!") == ()


def test_a_concept_grows_by_what_is_below_and_by_brands(vocabulary: Vocabulary) -> None:
    concept = Concept("p", "drug", (Member("omop", "1*"), Member("omop", "2"), Member("ingredient", "tazobactam")))
    names = expanded(concept, vocabulary).of("name")
    assert names == (
        "piperacillin",
        "piperacillin / tazobactam [Zosyn]",
        "piperacillin / tazobactam",
        "tazobactam",
        "Zosyn*",
    )
    unknown = Concept("u", "drug", (Member("omop", "99*"), Member("ingredient", "unheard of")))
    assert expanded(unknown, vocabulary) == unknown


def test_malformed_lines_are_named_and_the_rest_is_taken(tmp_path: Path) -> None:
    broken = CONCEPTS + "six\tx\tDrug\tRxNorm\tIngredient\tS\t1\n7\tshort\n8\tgood\tDrug\tRxNorm\tIngredient\tS\t1\n"
    loaded = load(export(tmp_path, broken), tmp_path / "vocabulary.db")
    assert [(one.file, one.line) for one in loaded.malformed] == [("CONCEPT.csv", 7), ("CONCEPT.csv", 8)]
    assert loaded.left_out == 2
    with closing(Vocabulary(tmp_path / "vocabulary.db")) as vocabulary:
        assert vocabulary.named("good")


def test_a_stopped_import_is_not_used_and_goes_on_where_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(athena, "_BATCH", 2)
    target = tmp_path / "vocabulary.db"
    asked: list[None] = []

    def stopped() -> bool:
        asked.append(None)
        return len(asked) > 2

    with pytest.raises(Cancelled):
        load(export(tmp_path), target, stopped=stopped)
    with pytest.raises(ConceptError, match="not imported to its end"):
        Vocabulary(target)
    loaded = load(tmp_path, target)
    assert loaded.resumed
    assert loaded.rows["CONCEPT.csv"] == 5
    with closing(Vocabulary(target)) as vocabulary:
        assert vocabulary.synonyms(1) == ("piperacillin", "pip")
        assert len(vocabulary.named("zosyn")) == 1


def test_other_files_are_read_anew(tmp_path: Path) -> None:
    target = tmp_path / "vocabulary.db"
    load(export(tmp_path), target)
    assert load(tmp_path, target).resumed
    loaded = load(export(tmp_path, CONCEPTS + "9\tnew\tDrug\tRxNorm\tIngredient\tS\t1\n"), target)
    assert not loaded.resumed
    with closing(Vocabulary(target)) as vocabulary:
        assert vocabulary.named("new")
        assert len(vocabulary.named("pip")) == 1


def test_what_is_no_export_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConceptError, match="no export"):
        load(tmp_path, tmp_path / "vocabulary.db")
    (tmp_path / "CONCEPT.csv").write_text("a,b\n")
    with pytest.raises(ConceptError, match="no column concept_id"):
        load(tmp_path, tmp_path / "vocabulary.db")
    (tmp_path / "other.db").write_bytes(b"no database" * 100)
    with pytest.raises(ConceptError, match="cannot be written"):
        load(export(tmp_path), tmp_path / "other.db")
    with pytest.raises(ConceptError, match="No vocabulary"):
        Vocabulary(tmp_path / "nowhere.db")


def test_made_up_brands_lead_to_their_ingredients(tmp_path: Path) -> None:
    gold = write_export(tmp_path, rows=30_000)
    load(tmp_path, tmp_path / "vocabulary.db")
    chance = random.Random(3)
    right = told = meant = 0
    with closing(Vocabulary(tmp_path / "vocabulary.db")) as vocabulary:
        for number, brand in enumerate(chance.sample(sorted(gold), 100)):
            found = {term.name for term in vocabulary.ingredients(written(brand, number, chance))}
            right, told, meant = right + len(found & gold[brand]), told + len(found), meant + len(gold[brand])
    assert 2 * right / (told + meant) >= 0.95


HERE = (
    Entry("prescription", "Furosemide", "furosemide", rows=9),
    Entry("prescription", "Amlodipine-Benazepril", "amlodipine-benazepril", rows=2),
    Entry("prescription", "Amlodipine", "amlodipine", rows=5),
    Entry("diagnosis", "Heart failure, unspecified", "heart failure, unspecified", code="428.9", rows=4),
)
MORE = (
    "10\tfurosemide\tDrug\tRxNorm\tIngredient\tS\t1\n"
    "11\tZorbavex\tDrug\tRxNorm\tBrand Name\t\t2\n"
    "12\tfurosemide 40 MG [Zorbavex]\tDrug\tRxNorm\tBranded Drug\tS\t3\n"
    "13\tamlodipine\tDrug\tRxNorm\tIngredient\tS\t4\n"
    "14\tbenazepril\tDrug\tRxNorm\tIngredient\tS\t5\n"
    "15\tMixopril\tDrug\tRxNorm\tBrand Name\t\t6\n"
    "16\tamlodipine / benazepril [Mixopril]\tDrug\tRxNorm\tBranded Drug\tS\t7\n"
    "17\tHeart failure\tCondition\tSNOMED\tDisorder\tS\t8\n"
)
LED = (
    "11\t12\tBrand name of\n12\t10\tRxNorm has ing\n"
    "15\t16\tBrand name of\n16\t13\tRxNorm has ing\n16\t14\tRxNorm has ing\n"
)


def more(folder: Path) -> Path:
    export(folder, CONCEPTS + MORE)
    (folder / "CONCEPT_RELATIONSHIP.csv").write_text(RELATED + LED, encoding="utf-8")
    (folder / "CONCEPT_SYNONYM.csv").write_text(SYNONYMS + "17\tpumposis\n17\tfurosemide heart\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("said", "name", "reason"),
    [
        ("zorbavex", "Furosemide", "as a brand of “furosemide”"),
        ("Mixopril", "Amlodipine-Benazepril", "as a brand of “amlodipine and benazepril”"),
        ("pumposis", "heart failure", "as a concept, through “heart failure”"),
        ("furosemide heart", "heart failure", "as a concept, through “heart failure”"),
    ],
)
def test_questions_are_linked_by_the_names_of_the_vocabulary(
    mimic: Profile, tmp_path: Path, said: str, name: str, reason: str
) -> None:
    kept = KeptLibrary(tmp_path / "concepts.db", tmp_path, tmp_path / "vocabulary.db")
    index, text = index_of(HERE), f"how many had {said}?"
    assert said not in [text[one.start : one.end] for one in link(text, index, mimic, kept())]
    load(more(tmp_path), tmp_path / "vocabulary.db")
    (mention,) = [one for one in link(text, index, mimic, kept()) if text[one.start : one.end] == said]
    assert [item.text for item in mention.candidates[0].items] == [name]
    assert reason_of(mention.candidates[0]) == reason


def test_a_vocabulary_that_is_half_read_is_not_used(mimic: Profile, tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        load(more(tmp_path), tmp_path / "vocabulary.db", stopped=lambda: True)
    kept = KeptLibrary(tmp_path / "concepts.db", tmp_path, tmp_path / "vocabulary.db")
    assert kept().vocabulary is None
    assert link("given zorbavex", index_of(HERE), mimic, kept()) == ()
