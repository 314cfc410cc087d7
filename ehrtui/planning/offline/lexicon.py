"""The words of the field, read from `lexicon.toml`: phrases and what they mean."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ehrtui.planning.offline.words import Text, read
from ehrtui.schema.called import names_of_field
from ehrtui.schema.columns import plural
from ehrtui.schema.kinds import PATIENT
from ehrtui.schema.profile import Profile

_FILE = Path(__file__).parent / "lexicon.toml"
_LEFT_OPEN = {"in", "by", "at", "of", "with", "to", "for", "on"}
"""Last words of a column's name ("measured in") that go on in a sentence, where they name no field."""


@dataclass(frozen=True)
class Meaning:
    """What a phrase means: a `kind` ("role", "verb", "weak verb", "field", "want", "people", "negation", "edit",
    "polite") and which. A weak verb goes with other roles as well: one undergoes a procedure, but also a test."""

    kind: str
    which: str


@dataclass(frozen=True)
class Lexicon:
    """`phrases` by their words; `longest` is the most words of a phrase by its first word; `stop` are words without a
    meaning here; `cues` are the words by role that tell a short abbreviation from something else; `vocabulary` are all
    words that a slip of the keyboard may have hit beside, in their order."""

    phrases: Mapping[tuple[str, ...], tuple[Meaning, ...]]
    longest: Mapping[str, int]
    stop: frozenset[str]
    cues: Mapping[str, frozenset[str]]
    vocabulary: tuple[str, ...]

    def at(self, text: Text, start: int) -> Iterator[tuple[int, tuple[Meaning, ...]]]:
        """The phrases that begin at word `start`, as (number of words, meanings)."""
        longest = self.longest.get(text.words[start].text, 0)
        for size in range(1, min(longest, len(text.words) - start) + 1):
            words = tuple(word.text for word in text.words[start : start + size])
            if words in self.phrases:
                yield size, self.phrases[words]

    def knows(self, word: str) -> bool:
        """True for a word that is grammar, or a phrase of its own, rather than the name of something stored."""
        return word in self.stop or (word,) in self.phrases


@cache
def lexicon() -> Lexicon:
    """The lexicon; read once."""
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    phrases: dict[tuple[str, ...], dict[Meaning, None]] = {}

    def add(words: list[str], kind: str, which: str) -> None:
        for phrase in words:
            phrases.setdefault(tuple(phrase.split()), {})[Meaning(kind, which)] = None

    for role, words in data["roles"].items():
        add(words["nouns"], "role", role)
        add(words["verbs"], "verb", role)
        add(words.get("weak_verbs", []), "weak verb", role)
    for section, kind in (("fields", "field"), ("wants", "want"), ("people", "people")):
        for which, words in data[section].items():
            add(words, kind, which)
    add(data["negation"]["words"], "negation", "not")
    add(data["edits"]["words"], "edit", "edit")
    add(data["polite"]["words"], "polite", "polite")
    stop = frozenset(data["stop"]["words"].split())
    cues = {role: frozenset(words.split()) for role, words in data["cues"].items()}
    known = {word for words in phrases for word in words} | stop | set(data["time"]["words"].split())
    found = {words: tuple(meanings) for words, meanings in phrases.items()}
    return Lexicon(found, _longest(phrases), stop, cues, tuple(sorted(known)))


def _longest(phrases: Iterable[tuple[str, ...]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for words in phrases:
        found[words[0]] = max(found.get(words[0], 0), len(words))
    return found


_SHARED = {"time", "end time", "name", "value", "length", "cost", "id"}
"""Fields that records have whatever the profile."""


def _known(meanings: tuple[Meaning, ...], fields: Set[str], roles: Set[str]) -> tuple[Meaning, ...]:
    """The meanings that a profile has: its fields, and the nouns of its own roles."""
    kept = {"field": fields, "role": roles}
    return tuple(meaning for meaning in meanings if meaning.kind not in kept or meaning.which in kept[meaning.kind])


def _names_of_schema(profile: Profile) -> Iterator[tuple[str, Meaning]]:
    """Tables of records and columns by their own names; of a table of several kinds of records, the first is meant. A
    table that but names what records are of has none itself."""
    yield from ((role.table, Meaning("role", name)) for name, role in profile.roles.items())
    for role in profile.roles.values():
        item = role.dictionary.name if role.dictionary else role.item
        own = {"time": role.time, "end time": role.end, "value": role.value, "name": item}
        of_items = role.dictionary.fields if role.dictionary else {}
        columns = ((column, field) for field, column in (*role.fields.items(), *of_items.items(), *own.items()))
        yield from ((column, Meaning("field", field)) for column, field in columns if column)


def lexicon_of(profile: Profile) -> Lexicon:
    """The lexicon with the words of a profile: the nouns and verbs of its roles, names of fields that are new, and the
    names of its tables and columns, for those who know them."""
    base = lexicon()
    fields = _SHARED | {field for role in profile.roles.values() for field in role.fields}
    roles = profile.roles.keys()
    shared = {words: kept for words, found in base.phrases.items() if (kept := _known(found, fields, roles))}
    own: dict[tuple[str, ...], dict[Meaning, None]] = {}

    def add(phrase: str, meaning: Meaning) -> None:
        if words := tuple(word.text for word in read(phrase).words):
            own.setdefault(words, dict.fromkeys(base.phrases.get(words, ())))[meaning] = None

    for name, role in profile.roles.items():
        for noun in role.nouns:
            add(noun, Meaning("people", "patients") if name == PATIENT else Meaning("role", name))
        for verb in role.verbs:
            add(verb, Meaning("verb", name))
        for field in (*role.fields, *(role.dictionary.fields if role.dictionary else ())):
            words = tuple(word.text for word in read(field).words)
            known = base.phrases.get(words, ())
            if known and all(meaning.kind == "field" for meaning in known):
                own[words] = {Meaning("field", field): None}  # "race" may be kept apart from "ethnicity"
                several = tuple(word.text for word in read(plural(field)).words)
                if {meaning.kind for meaning in base.phrases.get(several, ())} == {"field"}:
                    own[several] = {Meaning("field", field): None}
            elif not known and (field in role.said or not base.stop.issuperset(words)):
                add(field, Meaning("field", field))
                add(plural(field), Meaning("field", field))
                if " " not in field and len(field) > len("id") + 1 and field.endswith("id"):
                    add(f"{field[:-2]} id", Meaning("field", field))
            for name in names_of_field(field):
                words = tuple(word.text for word in read(name).words)
                kept_apart = name != field and name in fields  # "payment method" may be kept beside insurance
                if len(words) > 1 and words not in base.phrases and words[-1] not in _LEFT_OPEN and not kept_apart:
                    add(name, Meaning("field", field))
    for name, meaning in _names_of_schema(profile):
        words = tuple(word.text for word in read(name).words)
        plain = len(words) == 1 and words[0] in base.vocabulary  # a column "last" makes no name of an ordinal
        if not (plain or words in base.phrases or words in own or base.stop.issuperset(words)):
            add(name, meaning)
    phrases = {**shared, **{words: tuple(found) for words, found in own.items()}}
    return Lexicon(phrases, _longest(phrases), base.stop, base.cues, base.vocabulary)
