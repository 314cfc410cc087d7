"""What a stretch of words may mean: looked up as it stands, and as what it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.concepts.candidates import Candidate, How
from ehrtui.concepts.concept_candidates import find_concepts
from ehrtui.concepts.drugs import find_drugs, is_drug, is_given
from ehrtui.concepts.field_values import find_values
from ehrtui.concepts.gathering import gathered
from ehrtui.concepts.library import Library
from ehrtui.concepts.measured import find_measures
from ehrtui.concepts.names import content, named, so_called
from ehrtui.concepts.tables import Sense, nouns, plain_words, senses, weak_words
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import Stored, ValueIndex, split, words_of

_FEW = 40
_DONE = frozenset(("procedure", "icu_procedure"))
_TOLD, _OTHER_SENSE, _TOLD_SENSE = 0.98, 0.9, 1.1
"""What is behind a short form or a lay word, beside what is said outright; and what it is not usually short for."""
_WEAK = 0.5
_CLOSE = 0.1
_SELDOM = 0.4
_LOOSE: frozenset[How] = frozenset(("family", "part", "inverted"))
_BESIDE_SAID = 0.88
"""What names that have a short form in them are worth beside what it stands for."""
_WITH_NOUN, _SURE = 1.02, 0.9
_PAST = frozenset(("history", "hx", "screening"))
"""Words of titles that are not about a disease that somebody has."""
_CAUSE = re.compile(
    r"\b(?:due to|caused by|resulting from|secondary to|following|complicating|as the cause of|by)\b", re.I
)
"""What stands before the cause of a disease in its title: words behind it do not name the disease."""
_OF_CAUSE = 0.85
_ALIKE = (
    ("drugs", "medication", "medications", "meds", "medicine", "medicines", "pills", "agents"),
    ("disease", "problems", "trouble", "issues"),
)
"""Last words of which people take any: "HIV meds", "seizure pills", "heart valve problem"."""
_ALIKE_FORMS = tuple(frozenset(word for one in group for word in words_of(one)) for group in _ALIKE)


def meanings(
    words: tuple[str, ...],
    typed: str,
    index: ValueIndex,
    profile: Profile,
    library: Library | None,
    near: frozenset[str] = frozenset(),
    *,
    only_said: bool = False,
) -> list[Candidate]:
    """What the words may mean, as they stand and as what they stand for, in no order; with `only_said`, only by what
    the tables have of them together. `near` are words of the question that tell one of their senses."""
    found = list(as_they_stand(words, typed, index, profile, library, only_said=only_said))
    if told := list(as_said(words, typed, index, profile, library, near)):
        found = [replace(one, score=one.score * _BESIDE_SAID) if one.how in _LOOSE else one for one in found]
    found += told
    if not any(one.score >= _SURE for one in found):
        for text in said_otherwise(words):
            other = words_of(text)
            found += as_said(other, text, index, profile, library)
            if library is not None:
                found += find_concepts(other, text, index, profile, library)
    if not only_said and not any(one.score >= _SURE and one.how not in _LOOSE for one in found):
        found += _beside_nouns(words, index, profile, library)
    return found


def as_said(
    words: tuple[str, ...],
    typed: str,
    index: ValueIndex,
    profile: Profile,
    library: Library | None,
    near: frozenset[str] = frozenset(),
    *,
    depth: int = 0,
) -> Iterator[Candidate]:
    """What an abbreviation, a lay word or a verb stands for, which may be another one."""
    for place, sense in enumerate(senses().of(words)):
        first = _TOLD_SENSE if sense.near & near else 1.0 if place == 0 and not sense.near else _OTHER_SENSE
        told = []
        for means in sense.means:
            other = words_of(means)
            some = [one for one in as_they_stand(other, means, index, profile, library) if _is_of(one, sense)]
            if not any(one.rows for one in some) and depth == 0 and other != words:
                more = as_said(other, means, index, profile, library, depth=1)
                some += [one for one in more if _is_of(one, sense)]
            told.append([replace(one, through=one.through or means) for one in some])
        for one in together(told, typed):
            yield replace(one, how=_how(one, sense), score=one.score * _TOLD * first)


def said_otherwise(words: tuple[str, ...]) -> tuple[str, ...]:
    """The texts that say the same with another word for drugs, or for a disease, at their end; none where there is
    none."""
    for group, forms in zip(_ALIKE, _ALIKE_FORMS, strict=True):
        if len(words) > 1 and words[-1] in forms:
            return tuple(" ".join((*words[:-1], noun)) for noun in group)
    return ()


def _beside_nouns(
    words: tuple[str, ...], index: ValueIndex, profile: Profile, library: Library | None
) -> Iterator[Candidate]:
    """What the words mean where the first or last of them is a word for the records: "sputum culture"."""
    for rest, noun in ((words[:-1], words[-1]), (words[1:], words[0])):
        rest = rest[1:] if rest and rest[0] == "to" else rest
        roles = [role for role, said in nouns().items() if noun in said and role in index.roles]
        if rest and roles:
            text = " ".join(rest)
            found = [*as_they_stand(rest, text, index, profile, library), *as_said(rest, text, index, profile, library)]
            best: dict[str, Candidate] = {}
            for one in found:
                if one.role in roles and not one.field and (one.role not in best or best[one.role].score < one.score):
                    best[one.role] = one
            yield from (replace(one, score=_WITH_NOUN * min(1.0, one.score + 0.4)) for one in best.values())


def together(told: Sequence[Sequence[Candidate]], said: str) -> Iterator[Candidate]:
    """What several names of one thing mean, as one candidate for each role or field; a concept before it."""
    best: dict[tuple[str, str], list[Candidate]] = {}
    for some in told:
        chosen: dict[tuple[str, str], Candidate] = {}
        for one in some:
            place = one.role, one.field
            if one.how == "concept":
                yield one
            elif place not in chosen or _wider(chosen[place], one):
                chosen[place] = one
        for place, one in chosen.items():
            best.setdefault(place, []).append(one)
    for same in best.values():
        yield _joined([one for one in same if one.rows] or same, said)


def _wider(one: Candidate, other: Candidate) -> bool:
    """True where the other is better, or is nearly as good and has more records: nobody typed either name."""
    if kind_of(one.role).disease and abs(one.score - other.score) < _CLOSE:
        return other.rows > one.rows
    return other.score > one.score


def _joined(same: Sequence[Candidate], said: str) -> Candidate:
    items = tuple(dict.fromkeys(item for one in same for item in one.items))
    values = tuple(dict.fromkeys(value for one in same for value in one.values))
    if len(same) == 1 or (items, values) == (same[0].items, same[0].values):
        return same[0]
    label = f"{said}: {len(items or values)} {'names' if items else 'values'}"
    score, rows = max(one.score for one in same), max(one.rows for one in same)
    return replace(same[0], items=items, values=values, label=label, score=score, rows=rows, how="family")


def _is_of(one: Candidate, sense: Sense) -> bool:
    return not sense.roles or one.role in sense.roles or one.field in sense.roles


def _how(one: Candidate, sense: Sense) -> How:
    return one.how if one.how == "concept" else sense.how


def as_they_stand(
    words: tuple[str, ...],
    typed: str,
    index: ValueIndex,
    profile: Profile,
    library: Library | None,
    *,
    only_said: bool = False,
) -> Iterator[Candidate]:
    """What the words mean by themselves."""
    if library is not None and (len(content(words)) > 1 or not all(word in plain_words() for word in words)):
        yield from find_concepts(words, typed, index, profile, library)
    yield from find_measures(words, index)
    yield from find_drugs(words, index)
    yield from find_values(words, index, only_said=only_said)
    if not only_said:
        yield from _names(words, typed, index)


def _names(words: tuple[str, ...], typed: str, index: ValueIndex) -> Iterator[Candidate]:
    """The stored names with these words: just these, and all that have them."""
    asked = content(words)
    if not asked or all(word in plain_words() for word in asked):
        yield from _entries(typed, index)
        return
    drug, weak = is_drug(words), len({*asked}) == 1 and (asked[0] in weak_words() or len(asked[0]) == 1)
    for role, stored in named(index, words).items():
        if drug and is_given(role):
            continue
        if kind_of(role).disease and _PAST.isdisjoint(asked):
            stored = [one for one in stored if _PAST.isdisjoint(words_of(one.name))] or stored
        same = so_called(stored, words)
        if same:
            how: How = "exact" if words_of(same[0].name) == words else "inverted"
            yield gathered(role, same, typed, how, 0.97 if how == "exact" else 0.96)
        others = [one for one in stored if one not in same]
        if others:
            score = _family_score(role, asked, stored, bool(same)) * (_WEAK if weak else 1.0)
            yield gathered(role, stored, typed, "family", score, (asked,))


def _family_score(role: str, asked: Sequence[str], stored: Sequence[Stored], exact: bool) -> float:
    """How likely all names with the words are meant: of a disease by one word, more than the one so called."""
    kind = kind_of(role)
    if kind.disease:
        if not exact and all(_is_cause(one.name, asked) for one in [each for each in stored if each.rows] or stored):
            return _OF_CAUSE
        return 0.98 if len(asked) == 1 else 0.95 if not exact else 0.9
    if role in _DONE:
        return 0.94 if not exact else 0.93
    if is_given(role):
        begun = any(words_of(one.name)[: len(asked)] == tuple(asked) for one in stored if one.rows)
        return 0.95 if begun else 0.8
    if len(stored) <= _FEW:
        return 0.85 if not exact else 0.8
    return 0.6


def _is_cause(title: str, asked: Sequence[str]) -> bool:
    """True where a title has the words only in the cause of what it names."""
    before, *_ = _CAUSE.split(title, maxsplit=1)
    return before != title and not set(asked) <= set(words_of(before))


def _entries(typed: str, index: ValueIndex) -> Iterator[Candidate]:
    """The stored names of plain words alone, which are seldom meant."""
    names: dict[str, list[str]] = {}
    for entry in index.of(split(typed)):
        if not entry.field:
            names.setdefault(entry.role, []).append(entry.name)
    for role, same in names.items():
        if stored := index.items(role, same):
            yield gathered(role, stored, typed, "exact", _SELDOM)
