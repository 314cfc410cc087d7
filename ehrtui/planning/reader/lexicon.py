"""The reader's lexicon: paraphrase classes, read from `lexicon.toml`, with their inflections generated."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from ehrtui.schema.columns import plural

_FILE = Path(__file__).with_name("lexicon.toml")
_ENGLISH = Path(__file__).with_name("english.toml")
_PIECE = re.compile(r"\[([^\]]*)\]|([^\s\[\]]+)")
_DOUBLED = re.compile(r"[^aeiou][aeiou][bdgmnprt]$")
_IRREGULAR = {
    "give": ("gives", "gave", "given", "giving"),
    "begin": ("begins", "began", "begun", "beginning"),
    "come": ("comes", "came", "coming"),
    "go": ("goes", "went", "gone", "going"),
    "see": ("sees", "saw", "seen", "seeing"),
    "show": ("shows", "showed", "shown", "showing"),
    "undergo": ("undergoes", "underwent", "undergone", "undergoing"),
    "hang": ("hangs", "hung", "hanging"),
    "draw": ("draws", "drew", "drawn", "drawing"),
    "die": ("dies", "died", "dying"),
    "end": ("ends", "ended", "ending"),
}


@dataclass(frozen=True)
class Sense:
    """What a phrase may mean: a class of the lexicon ("count", "limit", "field"…) and which of it (">", "age")."""

    kind: str
    which: str = ""


@dataclass(frozen=True)
class Phrases:
    """Senses by the words of phrases; `longest` is the most words of a phrase by its first word."""

    senses: Mapping[tuple[str, ...], tuple[Sense, ...]]
    longest: Mapping[str, int]

    def at(self, words: tuple[str, ...], start: int) -> Iterator[tuple[int, tuple[Sense, ...]]]:
        """The phrases that begin at word `start`, as (number of words, senses)."""
        if start >= len(words):
            return
        for size in range(1, min(self.longest.get(words[start], 0), len(words) - start) + 1):
            found = self.senses.get(words[start : start + size])
            if found is not None:
                yield size, found


@cache
def phrases() -> Phrases:
    """The shipped lexicon; read once."""
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    found: dict[tuple[str, ...], dict[Sense, None]] = {}
    for kind, section in data.items():
        for which, templates in section.items():
            sense = Sense(kind, "" if which == "words" else which)
            for template in templates:
                for phrase in expanded(template):
                    found.setdefault(phrase, {})[sense] = None
    return indexed(found)


@cache
def english() -> Mapping[str, str]:
    """Everyday words that mean nothing of the field, each with its class: what passing over it costs depends on it."""
    data = tomllib.loads(_ENGLISH.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for kind, section in data.items():
        for templates in section.values():
            for template in templates:
                for phrase in expanded(template):
                    if len(phrase) == 1:
                        found.setdefault(phrase[0], kind)
    return found


def indexed(found: Mapping[tuple[str, ...], Mapping[Sense, None]]) -> Phrases:
    """Phrases that are looked up by where they begin."""
    longest: dict[str, int] = {}
    for words in found:
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return Phrases({words: tuple(senses) for words, senses in found.items()}, longest)


def expanded(template: str) -> Iterator[tuple[str, ...]]:
    """Every phrase of a template: `a|b` alternatives, `[x]` optional, `noun*` in both numbers, `verb+` inflected."""
    parts: list[list[tuple[str, ...]]] = []
    for optional, plain in _PIECE.findall(template):
        if optional:
            parts.append([(), *(tuple(tokens(option)) for option in optional.split("|"))])
        else:
            parts.append([tuple(tokens(form)) for form in _forms(plain)])
    for combination in product(*parts):
        phrase = tuple(word for part in combination for word in part)
        if phrase:
            yield phrase


def _forms(plain: str) -> list[str]:
    """The forms of one word of a template."""
    if plain in ("+", "|"):
        return [plain]
    if "(" in plain and ")" in plain:
        before, rest = plain.split("(", 1)
        inside, behind = rest.split(")", 1)
        return [form for option in inside.split("|") for form in _forms(before + option + behind)]
    if "|" in plain and len(plain) > 1:
        return [form for option in plain.split("|") for form in _forms(option)]
    if plain.endswith("*"):
        return list(dict.fromkeys((plain[:-1], plural(plain[:-1]))))
    if plain.endswith("+") and len(plain) > 1:
        return inflected(plain[:-1])
    return [plain]


def inflected(verb: str) -> list[str]:
    """A verb in the third person, past, participle and gerund."""
    if verb in _IRREGULAR:
        return [verb, *_IRREGULAR[verb]]
    if verb.endswith("e"):
        return [verb, f"{verb}s", f"{verb}d", f"{verb[:-1]}ing"]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return [verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"]
    if verb.endswith(("s", "sh", "ch", "x", "z", "ss")):
        return [verb, f"{verb}es", f"{verb}ed", f"{verb}ing"]
    doubled = verb + verb[-1] if _DOUBLED.search(verb) and len(verb) < 5 else verb
    return [verb, f"{verb}s", f"{doubled}ed", f"{doubled}ing", f"{verb}ed", f"{verb}ing"]


_TOKEN = re.compile(
    r"""[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}   # a UUID
      | (?:\d{3}-\d{4,8}|0\d\d-\d{3})(?!\d)            # an identifier such as 002-12345
      | \d+(?:st|nd|rd|th)\b                           # an ordinal
      | \d+(?:[.,]\d+)*                                # a number
      | [^\W\d_]+(?:[^\W_]|(?<=\w)\.(?=[^\W\d_]\b))*(?:['’][^\W\d_]+)?   # a word, also "a1c", "d.o.b", "didn't"
      | <=|>=|=>|=<|≤|≥|[<>=\#%&+/♀♂]                   # a sign
      | \.{3}|[,;:.?!()–—-]                            # punctuation
    """,
    re.VERBOSE,
)


def tokens(text: str) -> Iterator[str]:
    """The tokens of a text in lower case."""
    for match in _TOKEN.finditer(text):
        yield match[0].replace("’", "'")


def spans(lower: str) -> Iterator[tuple[str, int, int]]:
    """The tokens of a text in lower case, with their places."""
    for match in _TOKEN.finditer(lower):
        yield match[0].replace("’", "'"), match.start(), match.end()
