"""Concepts for other tools: OHDSI concept sets as JSON, HDR UK's phenotype tables, and plain tables that ehrtui reads
back as they were."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias, get_args

from ehrtui.concepts.model import Concept, Kind, Member

Format: TypeAlias = Literal["csv", "ohdsi", "hdruk"]
FORMATS: tuple[Format, ...] = get_args(Format)
_PLAIN = ("concept", "kind", "version", "vocabulary", "code", "excluded", "synonyms")
_HDRUK = ("phenotype_name", "phenotype_version_id", "coding_system", "code", "description")
_DOMAINS: dict[Kind, str] = {
    "diagnosis": "Condition",
    "procedure": "Procedure",
    "drug": "Drug",
    "lab": "Measurement",
    "vital": "Measurement",
    "organism": "Observation",
    "cohort": "Metadata",
    "measure": "Metadata",
}


def exported(concepts: Iterable[Concept], format: Format) -> str:
    """The concepts as text in a format. A limit, a range and a description are in none of them."""
    writers: dict[Format, Callable[[Iterable[Concept]], str]] = {"csv": _plain, "ohdsi": _ohdsi, "hdruk": _hdruk}
    return writers[format](concepts)


def _plain(concepts: Iterable[Concept]) -> str:
    return _table(
        _PLAIN,
        (
            (
                one.name,
                one.kind,
                one.version,
                _vocabulary(member, one.kind),
                member.text,
                _marked(member),
                "; ".join(one.synonyms),
            )
            for one in concepts
            for member in one.members
        ),
    )


def _hdruk(concepts: Iterable[Concept]) -> str:
    return _table(
        _HDRUK,
        (
            (one.name, one.version, _vocabulary(member, one.kind), member.text, "")
            for one in concepts
            for member in one.members
            if not member.excluded
        ),
    )


def _ohdsi(concepts: Iterable[Concept]) -> str:
    sets = [
        {"id": number, "name": one.name, "expression": {"items": [_item(member, one) for member in one.members]}}
        for number, one in enumerate(concepts)
    ]
    return json.dumps(sets[0] if len(sets) == 1 else sets, indent=2, ensure_ascii=False) + "\n"


def _item(member: Member, concept: Concept) -> dict[str, Any]:
    """An item as ATLAS has it; what is not known by its number has number 0, to be looked up by its code."""
    plain = member.text.removesuffix("*")
    number = int(plain) if member.vocabulary == "omop" and plain.isdigit() else 0
    named = member.vocabulary in ("name", "ingredient")
    bare = member.text.removesuffix("*").removesuffix(".")
    held = {
        "CONCEPT_ID": number,
        "CONCEPT_NAME": member.text if named else "",
        "CONCEPT_CODE": "" if named or number else bare,
        "VOCABULARY_ID": "RxNorm"
        if member.vocabulary == "ingredient"
        else ""
        if named or number
        else _ohdsi_name(member, concept.kind),
        "CONCEPT_CLASS_ID": "Ingredient" if member.vocabulary == "ingredient" else "",
        "DOMAIN_ID": _DOMAINS[concept.kind],
    }
    return {
        "concept": held,
        "isExcluded": member.excluded,
        "includeDescendants": not named and member.text.endswith("*"),
        "includeMapped": False,
    }


def _ohdsi_name(member: Member, kind: Kind) -> str:
    if member.vocabulary == "icd9":
        return "ICD9Proc" if kind == "procedure" else "ICD9CM"
    return "ICD10PCS" if kind == "procedure" else "ICD10CM"


def _vocabulary(member: Member, kind: Kind) -> str:
    return _ohdsi_name(member, kind) if member.vocabulary in ("icd9", "icd10") else member.vocabulary


def _marked(member: Member) -> str:
    return "1" if member.excluded else ""


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return out.getvalue()
