"""Patients who are named by a number that is not told to be one, or not the one by which records know them: "when was
HH020440 last discharged", "MRN 313975"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ehrtui.logic.model import PatientId
from ehrtui.planning.offline.shorthand import Spelling

_CODE = re.compile(r"(?<![\w-])(?P<id>[a-z]{1,5}[-_]?\d{3,}[\d-]*)(?![\w-])", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:patients?|pts?|persons?|subjects?|id|no\.?|number|mrn)\W*$", re.IGNORECASE)


def bare_patients(question: str, is_patient: Callable[[str], bool]) -> list[Spelling]:
    """Such numbers in a question, each spelled out as that of a patient, as it is stored."""
    found = []
    for said in _CODE.finditer(question):
        if _NAMED.search(question[: said.start()]):
            continue
        known = next((id for id in (said["id"], said["id"].upper()) if is_patient(id)), None)
        if known is not None:
            found.append(Spelling(*said.span("id"), f"patient {known}"))
    return found


HOSPITAL_NUMBER = r"mrn|(?:hosp(?:ital)?|chart|medical\s+record|unit)\s+(?:no\.?|num(?:ber)?\.?)"
"""What the number is called by which a hospital knows somebody."""
_NUMBERED = re.compile(
    rf"\(?\b(?:{HOSPITAL_NUMBER}|patient|pt|person|subject)"
    r"\s*(?:id|no\.?|number)?\s*[:#=]?\s*(?P<id>[a-z]{0,5}-?\d{3,})\b(?!-)\)?",
    re.IGNORECASE,
)


def by_hospital_number(
    question: str, is_patient: Callable[[str], bool], known_by: Callable[[str], Sequence[PatientId]]
) -> list[Spelling]:
    """The numbers by which a hospital knows patients and records do not, each spelled out as that of the patient;
    `known_by` gives the identifiers of those who are known by a number."""
    found = []
    for said in _NUMBERED.finditer(question):
        if not is_patient(said["id"]) and len(known := known_by(said["id"])) == 1:
            found.append(Spelling(*said.span(), f"patient {known[0]}"))
    return found
