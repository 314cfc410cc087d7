"""Vocabularies as other tools call them, and what a code of each is as a member of a concept."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ehrtui.concepts.model import Kind, Member, Vocabulary

_DOMAINS: dict[str, Kind] = {
    "condition": "diagnosis",
    "observation": "diagnosis",
    "procedure": "procedure",
    "device": "procedure",
    "drug": "drug",
    "measurement": "lab",
}
_CODED: dict[str, tuple[Vocabulary, Kind]] = {
    "icd9": ("icd9", "diagnosis"),
    "icd9cm": ("icd9", "diagnosis"),
    "icd9proc": ("icd9", "procedure"),
    "icd9pcs": ("icd9", "procedure"),
    "icd10": ("icd10", "diagnosis"),
    "icd10cm": ("icd10", "diagnosis"),
    "icd10pcs": ("icd10", "procedure"),
}
_NAMED: dict[str, tuple[Vocabulary, Kind]] = {
    "name": ("name", "diagnosis"),
    "ingredient": ("ingredient", "drug"),
    "omop": ("omop", "diagnosis"),
}
_CODE = re.compile(r"(?=.*\d)[A-Za-z\d][\w.]*(\.?\*)?|[A-Za-z]?\d+-[A-Za-z]?\d+")
LONGEST = 500
"""Characters of a member or a name: longer ones are none."""


@dataclass(frozen=True)
class Coded:
    """A row of another tool: a code of a vocabulary, and what it is called."""

    vocabulary: str
    code: str = ""
    name: str = ""
    domain: str = ""
    concept_class: str = ""
    number: int = 0
    descendants: bool = False
    excluded: bool = False


def kind_of(row: Coded) -> Kind | None:
    """The kind of concept that a row is a member of, where its domain or its vocabulary tells."""
    if (kind := _DOMAINS.get(row.domain.lower())) is not None:
        return kind
    known = {
        **_CODED,
        **_NAMED,
        "rxnorm": ("ingredient", "drug"),
        "atc": ("ingredient", "drug"),
        "loinc": ("name", "lab"),
    }
    found = known.get(_plain(row.vocabulary))
    return found[1] if found else None


def members_of(row: Coded) -> tuple[Member, ...]:
    """What a row is as members. Raises ValueError, with the reason, for one that can be none."""
    plain = _plain(row.vocabulary)
    if max(len(row.code), len(row.name)) > LONGEST:
        raise ValueError(f"a text of more than {LONGEST} characters")
    found = [Member("omop", f"{row.number}{'*' * row.descendants}", row.excluded)] if row.number else []
    if plain in _CODED:
        found.append(Member(_CODED[plain][0], _family(row), row.excluded))
    elif plain in _NAMED:
        if not row.code:
            raise ValueError("no code and no name")
        found.append(Member(_NAMED[plain][0], row.code, row.excluded))
    elif plain.startswith("rxnorm") and row.concept_class.lower() in ("", "ingredient") and row.name:
        found.append(Member("ingredient", row.name.lower(), row.excluded))
    elif row.name:
        found.append(Member("name", row.name, row.excluded))
    elif not found:
        raise ValueError(f"codes of “{row.vocabulary[:40]}” are known by their names only, and this one has none")
    return tuple(found)


def _family(row: Coded) -> str:
    code = row.code.strip()
    if not _CODE.fullmatch(code):
        raise ValueError(f"“{code[:40]}” is no code" if code else "no code")
    if row.descendants and not code.endswith("*") and "-" not in code:
        return f"{code}*"
    return code


def _plain(vocabulary: str) -> str:
    """A vocabulary without what is written around it: "ICD-10 codes" is icd10."""
    return re.sub(r"codes?$|[^a-z0-9]", "", vocabulary.lower().strip().removesuffix("codes"))
