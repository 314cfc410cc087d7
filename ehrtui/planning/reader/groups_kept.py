"""Which groups are told, by how many there are in each: "stays per ward, only wards with more than 5", "mean sodium by
unit where there are at least 10 patients"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Comparison,
    Condition,
    Groups,
    Has,
    Own,
    Rows,
    Set,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.meanings import limited, parts_of, plain
from ehrtui.planning.reader.numbers import number
from ehrtui.planning.reader.reader import Read
from ehrtui.schema.kinds import kind_of

_SIGNS: dict[str, Comparison] = {
    **dict.fromkeys(("at least", "a minimum of", "no fewer than", "not less than", ">=", "≥"), ">="),
    **dict.fromkeys(("more than", "over", "above", "greater than", ">"), ">"),
    **dict.fromkeys(("fewer than", "less than", "under", "below", "<"), "<"),
    **dict.fromkeys(("at most", "no more than", "up to", "<=", "≤"), "<="),
}
_LIMIT = (
    rf"(?:(?P<sign>{'|'.join(sorted(_SIGNS, key=len, reverse=True))})\s*(?P<count>[\w,]+)|(?P<least>[\w,]+)"
    r"(?:\s*\+|\s+or\s+more))"
)
_COUNTED = r"(?:\s+(?:different\s+|distinct\s+)?(?P<what>(?!only|alone|each)[a-z]+(?:\s(?!only|alone|each)[a-z]+)?))?"
_KEPT = re.compile(
    r"^(?P<rest>.+?\S)\s*(?:[,;:.?(–-]+\s*(?:and\s+)?"
    r"(?P<only>only|just|keep(?:ing)?(?: only)?|limited to|restricted to|considering only|for|but only)?"
    r"\s*(?:for\s+)?(?:the\s+)?(?P<noun>[a-z]+(?:\s[a-z]+)?)\s+"
    r"(?:with|having|that\s+(?:have|had|contributed|contribute)|contributing)"
    rf"|[,;(]?\s*(?:only\s+)?(?:where|if|when|having|with)\s+(?:there\s+(?:are|were|is)|(?:the|a)?\s*"
    r"(?:count|n|total|number)(?:\s+(?:is|was|of))?))"
    rf"\s+{_LIMIT}{_COUNTED}(?P<also>\s+(?:only|alone))?[\s?.!)]*$"
)
_EACH = re.compile(rf"^(?P<rest>.+?\S)\s*[,;(]\s*(?:with\s+)?{_LIMIT}{_COUNTED}\s+(?:each|per group)[\s?.!)]*$")
_WITH_COUNTS = re.compile(
    r"^(?P<rest>.+?\S)\s*[,;?.(–-]*\s+\(?(?:and\s+)?(?:with|plus|including|showing|show|give)\s+"
    r"(?:me\s+)?(?:their|the|a)?\s*(?:(?:patient\s+)?(?:ids?|names?|who)\s*(?:and|,|\+|with)\s*(?:the\s+)?)?"
    r"(?:counts?|numbers?|totals?|(?:count|number)s? of "
    r"(?P<what>patients|people|persons|admissions|stays|visits|times))[\s?.!)]*$"
)
_LISTS = re.compile(r"^\W*(?:please\s+)?(?:which|what|list|show|name|give)\b")
_COUNTS_LOST = 1.8
"""What it costs that names are told without the numbers that are asked for with them."""
_ANY = {"those", "ones", "groups", "categories", "these", "that"}
_SAVED = -0.9
"""What it saves that a limit is one of the groups, and of nothing that is in them."""


def groups_kept(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question that ends in a limit of its groups; `read` reads what stands before it."""
    lower = text.lower
    if not any(word in lower for word in _BOUNDS):
        return []
    said, noun = _KEPT.match(lower), ""
    if said is None:
        said = _EACH.match(lower)
    else:
        noun = said["noun"] or ""
    if said is None or (noun and not (said["only"] or said["also"])):
        return []
    count = number(said["count"] or said["least"])
    if count is None or count != int(count):
        return []
    sign = _SIGNS[said["sign"]] if said["sign"] else ">="
    if noun and not {*noun.split()} & _ANY and not _stands_in(noun, said["rest"], keys=True):
        return []
    found = []
    for one in read(words_read(said["rest"]))[:1]:
        kept = _kept(one.statement, (sign, count), said["what"] or "", said["rest"])
        if kept is not None:
            found.append(replace(one, statement=kept, price=one.price + _SAVED))
    return found


