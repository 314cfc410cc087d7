"""Whether a question is worded as EHRSQL words it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from ehrtui.planning.proposal import Link
from ehrtui.schema.value_index import ValueIndex

_FEWEST = 5
"""Words: what is shorter is no whole sentence."""
_FOREIGN = 3
"""Words that EHRSQL does not use: a sentence with so many is not its own. Of its answerable sentences whose families
were left out of the list 2 in 2,424 have so many, of people's whole sentences every third."""
_NOT_ITS_OWN = re.compile(
    r"\bin (?:hours|minutes|weeks|months)\b|\bby (?:the )?number of\b|, and (?:who|whose|which|when|how many)\b"
    r"|\b(?:anyone|anybody|everyone|everybody|no one|nobody) (?:has|had|have|was|were|who|with|got)\b"
    r"|^(?!.*\bpatient [\d-]).*\ballerg"
)
"""Phrases that EHRSQL does not use, of words that it does."""
_COLLEAGUES = {"we", "us", "our", "my", "pts"}
_OPENING = frozenset(
    (
        *("what", "what's", "which", "who", "when", "where", "how", "did", "does", "do", "has", "have", "had"),
        *("is", "was", "were", "are", "count", "list", "show", "give", "tell", "find", "name", "calculate", "please"),
    )
)
_SIGNS = frozenset(":;=+&#<>")
_NUMBER = re.compile(r"\d{5,}|\d{3}-\d{4,}")
_PATIENT = {"patient", "patients", "patient's", "patients'"}
_WORD = re.compile(r"[a-z][a-z'’-]*")
_NAMES = frozenset(
    (
        *("diagnosis", "procedure", "prescription", "vital", "lab", "input", "culture", "output", "value", "transfer"),
        *("body", "allergy", "ward", "microbiology_test", "patient", "time"),
    )
)
"""Kinds of links that stand for what is named, and not for how it is said."""
_TITLE = re.compile(r'diagnosis "([^"]+)"')
_LIKE, _MOST_BEGUN = 70, 50
"""How like its title a diagnosis is said at least, in percent, and how many names that begin so are looked at."""
_FAMILY = 2
"""Words that name a family of titles at most."""
_AS_STORED = frozenset(("diagnosis", "procedure", "prescription", "allergy"))
"""Kinds of names that EHRSQL spells as they are stored."""


def own_words(question: str, links: Iterable[Link]) -> list[str]:
    """The words that a question is worded with, in lower case: without the names, patients and times that its `links`
    found."""
    letters = list(question.lower())
    for link in links:
        if link.kind in _NAMES:
            letters[link.start : link.end] = " " * (link.end - link.start)
    return _WORD.findall("".join(letters))


def foreign_words(question: str, links: Iterable[Link], index: ValueIndex | None = None) -> int:
    """How many words of a question EHRSQL does not use; a name that it would spell as it is stored ("Lasix", "heart
    failure" for "chf nos", by the names of an `index`) is worth several."""
    links = tuple(links)
    words = sum(word not in _benchmark_words() for word in own_words(question, links))
    named = [link for link in links if link.kind in _AS_STORED]
    renamed = any(
        _capital(question, link)
        or _is_clipped(question[link.start : link.end], link)
        or (index is not None and _is_renamed(question[link.start : link.end], link, index))
        for link in named
    )
    return words + _FOREIGN * renamed


def _is_clipped(said: str, link: Link) -> bool:
    """True for a drug that is called by the beginning of its name: "vanc"."""
    value = link.value.lower()
    return link.kind == "prescription" and " " not in said and value.startswith(said.lower()) and value != said.lower()


def _is_renamed(said: str, link: Link, index: ValueIndex) -> bool:
    """True for a diagnosis whose title lacks a word of what was said, and has no longer form that begins so."""
    from rapidfuzz import fuzz

    if link.kind != "diagnosis" or set(_WORD.findall(said.lower())) <= set(_WORD.findall(link.value.lower())):
        return False
    if fuzz.ratio(said.lower(), link.value.lower()) >= _LIKE:
        return False
    begun = index.starting(said, _MOST_BEGUN)
    return all(entry.name != link.value or len(entry.said) == len(said) for entry in begun)


def shortens(question: str, logic: str) -> bool:
    """True where a word or two stand for a diagnosis that query logic spells out: EHRSQL spells it out, too."""
    said = set(_WORD.findall(question.lower()))
    for title in _TITLE.findall(logic):
        words = _WORD.findall(title.lower())
        found = [word in said for word in words]
        if any(found[:1]) and sum(found) <= _FAMILY and not all(found) and not any(found[_FAMILY:]):
            return True
    return False


def _capital(question: str, link: Link) -> bool:
    text = question[link.start : link.end]
    return link.start > 0 and text != link.value and text.lower() != text != text.upper()


def in_benchmark_wording(question: str, foreign: int = 0) -> bool:
    """True for a whole sentence as EHRSQL words it: from a capital to its full stop, no colleague speaking, the word
    patient before the number of one, and few words that are `foreign` to it."""
    words = question.split()
    if _NOT_ITS_OWN.search(question.lower()):
        return False
    if len(words) < _FEWEST or not question[0].isupper() or question.rstrip()[-1] not in ".?!" or foreign >= _FOREIGN:
        return False
    plain = [word.lower().strip(".,?!()").removesuffix("'s") for word in words]
    if not _COLLEAGUES.isdisjoint(plain):
        return False
    named = [at for at, word in enumerate(plain) if _NUMBER.fullmatch(word)]
    return all(at > 0 and words[at - 1].lower() in (*_PATIENT, "id", "number") for at in named)


def is_sentence(question: str) -> bool:
    """True for what is said in a whole sentence, as against keywords and signs ("Na < 125: n?")."""
    words = question.lower().split()
    opens = words[0] in _OPENING or (question.endswith("?") and not _OPENING.isdisjoint(words))
    return len(words) > _FEWEST and opens and _SIGNS.isdisjoint(question)


@cache
def _benchmark_words() -> frozenset[str]:
    listed = files("ehrtui.planning.reader").joinpath("benchmark_words.txt").read_text(encoding="utf-8")
    return frozenset(listed.split())
