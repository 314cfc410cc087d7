"""Figures of stays by what is coded of them: "mortality by diagnosis", "average length of stay per procedure", "which
diagnosis has the highest mortality?". They are taken over the records, by their names."""

from __future__ import annotations

import re

from ehrtui.logic.algebra.model import (
    Aggregate,
    Condition,
    Function,
    Groups,
    Interval,
    Measure,
    Order,
    Own,
    Set,
    Test,
    Value,
)
from ehrtui.planning.offline.words import Text
from ehrtui.planning.reader.lexicon import phrases, tokens
from ehrtui.planning.reader.meanings import unit_of
from ehrtui.planning.reader.numbers import number
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of

_FIGURE = (
    r"(?:the )?(?:in-hospital |hospital )?(?P<mortality>mortality(?: rates?)?|death rates?)"
    r"|(?:the )?(?:(?P<function>average|avg|mean|median) )"
    r"(?:(?:hospital )?(?P<length>length of stay|los|stay)|(?P<age>age))"
)
_BY = re.compile(
    rf"^\W*(?:what (?:is|was|are) |show (?:me )?|give me |list )?(?:{_FIGURE}) (?:by|per|for each|of each|for every) "
    r"(?P<noun>[a-z ]{3,30}?)(?:\s*[,;:(–-]\s*(?P<end>top|highest|lowest|bottom) (?P<count>\w+)\)?)?[\s?.!]*$"
)
_MOST = re.compile(
    r"^\W*(?:which|what) (?P<noun>[a-z ]{3,30}?) (?:has|have|had) (?:the )?(?P<end>highest|lowest|longest|shortest) "
    r"(?:(?:in-hospital |hospital )?(?P<mortality>mortality(?: rate)?|death rate)"
    r"|(?:(?P<function>average|avg|mean|median) )?(?:hospital )?(?P<length>length of stay|los|stays?)"
    r"|(?P<age>average age))[\s?.!]*$"
)
_COST = 0.5
"""What it costs that a stay counts for each of its codes."""


def figures_by_name(said: Text, world: World) -> list[Read]:
    """The reading of such a question, where the records that are named belong to stays."""
    lower = said.lower
    found = _BY.match(lower) or _MOST.match(lower)
    role = _role(found["noun"], world) if found is not None else ""
    if found is None or not role:
        return []
    function: Function = "median" if found["function"] == "median" else "mean"
    measure: Measure | Condition = Own("age")
    if found["mortality"]:
        function, measure = "percent", Test(Own("hospital death"), "=", Value(1))
    elif found["length"]:
        measure = Interval("day", Own("admission time"), Own("discharge time"))
    figure = Aggregate(function, None, measure)
    named = found.groupdict()
    count = number(named["count"]) if named.get("count") else 1.0 if found.re is _MOST else None
    first = int(count) if count is not None and count == int(count) and count >= 1 else None
    highest = named["end"] not in ("lowest", "bottom", "shortest")
    order = Order(figure, highest, first, ties=first is not None)
    return [Read(Groups(Set(unit_of(role)), (Own("name"),), (figure,), order=order), _COST, ("by-name",), (), (), ())]


def _role(noun: str, world: World) -> str:
    """The kind of records that is called so, of which a stay has each once; "" where none is."""
    words = tuple(tokens(noun))
    senses = (*phrases().senses.get(words, ()), *world.own.senses.get(words, ()))
    roles = (one.which for one in senses if one.kind == "role" and world.has(one.which))
    return next((one for one in roles if kind_of(one).coded and world.profile.role(one).key), "")
