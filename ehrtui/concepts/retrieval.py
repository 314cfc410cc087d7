"""Retrieves what the names in a text may mean here: for each a shortlist, every entry with the reason why it is there.

All mentions of a text are looked up at once, by the linker that questions are read with; only the shortlists enter a
conversation, a person's or one with a language model. After ClinQueryAgent (2026), whose retrieval sub-agent has the
tools `search` and `return_shortlist`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ehrtui.concepts.candidates import Candidate, How, Mention
from ehrtui.schema.value_index import Stored

MOST_ENTRIES = 5
_WORTH = 0.6
"""What an entry must be worth beside the first."""
REASONS: dict[How, str] = {
    "exact": "by its name",
    "inflected": "by its name in another form",
    "inverted": "by its words in another order",
    "part": "by a part of its name",
    "abbreviation": "as a short form",
    "brand": "as a brand",
    "lay": "as an everyday word",
    "code": "by its code",
    "family": "by all names with the words",
    "product": "by all products of it",
    "verb": "as a verb",
    "misspelt": "as a misspelling",
    "concept": "as a concept",
}
"""How a meaning was found, in words that say nothing of what was typed."""
_OF: frozenset[How] = frozenset(("abbreviation", "brand", "lay", "misspelt", "verb"))
"""What stands for other words."""

Link: TypeAlias = Callable[[str], Sequence[Mention]]
"""The names in a text, with what each may mean in a database: a linker's own method."""
Members: TypeAlias = Callable[[Candidate], Sequence[Stored]]
"""The stored names of a meaning, those of most records first."""


@dataclass(frozen=True)
class Entry:
    """Something that a mention may mean, the stored names that belong to it (`members`), and why it is there."""

    meaning: Candidate
    members: tuple[Stored, ...]
    reason: str


@dataclass(frozen=True)
class Shortlist:
    """What the words `text` may mean, the likeliest first."""

    text: str
    entries: tuple[Entry, ...]


def retrieve(text: str, link: Link, members: Members) -> tuple[Shortlist, ...]:
    """The shortlists of all that a text names, in reading order; of words within other words only the longer ones."""
    taken: list[Mention] = []
    for one in sorted(link(text), key=lambda one: one.start - one.end):
        if all(one.end <= other.start or other.end <= one.start for other in taken):
            taken.append(one)
    taken.sort(key=lambda one: one.start)
    return tuple(Shortlist(text[one.start : one.end], _shortlisted(one.candidates, members)) for one in taken)


def _shortlisted(candidates: Iterable[Candidate], members: Members) -> tuple[Entry, ...]:
    found = list(candidates)
    worth = [one for one in found if one.score >= _WORTH * found[0].score][:MOST_ENTRIES]
    return tuple(Entry(one, tuple(members(one)), REASONS[one.how]) for one in worth)


def reason_of(meaning: Candidate) -> str:
    """Why a meaning is among those of the words that a user typed: how it was found, and through which other words."""
    if not meaning.through:
        return REASONS[meaning.how]
    return f"{REASONS[meaning.how]}{' of' if meaning.how in _OF else ', through'} “{meaning.through}”"
