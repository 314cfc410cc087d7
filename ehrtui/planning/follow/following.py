"""Readings of a question in its conversation: what it points at, what it changes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeGuard

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.lift import same
from ehrtui.logic.algebra.model import Condition, Of, Set, Single, Statement
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.words import turns_of
from ehrtui.logic.written import statement_of
from ehrtui.planning.follow.changing import changed
from ehrtui.planning.follow.offers import standing_alone
from ehrtui.planning.follow.pointing import OF_TURN, pointing_nodes
from ehrtui.planning.follow.scoping import of_subject
from ehrtui.planning.follow.statements import mapped, walk
from ehrtui.planning.follow.subject import Subject, is_about, subject_of
from ehrtui.planning.follow.together import TOGETHER, in_common, together_nodes
from ehrtui.planning.offline.words import Text
from ehrtui.planning.proposal import PastTurn, Proposal
from ehrtui.planning.reader.asking import Asked, asked
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.choosing import names_in
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.lexing import Lexed, Linker, lexed
from ehrtui.planning.reader.meanings import maybe, parts_of
from ehrtui.planning.reader.reader import Read, readings, readings_of
from ehrtui.planning.reader.tasks import tasks
from ehrtui.planning.reader.world import World

_LIKELY, _PLAIN = 1.2, 0.5
"""What readings cost at most that are likely, or plain."""
_POINTING = 1.8
"""What passing over a word that points costs."""
_NUMBER = re.compile(r"(?<![\w.\"])\d{1,9}(?![\w.\"])")
_TELLING = {"event", "trait", "dead", "superlative", "most", "function"}
_THAT = {"that", "this", "it", "those", "these"}
_NUMBER_OF = re.compile(r"\bhow many\b|\bshare\b|\bpercent|%|\bproportion\b")
_ROWS = re.compile(r"count rows of A(\d+)")
_VERBS = {"is", "was", "were", "are", "did", "does", "do", "has", "have", "had", "can", "could"}
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


def followed(text: Text, world: World, link: Linker, earlier: Mapping[int, Statement], latest: int) -> list[Read]:
    """The readings of a question that lean on `earlier` statements, by turn, the `latest` where nothing says which; the
    cheapest first. None of them stands alone: a question that points at nothing, changes nothing and says of whom it
    is has none."""
    subjects = {
        turn: subject
        for turn, statement in earlier.items()
        if turn <= latest and (subject := subject_of(turn, statement)) is not None
    }
    one = lexed(text, world, link)
    several = together_nodes(one.words, subjects)
    common = in_common(subjects) if several else None
    pointing = [*pointing_nodes(one, subjects, common), *several]
    found: list[Read] = []
    if pointing:
        found += [read for read in readings_of(_with(one, pointing), world, asked) if _keeps_to(read, subjects)]
    if is_fragment(one):

        def change(context: Context, cover: tuple[Node, ...]) -> Iterator[Asked]:
            return changed(context, cover, earlier[latest], subjects)

        def ask(context: Context, cover: tuple[Node, ...]) -> Iterator[Asked]:
            return of_subject(asked(context, cover), cover, subjects.get(latest))

        found += readings_of(_going_on(_with(one, several)), world, change, most=6)
        found += readings_of(_going_on(one), world, ask, most=6)
    return sorted(found, key=lambda read: read.price)


def _keeps_to(read: Read, subjects: Mapping[int, Subject]) -> bool:
    """True for a reading that points at an earlier answer and is about what that tells of."""
    turns = [int(name.removeprefix(OF_TURN)) for name in read.why if name.startswith(OF_TURN)]
    return TOGETHER in read.why or any(
        is_about(read.statement, subjects[turn]) or _person_in(read.statement, subjects[turn]) for turn in turns
    )


def _person_in(statement: Statement, subject: Subject) -> bool:
    return subject.person is not None and any(part == subject.person.where for part in walk(statement))


def alike(logic: str, statement: Statement, earlier: Mapping[int, Statement]) -> bool:
    """True where query logic says the same as a statement, once what `earlier` answers tell of stands in their
    place."""
    try:
        one, other = (flat(standing_alone(part, earlier)) for part in (statement_of(logic), statement))
    except LogicError:
        return False
    return same(one, other)


def overlooks(marks: Proposal, statement: Statement, earlier: Mapping[int, Statement]) -> bool:
    """True where the marks' reading does not name all that a statement does, be it in an answer that it points at."""
    return not _named(render_statement(statement), earlier) <= _named(marks.logic or "", earlier)


