"""Concepts: what people call a family of things, and what of a database belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Kind: TypeAlias = Literal["diagnosis", "procedure", "drug", "lab", "vital", "organism", "cohort", "measure"]
"""What a concept is about: records of a kind, as a "cohort" patients or stays themselves; or as a "measure" a value of
each of them."""
Vocabulary: TypeAlias = Literal["icd9", "icd10", "ingredient", "name", "omop", "logic"]
"""How members are written. `icd9` and `icd10`: a code (428.0), a family (428.*) or a range (401-405) of the vocabulary
that goes with the concept's kind: of diagnoses ICD-9-CM and ICD-10-CM, of procedures ICD-9-CM volume 3 and ICD-10-PCS.
`ingredient`: what a drug holds, by any product. `name`: a stored name, `*` for anything. `omop`: the number of an OHDSI
concept, with `*` also of all that is below it; an imported vocabulary has their names. `logic`: the patients or stays
of a cohort, or what a measure is, as query logic."""
Comparison: TypeAlias = Literal["=", "!=", ">", ">=", "<", "<="]

KINDS: tuple[Kind, ...] = get_args(Kind)
VOCABULARIES: tuple[Vocabulary, ...] = get_args(Vocabulary)
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)


@dataclass(frozen=True, slots=True)
class Member:
    """What belongs to a concept, or with `excluded` does not although another member holds it."""

    vocabulary: Vocabulary
    text: str
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class Limit:
    """Only values that compare so with `value`; `unit` is the unit that it is given in."""

    relation: Comparison
    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Normal:
    """The usual range of an adult's value, in `unit`; None where there is no such limit. What a database itself flags
    as abnormal goes before it."""

    low: float | None
    high: float | None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """A named family of things of one kind. `synonyms` are other things that people say for it; `version` and `source`
    tell two of one name apart."""

    name: str
    kind: Kind
    members: tuple[Member, ...]
    synonyms: tuple[str, ...] = ()
    description: str = ""
    limit: Limit | None = None
    normal: Normal | None = None
    version: str = "1"
    source: str = ""

    def of(self, *vocabularies: Vocabulary) -> tuple[str, ...]:
        """The members that are written in these ways and not excluded."""
        return tuple(one.text for one in self.members if one.vocabulary in vocabularies and not one.excluded)

    def without(self, *vocabularies: Vocabulary) -> tuple[str, ...]:
        """The members that are excluded."""
        return tuple(one.text for one in self.members if one.vocabulary in vocabularies and one.excluded)
