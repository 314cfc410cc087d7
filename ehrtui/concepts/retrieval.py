"""Finds the concepts that a mention may mean, apart from the conversation: only its shortlist enters that.

Somebody decides, step by step, what to `search` for next, from all that was found so far, until they `return_shortlist`
with the reason for each entry; a language model may, and `Deterministic` does without one. It begins with what the
words are linked to in questions, so that both mean the same. After ClinQueryAgent (2026), whose retrieval sub-agent has
these two tools.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

from ehrtui.concepts.candidates import Mention as Linked
from ehrtui.concepts.concept_file import form_of
from ehrtui.concepts.library import Found, Library
from ehrtui.concepts.model import Concept, Kind
from ehrtui.concepts.vocabulary import Vocabulary

MOST_STEPS = 6
MOST_ENTRIES = 5
_AT_ONCE = 4
_SHOWN = 10
_MOST_LINKED = 4
_FEWEST_LETTERS = 4
"""Of a word that is looked for alone."""

TOOLS: tuple[dict[str, Any], ...] = (
    {
        "name": "search",
        "description": "Search the library of clinical concepts by words. Returns names, kinds and synonyms.",
        "input_schema": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "a name, synonym, abbreviation or brand"}},
            "required": ["text"],
            "additionalProperties": False,
        },
    },
    {
        "name": "return_shortlist",
        "description": f"End the search with at most {MOST_ENTRIES} concepts that the mention may mean, the likeliest "
        "first, each by its name as search gave it and with the reason. An empty list says that there is none.",
        "input_schema": {
            "type": "object",
            "properties": {
                "entries": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"name": {"type": "string"}, "reason": {"type": "string"}},
                        "required": ["name", "reason"],
                        "additionalProperties": False,
                    },
                }
            },
            "required": ["entries"],
            "additionalProperties": False,
        },
    },
)
"""The two tools, as a language model is told of them."""


@dataclass(frozen=True)
class Mention:
    """Words of a question that name something; of one `kind`, where that is known."""

    text: str
    kind: Kind | None = None


@dataclass(frozen=True)
class Search:
    """Look for these words."""

    text: str


@dataclass(frozen=True)
class Entry:
    """A concept of the shortlist by its name, and why it is there."""

    name: str
    reason: str


@dataclass(frozen=True)
class ReturnShortlist:
    """End with these."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Look:
    """What a search found."""

    text: str
    found: tuple[Found, ...]


Link: TypeAlias = "Callable[[str], Sequence[Linked]]"
"""The names in a text in lower case, with what each may mean in a database: a linker's own method."""
Decide: TypeAlias = "Callable[[Mention, Sequence[Look]], Search | ReturnShortlist]"
"""What to do next about a mention, from what was found so far."""


@dataclass(frozen=True)
class Shortlisted:
    """A concept that a mention may mean, and why."""

    concept: Concept
    reason: str


@dataclass(frozen=True)
class Shortlist:
    """What a mention may mean, the likeliest first, and how many searches that took."""

    mention: Mention
    entries: tuple[Shortlisted, ...]
    searches: int


def retrieve(
    mentions: Iterable[Mention],
    library: Library,
    decide: Decide | None = None,
    vocabulary: Vocabulary | None = None,
    link: Link | None = None,
) -> tuple[Shortlist, ...]:
    """The shortlists of several mentions, found at the same time, in their order. Without `decide` no language model
    has a part in it; then `link` says what the words mean in a database, and a `vocabulary` tells of brands and
    synonyms. Raises as `decide` does."""
    chosen = decide or Deterministic(vocabulary, link)
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        return tuple(pool.map(lambda mention: _shortlist(mention, library, chosen), mentions))


def _shortlist(mention: Mention, library: Library, decide: Decide) -> Shortlist:
    looks: list[Look] = []
    for _ in range(MOST_STEPS):
        step = decide(mention, tuple(looks))
        if isinstance(step, ReturnShortlist):
            return Shortlist(mention, _known(step.entries, looks), len(looks))
        looks.append(Look(step.text, library.search(step.text, kind=mention.kind, limit=_SHOWN)))
    return Shortlist(mention, _known(_best(looks), looks), len(looks))


def _known(entries: Iterable[Entry], looks: Sequence[Look]) -> tuple[Shortlisted, ...]:
    """The entries that a search gave: a name that was made up is left out."""
    found: dict[str, Concept] = {}
    for look in looks:
        for each in look.found:
            found.setdefault(each.concept.name.lower(), each.concept)
    named = {entry.name.lower(): entry for entry in reversed(tuple(entries)) if entry.name.lower() in found}
    return tuple(Shortlisted(found[name], named[name].reason) for name in reversed(named))[:MOST_ENTRIES]


class Deterministic:
    """Decides without a language model: what the words are linked to; else the words as they are; what a vocabulary
    calls them; then their parts."""

    def __init__(self, vocabulary: Vocabulary | None = None, link: Link | None = None) -> None:
        self._vocabulary = vocabulary
        self._link = link

    def __call__(self, mention: Mention, looks: Sequence[Look]) -> Search | ReturnShortlist:
        """The next step: another search until one finds all words, then the best of what was found."""
        linked = self._linked(mention.text)
        tried = {form_of(look.text) for look in looks}
        for name in linked:
            if form_of(name) not in tried:
                return Search(name)
        if entries := _called(linked, looks):
            return ReturnShortlist(entries)
        if form_of(mention.text) not in tried:
            return Search(mention.text)
        if any(each.how != "some words" for look in looks for each in look.found):
            return ReturnShortlist(_best(looks))
        for text in self._others(mention.text):
            if form_of(text) not in tried and len(looks) < MOST_STEPS - 1:
                return Search(text)
        return ReturnShortlist(_best(looks))

    def _linked(self, text: str) -> tuple[str, ...]:
        """The concepts that the words mean in the database, those of the longest stretch that means any."""
        for one in self._link(text.lower()) if self._link is not None else ():
            items = (item for meaning in one.candidates for item in meaning.items)
            if names := dict.fromkeys(item.text for item in items if item.kind == "concept"):
                return tuple(names)[:_MOST_LINKED]
        return ()

    def _others(self, text: str) -> Iterable[str]:
        """Other words for the same: ingredients of a brand, synonyms, the text without its first or last word."""
        if self._vocabulary is not None:
            yield from (term.name for term in self._vocabulary.ingredients(text))
            for term in self._vocabulary.named(text, 1):
                yield from self._vocabulary.synonyms(term.id)
        words = form_of(text).split()
        if len(words) > 1:
            yield " ".join(words[1:])
            yield " ".join(words[:-1])
            yield from (word for word in words if len(word) >= _FEWEST_LETTERS)


def _called(names: Iterable[str], looks: Sequence[Look]) -> tuple[Entry, ...]:
    """The concepts that are so called among all that was found."""
    found = {each.concept.name for look in looks for each in look.found}
    return tuple(Entry(name, "the words mean it in this database") for name in names if name in found)


def _best(looks: Sequence[Look]) -> tuple[Entry, ...]:
    """The best of all that was found, each with how it was."""
    reasons = {
        "name": "it is called “{}”",
        "synonym": "“{}” is another word for it",
        "words": "it has all words of “{}”",
        "some words": "it has some words of “{}”",
    }
    scored = [(each.score - 0.1 * place, each, look.text) for place, look in enumerate(looks) for each in look.found]
    scored.sort(key=lambda one: -one[0])
    sure = [one for one in scored if one[1].how in ("name", "synonym")]
    chosen = sure or scored
    return tuple(Entry(each.concept.name, reasons[each.how].format(text)) for _, each, text in chosen)
