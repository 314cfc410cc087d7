"""Those who did what was asked before, or did not: "of the ones who did, how many died?", "and those who did not?"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ehrtui.logic.algebra.model import UNITS, Aggregate, Condition, Has, Not, Set, Single, Statement
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.follow.recounting import is_count
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import People, Stays, every, maybe, parts_of

DOING_SO = "doing so"
"""What a node was paid for that means those who did what was asked before, or did not."""
_BEHIND = {"patients", "people", "those", "ones", "stays", "admissions", "them"}
_DOING = {"did", "do", "does", "were", "was", "had", "have", "are"}
_DENYING = {"didn't", "didnt", "don't", "weren't", "wasn't", "hadn't", "haven't", "aren't"}
_ENDING = {"", "how", "what", "who", "which", "and", "when", "where", "is", "was", "were", "are", "by", "in", "so"}
_OPENING = {"among", "about", "how", "same", "patients", "people", "who", "did", "not", "stays", "admissions"}
_LACKING = {"without", "what", "about", "how", "same", "patients", "people", "any"}
_SURVIVING = {"survived", "alive", "lived", "survivors", "survive"}
_RATE_OF = {"mortality", "survival", "rate"}
_RATES = {*_RATE_OF, "death", "percent", "percentage", "case", "fatality", "their", "overall", "in", "group"}
_COST = -0.4
_MOST_TURNS = 5
"""Turns: what was asked longer ago is not done "so"."""


def doing_so_nodes(words: Sequence[str], earlier: Mapping[int, Statement], latest: int) -> Iterator[Node]:
    """The nodes of such words, by the latest answer of those who did not, or else by what the latest was of."""
    for start, end, denied in _said(words):
        found = _meant(earlier, latest)
        if found is None:
            return
        rest, did, of = found
        group = Set(of.unit, of.items, every([*rest, Not(did) if denied else did]))
        why = ("points", DOING_SO)
        if of.unit == "patient":
            yield Node("people", People(group), start, end, _COST, why)
        else:
            yield Node("stays", Stays(group), start, end, _COST, why)


def of_those_who_did(
    one: Lexed, statement: Statement, earlier: Mapping[int, Statement], latest: int
) -> Statement | None:
    """The same figure of the others: "and among those who did not?"."""
    if covers(one, _SURVIVING | {"how", "many"}, ()) and not _SURVIVING.isdisjoint(one.words):
        died = next((part for part in _conditions(statement) if _is_death(part)), None)
        return None if died is None else mapped(statement, lambda node: Not(died) if node == died else node)
    said = next(_said(one.words), None)
    found = _meant(earlier, latest)
    if said is None or found is None or not covers(one, _OPENING | _DENYING, ()) or {"many", "which"} & {*one.words}:
        return None
    did, denied = found[1], said[2]
    here = {*_conditions(statement)}
    old: Condition = did if denied else Not(did)
    if old not in here or {did, Not(did)} <= here:
        return None
    new = Not(did) if denied else did
    return mapped(statement, lambda node: new if node == old else node)


def of_those_without(one: Lexed, statement: Statement) -> Statement | None:
    """The same of those who have not what was demanded, where nothing more is said: "and without?", "without it?"."""
    if "without" not in one.words or not covers(one, _LACKING, ()):
        return None
    demanded = {part for part in _conditions(statement) if isinstance(part, Has) and part.of.unit not in UNITS}
    if len(demanded) != 1 or any(isinstance(node, Not) for node in walk(statement)):
        return None
    had = demanded.pop()
    return mapped(statement, lambda node: Not(had) if node == had else node)


def rate_of_death(one: Lexed, statement: Statement) -> Statement | None:
    """The share who died, after the number of those who did, or did not: "mortality?"."""
    of = rows_about(statement)
    if of is None or not is_count(statement) or not covers(one, _RATES, ()) or _RATE_OF.isdisjoint(one.words):
        return None
    parts = list(parts_of(of.where))
    told = next((part for part in parts if _is_death(part) or (isinstance(part, Not) and _is_death(part.of))), None)
    if told is None:
        return None
    died = told.of if isinstance(told, Not) else told
    base = Set(of.unit, of.items, maybe([part for part in parts if part != told]))
    return Single((Aggregate("percent", base, Not(died) if "survival" in one.words else died),))


def last_done(statement: Statement) -> Condition | None:
    """What those of an answer are told by at last: the records that some of a group had."""
    of = rows_about(statement)
    parts = list(parts_of(of.where)) if of is not None else []
    return parts[-1] if len(parts) > 1 and isinstance(parts[-1], Has) else None


def says_so(words: Sequence[str]) -> bool:
    """True for words that mean those who did, or did not."""
    return next(_said(words), None) is not None


def _conditions(statement: Statement) -> Iterator[Condition]:
    for node in walk(statement):
        if isinstance(node, Set):
            yield from parts_of(node.where)


def _is_death(part: Condition) -> bool:
    return isinstance(part, Has) and part.of.unit == "death"


def _said(words: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Where such words stand, and whether they deny it."""
    for at, word in enumerate(words):
        if word != "who" and word != "that":
            continue
        behind = tuple(words[at + 1 : at + 3])
        if behind[:1] and behind[0] in _DENYING:
            end, denied = at + 2, True
        elif behind[:1] and behind[0] in _DOING and behind[1:] == ("not",):
            end, denied = at + 3, True
        elif behind[:1] == ("did",):
            end, denied = at + 2, False
        else:
            continue
        following = next((one for one in words[end : end + 1] if one[0].isalnum()), "")
        start = at - 1 if at and words[at - 1] in _BEHIND else -1
        if start < 0 or following not in _ENDING:
            continue
        yield start - 1 if start and words[start - 1] == "the" else start, end, denied


def _meant(earlier: Mapping[int, Statement], latest: int) -> tuple[list[Condition], Condition, Set] | None:
    """What was done or not, the other conditions that it was asked under, and of what rows."""
    turns = [turn for turn in sorted(earlier, reverse=True) if turn <= latest][:_MOST_TURNS]
    sets = [of for turn in turns if (of := rows_about(earlier[turn])) is not None and of.unit in UNITS]
    for of in sets:
        parts = list(parts_of(of.where))
        if (denied := next((part for part in reversed(parts) if _denies(part)), None)) is not None:
            assert isinstance(denied, Not)
            return [part for part in parts if part != denied], denied.of, of
    if not sets:
        return None
    parts = list(parts_of(sets[0].where))
    did = next((part for part in reversed(parts) if isinstance(part, Has)), None)
    return None if did is None or len(parts) < 2 else ([part for part in parts if part != did], did, sets[0])


def _denies(part: Condition) -> bool:
    return isinstance(part, Not) and isinstance(part.of, Has)
