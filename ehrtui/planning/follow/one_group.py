"""Words for the one group that an answer picked: "that unit", "in that month", "the death rate there"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ehrtui.logic.algebra.model import Groups, Own, Statement
from ehrtui.logic.words import turns_of
from ehrtui.planning.follow.pointing import meant
from ehrtui.planning.follow.saying import GROUP_WORDS, key_words
from ehrtui.planning.follow.subject import Subject, is_one_group
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed

_POINTING = {"that", "this"}
_PLACES = {"unit", "hospital", "ward", "location", "region"}
_THINGS = {"month", "year", "organism", "bug", "drug", "department", "service", "condition", "procedure", "type"}
_BEING = {"is", "are", "was", "were"}
_COST = -0.3


def one_group_nodes(one: Lexed, subjects: Mapping[int, Subject], earlier: Mapping[int, Statement]) -> Iterator[Node]:
    """The nodes of such words: the rows of the group of the latest answer that picked one by such a key."""
    known = [turn for turn in sorted(subjects, reverse=True) if is_one_group(earlier[turn])]
    for at, word in enumerate(one.words):
        if word in _POINTING:
            turn = next((turn for turn in known if _calls(one, at + 1, earlier[turn])), None)
            end = max((node.end for node in one.nodes if node.start == at + 1 and node.kind == "field"), default=at + 2)
        elif word == "there" and at and one.words[at - 1] not in _BEING:
            turn = next((turn for turn in known if _PLACES & key_words(earlier[turn])), None)
            end = at + 1
        else:
            continue
        if turn is not None:
            yield from meant(subjects[turn], at, end, _COST)


def unresolved(one: Lexed, logic: str) -> tuple[str, ...]:
    """The words of a question that mean some thing of before ("that drug", "these wards"), where query logic that was
    read of it points at no answer. What the question named itself is meant in it, and not before."""
    if turns_of(logic):
        return ()
    place = [at for at, word in enumerate(one.words) if word == "there" and at and one.words[at - 1] not in _BEING]
    if place and place[0] == len([word for word in one.words if word[0].isalnum()]) - 1:
        return ("there",)
    return tuple(
        word
        for at, word in enumerate(one.words[:-1])
        if word in _POINTING | {"these", "those"} and _is_thing(one, at + 1) and not _named_before(one, at)
        for word in one.words[at : at + 2]
    )


def _calls(one: Lexed, at: int, statement: Statement) -> bool:
    """True where the noun at a place calls the groups of an answer."""
    if not isinstance(statement, Groups) or at >= len(one.words):
        return False
    fields = {key.field for key in statement.by if isinstance(key, Own)}
    called = any(node.kind == "field" and node.start == at and fields & {*node.sense.fields} for node in one.nodes)
    return called or one.words[at] in key_words(statement) - GROUP_WORDS


def _is_thing(one: Lexed, at: int) -> bool:
    """True for a noun of records, or of an attribute, and no more than that."""
    return any(
        node.start == at and (node.kind == "field" or (node.kind == "event" and node.sense.noun)) for node in one.nodes
    ) or (one.words[at] in _PLACES | _THINGS)


def _named_before(one: Lexed, at: int) -> bool:
    """True where a question names records, or a value, that words behind may point at."""
    return any(node.end <= at and node.kind in ("event", "trait") for node in one.nodes)
