"""Patients who are named by their number alone where it has letters: "when was HH020440 last discharged"."""

from __future__ import annotations

import re
from collections.abc import Callable

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
