"""Concepts of the library as candidates: what of a concept this database stores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import translate
from functools import lru_cache

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.codes import stored_of_codes
from ehrtui.concepts.library import Library
from ehrtui.concepts.meaning import sets_of
from ehrtui.concepts.names import query_of_any
from ehrtui.logic.algebra.model import Item, Set
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import Stored, ValueIndex, words_of

_REMEMBERED = 100
_MOST_NAMES = 2000
_UNUSED = 0.62
"""What a concept without records here is worth beside one with some."""


def find_concepts(
    words: Sequence[str], typed: str, index: ValueIndex, profile: Profile, library: Library
) -> Iterator[Candidate]:
    """The concepts that the words name, in each role that stores something of them."""
    concepts = library.named(typed) or library.named(" ".join(words))
    for concept in concepts:
        for role, of in sets_of(concept, profile).items():
            stored = stored_of(of, role, index)
            if not stored:
                continue
            rows = sum(one.rows for one in stored)
            label = f"{concept.name}: {_told(of, stored)}"
            score = 1.0 if rows else _UNUSED
            yield Candidate(role, (Item("concept", concept.name),), how="concept", score=score, label=label, rows=rows)


@lru_cache(_REMEMBERED)
def stored_of(of: Set, role: str, index: ValueIndex) -> tuple[Stored, ...]:
    """The stored items of a role that a set is about, whatever its conditions."""
    codes = tuple(item.text.rpartition("|")[2] for item in of.items if item.kind == "code")
    found = dict(stored_of_codes(codes, role, index))
    patterns = [item.text.lower() for item in of.items if item.kind in ("like", "name")]
    phrases = {words: None for pattern in patterns if (words := words_of(pattern))}
    if phrases:
        any_of = re.compile("|".join(translate(pattern.replace("[", "[[]")) for pattern in patterns))
        for one in index.matching(query_of_any(phrases), limit=_MOST_NAMES):
            if one.role == role and any_of.match(one.name.lower()):
                found[one.name] = one
    return tuple(found.values())


def _told(of: Set, stored: Sequence[Stored]) -> str:
    codes = len({code for one in stored for code in one.codes})
    what, many = ("code", codes) if codes and of.items[0].kind == "code" else ("name", len(stored))
    return f"{many} {what}{'' if many == 1 else 's'}"
