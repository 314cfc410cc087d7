"""Patients by their names: whole ones, or the part of one that only one patient has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ehrtui.planning.reader.lexicon import english, phrases
from ehrtui.schema.kinds import PATIENT
from ehrtui.schema.naming import TELLING_PEOPLE
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import ValueIndex, split

_WORD = re.compile(r"[^\W_]+")
_NUMBERED = re.compile(r"(?<=[^\W\d])\d+$")
"""What generated names end in: "Veum496"."""
_TITLES = {"mr", "mrs", "ms", "miss", "dr", "sir", "madam"}
_MOST_ALIKE = 60
"""Names that begin alike, of which a part may be meant."""
_LEAST_LETTERS = 3


@dataclass(frozen=True)
class NamedPatients:
    """The letters [start, end) of a text that name patients, by their identifiers: of one name there may be several.
    `part` where less than the whole name is said."""

    start: int
    end: int
    ids: tuple[str, ...]
    part: bool = False


def find_named(lower: str, index: ValueIndex, profile: Profile) -> Iterator[NamedPatients]:
    """The patients that a text in lower case names, or tells by another number; none where the profile has neither."""
    if not set(TELLING_PEOPLE) & {*profile.role(PATIENT).said}:
        return
    words = list(_WORD.finditer(lower))
    typed = [word[0] for word in words]
    at = 0
    while at < len(typed):
        size, ids, part = _named(typed, at, index)
        if not ids:
            at += 1
            continue
        first = at - 1 if at and typed[at - 1] in _TITLES else at
        yield NamedPatients(words[first].start(), words[at + size - 1].end(), ids, part)
        at += size


def _named(typed: Sequence[str], at: int, index: ValueIndex) -> tuple[int, tuple[str, ...], bool]:
    """How many words from `at` on name patients, their identifiers, and whether less than the whole name is said."""
    for size, entries in index.at(typed, at):
        ids = tuple(dict.fromkeys(one.name for one in entries if (one.role, one.field) == (PATIENT, "id")))
        if ids and size > 1:
            return size, ids, False
    word = typed[at]
    if len(word) < _LEAST_LETTERS or word.isdigit():
        return 0, (), False
    known = {
        one.said: one.name for one in index.starting(word, _MOST_ALIKE) if (one.role, one.field) == (PATIENT, "id")
    }
    whole: dict[int, list[str]] = {}
    alone = []
    for said, id in known.items():
        own = split(said)
        plain = [_NUMBERED.sub("", part) for part in own]
        asked = typed[at : at + len(own)]
        if asked in (list(own), plain) or [_NUMBERED.sub("", part) for part in asked] == plain:
            whole.setdefault(len(own), []).append(id)
        elif word in (own[0], plain[0]):
            alone.append(id)
    if whole:
        longest = max(whole)
        return longest, tuple(whole[longest]), False
    everyday = word in english() or (word,) in phrases().senses
    return (1, tuple(alone), True) if len(alone) == 1 and not everyday else (0, (), False)
