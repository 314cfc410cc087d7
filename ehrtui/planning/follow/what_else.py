"""The others of a kind, beside those that were named before: "what else was she on?", after whether she got aspirin."""

from __future__ import annotations

from ehrtui.logic.algebra.model import PATIENT, UNITS, Has, InAnswer, Not, Of, Own, Rows, Set, Statement
from ehrtui.logic.model import Window
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, parts_of
from ehrtui.schema.kinds import kind_of

_ELSE = {("what", "else"), ("anything", "else"), ("which", "others"), ("any", "others")}
_TAKEN = {"on", "given", "prescribed", "receive", "received", "take", "took", "taking", "administered"}
_FOUND = {"diagnosed"}
_BESIDE = {"else", "anything", "others", "any", "did", "does", "has", "have", "had", "been", "being", "he", "she",
           "patient", "patients", "get", "got", "getting"}  # fmt: skip


def what_else(one: Lexed, statement: Statement) -> Statement | None:
    """The names of the other records of the kind that the latest answer named some of, of the same patients."""
    words = [word for word in one.words if word not in ("and", "so", "but")]
    if tuple(words[:2]) not in _ELSE or not covers(one, _BESIDE | _TAKEN | _FOUND, ()):
        return None
    of, whose = _named(statement)
    if of is None or (not _TAKEN.isdisjoint(words) and not kind_of(of.unit.replace(" ", "_")).dosed):
        return None
    if not _FOUND.isdisjoint(words) and of.unit != "diagnosis":
        return None
    others = Not(Of(Set(of.unit, of.items)))
    return Rows(Set(of.unit, (), every([others, *whose])), (Own("name"),), distinct=True)


def _named(statement: Statement) -> tuple[Set | None, list[Of | InAnswer | Window]]:
    """The only records that are told by names, and what is said of whose they are, and of when; none where there are
    several."""
    of = rows_about(statement)
    if of is None:
        return None, []
    if of.unit not in UNITS:
        return (of if of.items else None), [
            part for part in parts_of(of.where) if isinstance(part, Of | InAnswer | Window)
        ]
    told = [part.of for part in parts_of(of.where) if isinstance(part, Has) and part.of.items]
    whose = Of(of) if of.unit == PATIENT else None
    return (told[0], [whose]) if len(told) == 1 and whose is not None and of.pick is None else (None, [])