def points_at_it(question: str) -> bool:
    """True for words that ask for a number of the latest answer: "how many admissions is that"."""
    return bool(_NUMBER_OF.search(question.lower())) and not _THAT.isdisjoint(re.findall(r"\w+", question.lower()))


def aims_elsewhere(question: str, marks: Proposal, read: Read, earlier: Mapping[int, Statement]) -> bool:
    """True where a plain reading that points at an earlier answer names other things than the marks', or a likely one
    has a number of the question that this lacks."""
    if "points" not in read.why or read.price >= _LIKELY:
        return False
    logic, told = render_statement(read.statement), marks.logic or ""
    if (counted := _ROWS.fullmatch(told)) and isinstance(earlier.get(int(counted[1])), Single):
        return True  # an answer of one number has one row
    before = set().union(*(names_in(render_statement(one)) for one in earlier.values()))
    anew = names_in(logic) - before
    numbers = {int(number) for number in _NUMBER.findall(logic)} & {int(number) for number in _NUMBER.findall(question)}
    known = {int(number) + step for number in _NUMBER.findall(told) for step in (-1, 0, 1)}  # "over 70": from 71
    own, others = names_in(told) - before - anew, anew - names_in(told)
    as_said = any(_is_said(name, question) for name in others) or not any(_is_said(name, question) for name in own)
    return bool(numbers - known) or (read.price < _PLAIN and bool(own) and bool(others) and as_said)


def _is_said(name: str, question: str) -> bool:
    return name.strip('"').lower() in question.lower()


def _named(logic: str, earlier: Mapping[int, Statement], until: int = sys.maxsize) -> set[str]:
    """The names in query logic, and in the answers `until` a turn that it points at."""
    turns = [turn for turn in turns_of(logic) if turn in earlier and turn < until]
    return names_in(logic).union(*(_named(render_statement(earlier[turn]), earlier, turn) for turn in turns))


def flat(statement: Statement) -> Statement:
    """A statement in which those who are among rows of their own kind meet the conditions of these themselves."""

    def unfolded(node: object) -> object:
        if not isinstance(node, Set):
            return node
        parts = [
            inner
            for part in parts_of(node.where)
            for inner in (parts_of(part.of.where) if _of_own_kind(part, node) else (part,))
        ]
        return replace(node, where=maybe(list(dict.fromkeys(parts))))

    return mapped(statement, unfolded)


def _of_own_kind(part: Condition, of: Set) -> TypeGuard[Of]:
    return isinstance(part, Of) and part.of.unit == of.unit and not part.of.items and part.of.pick is None


def tasks_of_earlier(
    text: Text, world: World, link: Linker, earlier: Mapping[int, Statement], latest: int
) -> list[Read]:
    """The readings of what a question asks of cohorts, where it points at `earlier` statements; the cheapest first."""

    def read(part: Text) -> list[Read]:
        pointing = [one for one in followed(part, world, link, earlier, latest) if "points" in one.why]
        return pointing or readings(part, world, link)

    return [one for one in tasks(text, world, read, earlier) if "points" in one.why]


def _going_on(one: Lexed) -> Lexed:
    """The words of a fragment, in which it costs nothing to pass over those that say that it goes on."""
    prices = (0.0 if word in _OPENERS else price for word, price in zip(one.words, one.prices, strict=True))
    return replace(one, prices=tuple(prices))


def is_fragment(one: Lexed) -> bool:
    """True for words that are no whole question: a few, or opened by one that goes on ("and", "what about")."""
    words = [word for word in one.words if word[0].isalnum()]
    kinds = {node.kind for node in one.nodes}
    if kinds & {"share", "count"} and not kinds & _TELLING and _THAT & {*words}:
        return len(words) <= 10  # "what share is that of all stays", "how many admissions are these"
    opened = bool(words) and words[0] in _OPENERS and (words[0] not in ("what", "how") or words[1:2] == ["about"])
    asks = bool(kinds & {"count", "share", "most", "superlative"})
    if not kinds & {"event", "people", "stays", "trait"} and len(words) <= 3:
        asks = False  # "top 3"
    verb = next((word for word in words if word not in _OPENERS), "") in _VERBS
    people = any(word in ("who", "which", "list", "show") for word in words)
    return not verb and ((opened and len(words) <= 10) or (len(words) <= 5 and not asks and not people))


def _with(one: Lexed, pointing: list[Node]) -> Lexed:
    """The words with the nodes that point, which it costs to pass over."""
    prices = list(one.prices)
    for node in pointing:
        for at in range(node.start, node.end):
            prices[at] = max(prices[at], _POINTING / (node.end - node.start))
    return replace(one, nodes=(*one.nodes, *pointing), prices=tuple(prices))
