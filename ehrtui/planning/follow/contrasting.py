"""Those who have not what was demanded, or the reverse: "what about those without a fracture?", "compare with those on
warfarin"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ehrtui.logic.algebra.model import UNITS, Aggregate, Condition, Groups, Has, Not, Own, Rows, Set, Single, Statement
from ehrtui.logic.nodes import below, mapped
from ehrtui.planning.follow.narrowing import excludes
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import parts_of
from ehrtui.planning.reader.spelled_out import spelled_out
from ehrtui.planning.reader.world import World

_SAME_OF_OTHERS = (("what", "about"), ("how", "about"), ("compare", "with"), ("compare", "to"), ("compared", "with"),
                   ("compared", "to"))  # fmt: skip
"""Words behind which the same is asked of others."""
_OTHERS = {"those", "with", "without"}
_OF = {"with", "of", "among", "for", "in", "on"}
_COMPARES = {"compare", "compares", "compared", "versus", "vs", "comparison"}
_BEFORE_COMPARES = {
    "how",
    "does",
    "do",
    "did",
    "that",
    "this",
    "it",
    "they",
    "these",
    "now",
    "and",
    "can",
    "you",
    "is",
    "in",
}
_OF_EACH = {"each", "every", "all", "any", "how", "which", "what", "whom", "both"}
_SHORT = 8
_ADDED = {"please", "then"}
_PASSED = {"and", "now", "so", "but", "that", "this", "it", "them"}


def turned_round(statement: Statement, condition: Condition, world: World) -> Statement | None:
    """The statement with the one condition in it that another is the opposite of turned into its opposite, wherever it
    stands; None where there is none, or several."""
    said = spelled_out(condition, world)
    found = {part for part in _demands(statement) if excludes(spelled_out(_innermost(part), world), said)}
    if len(found) != 1:
        return None
    old = found.pop()
    new = old.of if isinstance(old, Not) else Not(old)
    return mapped(statement, lambda node: new if node == old else node)


def _demands(node: object) -> Iterator[Condition]:
    """The conditions of the sets in a statement, but for those of the stays that others are demanded to have had."""
    if isinstance(node, Has | Not):
        return
    if isinstance(node, Set):
        yield from parts_of(node.where)
    for part in below(node):
        yield from _demands(part)


def _innermost(part: Condition) -> Condition:
    """What is demanded of patients by stays that are told by one thing alone."""
    match part:
        case Has(of=Set(unit=unit, where=Has() as inner), times=None) if unit in UNITS:
            return _innermost(inner)
        case Not(of=Has(of=Set(unit=unit, where=Has() as inner))) if unit in UNITS:
            return _innermost(Not(inner))
    return part


def asks_the_same(words: Sequence[str]) -> bool:
    """True for words that ask of others what was asked before."""
    said = [word for word in words if word not in _PASSED and word[0].isalnum()]
    others = not _OTHERS.isdisjoint(words[1:2]) or tuple(words[1:3]) == ("the", "ones")
    return tuple(said[:2]) in _SAME_OF_OTHERS or ("and" in words[:1] and others)


def of_others(words: Sequence[str]) -> bool:
    """True for words that ask a figure of others: "and with gout?", "and for those on warfarin", "how about them"."""
    said = words[1:] if words[:1] == ("and",) else words if opens_with_others(words) else ()
    return (said[:1] != () and said[0] in _OF) or asks_the_same(words)


def opens_with_others(words: Sequence[str]) -> bool:
    """True for "for those under 50", and not for "for each of them"."""
    return words[:1] == ("for",) and len(words) <= _SHORT and _OF_EACH.isdisjoint(words[1:2])


def compared_with(one: Lexed, statement: Statement, changed: Callable[[str], Statement | None]) -> Statement | None:
    """Two figures beside each other: "how does that compare to patients on warfarin?", "versus those with gout"."""
    words = [word for word in one.words if word[0].isalnum() and word not in _ADDED]
    at = next((at for at, word in enumerate(words) if word in _COMPARES), None)
    if at is None or not isinstance(statement, Single) or not {*words[:at]} <= _BEFORE_COMPARES:
        return None
    rest = words[at + 1 :]
    while rest and rest[0] in _PASSED | {"with", "to", "against"}:
        rest = rest[1:]
    after = changed(" ".join(["and", "for", *rest])) if rest else None
    if not isinstance(after, Single) or narrows(statement, after):
        return None
    return Single((*statement.columns, *after.columns))


def tells_figures(statement: Statement) -> bool:
    """True for an answer that tells more than who or which rows: figures, or something of each of its rows."""
    return isinstance(statement, Single | Groups) or (
        isinstance(statement, Rows) and statement.columns not in ((Own("id"),), (Own("name"),))
    )


def compares(statement: Statement) -> bool:
    """True for figures of different rows beside each other."""
    if not isinstance(statement, Single) or len(statement.columns) < 2:
        return False
    sets = [one.of for one in statement.columns if isinstance(one, Aggregate) and isinstance(one.of, Set)]
    return any(not {*parts_of(sets[0].where)} <= {*parts_of(of.where)} for of in sets[1:])


def narrows(before: Statement, after: Statement) -> bool:
    """True where a figure is of some of those of whom another is: these are no others."""
    one, other = rows_about(before), rows_about(after)
    if one is None or other is None or one.unit != other.unit or one.where is None:
        return False
    return {*parts_of(one.where)} < {*parts_of(other.where)}


def adds_to_them(words: Sequence[str], before: Statement, after: Statement) -> bool:
    """True where "same for E. coli" was taken for those of before who had that besides, or in place of their death: the
    same is asked of others."""
    one, other = rows_about(before), rows_about(after)
    if tuple(words[:2]) != ("same", "for") or one is None or other is None or one.unit != other.unit:
        return False
    old, new = {*parts_of(one.where)}, {*parts_of(other.where)}
    return any(map(_is_of_records, new - old)) and not any(map(_is_of_records, old - new))


def _is_of_records(part: Condition) -> bool:
    """True for having had records of something, and not for having died or been there."""
    return isinstance(part, Has) and part.of.unit not in {*UNITS, "death"}


def beside(words: Sequence[str], before: Statement, after: Statement) -> Statement:
    """Both figures where the latter is to be compared with the former, else the latter."""
    compared = not {"compare", "compared"}.isdisjoint(words[:2])
    if compared and isinstance(before, Single) and isinstance(after, Single) and before != after:
        return Single((*before.columns, *after.columns))
    return after
