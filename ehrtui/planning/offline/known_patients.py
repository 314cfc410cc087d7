"""Whether the patients and the stays that a question names are in the database."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ehrtui.logic.model import PatientId
from ehrtui.logic.steps import literal, select
from ehrtui.planning.offline.parts import patient_ids
from ehrtui.planning.proposal import Proposal, Refusal
from ehrtui.schema.kinds import HOSPITAL_NUMBER, PATIENT
from ehrtui.schema.profile import Profile

_STAY = re.compile(
    r"\b(?:hadm(?:_id)?|hospital\s+(?:stay|admission|visit)|admission|icustay(?:_id)?|icu\s+stay|unit\s+stay|stay(?:_id)?"
    r"|encounter|visit|hospitali[sz]ation)\s*(?:ids?|numbers?|no\.?|\#)?\s*[:=]?\s*(\d{5,})\b(?!-\d)"
)
_ANOTHER = "other"
"""What "the mother of patient 2" names besides patient 2: somebody without a number."""
Read = Callable[[str], list[tuple[Any, ...]]]


def named_patients(proposal: Proposal, profile: Profile) -> tuple[PatientId, ...]:
    """The identifiers of patients in the question."""
    links = [link for link in proposal.links if link.kind == "patient" and link.value != _ANOTHER]
    typed = [id for link in links for id in link.value.split(", ")]
    return patient_ids(profile, typed)


def is_patient(profile: Profile, read: Read, id: PatientId) -> bool:
    """True where the database has such a patient; `read` runs one SELECT."""
    table = profile.patient
    if table is None:
        return True
    return bool(read(select("1", profile.relation(table.table), [f"{table.id} = {literal(id)}"]) + "\nLIMIT 1"))


def known_by_number(profile: Profile, read: Read, number: str) -> tuple[PatientId, ...]:
    """The identifiers of the patients whom the hospital knows by a number, which records do not."""
    fields = profile.roles[PATIENT].fields if PATIENT in profile.roles else {}
    if profile.patient is None or HOSPITAL_NUMBER not in fields:
        return ()
    relation = profile.relation(profile.patient.table)
    told = f"upper(CAST({fields[HOSPITAL_NUMBER]} AS TEXT)) = {literal(number.upper())}"
    return tuple(id for (id,) in read(select(profile.patient.id, relation, [told]) + "\nLIMIT 2"))


def unknown(ids: Sequence[PatientId]) -> Refusal:
    """What is said of patients who are not there."""
    said = " and no patient ".join(map(str, ids))
    return Refusal("concept", f"There is no patient {said} in this database.", tuple(map(str, ids)))


def named_stays(lower: str) -> tuple[str, ...]:
    """The identifiers of stays in a question, in lower case."""
    return tuple(dict.fromkeys(_STAY.findall(lower)))


def is_stay(profile: Profile, read: Read, id: str) -> bool:
    """True where the database has such a stay, of any kind; `read` runs one SELECT."""
    return not profile.stays or bool(kinds_of_stay(profile, read, id))


def kinds_of_stay(profile: Profile, read: Read, id: str) -> tuple[str, ...]:
    """The kinds of stays of which the database has one with an identifier; `read` runs one SELECT."""
    return tuple(
        kind
        for kind, stay in profile.stays.items()
        if read(select("1", profile.relation(stay.table), [f"{stay.id} = {literal(id)}"]) + "\nLIMIT 1")
    )


def unknown_stays(ids: Sequence[str]) -> Refusal:
    """What is said of stays that are not there."""
    said = " and no stay ".join(ids)
    return Refusal("concept", f"There is no stay {said} in this database.", tuple(ids))
