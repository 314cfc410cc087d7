"""What a guessed profile takes each table for, in words, for whoever looks it over."""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.schema.kinds import DEATH, DISCHARGE, PATIENT, kind_of
from ehrtui.schema.profile import GUESSED, Profile, Role, StayKind

_VIEWS = "SELECTs that stand for tables: patients with names and ages, records with numbers that were read from texts."


def notes_of(profile: Profile) -> Mapping[str, str]:
    """A note on each part of a guessed profile, by the name of its section; none for a profile that was written."""
    if profile.name != GUESSED or profile.patient is None:
        return {}
    notes = {"patient": f"Guess: {profile.patient.id} of {profile.patient.table} tells patients apart."}
    notes |= {"views": _VIEWS} if profile.views else {}
    notes |= {"sexes": "Guess: these are the stored words for women and men."} if profile.sexes else {}
    notes |= {f"stays.{name}": _of_stay(name, stay) for name, stay in profile.stays.items()}
    notes |= {f"roles.{name}": _of_role(name, role) for name, role in profile.roles.items()}
    return notes


def _of_stay(name: str, stay: StayKind) -> str:
    return f"Guess: {stay.id} of {stay.table} numbers {name} stays, which last from {stay.start} to {stay.end}."


def _of_role(name: str, role: Role) -> str:
    """What one row is, what names it, what its value is, and when it was."""
    if name in (PATIENT, DEATH, DISCHARGE):
        when = f", at {role.time}" if role.time else ""
        return f"Guess: {role.table} tells of {name}s{when}." + (
            f" Only rows where {role.where}." if role.where else ""
        )
    parts = [f"Guess: a row of {role.table} is {kind_of(name).in_words}"]
    if role.dictionary is not None:
        parts.append(f"{role.item} says which, and {role.dictionary.table} names it")
    elif role.item:
        parts.append(f"{role.item} names it")
    parts += [f"{role.value} is its value"] if role.value else []
    parts += [f"it was at {role.time}" + (f" and lasted until {role.end}" if role.end else "")] if role.time else []
    parts += [f"{role.key} says in which stay"] if role.key and role.key != role.row else []
    return "; ".join(parts) + "." + (f" Only rows where {role.where}." if role.where else "")
