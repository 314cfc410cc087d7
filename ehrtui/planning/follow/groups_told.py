"""The groups of an answer of several figures: "how many on heparin, and how many on warfarin?" tells of two, and "the
first group", "the latter", "both groups" and "the warfarin group" mean them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    UNITS,
    Aggregate,
    Arms,
    Characteristics,
    Groups,
    Overlap,
    Own,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.follow.offers import alone_if_near, flattened
from ehrtui.planning.follow.pointing import STAY_NOUNS, meant
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import Subject
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, maybe, parts_of

ONE_OF_GROUPS = "one of groups"
"""What a node was paid for that means one of several groups of an answer."""
_PLACES = {"first": 0, "former": 0, "1st": 0, "second": 1, "latter": 1, "2nd": 1, "third": 2, "3rd": 2}
_ALONE = {"former", "latter"}
"""Words that mean one of two without a noun."""
_GROUPS = {"group", "groups", "cohort", "arm", "lot"}
_ONES = {"ones", "patients", "people"}
_OTHER = {"other", "others", "second", "latter", "2nd", "first", "former", "1st", "third", "3rd"}
_BESIDE = {"group", "cohort", "arm", "lot", "what", "about", "how", "same", "in", "among"}
_PAIR, _MOST = 2, 3
_COST = -0.4


def groups_told(statement: Statement) -> tuple[Set, ...]:
    """The groups of patients or stays whose figures stand beside each other in an answer, in their order; none where
    one of them is among another."""
    match statement:
        case Single(columns=columns) if 1 < len(columns) <= _MOST:
            sets = [one.of for one in columns if isinstance(one, Aggregate) and isinstance(one.of, Set)]
            found = tuple(dict.fromkeys(sets)) if len(sets) == len(columns) else ()
        case Arms(of=cohorts) | Characteristics(of=cohorts):
            found = tuple(one.of for one in cohorts)
        case Overlap(left=left, right=right):
            found = left.of, right.of
        case _:
            return ()
    units = {of.unit for of in found}
    apart = all(_is_apart(one, other) for one in found for other in found if one is not other)
    return found if 1 < len(found) <= _MOST and len(units) == 1 and units <= {*UNITS} and apart else ()


def with_groups(subjects: Mapping[int, Subject], earlier: Mapping[int, Statement]) -> dict[int, Subject]:
    """The subjects of the turns in their order, where each group of an answer of several is one of its own, and what
    is told later of some of a group is none."""
    found, groups = list[Subject](), list[Set]()
    for turn in sorted(subjects):
        if told := groups_told(earlier[turn]):
            found, groups = [*found, *(Subject(turn, of) for of in told)], [*groups, *told]
        elif not (groups and _is_of_some(subjects[turn].of, groups, earlier)):
            found.append(subjects[turn])
    return dict(enumerate(found))


def _is_of_some(of: Set, groups: Sequence[Set], earlier: Mapping[int, Statement]) -> bool:
    """True for rows that are all in one of the groups."""
    near = alone_if_near(of, earlier)
    told = {*parts_of(flattened(near).where)} if near is not None else set()
    return any(group.unit == of.unit and {*parts_of(group.where)} <= told for group in groups)


def told_in_groups(earlier: Mapping[int, Statement]) -> Iterator[Subject]:
    """The groups that earlier answers told of, each as what may be meant again."""
    for turn, statement in earlier.items():
        yield from (Subject(turn, of) for of in groups_told(statement))


def group_nodes(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> Iterator[Node]:
    """The nodes of "the first group", "the latter": a group of the last answer that told of several."""
    for start, end, place in _places_said(one.words):
        if (group := _in_place(place, one.words[end - 1] in _ALONE, earlier, latest)) is not None:
            for node in meant(group, start, end, _COST):
                yield replace(node, why=(*node.why, ONE_OF_GROUPS))


def table_group_nodes(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> Iterator[Node]:
    """The nodes of "the medicare ones", after a table by insurance: the rows of that group."""
    statement = earlier[latest]
    ends = (
        [at for at, word in enumerate(one.words) if word in _GROUPS | _ONES | STAY_NOUNS] if "the" in one.words else []
    )
    if not ends or not isinstance(statement, Groups) or statement.of.unit not in UNITS:
        return
    keys = {key.field for key in statement.by if isinstance(key, Own)}
    for node in one.nodes:
        if node.kind != "trait" or node.sense.field not in keys or node.end not in ends or not node.start:
            continue
        if one.words[node.start - 1] == "the" and not node.sense.negated:
            group = Subject(latest, limited(statement.of, node.sense.condition))
            for told in meant(group, node.start - 1, node.end + 1, _COST + node.cost):
                yield replace(told, why=(*told.why, ONE_OF_GROUPS))


def passes_over_group(logic: str, statement: Statement) -> bool:
    """True for query logic that says nothing of the attribute by which a table has its groups."""
    keys = {key.field for key in statement.by if isinstance(key, Own)} if isinstance(statement, Groups) else set()
    return bool(keys) and not any(key in logic for key in keys)


def group_called(words: Sequence[str], earlier: Mapping[int, Statement], latest: int) -> Subject | None:
    """The group that words call by its place, and nothing else."""
    said = next(_places_said(words), None)
    if said is None or (said[0], said[1]) != (0, len(words)):
        return None
    return _in_place(said[2], words[-1] in _ALONE, earlier, latest)


def _places_said(words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Where it is said of which of several groups something is, and its place among them."""
    for at, word in enumerate(words):
        noun = words[at + 1 : at + 2] and words[at + 1] in _GROUPS
        if word in _PLACES and (noun or word in _ALONE):
            yield at - (at > 0 and words[at - 1] == "the"), at + 1 + bool(noun), _PLACES[word]


