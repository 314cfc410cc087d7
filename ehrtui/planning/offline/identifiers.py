"""The patients that a question names by their identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ehrtui.planning.offline.words import Mark, Text

_ID = r"(?:(?![1-9]\d{0,2}-\d{1,3}(?![\d-]))\d[\d-]*\d|\d)"
"""An identifier, with hyphens where it has any; not the likes of "60-70"."""
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_TEXT_ID = rf"(?:{_UUID}|[a-z]{{1,4}}[-_]?\d{{3}}[\d-]*(?![a-z])|{_ID})"
"""An identifier where these may be texts: "P0012", a UUID."""


@cache
def _patients_named(id: str, nouns: tuple[str, ...] = ()) -> re.Pattern[str]:
    called = "".join(f"|{re.escape(noun)}" for noun in nouns)
    return re.compile(
        rf"\b(?:patients?|persons?|subjects?|subject_id|pt{called})\s*(?:with\s+(?!\d+\s+(?:or\s+more\s+)?[a-z]))?(?:the\s+)?(?:ids?|numbers?|no\.?|\#)?\s*[:=]?\s*"
        rf"(?P<ids>{id}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s+or\s+|\s*&\s*){id})*)(?!s\b)(?!\.\d)(?!\s*(?:years|mg|/|(?:or|and)\s+(?:above|over|older|below|under|younger)))(?!-?\d)"
    )


_LONG_ID = r"(?:\d{3}-\d{4,7}|\d{5,9})"
_BARE_PATIENT = re.compile(
    r"(?<![\w/.,-])(?<!than\s)(?<!above\s)(?<!below\s)(?<!over\s)(?<!under\s)(?<!stay\s)(?<!visit\s)(?<!admission\s)"
    r"(?<!encounter\s)(?<!code\s)(?<!item\s)(?<!\bicd\s)(?<!\bicd9\s)(?<!\bward\s)(?<!\bid\s)(?<![<>=#|]\s)(?<![<>=#|])"
    rf"(?P<ids>{_LONG_ID}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s+or\s+|\s*&\s*){_LONG_ID})*)\b(?![,/%-]?\d|\.\d|[/%-])"
    r"(?!\s*(?:m?[gl]|mcg|units?|iu|k|years?|days?|hours?|or\s+(?:more|less|above|below))\b)"
)
"""An identifier without "patient": longer than a year, and not a limit, a dose or another record's number."""
_ONLY_NUMBER = re.compile(rf"^\W*(?:for\s+|of\s+)?(?P<ids>{_ID})\W*$")


def find_patients(text: Text, *, texts: bool, nouns: tuple[str, ...] = ()) -> Iterator[Mark]:
    """Marks of kind "patient", each with the identifiers as typed; with `texts`, these may have letters. `nouns` are
    what patients are called here besides: "client 12"."""
    found = list(_patients_named(_TEXT_ID if texts else _ID, nouns).finditer(text.lower))
    for match in found or _BARE_PATIENT.finditer(text.lower):
        typed = text.typed[slice(*match.span("ids"))]
        yield Mark(*match.span(), "patient", tuple(re.findall(_TEXT_ID if texts else _ID, typed, re.IGNORECASE)))


def find_lone_patient(lower: str) -> Iterator[Mark]:
    """The mark of a question that is nothing but a number, in lower case."""
    if number := _ONLY_NUMBER.match(lower):
        yield Mark(*number.span("ids"), "patient", (number["ids"],))
