"""What grew in what: "E. coli in the urine" is told of one culture, and is no disease beside a culture of urine."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import Among, Own, Set, Statement, Test
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import parts_of
from ehrtui.schema.kinds import kind_of

_IN = {"in", "from", "on"}
_ARTICLES = {"the", "a", "an", "their", "his", "her", "any"}
_LOST = 2.0
"""What it costs that something else is told of an organism that is named in what was sampled."""


def grown_lost(statement: Statement, one: Lexed) -> Iterator[tuple[float, str]]:
    """The price of a statement that tells of no culture with the organism that the words find in it."""
    if not _IN.isdisjoint(one.words) and _is_named(one) and not tells_what_grew(statement):
        yield _LOST, "grown-lost"


def tells_what_grew(statement: object) -> bool:
    """True where cultures of one kind are told in which one organism grew."""
    return any(
        isinstance(part, Set)
        and kind_of(part.unit.replace(" ", "_")).microbial
        and bool(part.items)
        and any(
            (isinstance(each, Test) and each.left == Own("organism"))
            or (isinstance(each, Among) and each.measure == Own("organism"))
            for each in parts_of(part.where)
        )
        for part in walk(statement)
    )


def _is_named(one: Lexed) -> bool:
    """True where an organism stands right before what was sampled: "yeast in a blood culture"."""
    organisms = {node.end for node in one.nodes if node.kind == "trait" and node.sense.field == "organism"}
    return bool(organisms) and any(
        node.start > end and joins(one.words[end : node.start])
        for node in one.nodes
        if is_sampled(node)
        for end in organisms
    )


def is_sampled(node: Node) -> bool:
    """True for cultures of a specimen that is named."""
    return node.kind == "event" and bool(node.sense.of.items) and kind_of(node.sense.role).microbial


def joins(between: tuple[str, ...]) -> bool:
    """True for the words between what grew and what it grew in: "in the", "from"."""
    return 0 < len(between) <= 2 and between[0] in _IN and {*between[1:]} <= _ARTICLES
