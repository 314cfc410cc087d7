"""Conditions that are taken back: "regardless of gender", "both sexes", "of any age"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ehrtui.logic.algebra.model import All, Among, AnyOf, Condition, Has, Like, Not, Of, Own, Set, Statement, Test
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import mapped
from ehrtui.planning.follow.saying import covers, outermost
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import maybe, parts_of

LIFTED = "lifted"
"""What a reading was paid for that takes back what was demanded of an attribute."""
WHATEVER = {"regardless", "irrespective", "independent", "any", "all", "both", "either", "whatever", "every", "without",
            "ignore", "ignoring", "forget", "disregard", "disregarding", "drop", "remove", "lift", "undo"}  # fmt: skip
_ALL = {"all", "any", "every", "both"}
_STAYS = {"patients", "stays", "admissions", "of", "in", "for", "again", "whatever"}
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


def whatever_the_field(one: Lexed, before: Statement) -> Set | None:
    """The rows of an answer whatever an attribute by which they were told ("all admission types of 2105"), of the time
    that is named, if any; None where the words say anything else."""
    fields = [node for node in one.nodes if node.kind == "field"]
    windows = outermost(node for node in one.nodes if node.kind == "window")
    of = rows_about(before)
    if not fields or of is None or _ALL.isdisjoint(one.words) or not covers(one, _ALL | _STAYS, [*fields, *windows]):
        return None
    names = {name for node in fields for name in node.sense.fields}
    parts = parts_of(of.where)
    kept = [part for part in parts if not names & {*_told_of(part)}]
    if len(kept) == len(parts) or of.pick is not None:
        return None
    if windows:
        kept = [part for part in kept if not isinstance(part, Window)]
        kept += [part for node in windows for part in node.sense]
    return Set(of.unit, of.items, maybe(kept))


def _told_of(part: Condition) -> Iterator[str]:
    """The attribute that a condition is on."""
    match part:
        case Test(left=Own(field=field)) | Among(measure=Own(field=field)) | Like(measure=Own(field=field)):
            yield field
        case AnyOf(of=several):
            for other in several:
                yield from _told_of(other)


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
