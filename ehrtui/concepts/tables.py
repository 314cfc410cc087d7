"""The tables of words beside this file: what people call things, and under what these may be stored.

All are tab-separated with one header line, UTF-8, lower case, without quoting. The entries of a cell stand between
semicolons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

from ehrtui.concepts.candidates import How
from ehrtui.schema.value_index import words_of

_FOLDER = Path(__file__).parent / "words"
_SENSES: tuple[tuple[str, How], ...] = (
    ("abbreviations.tsv", "abbreviation"),
    ("lay.tsv", "lay"),
    ("verbs.tsv", "verb"),
)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Sense:
    """What a phrase stands for (`means`, other words for the same things), of which roles (of any, where there are
    none), and the words `near` which it is likelier meant so."""

    means: tuple[str, ...]
    roles: frozenset[str]
    near: frozenset[str]
    how: How


@dataclass(frozen=True, slots=True)
class Measure:
    """A laboratory test, a vital sign or an amount, in the likeliest of its `roles` first: `stored` are the names that
    items of it may have, with a tilde before words that may be among others. Those of one group are one thing under
    several labels; a later group is taken where no name of the earlier ones is used."""

    name: str
    roles: tuple[str, ...]
    stored: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ValueWords:
    """What is said for values of a field: those with all the words of one of `patterns` ("*" ends a beginning); words
    after a minus must not be there."""

    fields: frozenset[str]
    patterns: tuple[str, ...]


class Phrases(Generic[_T]):
    """What phrases mean, by their words in one form."""

    def __init__(self, pairs: Iterator[tuple[str, _T]]) -> None:
        self._of: dict[str, list[_T]] = {}
        for said, meaning in pairs:
            if words := words_of(said):
                self._of.setdefault(" ".join(words), []).append(meaning)
        self.longest = max((form.count(" ") + 1 for form in self._of), default=0)

    def of(self, words: tuple[str, ...]) -> tuple[_T, ...]:
        """What these words mean, in the order of the tables; nothing for words that are not there."""
        return tuple(self._of.get(" ".join(words), ()))

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)


@cache
def senses() -> Phrases[Sense]:
    """Abbreviations, lay words and verbs."""
    return Phrases(_senses())


@cache
def brands() -> Phrases[tuple[str, ...]]:
    """Brand names, with the ingredients that they hold under each of their names."""
    return Phrases((row["said"], _cell(row["ingredients"])) for row in _rows("brands.tsv"))


@cache
def ingredients() -> frozenset[str]:
    """The words of ingredients, in one form."""
    forms = {" ".join(words_of(name)) for row in _rows("brands.tsv") for name in _cell(row["ingredients"])}
    forms |= {" ".join(words_of(name)) for row in _rows("ingredients.tsv") for name in _cell(row["names"])}
    return frozenset(forms)


@cache
def brands_of() -> Phrases[str]:
    """The brand names of what they hold, under each name of it and its first word."""
    return Phrases(
        (under, row["said"])
        for row in _rows("brands.tsv")
        for name in _cell(row["ingredients"])
        for under in dict.fromkeys((name, name.split(" ")[0]))
    )


@cache
def measures() -> Phrases[Measure | tuple[str, ...]]:
    """Measures by all that they are called; a panel is the names of its measures."""
    return Phrases(_measures())


@cache
def values() -> Phrases[ValueWords]:
    """What is said for stored values of fields."""
    return Phrases(
        (said, ValueWords(frozenset(_cell(row["fields"])), _cell(row["stored"])))
        for row in _rows("values.tsv")
        for said in _cell(row["said"])
    )


@cache
def like_words() -> dict[str, tuple[str, ...]]:
    """The other words (or runs of words) that mean the same as a word within names."""
    found: dict[str, tuple[str, ...]] = {}
    for row in _rows("like_words.tsv"):
        group = tuple(" ".join(words_of(one)) for one in _cell(row["words"]))
        for one in group:
            found[one] = tuple(dict.fromkeys((*found.get(one, ()), *group)))
    return found


@cache
def plain_words() -> frozenset[str]:
    """The words of everyday English and of asking, which name nothing that is stored."""
    return _listed("plain_words.txt")


@cache
def short_words() -> frozenset[str]:
    """The English words of four letters."""
    return _listed("short_words.txt")


@cache
def weak_words() -> frozenset[str]:
    """The words that many names share and none is called by: parts of the body, "acute", "failure"."""
    return _listed("weak_words.txt")


@cache
def nouns() -> dict[str, frozenset[str]]:
    """For each role the words for its records that stand beside a name, in one form: "sputum culture"."""
    return {
        role: frozenset(" ".join(words_of(one)) for one in _cell(row["words"]))
        for row in _rows("nouns.tsv")
        for role in _cell(row["roles"])
    }


def is_noun(word: str) -> bool:
    """True for a word for records of some role, in one form."""
    return any(word in said for said in nouns().values())


def near_words(words: tuple[str, ...]) -> frozenset[str]:
    """The words beside which these have a sense of their own."""
    return frozenset(word for sense in senses().of(words) for word in sense.near)


@cache
def procedure_endings() -> tuple[str, ...]:
    """What the last word of a procedure ends in."""
    return tuple(sorted(_listed("procedure_endings.txt")))


@cache
def cues() -> dict[str, frozenset[str]]:
    """The words beside which a name is likelier of a role."""
    found: dict[str, frozenset[str]] = {}
    for row in _rows("cues.tsv"):
        for role in _cell(row["roles"]):
            found[role] = found.get(role, frozenset()) | frozenset(_cell(row["words"]))
    return found


@cache
def unit_spellings() -> dict[str, frozenset[str]]:
    """Of each unit that has several, all of them; "none" is that of what has none."""
    return {row["unit"]: frozenset((row["unit"], *_cell(row["spellings"]))) for row in _rows("units.tsv")}


def _senses() -> Iterator[tuple[str, Sense]]:
    for table, how in _SENSES:
        for row in _rows(table):
            sense = Sense(
                _cell(row["means"]), frozenset(_cell(row.get("roles", ""))), frozenset(_cell(row.get("near", ""))), how
            )
            for said in _cell(row["said"]):
                yield said, sense


def _measures() -> Iterator[tuple[str, Measure | tuple[str, ...]]]:
    for row in _rows("measures.tsv"):
        groups = tuple(_cell(group) for group in row["stored"].split("|"))
        measure = Measure(row["name"], _cell(row["roles"]), groups)
        for said in dict.fromkeys((row["name"], *_cell(row["said"]))):
            yield said, measure
    for row in _rows("panels.tsv"):
        for said in _cell(row["said"]):
            yield said, _cell(row["measures"])


def _cell(text: str) -> tuple[str, ...]:
    return tuple(one for part in text.split(";") if (one := part.strip()))


def _rows(table: str) -> Iterator[dict[str, str]]:
    lines = (_FOLDER / table).read_text("utf-8").splitlines()
    header = lines[0].split("\t")
    for line in lines[1:]:
        if line and not line.startswith("#"):
            cells = line.split("\t")
            yield dict(zip(header, [*cells, *[""] * (len(header) - len(cells))], strict=True))


def _listed(table: str) -> frozenset[str]:
    lines = (_FOLDER / table).read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def table_words() -> frozenset[str]:
    """All words of the tables, in one form."""
    phrases = [*senses(), *brands(), *ingredients(), *measures(), *values(), *like_words()]
    phrases += [means for table, _ in _SENSES for row in _rows(table) for means in _cell(row["means"])]
    return frozenset(word for phrase in phrases for word in words_of(phrase))


def is_said(words: tuple[str, ...]) -> bool:
    """True where a table has these words together."""
    return bool(senses().of(words) or values().of(words) or measures().of(words) or brands().of(words))