def without_group(words: Sequence[str], earlier: Mapping[int, Statement]) -> tuple[str, ...]:
    """The words for a group that the last answer of several has not: "the third group", of two."""
    told = _last_told(earlier, max(earlier)) if not _GROUPS.isdisjoint(words) else None
    said = _places_said(words) if told is not None else ()
    return tuple(word for start, end, place in said if told and place >= len(told[1]) for word in words[start:end])


def _in_place(place: int, of_two: bool, earlier: Mapping[int, Statement], latest: int) -> Subject | None:
    told = _last_told(earlier, latest)
    if told is None or place >= len(told[1]) or (of_two and len(told[1]) > _PAIR):
        return None
    return Subject(told[0], told[1][place])


def same_of_other_group(
    one: Lexed, statement: Statement, earlier: Mapping[int, Statement], latest: int
) -> Statement | None:
    """ "And the second?", "what about the other group": what was asked of one of two groups, asked of the other."""
    said = {*one.words} & _OTHER
    if len(said) != 1 or not covers(one, _OTHER | _BESIDE, ()):
        return None
    told = _last_told({turn: of for turn, of in earlier.items() if turn < latest}, latest)
    if told is None:
        return None
    _, groups = told
    asked = [at for at, of in enumerate(groups) if _asks_of(statement, of)]
    place = _PLACES.get(said.pop(), 1 - asked[0] if len(asked) == 1 and len(groups) == _PAIR else None)
    if len(asked) != 1 or place is None or not place < len(groups) or place == asked[0]:
        return None
    return _of_another(statement, groups[asked[0]], groups[place])


def _last_told(earlier: Mapping[int, Statement], latest: int) -> tuple[int, tuple[Set, ...]] | None:
    turns = (turn for turn in sorted(earlier, reverse=True) if turn <= latest)
    return next(((turn, told) for turn in turns if (told := groups_told(earlier[turn]))), None)


def _asks_of(statement: Statement, of: Set) -> bool:
    return any(
        isinstance(node, Set) and node.unit == of.unit and {*parts_of(of.where)} <= {*parts_of(node.where)}
        for node in walk(statement)
    )


def _of_another(statement: Statement, old: Set, new: Set) -> Statement | None:
    """The statement about the rows of another group; None where it is not about those of the `old`."""
    told, own = parts_of(old.where), [part for part in parts_of(old.where) if part not in parts_of(new.where)]
    others = [part for part in parts_of(new.where) if part not in told]

    def swap(node: object) -> object:
        if not isinstance(node, Set) or node.unit != old.unit or node.items != old.items:
            return node
        parts = parts_of(node.where)
        if not {*told} <= {*parts}:
            return node
        kept = [part for part in parts if part not in told]
        return replace(node, where=maybe([*parts_of(new.where), *kept]))

    if len(own) == len(others) == 1:  # it may be said of their stays besides
        return mapped(statement, lambda node: others[0] if node == own[0] else node)
    made: Statement = mapped(statement, swap)
    left = any(part in own for part in walk(made))
    return made if made != statement and not left else None


def _is_apart(one: Set, other: Set) -> bool:
    left, right = {*parts_of(one.where)}, {*parts_of(other.where)}
    return bool(left - right) and bool(right - left)
