"""Who had the same organism in other specimens: "did any of those have it in blood, too?"."""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.logic.algebra.model import (
    UNITS,
    Among,
    Condition,
    Has,
    InAnswer,
    Of,
    Own,
    Rows,
    Set,
    Statement,
    Test,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.earlier import newest_first
from ehrtui.planning.follow.record_words import words_of
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import as_patients, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, maybe, parts_of

_IT = {"it", "this", "that", "same"}
_ASKED = {"did", "any", "who", "which", "of", "them", "those", "these", "had", "have", "has", "also", "too", "one",
          "ones", "grew", "grow", "as", "well", "patients", "positive", "cultures", "culture"}  # fmt: skip
_ORGANISM = Own("organism")
_REACH = 4
"""Turns back to which "it" may point."""


def had_it_in(one: Lexed, statement: Statement, *, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """Those of an answer in whom what grew was found in the specimens that are named."""
    subject = subject_of(latest, statement)
    turns = newest_first(earlier, latest, _REACH)
    grown = next((found for turn in turns if (found := _grown(earlier[turn])) is not None), None)
    if subject is None or subject.unit not in UNITS or grown is None:
        return None
    known = _IT | words_of(grown.where)  # "it" may have been read as what grew
    pairs = enumerate(zip(one.words, one.words[1:], strict=False))
    at = next((at for at, (it, within) in pairs if it in known and within in ("in", "from")), None)
    if at is None:
        return None
    named = [node for node in one.nodes if node.kind == "event" and node.start > at and node.sense.of.items]
    named = [node for node in named if node.sense.of.unit == grown.unit]
    named = sorted(named, key=lambda node: (node.start - node.end, node.cost))[:1]
    if not named or not covers(one, _ASKED | known, named):
        return None
    elsewhere = Set(grown.unit, named[0].sense.of.items, grown.where)
    return Rows(limited(as_patients(subject.of), Has(elsewhere)), (Own("id"),))


def _grown(statement: Statement) -> Set | None:
    """The only cultures that a statement tells of by what grew in them, without whose they were."""
    told = [
        node for node in walk(statement) if isinstance(node, Set) and any(map(_is_of_organism, parts_of(node.where)))
    ]
    if len(told) != 1:
        return None
    kept = [part for part in parts_of(told[0].where) if not isinstance(part, Of | InAnswer)]
    return Set(told[0].unit, (), maybe(kept))


def _is_of_organism(part: Condition) -> bool:
    match part:
        case Test(left=measure) | Among(measure=measure):
            return measure == _ORGANISM
    return False
