"""Concepts from the files of other tools and for them; what cannot be read is said, and the rest is taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.concepts.exporting import FORMATS, exported
from ehrtui.concepts.importing import Imported, of_concepts, of_values, read_concepts
from ehrtui.concepts.model import Concept, Member
from ehrtui.errors import ConceptError


def item(vocabulary: str, code: str, **flags: bool) -> dict[str, Any]:
    return {"concept": {"CONCEPT_CODE": code, "VOCABULARY_ID": vocabulary, "DOMAIN_ID": "Condition"}, **flags}


SNOMED = {"CONCEPT_ID": 201826, "CONCEPT_NAME": "Type 2 diabetes mellitus", "VOCABULARY_ID": "SNOMED"}
OHDSI: dict[str, Any] = {
    "id": 1,
    "name": "Diabetes",
    "expression": {
        "items": [
            {"concept": {**SNOMED, "DOMAIN_ID": "Condition"}, "includeDescendants": True},
            item("ICD10CM", "E11", includeDescendants=True),
            item("ICD10CM", "E11.65", isExcluded=True),
            {"concept": "no concept"},
            item("ICD9CM", "what is this?"),
        ]
    },
}
MEMBERS = (
    Member("omop", "201826*"),
    Member("name", "Type 2 diabetes mellitus"),
    Member("icd10", "E11*"),
    Member("icd10", "E11.65", excluded=True),
)


def imported(tmp_path: Path, text: str, name: str = "file.csv", known: tuple[Concept, ...] = ()) -> Imported:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_concepts(path, known=lambda said: [one for one in known if one.name == said])


def test_an_ohdsi_concept_set_is_taken_but_for_items_that_are_none(tmp_path: Path) -> None:
    found = imported(tmp_path, json.dumps(OHDSI))
    assert [(one.name, one.kind, one.members) for one in found.concepts] == [("Diabetes", "diagnosis", MEMBERS)]
    assert [one.line for one in found.problems] == [4, 5]


def test_an_atlas_cohort_gives_each_of_its_sets(tmp_path: Path) -> None:
    drug = {"concept": {"CONCEPT_ID": 1, "CONCEPT_NAME": "Metformin", "VOCABULARY_ID": "RxNorm", "DOMAIN_ID": "Drug",
                        "CONCEPT_CLASS_ID": "Ingredient"}}  # fmt: skip
    sets = [OHDSI, {"id": 2, "name": "Metformin", "expression": {"items": [drug]}}]
    for cohort in (
        {"ConceptSets": sets, "PrimaryCriteria": {}},
        {"name": "c", "expression": json.dumps({"ConceptSets": sets})},
    ):
        found = imported(tmp_path, json.dumps(cohort), "cohort.json")
        assert [one.name for one in found.concepts] == ["Diabetes", "Metformin"]
        assert found.concepts[1].kind == "drug"
        assert Member("ingredient", "metformin") in found.concepts[1].members


def test_two_sets_of_one_name_are_versions(tmp_path: Path) -> None:
    found = imported(tmp_path, json.dumps([OHDSI, OHDSI]))
    assert [(one.name, one.version) for one in found.concepts] == [("Diabetes", "1"), ("Diabetes", "2")]


def test_a_phenotype_of_hdr_uk_is_read(tmp_path: Path) -> None:
    text = (
        "code,description,coding_system,concept_name,phenotype_id,phenotype_version_id,phenotype_name\n"
        "I21,Acute MI,ICD10 codes,MI secondary care,PH1,2,Myocardial infarction\n"
        "323..,Old MI,Read codes v2,MI primary care,PH1,2,Myocardial infarction\n"
    )
    [concept] = imported(tmp_path, text).concepts
    assert (concept.name, concept.version, concept.kind) == ("Myocardial infarction", "2", "diagnosis")
    assert concept.members == (Member("icd10", "I21"), Member("name", "Old MI"))


def test_a_malformed_line_is_named_and_the_rest_is_taken(tmp_path: Path) -> None:
    rows = ("a,diagnosis,ICD9CM,428.0", "a,diagnosis", "a,diagnosis,ICD9CM,?", "a,diagnosis,ICD10CM,I50.*")
    text = "\n".join(("concept,kind,vocabulary,code", *rows))
    found = imported(tmp_path, text)
    assert found.concepts[0].members == (Member("icd9", "428.0"), Member("icd10", "I50.*"))
    assert [one.line for one in found.problems] == [3, 4]


def test_a_concept_may_be_part_of_another_but_not_of_itself(tmp_path: Path) -> None:
    shock = Concept("shock", "diagnosis", (Member("icd9", "785.5*"),))
    rows = ("bad,diagnosis,concept,shock", "bad,,ICD9CM,038.9", "x,diagnosis,concept,y", "y,diagnosis,concept,x")
    text = "\n".join(("concept,kind,vocabulary,code", *rows, "z,,concept,nowhere"))
    found = imported(tmp_path, text, known=(shock,))
    assert set(found.concepts[0].members) == {Member("icd9", "785.5*"), Member("icd9", "038.9")}
    whys = " ".join(one.why for one in found.problems)
    assert "“x” is part of itself" in whys
    assert "there is no concept “nowhere”" in whys


def test_a_concept_without_codes_is_taken_and_said(tmp_path: Path) -> None:
    found = imported(tmp_path, json.dumps({"name": "nothing", "expression": {"items": []}}))
    assert found.concepts == ()
    assert any("nothing" in one.why for one in found.problems)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"a": 1}', "a,b\n1,2\n", "null", "\ufeff"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConceptError, match="file"):
        imported(tmp_path, text)


@given(st.text(max_size=300))
def test_any_table_is_read_or_refused(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.csv"
        path.write_text("concept,vocabulary,code\n" + text, encoding="utf-8", errors="replace")
        assert isinstance(read_concepts(path), Imported)


def test_a_plain_table_reads_back_as_it_was(tmp_path: Path) -> None:
    members = (Member("icd9", "39.95"), Member("icd10", "5A1D*", excluded=True), Member("name", "*dialysis*"))
    whole = Concept("a, “b”", "procedure", members, ("c", "d"))
    [back] = imported(tmp_path, exported([whole], "csv")).concepts
    assert (back.name, back.kind, back.members, back.synonyms) == (
        whole.name,
        whole.kind,
        whole.members,
        whole.synonyms,
    )


def test_what_ohdsi_gave_it_gets_back(tmp_path: Path) -> None:
    [concept] = imported(tmp_path, json.dumps(OHDSI)).concepts
    [back] = imported(tmp_path, exported([concept], "ohdsi")).concepts
    assert set(back.members) == set(concept.members)


def test_every_format_has_text_for_every_concept() -> None:
    for format in FORMATS:
        assert "E11" in exported([Concept("x", "diagnosis", MEMBERS)], format)


def test_a_column_of_an_answer_makes_a_concept() -> None:
    made = of_values("mine", "diagnosis", "icd9", ["4280", "4280", " 401.9 ", None, ""])
    assert made.members == (Member("icd9", "4280"), Member("icd9", "401.9"))
    with pytest.raises(ValueError, match="is no code"):
        of_values("mine", "diagnosis", "icd9", ["a sentence"])


def test_concepts_of_one_kind_make_one() -> None:
    one, other = Concept("a", "drug", (Member("ingredient", "x"),)), Concept("b", "drug", (Member("ingredient", "y"),))
    assert of_concepts("c", [one, other, one]).members == (*one.members, *other.members)
    with pytest.raises(ValueError, match="several kinds"):
        of_concepts("c", [one, Concept("d", "diagnosis", ())])
