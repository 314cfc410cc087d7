"""Words of sentences: plurals, articles, lists, numbers, names and days, and what `words.toml` says of kinds."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, UNITS, Comparison, Scalar
from ehrtui.schema.kinds import kind_of

_FILE = Path(__file__).with_name("words.toml")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"),
    "December",
)
_DATED = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?)?")
_PLAIN = re.compile(r"[^\W_][\w%()/.#+'-]*(?: [\w%(#][\w%()/.#+'-]*)*")
_CODE = re.compile(r"[\w.]+\*?")
_JOINING = frozenset(
    {
        *("and", "or", "with", "without", "not", "no", "of", "in", "on", "to", "from", "for", "by", "who", "that"),
        *("whose", "where", "than", "at", "a", "an", "the", "which", "is", "was", "were", "had", "all", "each", "per"),
        *("either", "both", "during", "after", "before", "since", "until", "above", "below", "between", "among"),
    }
)
"""Words that would be read as part of the sentence, inside a name without quotes."""
_SOUNDED = re.compile(r"(?:[aeio]|hour|u(?!ni|ri|se|r[aeo])|[fhlmnrsx][bcdfghjklmnpqrstvwxz]{1,3}\b)", re.IGNORECASE)
_NOT_SOUNDED = re.compile(r"(?:eu|one\b|once\b)", re.IGNORECASE)

AMOUNTS: Mapping[Comparison, str] = {
    ">": "more than", ">=": "at least", "<": "less than", "<=": "at most", "=": "exactly", "!=": "not exactly"
}  # fmt: skip
"""A comparison before a number of things."""
LIMITS: Mapping[Comparison, str] = {
    ">": "above", ">=": "of at least", "<": "below", "<=": "of at most", "=": "of exactly", "!=": "other than"
}  # fmt: skip
"""A comparison before a number that something is."""
MOMENTS: Mapping[Comparison, str] = {
    ">": "later than", ">=": "no earlier than", "<": "earlier than", "<=": "no later than", "=": "exactly at",
    "!=": "at any time but",
}  # fmt: skip
"""A comparison before a moment."""
FLIPPED: Mapping[Comparison, Comparison] = {"=": "!=", "!=": "=", ">": "<=", "<=": ">", "<": ">=", ">=": "<"}
"""What holds where a comparison does not."""


@dataclass(frozen=True)
class KindWords:
    """How records of a kind are said; `words.toml` explains each."""

    noun: str
    joined: str = "named"
    measured: str = ""
    had: str = ""
    object: str = ""
    alone: str = ""
    called: str = ""
    value: str = "value"


@dataclass(frozen=True)
class _Words:
    kinds: Mapping[str, Mapping[str, str]]
    flags: Mapping[str, Mapping[str, tuple[str, str]]]
    moments: Mapping[str, str]
    letters: frozenset[str] = field(default_factory=frozenset)


@cache
def _words() -> _Words:
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    flags = {name: {unit: tuple(said) for unit, said in one.items()} for name, one in data["flag"].items()}
    return _Words(data["kind"], flags, data["moment"], frozenset(data["small"]["letters"]))


@lru_cache(maxsize=256)
def kind_words(unit: str) -> KindWords:
    """How records of a unit are said."""
    if unit in UNITS:
        return KindWords(spoken(unit))
    name = unit.replace(" ", "_")
    told = {"noun": kind_of(name).noun, **_words().kinds.get(name, {})}
    return KindWords(**{**told, "noun": spoken(told["noun"])})


def flag(name: str, unit: str, holds: bool) -> str:
    """What is said of a row of a unit where such a field is 1, or 0; "" for no such field."""
    told = _words().flags.get(name)
    if told is None:
        return ""
    sort = "patient" if unit == PATIENT else "stay" if unit in (HOSPITAL, ICU) else "record"
    return told[sort][0 if holds else 1]


def moment_words(name: str) -> str:
    """What a field that is a moment is called, as something is after or before it; "" where it is not known."""
    return _words().moments.get(name, "")


@lru_cache(maxsize=1024)
def spoken(name: str) -> str:
    """A field or a unit as it is said: "icu stay" is "ICU stay"."""
    return " ".join(word.upper() if word in _words().letters else word for word in tidy(name).split(" "))


# --- nouns -----------------------------------------------------------------------------------------------------------


def plural(noun: str) -> str:
    """More than one of it."""
    if noun.endswith("sis"):
        return f"{noun[:-2]}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith(("ss", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("s"):
        return noun
    return f"{noun}S" if noun.isupper() and len(noun) > 4 else f"{noun}s"


def a(noun: str) -> str:
    """One of it, with its article; a number without."""
    if noun[0].isdigit():
        return noun
    bare = noun.lstrip("“(")
    spelled = bare.split(" ")[0].lower() in _words().letters and bare[0].lower() in "aefhilmnorsx"
    sounded = spelled or (_SOUNDED.match(bare) and not _NOT_SOUNDED.match(bare))
    return f"an {noun}" if sounded else f"a {noun}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Parts one after the other: "a, b and c"; with a comma before the last where one of them has the word itself."""
    *rest, last = parts
    if not rest:
        return last
    nested = any(f" {other} " in part for part in parts for other in ("and", "or")) and len(parts) > 2
    return f"{', '.join(rest)}{',' if nested else ''} {word} {last}"


