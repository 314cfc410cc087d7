"""How long each patient was in a place in all: "ICU days per patient", "how many nights did each woman over 60 spend in
the hospital", "mean number of days in hospital per patient". Of several stays of one patient the lengths are added."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, Aggregate, Has, Own, Rows, Set, Single, Statement
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.meanings import FUNCTIONS, length_of, limited
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.time_spent import asked_so
from ehrtui.planning.reader.world import World

_HOSPITAL, _ICU = r"hospital|inpatient|in-hospital", r"icu|itu|unit|intensive care(?: unit)?|critical care"
_UNIT = r"(?P<unit>days?|hours?|nights|time)"
_PLACE = rf"(?:the |our )?(?P<{{}}>{_HOSPITAL}|{_ICU})"
_SPENT = r"(?:spent |stayed |passed )?"
_ONE = r"(?:each |every |single |individual |the )*"
_PEOPLE = r"(?P<people>(?:patient|person|pt|man|woman|individual|subject)s?\b.*)"
_FUNCTION = r"(?:(?P<function>average|avg|mean|median|maximum|minimum|max|min) )?"
_ADDED = r"(?:(?:total|overall|cumulative|number of|amount of|sum of) )*"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_FUNCTION}(?P<added>{_ADDED}){_PLACE.format('before')} {_UNIT} {_SPENT}(?:per|by|of|for) {_ONE}{_PEOPLE}$",
        rf"{_FUNCTION}(?P<added>{_ADDED}){_UNIT} {_SPENT}(?:in|on|at) {_PLACE.format('place')} "
        rf"(?:per|by|of|for) {_ONE}{_PEOPLE}$",
        rf"(?P<added>total|overall|cumulative) length of {_PLACE.format('place')} stays? "
        rf"(?:per|by|of|for) {_ONE}{_PEOPLE}$",
        rf"how (?:many {_UNIT}|(?P<added>much time)) (?:did|does|has|have|do|was|were) "
        rf"(?:each|every)(?: of)?(?: the| our)? "
        rf"{_PEOPLE.replace('.*', '.*?')} (?:spend|spent|stay|stayed|been|lie|pass|in) (?:in |on |at )?"
        rf"{_PLACE.format('place')}(?: in total| altogether| overall| in all| for)?$",
    )
)
_UNITS = {"day": "day", "night": "day", "hour": "hour", "time": "day"}
_NAMES = {"avg": "mean", "average": "mean", "max": "maximum", "min": "minimum"}
_PLAIN = re.compile(r"(?:patient|person|pt|individual|subject)s?")
_SAVED = -0.6
"""What such a reading costs: the words can hardly mean anything else."""
ADDED = "days-added"
"""What a reading was paid for that adds up how long each patient was there."""


def days_of_each(text: Text, world: World, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question that asks how long each patient was in a place in all; `read` reads whom it names."""
    for said in asked_so(text, _FORMS):
        unit = ICU if re.fullmatch(_ICU, said.get("before") or said.get("place") or "") else HOSPITAL
        if not world.has_stays(unit) or (said.get("unit") == "time" and not (said.get("added") or "").strip()):
            return []
        whose = _whose(said["people"], read)
        if whose is None:
            return []
        people, found = whose
        length = length_of(_UNITS[(said.get("unit") or "time").removesuffix("s")])
        stays = world.admissions if unit == HOSPITAL else Set(ICU)
        statement = _asked(limited(people, Has(stays)), Aggregate("sum", stays, length), said.get("function") or "")
        return [replace(found, statement=statement, price=found.price + _SAVED, why=(*found.why, ADDED))]
    return []


def _whose(people: str, read: Callable[[Text], Sequence[Read]]) -> tuple[Set, Read] | None:
    """The patients that are named, with the reading of their names."""
    said = "patients" if _PLAIN.fullmatch(people) else re.sub(r"^(\S+?)s?\b", _in_plural, people)
    for one in read(words_read(f"which {said}"))[:1]:
        if isinstance(one.statement, Rows) and one.statement.of.unit == PATIENT and one.statement.of.pick is None:
            return one.statement.of, one
    return None


def _in_plural(word: re.Match[str]) -> str:
    return {"man": "men", "woman": "women", "person": "people"}.get(word[1], f"{word[1]}s")


def _asked(people: Set, days: Aggregate, function: str) -> Statement:
    """One number of each of them, or one over these."""
    if not function:
        return Rows(people, (Own("id"), days))
    return Single((Aggregate(FUNCTIONS[_NAMES.get(function, function)][0], people, days),))
