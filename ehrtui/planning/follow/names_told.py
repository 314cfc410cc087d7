"""What the names hold of records like those that an earlier answer was about: "iodine in the name?",
"latex: its name has 'latex'"."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.logic.algebra.model import UNITS, Set, Statement
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.follow.saying import FILL
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import unit_of
from ehrtui.planning.reader.names_holding import HOLDING, holding, told_names

_ASKED = FILL | {"about", "how", "many", "instead", "same"}


def names_told(one: Lexed, statement: Statement) -> Statement | None:
    """The same of records whose names hold something else, where those of the latest answer were told so."""
    if any(node.kind == "event" and HOLDING in node.why for node in one.nodes):
        return None
    told = _told_by_parts(statement)
    if told is None or (parts := _said(one.words)) is None:
        return None
    new = holding(told.unit.replace(" ", "_"), parts).of
    if told.unit != unit_of(told.unit.replace(" ", "_")):
        return None
    changed = mapped(statement, lambda node: _with_items(node, told, new))
    return changed if changed != statement else None


def _with_items(node: object, told: Set, new: Set) -> object:
    return Set(told.unit, new.items, told.where, told.pick) if node == told else node


def _told_by_parts(statement: Statement) -> Set | None:
    """The only records of a statement, which are told by what their names hold."""
    named = {node for node in walk(statement) if isinstance(node, Set) and node.unit not in UNITS and node.items}
    if len(named) != 1:
        return None
    [of] = named
    return of if all(item.kind == "like" for item in of.items) else None


def _said(words: Sequence[str]) -> list[str] | None:
    """What names must hold, where a few words say that and nothing else; be it said twice, as a name and how it is
    looked for."""
    for start in range(min(len(words), 6)):
        found = told_names(words, start)
        if found is None:
            continue
        end, parts = found
        before = [word for word in words[:start] if word[0].isalnum() and word not in _ASKED]
        behind = [word for word in words[end:] if word[0].isalnum() and word not in _ASKED]
        known = {word for part in parts for word in part.split()}
        if {*before, *behind} <= known:
            return parts
    return None
