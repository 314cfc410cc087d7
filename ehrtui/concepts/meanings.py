"""What a stretch of words may mean: looked up as it stands, and as what it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.concepts.candidates import Candidate, How
from ehrtui.concepts.concept_candidates import find_concepts
from ehrtui.concepts.drugs import find_drugs, is_drug, is_given
from ehrtui.concepts.field_values import find_values
from ehrtui.concepts.gathering import gathered
from ehrtui.concepts.library import Library
from ehrtui.concepts.measured import find_measures
from ehrtui.concepts.names import content, is_called, named
from ehrtui.concepts.tables import plain_words, senses
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import Stored, ValueIndex, words_of

_COMMON = 500
"""Names: a word that more of them have says too little by itself."""
_FEW = 40


def meanings(
    words: tuple[str, ...], typed: str, index: ValueIndex, profile: Profile, library: Library | None
) -> list[Candidate]:
    """What the words may mean, as they stand and as what they stand for, in no order."""
    found = list(as_they_stand(words, typed, index, profile, library))
    for sense in senses().of(words):
        for means in sense.means:
            told = as_they_stand(words_of(means), means, index, profile, library)
            for one in told:
                if not sense.roles or one.role in sense.roles or one.field in sense.roles:
                    found.append(replace(one, how=sense.how, score=one.score * 0.97))
    return found


def as_they_stand(
    words: tuple[str, ...], typed: str, index: ValueIndex, profile: Profile, library: Library | None
) -> Iterator[Candidate]:
    """What the words mean by themselves."""
    if library is not None:
        yield from find_concepts(words, typed, index, profile, library)
    yield from find_measures(words, index)
    yield from find_drugs(words, index)
    yield from find_values(words, index)
    yield from _names(words, typed, index)


def _names(words: tuple[str, ...], typed: str, index: ValueIndex) -> Iterator[Candidate]:
    """The stored names with these words: just these, and all that have them."""
    asked = content(words)
    if not asked or all(word in plain_words() for word in asked):
        yield from _entries(words, typed, index)
        return
    drug = is_drug(words)
    for role, stored in named(index, words).items():
        if drug and is_given(role):
            continue
        said = " ".join(words)
        same = [one for one in stored if is_called(one.name, words)]
        if same:
            how: How = "exact" if words_of(same[0].name) == words else "inverted"
            yield gathered(role, same, typed, how, 0.97 if how == "exact" else 0.93)
        others = [one for one in stored if one not in same]
        if others and len(stored) <= _COMMON:
            yield gathered(role, stored, said, "family", _family_score(role, asked, stored, bool(same)), (asked,))


def _family_score(role: str, asked: Sequence[str], stored: Sequence[Stored], exact: bool) -> float:
    """How likely all names with the words are meant: of a disease by one word, more than the one so called."""
    kind = kind_of(role)
    if kind.disease:
        return 0.98 if len(asked) == 1 else 0.95 if not exact else 0.9
    if is_given(role):
        return 0.95 if not exact else 0.96
    if len(stored) <= _FEW:
        return 0.85 if not exact else 0.8
    return 0.6


def _entries(words: tuple[str, ...], typed: str, index: ValueIndex) -> Iterator[Candidate]:
    """The stored names of plain words alone, which are seldom meant."""
    for role, stored in named(index, words).items():
        same = [one for one in stored if is_called(one.name, words)]
        if same:
            yield gathered(role, same, typed, "exact", 0.4)