_BOUNDS = (
    *(
        ">",
        "<",
        "≥",
        "≤",
        " than ",
        " at least ",
        "(at least ",
        " over ",
        " above ",
        " under ",
        " below ",
        " or more",
        "+",
    ),
    *(" minimum of ", " at most ", " up to "),
)


def with_counts(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of "which drugs were given to over 20 patients, with counts", "which organisms grew in 2104? with
    numbers": the names that are asked for, or the groups that are kept, each with how many there are of it."""
    said = _WITH_COUNTS.match(text.lower)
    if said is None:
        return []
    found = []
    for one in read(words_read(said["rest"]))[:1]:
        made = _counted(one.statement, said["what"] or "")
        if made is not None:
            found.append(replace(one, statement=made, price=one.price + _SAVED / 2))
    return found


def without_counts(text: Text, found: Sequence[Read]) -> list[Read]:
    """The readings of a question that asks which, "with numbers", at what they cost: those that tell no number of each
    leave something out."""
    if not _WITH_COUNTS.match(text.lower) or not _LISTS.match(text.lower):
        return list(found)
    return [
        one
        if (isinstance(one.statement, Groups) and one.statement.asked != "keys") or _numbers_each(one.statement)
        else replace(one, price=one.price + _COUNTS_LOST, why=(*one.why, "unused:counts"))
        for one in found
    ]


def _numbers_each(statement: Statement) -> bool:
    return isinstance(statement, Rows) and any(isinstance(one, Aggregate) for one in statement.columns)


def _counted(statement: Statement, what: str) -> Statement | None:
    match statement:
        case Groups(having=Test(), asked="keys"):
            return replace(statement, asked="all")
        case Rows(of=Set(unit="patient", pick=None, where=where), columns=(Own("id"),)):
            had = [part.of for part in parts_of(where) if isinstance(part, Has) and part.times is not None]
            return replace(statement, columns=(Own("id"), Aggregate("count", had[0]))) if len(had) == 1 else None
        case Rows(columns=(Own(field=field) as key,), of=Set(unit=unit, pick=None) as of, order=None):
            if unit in UNITS or kind_of(unit.replace(" ", "_")).place or field not in ("name", "organism", "route"):
                return None
            people = what.split()[-1:] in (["patients"], ["people"], ["persons"])
            number = Aggregate("distinct", None, Own(PATIENT)) if people else Aggregate("count", None)
            return Groups(of, (key,), (number,))
    return None


_KEYS = re.compile(r"\b(?:per|by|each|every|which|what|for each|for every|in each)\b")


def _stands_in(noun: str, rest: str, *, keys: bool = False) -> bool:
    """True where a noun, in the plural, is one of the words before: behind the first that groups are made by."""
    if keys:
        begin = _KEYS.search(rest)
        rest = rest[begin.end() :] if begin is not None else ""
    last = noun.split()[-1]
    stem = last.removesuffix("s").removesuffix("ie")
    return any(word.startswith(stem) for word in re.findall(r"[a-z]+", rest))


def _kept(statement: Statement, test: tuple[Comparison, float], what: str, rest: str) -> Statement | None:
    sign, count = test
    match statement:
        case Groups(columns=(*_, last), having=None):
            by_number = _number_of(last, what, rest, statement.of.unit)
            return None if by_number is None else replace(statement, having=_test(by_number, sign, count))
        case Rows(columns=(Own(), *_, Aggregate(function="count") as last)) if not what or _stands_in(what, rest):
            return replace(statement, of=limited(statement.of, Test(last, sign, Value(plain(count)))))
    return None


def _number_of(last: Aggregate, what: str, rest: str, unit: str) -> Aggregate | None:
    """The number of each group that is limited; None where that of something else is meant."""
    if what.split()[-1:] in (["patients"], ["people"], ["persons"]):
        return Aggregate("distinct", None, Own(PATIENT)) if unit != PATIENT else Aggregate("count", None)
    if what and not _stands_in(what, rest) and what.split()[-1] not in _ROWS:
        return None
    counts = last.function == "count" or (last.function == "distinct" and not what)
    return last if counts else Aggregate("count", None)


_ROWS = {"values", "measurements", "results", "records", "observations", "rows", "stays", "cases", "entries"}


def _test(measure: Aggregate, sign: Comparison, count: float) -> Condition:
    return Test(measure, sign, Value(plain(count)))
