"""Readings of a question in its conversation: what it points at, what it changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.written import statement_of
from ehrtui.planning.follow.changing import changed
from ehrtui.planning.follow.pointing import pointing_nodes
from ehrtui.planning.follow.subject import subject_of
from ehrtui.planning.offline.words import Text
from ehrtui.planning.proposal import PastTurn
from ehrtui.planning.reader.asking import Asked, asked
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.lexing import Lexed, Linker, lexed
from ehrtui.planning.reader.reader import Read, readings, readings_of
from ehrtui.planning.reader.tasks import tasks
from ehrtui.planning.reader.world import World

_POINTING = 1.8
"""What passing over a word that points costs."""
_OPENERS = {"and", "what", "how", "only", "just", "same", "now", "but", "then", "so", "ok", "or", "instead", "no"}


def earlier_statements(history: Mapping[int, PastTurn]) -> dict[int, Statement]:
    """The statements of the earlier turns that have one that can be read."""
    found = {}
    for number, turn in history.items():
        if turn.logic:
            try:
                found[number] = statement_of(turn.logic)
            except LogicError:
                continue
    return found


def followed(text: Text, world: World, link: Linker, earlier: Mapping[int, Statement]) -> list[Read]:
    """The readings of a question that lean on `earlier` statements, by turn; the cheapest first. None of them stands
    alone: a question that points at nothing and changes nothing has none."""
    subjects = {
        turn: subject for turn, statement in earlier.items() if (subject := subject_of(turn, statement)) is not None
    }
    one = lexed(text, world, link)
    pointing = pointing_nodes(one, subjects)
    found: list[Read] = []
    if pointing:
        found += [read for read in readings_of(_with(one, pointing), world, asked) if "points" in read.why]
    if earlier and is_fragment(one):
        latest = earlier[max(earlier)]

        def ask(context: Context, cover: tuple[Node, ...]) -> Iterator[Asked]:
            return changed(context, cover, latest)

        found += readings_of(_going_on(one), world, ask, most=6)
    return sorted(found, key=lambda read: read.price)


def tasks_of_earlier(text: Text, world: World, link: Linker, earlier: Mapping[int, Statement]) -> list[Read]:
    """The readings of what a question asks of cohorts, where it points at `earlier` statements; the cheapest first."""

    def read(part: Text) -> list[Read]:
        pointing = [one for one in followed(part, world, link, earlier) if "points" in one.why]
        return pointing or readings(part, world, link)

    return [one for one in tasks(text, world, read) if "points" in one.why]


def _going_on(one: Lexed) -> Lexed:
    """The words of a fragment, in which it costs nothing to pass over those that say that it goes on."""
    prices = (0.0 if word in _OPENERS else price for word, price in zip(one.words, one.prices, strict=True))
    return replace(one, prices=tuple(prices))


def is_fragment(one: Lexed) -> bool:
    """True for words that are no whole question: a few, or opened by one that goes on ("and", "what about")."""
    words = [word for word in one.words if word[0].isalnum()]
    kinds = {node.kind for node in one.nodes}
    opened = bool(words) and words[0] in _OPENERS and (words[0] not in ("what", "how") or words[1:2] == ["about"])
    asks = bool(kinds & {"count", "share", "most", "superlative"})
    if not kinds & {"event", "people", "stays", "trait"} and len(words) <= 3:
        asks = False  # "top 3"
    people = any(word in ("who", "which", "list", "show") for word in words)
    return (opened and len(words) <= 10) or (len(words) <= 5 and not asks and not people)


def _with(one: Lexed, pointing: list[Node]) -> Lexed:
    """The words with the nodes that point, which it costs to pass over."""
    prices = list(one.prices)
    for node in pointing:
        for at in range(node.start, node.end):
            prices[at] = max(prices[at], _POINTING / (node.end - node.start))
    return replace(one, nodes=(*one.nodes, *pointing), prices=tuple(prices))
