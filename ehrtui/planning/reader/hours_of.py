"""How much time of something there was: "median hours of invasive ventilation per ICU stay", "vasopressor days per
patient", "total minutes of dialysis". What is asked for is how long its records lasted, added up for each stay or
patient where that is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, UNITS, Aggregate, Has, Interval, Set, Single
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.meanings import FUNCTIONS
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.time_spent import asked_so
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of

_UNIT = r"(?P<unit>hours?|days?|minutes?)"
_FUNCTION = (
    r"(?:(?:the )?(?P<function>average|mean|median|maximum|minimum|max|min|total)(?: total| number of)*(?: of)? )?"
)
_WHOSE = (
    r"(?:,? (?:per|for each|for every|by|in each) "
    r"(?P<whose>icu stay|unit stay|icu admission|hospital stay|stay|hospitali[sz]ation|admission|patient|person))"
)
_ON_AVERAGE = r"(?P<mean>,? on average)?"
_NAME = r"(?P<name>(?:(?!\b(?:per|each|every|icu|unit|hospital|stay|patients?)\b)[^,;:?])+?)"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_FUNCTION}{_UNIT} (?:of|on|under) {_NAME}{_WHOSE}{_ON_AVERAGE}$",
        rf"{_FUNCTION}{_NAME}[ -]{_UNIT}{_WHOSE}{_ON_AVERAGE}$",
        rf"(?:the )?(?P<function>average|mean|median|maximum|minimum|max|min|total)(?: number of)? {_UNIT} "
        rf"(?:of|on|under) {_NAME}$",
    )
)
_NAMES = {"average": "mean", "max": "maximum", "min": "minimum", "total": "sum"}
_SAVED = -0.6
_OF_ORDERS = 0.1
"""What it costs that orders of drugs are added up, of which two may run at once."""
_DEAREST = 2.6
HOURS = "hours-of"
"""What a reading was paid for that adds up how long records lasted."""


def hours_of(text: Text, world: World, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question that asks how much time of something there was; `read` reads how long it lasted."""
    for said in asked_so(text, _FORMS):
        function = said.get("function") or ("mean" if said.get("mean") else "")
        unit = said["unit"].rstrip("s")
        for one in read(words_read(f"average duration of {said['name']} in {unit}s"))[:1]:
            lasted = one.statement.columns[0] if isinstance(one.statement, Single) else None
            if one.price > _DEAREST or not isinstance(lasted, Aggregate) or not isinstance(lasted.measure, Interval):
                return []
            made = _made(lasted, said.get("whose") or "", function, world)
            if made is None:
                return []
            orders = kind_of(lasted.of.unit.replace(" ", "_")).dosed if isinstance(lasted.of, Set) else False
            price = one.price + (_OF_ORDERS if orders else _SAVED)
            return [replace(one, statement=made, price=price, why=(*one.why, HOURS))]
    return []


def _made(lasted: Aggregate, whose: str, function: str, world: World) -> Single | None:
    """One number over what the records add up to for each stay or patient, or over each record."""
    if not isinstance(lasted.of, Set) or lasted.of.unit in UNITS:
        return None
    number = FUNCTIONS[_NAMES.get(function, function or "mean")][0]
    if not whose:
        return Single((replace(lasted, function=number),))
    of_icu = "icu" in whose or "unit" in whose or (world.icu_based and whose == "stay")
    unit = PATIENT if whose in ("patient", "person") else ICU if of_icu else HOSPITAL
    if unit != PATIENT and not world.has_stays(unit):
        return None
    return Single((Aggregate(number, Set(unit, (), Has(lasted.of)), replace(lasted, function="sum")),))