def ordinal(number: float) -> str:
    """1st, 2nd, 3rd, 97.5th."""
    text = numeral(number)
    if text.endswith(("11", "12", "13")):
        return f"{text}th"
    return text + {"1": "st", "2": "nd", "3": "rd"}.get(text[-1], "th")


_TIMES = ("zeroth", "first", "second", "third", "fourth", "fifth")


def nth(number: int) -> str:
    """first, second, 12th."""
    return _TIMES[number] if 0 < number < len(_TIMES) else ordinal(number)


# --- values ----------------------------------------------------------------------------------------------------------


def numeral(number: float) -> str:
    """A number in plain digits."""
    if isinstance(number, int):
        return str(number)
    text = format(Decimal(repr(number)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def tidy(text: str) -> str:
    """A stored text on one line, without characters that are not shown."""
    shown = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(shown.replace("“", "’").replace("”", "’").split())


def quoted(text: str) -> str:
    """A stored text between quotation marks."""
    return f"“{tidy(text)}”"


def name(text: str) -> str:
    """A stored name as it is, in quotation marks where it would not be seen to be a name."""
    shown = tidy(text)
    plain = _PLAIN.fullmatch(shown) and _JOINING.isdisjoint(shown.lower().split()) and not shown.endswith(("-", "."))
    return shown if plain else f"“{shown}”"


def code(text: str) -> str:
    """A code or a family of codes."""
    return text if _CODE.fullmatch(text) else quoted(text)


def value(scalar: Scalar) -> str:
    """A value that a field is compared with."""
    if not isinstance(scalar, str):
        return numeral(scalar)
    if (said := day(scalar)) is not None:
        return said
    shown = name(scalar)
    return shown if " " not in shown else quoted(scalar)


def identifier(scalar: Scalar) -> str:
    """The identifier of a patient or a stay."""
    return numeral(scalar) if not isinstance(scalar, str) else name(scalar)


def day(text: str) -> str | None:
    """A written day or moment in words; None for any other text."""
    match = _DATED.fullmatch(text)
    if match is None or not 1 <= int(match[2]) <= 12:
        return None
    month = f"{_MONTHS[int(match[2]) - 1]} {match[1]}"
    if match[3] is None:
        return month
    return f"{match[4]} on {int(match[3])} {month}" if match[4] else f"{int(match[3])} {month}"


def month_name(number: int) -> str:
    """The name of a month; "month 13" where there is none."""
    return _MONTHS[number - 1] if 1 <= number <= 12 else f"month {number}"


def pattern(text: str, *, what: str = "a name") -> str:
    """What is like a pattern: "a name beginning with “furo”"."""
    pieces = [quoted(piece) for piece in text.split("*") if tidy(piece)]
    if not pieces:
        return f"{what} of any kind" if "*" in text else f"{what} reading “{tidy(text)}”"
    if "*" not in text:
        return f"{what} reading {pieces[0]}"
    starts, ends = not text.startswith("*"), not text.endswith("*")
    first = f"beginning with {pieces[0]}" if starts else f"containing {pieces[0]}" if not ends or pieces[1:] else ""
    if not first:
        return f"{what} ending in {pieces[0]}"
    behind = [f"then {piece}" for piece in pieces[1:-1]]
    if pieces[1:]:
        behind.append(f"ending in {pieces[-1]}" if ends else f"then {pieces[-1]}")
    return f"{what} {listed([first, *behind])}"
