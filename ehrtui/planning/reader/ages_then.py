"""Ages at which something was, as conditions on when it was: "before the age of 30", "as a child", "at 40 or older"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ehrtui.logic.algebra.model import Age, Comparison, Own, Test, Value
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import Bearer, Trait

_OF: frozenset[Bearer] = frozenset({"record", "stay"})
_YEARS = r"(?: years?)?(?: old| of age)?"
_THEIR = r"(?:(?:the|their|his|her|an?) )?"
_PERSON = r"(?:they|he|she|patients?|people)"
_THERE = r" (?:at|on|upon) (?:the time of )?(?:his |her |their |the )?(?:first |last )?admission(?!\S)"
_THEN = re.compile(
    rf"(?<!\S)(?:(?P<sign>before|prior to|until|up to|by|after|past|from) {_THEIR}"
    rf"(?:age of|age|(?:turning|reaching|hitting)(?: the age of| age)?|{_PERSON} (?:were|was|turned|reached))"
    rf" (?P<age>\d+){_YEARS}"
    rf"|(?P<birthday>before|by|after) {_THEIR}(?P<nth>\d+)(?:th|st|nd|rd) birthday"
    rf"|(?:at|when|while) (?:{_PERSON} (?:were|was) )?{_THEIR}(?:age of |age |ages )?"
    rf"(?:(?P<than>under|younger than|below|over|older than|above) (?P<limit>\d+){_YEARS}"
    rf"|(?P<low>\d+){_YEARS} (?P<or>or|and) (?P<way>older|over|above|up|younger|under|below))"
    rf"|(?P<child>as (?:a |an )?(?:child|children|kids?|minors?|infants?)|in (?:their |his |her )?childhood)"
    rf"|(?:aged )?(?P<younger>under|younger than|below|over|older than|above) (?P<years>\d+){_YEARS}(?={_THERE})"
    rf"|(?P<minor>(?:still )?(?:a )?minors?(?: (?:under|<|below) ?18)?)(?={_THERE})"
    rf"|(?P<adult>as (?:an )?adults?|in (?:their |his |her )?adulthood))(?!\S)"
)
_SIGNS: dict[str, Comparison] = {
    "before": "<", "prior to": "<", "until": "<", "under": "<", "younger than": "<", "below": "<", "up to": "<=",
    "by": "<=", "after": ">", "past": ">", "over": ">", "older than": ">", "above": ">", "from": ">=",
}  # fmt: skip
_OF_ONE = re.compile(r"(?:^|\s)(?:was|is) (?:(?:patient|pt|subject) )?(?:\S*\d\S*|he|she) $")
_OF_AGE = 18
_OLDEST = 120
_SAID = -0.35
"""What it costs that the age was that at some moment: with so many words it is nothing else."""


def find_ages_then(words: Sequence[str]) -> Iterator[Node]:
    """The nodes of ages at which something was."""
    text = " ".join(words)
    for found in _THEN.finditer(text):
        if (found["younger"] or found["minor"]) and not _OF_ONE.search(text[: found.start()]):
            continue  # of many it is their age at their stays
        sign, years = _limit(found)
        if 0 < years <= _OLDEST:
            start, end = (len(text[:at].split()) for at in found.span())
            test = Test(Age(Own("time")), sign, Value(years))
            yield Node("place", Trait(test, _OF), start, end, _SAID)


def _limit(found: re.Match[str]) -> tuple[Comparison, int]:
    if found["child"] or found["minor"] or found["adult"]:
        return (">=" if found["adult"] else "<"), _OF_AGE
    if found["younger"]:
        return _SIGNS[found["younger"]], int(found["years"])
    if found["birthday"]:
        return ("<" if found["birthday"] in ("before", "by") else ">="), int(found["nth"])
    if found["than"]:
        return _SIGNS[found["than"]], int(found["limit"])
    if found["low"]:
        return ("<=" if found["way"] in ("younger", "under", "below") else ">="), int(found["low"])
    reached = re.search(r"turn|reach|hit", found[0]) is not None
    sign = _SIGNS[found["sign"]]
    return (">=" if reached and sign == ">" else "<" if reached and sign == "<=" else sign), int(found["age"])
