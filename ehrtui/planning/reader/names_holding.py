"""Records by what their names hold: "allergies with iodine or contrast in the name", "drugs whose name has insulin"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import Item, Own, Rows, Set, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import Event, unit_of
from ehrtui.planning.reader.world import World

HOLDING = "name-holds"
"""What a node was paid for that means records by a part of their names."""
_NAMES = {"name", "names", "title", "titles", "label", "labels", "string", "text"}
_RECORDS = {"entry", "entries", "record", "records", "item", "items", "listed", "recorded", "documented"}
_HOLDS = {"contains", "contain", "containing", "includes", "include", "including", "holds", "holding", "mentions",
          "mentioning", "matches", "matching", "has", "have", "having", "with", "like"}  # fmt: skip
_LEADING = _HOLDS | _NAMES | {"whose", "where", "the", "its", "their", "that", "which", "a", "word", "either", "any"}
_OR = {"or", "/", "and/or"}
_ENDING = {"in", "on", "at", "and", "who", "with", "during", "for", "are", "is", "was", "were", "(", ")", "?", ".", ",",
           ";", ":", "of", "had", "have", "got", "-", "anywhere", "n", "="}  # fmt: skip
_WHERE = {"in", "within", "the", "its", "their", "as", "part", "of", "anywhere"}
_ANY_KIND = {"any", "kind", "type", "sort", "whatever", "(", ")", "all", "kinds", "types"}
_ANY_ONE = {"any", "a", "an", "the", "their", "his", "her", "some", "one"}
_WHICH = {"which", "what"}
_MOST = 3
"""Words of one part of a name."""
_SAID = -0.8


def names_holding(words: Sequence[str], nodes: Sequence[Node], world: World) -> Iterator[Node]:
    """The nodes of a noun for records and of what their names hold."""
    if _NAMES.isdisjoint(words):
        return
    seen = set()
    for node in nodes:
        if node.kind != "event" or not node.sense.noun or node.sense.of.where is not None:
            continue
        role = node.sense.role
        if world.roles[role].item is None and not world.holds(unit_of(role), "name"):
            continue
        if (ahead := _told_ahead(words, node.start)) is not None:
            start, parts = ahead
            yield Node("event", holding(role, parts), start, node.end, _SAID, ("link", "how:exact", HOLDING))
            continue
        at = node.end
        while words[at : at + 1] and words[at] in _RECORDS:
            at += 1
        found = told_names(words, at)
        if found is not None and (role, node.start) not in seen:
            seen.add((role, node.start))
            end, parts = found
            yield Node("event", holding(role, parts), node.start, end, _SAID, ("link", "how:exact", HOLDING))


def names_asked(statement: Statement, nodes: Sequence[Node], words: Sequence[str]) -> Statement:
    """ "Which labs have protein in the name?": what they are called, and not what was found."""
    which = any(HOLDING in node.why and {*words[max(0, node.start - 2) : node.start]} & _WHICH for node in nodes)
    if not which or not isinstance(statement, Rows) or statement.columns != (Own("value"),):
        return statement
    return replace(statement, columns=(Own("name"),), distinct=True)


def holding(role: str, parts: Sequence[str]) -> Event:
    """The records of a role whose names hold any of some parts."""
    return Event(role, Set(unit_of(role), tuple(Item("like", f"*{part}*") for part in parts)))


def told_names(words: Sequence[str], start: int) -> tuple[int, list[str]] | None:
    """Where what is said of a name from a place on ends, and the parts that it must hold; None for anything else."""
    at = start
    while words[at : at + 1] and words[at] in _LEADING:
        at += 1
    leading = {*words[start:at]}
    parts, at = _parts(words, at)
    end = at
    while words[end : end + 1] and words[end] in _WHERE:
        end += 1
    trailing = at < end < len(words) and words[end] in _NAMES
    if not parts or not (trailing or (leading & _NAMES and leading & _HOLDS)):
        return None
    at = end + 1 if trailing else at
    kinds = at
    while words[kinds : kinds + 1] and words[kinds] in _ANY_KIND:
        kinds += 1
    return (kinds if {*words[at:kinds]} & {"kind", "type", "sort", "kinds", "types"} else at), parts


def _told_ahead(words: Sequence[str], noun: int) -> tuple[int, list[str]] | None:
    """ "Latex in the name of any allergy": where the parts begin that stand ahead of the noun, and these parts."""
    at = noun - 1
    while at > 0 and words[at] in _ANY_ONE:
        at -= 1
    if at < 2 or words[at] != "of" or words[at - 1] not in _NAMES:
        return None
    at -= 2
    while at > 0 and words[at] in ("the", "its", "their"):
        at -= 1
    if at < 1 or words[at] not in ("in", "within"):
        return None
    for start in range(at - 1, max(-1, at - 1 - 2 * _MOST), -1):
        parts, end = _parts(words, start)
        ahead = start == 0 or words[start - 1] in _HOLDS | {"had", "whose", "for"}
        if parts and end == at and ahead:
            return start, parts
    return None


def _parts(words: Sequence[str], start: int) -> tuple[list[str], int]:
    parts: list[str] = []
    said: list[str] = []
    at = start
    while at < len(words):
        word = words[at]
        if word in _OR and said:
            parts.append(" ".join(said))
            said = []
        elif word in _ENDING or (not said and word in _LEADING) or not word[0].isalnum():
            break
        else:
            said.append(word)
        at += 1
    if said:
        parts.append(" ".join(said))
    return (parts, at) if all(len(part.split()) <= _MOST for part in parts) else ([], start)
