"""Words for the records that an earlier answer named: "who never got it", "how many were on that drug"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import UNITS, Set, Statement, Test
from ehrtui.logic.model import Window
from ehrtui.planning.follow.statements import walk
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import Event, maybe, parts_of
from ehrtui.schema.kinds import Kind, kind_of

NAMED_AGAIN = "named again"
"""What a node was paid for that means records which an earlier answer named."""
_HAVING = {"got", "get", "gets", "had", "have", "has", "received", "receive", "given", "on", "taking", "took", "taken",
           "needed", "getting", "used", "prescribed", "without"}  # fmt: skip
"""Words behind which "it" is what patients have."""
_POINTING = {"that", "this", "the", "same"}
_DRUGS = {"drug", "medication", "medicine", "med", "agent", "antibiotic"}
_TESTS = {"test", "lab", "measurement"}
_DISEASES = {"diagnosis", "condition", "disease"}
_COST = -0.1


def named_again_nodes(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> list[Node]:
    """The nodes of such words: they mean the records named by the latest answer that names any."""
    known = (_named_in(earlier[turn]) for turn in sorted(earlier, reverse=True) if turn <= latest)
    of = next((found for found in known if found is not None), None)
    if of is None:
        return []
    parts = [part for part in parts_of(of.where) if not isinstance(part, Window | Test)]
    same = Event(of.unit.replace(" ", "_"), replace(of, where=maybe(parts), pick=None))
    why = "points", NAMED_AGAIN
    return [Node("event", same, start, end, _COST, why) for start, end in _said(one.words, kind_of(same.role))]


def without_places(one: Lexed) -> Lexed:
    """The words without what "it" is short for in a list of routes."""
    kept = tuple(node for node in one.nodes if one.words[node.start : node.end] != ("it",) or node.kind != "trait")
    return replace(one, nodes=kept)


def _said(words: Sequence[str], kind: Kind) -> Iterator[tuple[int, int]]:
    """Where words stand for records of a kind."""
    nouns = _DRUGS if kind.dosed else _TESTS if kind.measured else _DISEASES if kind.disease else set()
    for at in range(1, len(words)):
        if words[at] == "it" and words[at - 1] in _HAVING:
            yield at, at + 1
        elif words[at] in nouns and words[at - 1] in _POINTING:
            yield at - 1, at + 1


def _named_in(statement: Statement) -> Set | None:
    """The records with names that a statement mentions last."""
    found = [node for node in walk(statement) if isinstance(node, Set) and node.unit not in UNITS and node.items]
    return found[-1] if found else None
