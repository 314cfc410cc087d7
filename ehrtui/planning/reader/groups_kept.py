"""Which groups are told, by how many there are in each: "stays per ward, only wards with more than 5", "mean sodium by
unit where there are at least 10 patients"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    Aggregate,
    Comparison,
    Condition,
    Groups,
    Own,
    Rows,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.meanings import limited, plain
from ehrtui.planning.reader.numbers import number
from ehrtui.planning.reader.reader import Read

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
    r"(?:me\s+)?(?:their|the|a)?\s*"
    r"(?:counts?|numbers?|totals?|(?:count|number)s? of (?:patients|people|persons|admissions|stays|visits|times))"
    r"[\s?.!)]*$"
)
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


def kept_with_counts(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of "which drugs were given to over 20 patients, with counts": the groups that are named by how many
    there are in each, with those numbers."""
    said = _WITH_COUNTS.match(text.lower) if any(word in text.lower for word in _BOUNDS) else None
    if said is None:
        return []
    found = []
    for one in read(words_read(said["rest"]))[:1]:
        if isinstance(one.statement, Groups) and one.statement.having is not None and one.statement.asked == "keys":
            found.append(replace(one, statement=replace(one.statement, asked="all"), price=one.price + _SAVED / 2))
    return found


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
