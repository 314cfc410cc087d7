"""Conditions that are taken back: "regardless of gender", "both sexes", "of any age"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ehrtui.logic.algebra.model import All, AnyOf, Condition, Has, Not, Of, Set, Statement
from ehrtui.logic.nodes import mapped
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import maybe, parts_of

LIFTED = "lifted"
"""What a reading was paid for that takes back what was demanded of an attribute."""
WHATEVER = {"regardless", "irrespective", "independent", "any", "all", "both", "either", "whatever", "every", "without",
            "ignore", "ignoring", "forget", "disregard", "disregarding", "drop", "remove", "lift", "undo"}  # fmt: skip
_LIMITS = {"limit", "limits", "restriction", "restrictions", "filter", "condition", "cut-off", "criterion",
           "requirement", "part", "thing", "about", "please"}  # fmt: skip
_FREE = {"of", "the", "for", "and", "in", "s", "now", "but", "same", "with", "their", "patients", "groups", "?", ".",
         ","}  # fmt: skip


def lifted(frame: Frame, statement: Statement, field_of: Callable[[Condition], str]) -> Statement | None:
    """The statement without what it demands of an attribute that the words set free; `field_of` tells the attribute
    that a condition is about."""
    fields = frame.pieces.of("field")
    if not sets_free(frame.context.lexed.words, fields):
        return None
    names = {name for node in fields for name in node.sense.fields}

    def freed(node: object) -> object:
        if not isinstance(node, Set) or node.where is None:
            return node
        kept = [part for part in parts_of(node.where) if field_of(part) not in names and not _is_empty(part)]
        return Set(node.unit, node.items, maybe(kept), node.pick)

    new = mapped(statement, freed)
    if new == statement:
        return None
    frame.pieces.use(*frame.pieces.left())
    return new


def sets_free(words: Sequence[str], fields: Sequence[Node]) -> bool:
    """True where words say of attributes that they may be whatever they are, and nothing more."""
    said = {at for node in fields for at in range(node.start, node.end)}
    beside = {word for at, word in enumerate(words) if at not in said}
    return bool(fields) and not WHATEVER.isdisjoint(beside) and not beside - WHATEVER - _LIMITS - _FREE


def _is_empty(condition: Condition) -> bool:
    """True where patients are to have had a stay, and nothing more is said of it."""
    match condition:
        case Has(of=of) | Of(of=of):
            return of.where is None and not of.items and of.unit in ("hospital stay", "icu stay", "patient")
        case All(of=parts) | AnyOf(of=parts):
            return not parts
        case Not(of=of):
            return _is_empty(of)
    return False
