"""The one patient whom a conversation is about, in the stay that goes on where it is about that: what is asked next of
records, with no word of whose, is of these."""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, Is, Of, Own, Set, Statement
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.subject import Subject, names_one
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, parts_of

_OF_WHOM = {"people", "patient", "by", "each", "count", "share"}
_NOW = Is(Own("end time"), "missing")
_MOST_WORDS = 10
_NEAR = 1.0
"""What a name costs at most that is meant for sure."""


def present_of_one(earlier: Mapping[int, Statement], latest: int) -> Subject | None:
    """The one patient, named by a number, whom the latest answer was about; None where it was of others too."""
    whole = alone_if_near(earlier[latest], earlier) or earlier[latest]
    sets = [node for node in walk(whole) if isinstance(node, Set)]
    people = {node for node in sets if node.unit == PATIENT and names_one(node)}
    if len(people) != 1:
        return None
    person = people.pop()
    stays = next((node for node in sets if node.unit in (HOSPITAL, ICU) and _NOW in parts_of(node.where)), None)
    if stays is None:
        return Subject(latest, person, person)
    return Subject(latest, Set(stays.unit, (), every([_NOW, Of(person)])), person)


def tells_records_alone(one: Lexed) -> bool:
    """True for a few words about records that do not say whose: "lowest potassium and when", "was the pulse ever above
    150?"."""
    named = [node for node in one.nodes if node.kind == "event" and "link" in node.why and node.cost < _NEAR]
    inside = [node for node in one.nodes if any(of.start <= node.start < node.end <= of.end for of in named)]
    kinds = {node.kind for node in one.nodes if node not in inside}  # "heart rate" asks for no rate
    words = [word for word in one.words if word[0].isalnum()]
    return bool(named) and kinds.isdisjoint(_OF_WHOM) and len(words) <= _MOST_WORDS
