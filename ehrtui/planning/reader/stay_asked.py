"""Which stay a picked value was of, where that is asked: "which admission had the highest lactate"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, UNITS, Own, Rows, Set, Statement

_STAYS = {"admission", "stay", "visit", "encounter", "hospitalization", "hospitalisation"}
_ASKING = {"which", "what"}
_HAVING = {"with", "having"}
_PEOPLE = {"who", "whose", "patient", "patients", "person", "people"}


def of_the_stay_asked(statement: Statement, words: Sequence[str]) -> Statement:
    """The statement with the stay in the place of the patient who had a value, where the stay alone is asked for."""
    match statement:
        case Rows(of=Set(unit=unit, pick=pick), columns=(Own(field="patient"), *rest)) if (
            unit not in UNITS and pick is not None and pick.per == "all" and pick.by == Own("value")
        ):
            if _asks_for_stay(words):
                stay = ICU if "icu" in words else HOSPITAL
                return replace(statement, columns=(Own(stay), *rest))
    return statement


def _asks_for_stay(words: Sequence[str]) -> bool:
    if not _PEOPLE.isdisjoint(words):
        return False
    for at, word in enumerate(words):
        if word in _STAYS:
            asked = not _ASKING.isdisjoint(words[max(0, at - 2) : at])
            return asked or (at <= _OPENING and not _HAVING.isdisjoint(words[at + 1 : at + 2]))
    return False


_OPENING = 2
"""Words that may stand before the noun that opens a question: "the ICU stay with …"."""
