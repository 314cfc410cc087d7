"""Clinical codes in a question: one ("428.0"), a family ("428.x", "I50.*", "250") or a range ("584-586")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ehrtui.concepts.candidates import Candidate, Mention
from ehrtui.logic.algebra.model import Item
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import Stored, ValueIndex

_CODE = re.compile(
    r"(?<![\w.$-])(?:icd[\s-]?(?:9|10)(?:[\s-]?cm)?[\s:]+(?:codes?[\s:]+)?)?"
    r"(?P<code>(?:[a-tv-z]\d[\da-z](?:\.(?!x\b)[\da-z]{1,4})?|e\d{3}(?:\.\d)?|v\d{2}(?:\.\d{1,2})?|\d{2,3}(?:\.\d{1,2})|\d{3,5}))"
    r"(?P<open>\.?[x*]+|\.-)?(?![\w%]|\.\d)"
)
_RANGE = re.compile(
    r"(?<![\w.$-])(?P<first>[a-z]?\d{2,3})(?:\.x|\.\*)?\s*(?:-|–|to|through)\s*(?P<last>[a-z]?\d{2,3})(?:\.x|\.\*)?(?![\w%.])"
)
_LETTER = re.compile(r"\b(?P<letter>[ev])[\s-]?codes?\b")
_OF_LETTER = {"e": "E800-E999", "v": "V01-V91"}
"""What a letter before "codes" means: the causes of injuries, and what influences health."""
_LONGEST_NUMBER = 5
"""Digits of an ICD-9 code. Those of ICD-10-PCS that are nothing but digits begin with 0."""
_SAID = re.compile(r"\b(?:icd|codes?|coded|dx)\b")
_WIDEST = 200
"""Families of codes in a range."""


def find_codes(lower: str, index: ValueIndex, profile: Profile) -> Iterator[Mention]:
    """The codes that a text in lower case names, as far as they are stored: digits alone only where it speaks of
    codes."""
    said = bool(_SAID.search(lower))
    for match in _RANGE.finditer(lower) if said else ():
        text = f"{match['first']}-{match['last']}".upper()
        if found := candidates_of_codes((text,), index, profile):
            yield Mention(match.start("first"), match.end(), found)
    for match in _LETTER.finditer(lower):
        if found := candidates_of_codes((_OF_LETTER[match["letter"]],), index, profile):
            yield Mention(*match.span(), found)
    for match in _CODE.finditer(lower):
        code = match["code"].upper()
        if code.isdigit() and not (said or match["open"]):
            continue
        whole = "." in code or len(code) > 3
        text = code if whole and not match["open"] else f"{code}.*" if "." not in code else f"{code}*"
        if found := candidates_of_codes((text,), index, profile):
            yield Mention(*match.span(), found)


def candidates_of_codes(codes: tuple[str, ...], index: ValueIndex, profile: Profile) -> tuple[Candidate, ...]:
    """What codes, families and ranges mean in each role that has codes; the likeliest role first."""
    found = []
    for role in index.roles:
        if not profile.role(role).fields.get("code"):
            continue
        stored = stored_of_codes(codes, role, index)
        if stored:
            rows = sum(one.rows for one in stored.values())
            items = tuple(Item("code", code) for code in codes)
            found.append(Candidate(role, items, how="code", score=1.0, label=_label(codes, stored), rows=rows))
    return tuple(sorted(found, key=lambda one: -one.rows))


def stored_of_codes(codes: tuple[str, ...], role: str, index: ValueIndex) -> Mapping[str, Stored]:
    """The stored items of a role that have one of these codes, by name."""
    found: dict[str, Stored] = {}
    for code in codes:
        for start, whole in beginnings(code):
            for one in index.coded(role, start):
                if start in one.codes if whole else any(_in_family(each, start) for each in one.codes):
                    found.setdefault(one.name, one)
    return found


def _in_family(code: str, start: str) -> bool:
    """True for a code that begins so and may be one of the ICD: a long number (403190006) is of another vocabulary,
    such as SNOMED CT, where what a code begins with says nothing."""
    foreign = code.isdigit() and len(code) > _LONGEST_NUMBER and not code.startswith("0")
    return code.startswith(start) and not foreign


def beginnings(code: str) -> list[tuple[str, bool]]:
    """How the codes of a family or range begin, without dots, and whether that is all of the code."""
    first, dash, last = code.upper().partition("-")
    if dash:
        letter = first[:1] if first[:1].isalpha() else ""
        start, end = first.removeprefix(letter), last.removeprefix(letter)
        short = start.isdecimal() and end.isdecimal() and len(start) == len(end) <= _LONGEST_NUMBER
        if short and int(end) - int(start) < _WIDEST:
            return [(f"{letter}{one:0{len(start)}}", False) for one in range(int(start), int(end) + 1)]
        return []
    plain = first.replace(".", "")
    return [(plain.rstrip("*"), not plain.endswith("*"))]


def _label(codes: tuple[str, ...], stored: Mapping[str, Stored]) -> str:
    if len(stored) == 1:
        return next(iter(stored))
    return f"{', '.join(codes[:3])}: {len(stored)} names"
