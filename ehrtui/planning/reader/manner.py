"""In what way, and where: "how was heparin given", "how did she come to the hospital", "where was he born"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import Wanted
from ehrtui.planning.reader.world import World

_BEING = {"is", "are", "was", "were", "did", "does", "do", "has", "have"}
_GIVING = {"given", "administered", "give", "gave", "taken", "take", "took", "get", "got", "receive", "received"}
"""Verbs of a drug on its way into a patient."""
_ADMITTED = {"admitted", "hospitalized", "hospitalised"}
_COMING = {"come", "came", "arrive", "arrived", "visit", "visited", "enter", "entered", "get"}
_PLACE = {"hospital", "icu", "unit"}
_SAID = PLACE_ASKED = -0.4
_REACH = 5
"""Words: how far behind a verb of motion the place may stand."""


def find_manner(words: Sequence[str], world: World) -> Iterator[Node]:
    """The attributes that "how" asks for in such questions, as nodes over "how" and its verb."""
    for at in range(len(words) - 1):
        if words[at] != "how" or words[at + 1] not in _BEING:
            continue
        fields = _HOW_ADMITTED if admitted_how(words[at:]) else ("route",) if _GIVING & set(words[at + 2 :]) else ()
        if known := tuple(filter(world.knows, fields)):
            yield Node("field", Wanted(known), at, at + 2, _SAID)


_HOW_ADMITTED = ("admission type", "admission location")


def admitted_how(words: Sequence[str]) -> bool:
    """True where "how" asks in what way somebody was admitted, and not when."""
    if words[:1] != ("how",) or (words[1:2] and words[1] not in _BEING):
        return False
    for at, word in enumerate(words):
        if word in _ADMITTED or (word in _COMING and _PLACE & set(words[at + 1 : at + _REACH])):
            return True
    return False


_WHERE = {"born": ("birthplace",), "live": ("address", "city"), "lives": ("address", "city")}
"""Verbs of people that "where" may ask of, with what tells the place, the likeliest first."""


def find_whereabouts(words: Sequence[str], world: World) -> Iterator[tuple[int, int, str]]:
    """The places of "where" and of a verb of people behind it, with the attribute that tells where that was."""
    for at in (place for place, word in enumerate(words) if word == "where"):
        for verb in range(at + 1, len(words)):
            field = next(filter(world.knows, _WHERE.get(words[verb], ())), "")
            if field:
                yield at, verb, field


def residing(words: Sequence[str]) -> set[int]:
    """Where "living" says a place ("living in Hull"), and not that somebody is alive."""
    return {at for at, word in enumerate(words) if word == "living" and words[at + 1 : at + 2] in _PLACED}


_PLACED = (("in",), ("near",), ("at",))
