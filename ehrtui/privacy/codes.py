"""Clinical codes in a question: what is the beginning of a code of the database's dictionaries may be said as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ehrtui.privacy.vocabulary import Speakable

_CODE = r"(?:[A-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?|[VE]\d{2,4}(?:\.\d{1,2})?|\d{2,3}(?:\.\d{1,2})?)"
_ANY = re.compile(
    rf"(?<![\w.@/-])(?P<first>{_CODE})(?P<open>\.?[xX*]{{1,2}})?(?:-(?P<second>{_CODE}))?(?![\w@]|[.-]\w)"
)
_SYSTEM = re.compile(r"(?<![\w-])ICD[- ]?(?:9|10)(?:-(?:CM|PCS))?(?![\w-])", re.IGNORECASE)
_ABOUT_CODES = re.compile(r"\b(?:ICD|codes?|coded|coding|family|families)\b", re.IGNORECASE)
_NO_CODE_AFTER = re.compile(
    r"(?:\b(?:over|above|below|under|than|least|most|first|last|top|past|within|for|aged?|patients?|subjects?|pts?|stays?"
    r"|admissions?|hadm|icustay|persons?|mrn)\b|[<>=≥≤])\W*(?:id\W*)?$",
    re.IGNORECASE,
)
_NO_CODE_BEFORE = re.compile(
    r"\W?\s*(?:%|°|mg|mcg|ml|g|l|mmol|meq|mmhg|h|hrs?|hours?|mins?|minutes?|d|days?|weeks?|months?|y|yo|years?|times|x)\b",
    re.IGNORECASE,
)


def codes_in(text: str, speakable: Speakable) -> Iterator[tuple[int, int]]:
    """The stretches of a text that are codes, families of codes (584.x, I50.*) or ranges of them, and the names of
    their systems. A plain number is one only where the text is about codes."""
    yield from (one.span() for one in _SYSTEM.finditer(text))
    about = _ABOUT_CODES.search(text) is not None
    found = list(_ANY.finditer(text))
    about = about or any(_is_open(one, speakable) for one in found)
    for one in found:
        stems = [one["first"], *([one["second"]] if one["second"] else [])]
        if not all(speakable.begins_code(_stem(stem)) for stem in stems):
            continue
        plain = one["first"].replace(".", "").isdigit() and not one["open"]
        if plain and not (about and len(_stem(one["first"])) >= 3 and _stands_alone(text, one)):
            continue
        yield one.span()


def _is_open(one: re.Match[str], speakable: Speakable) -> bool:
    lettered = not one["first"][0].isdigit()
    return bool(one["open"] or lettered) and speakable.begins_code(_stem(one["first"]))


def _stem(code: str) -> str:
    return code.lower().replace(".", "")


def _stands_alone(text: str, one: re.Match[str]) -> bool:
    """True for a number that is no identifier, limit or amount."""
    return not (_NO_CODE_AFTER.search(text[: one.start()]) or _NO_CODE_BEFORE.match(text, one.end()))
