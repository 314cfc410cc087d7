"""Linking: what the names in a question may mean in this database, with how it was found and how well.

A stretch of words is looked up as it is (a stored name, a measure, a drug, a value, a concept, all names with these
words), then as what it stands for (an abbreviation, a lay word, a verb), then as what it may have been misspelt from.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ehrtui.concepts.candidates import Candidate, Mention
from ehrtui.concepts.codes import find_codes
from ehrtui.concepts.imported import find_imported
from ehrtui.concepts.library import Library
from ehrtui.concepts.meanings import meanings, said_otherwise
from ehrtui.concepts.names import GLUE, query_of
from ehrtui.concepts.ranking import ranked
from ehrtui.concepts.spelling import is_known, is_short, nearest_word
from ehrtui.concepts.tables import is_noun, is_said, near_words, plain_words
from ehrtui.schema.columns import singular
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import ValueIndex
from ehrtui.schema.word_forms import stem

__all__ = ["Candidate", "Linker", "Mention", "link"]

_WORD = re.compile(r"[^\W_]+")
_END = re.compile(r"[?!;:]|(?<!\b[a-z])\.(?:\s|$)")
"""Where no name goes on."""
_LONGEST = 10
"""Words of a mention."""
_MOST_WORDS = 200
"""Words of a question that are looked at."""
_LONGEST_MISSPELT = 5
"""Words that are looked for as another spelling or in a vocabulary."""
_LONGEST_BEGUN = 3
"""Words of the beginning of a name that opens with a word of everyday English."""
_BEGUN_LOOKED_AT = 4
"""Names that begin so: one may be a value, and another an item."""
_WARD_WORDS = 2
"""Words of a ward that is called by its floor and its side."""
_LONGEST_INVERTED = 4
"""Words that are looked for in another order."""
_MISSPELT = 0.9
_PLAIN, _PLAIN_VALUE, _SHORT = 0.38, 0.85, 0.85
"""What is left of a word that is plain English, of one that is a value of a field as well, and of a short one."""
_SHORT_LETTERS = 2
_LEAST, _LIKELY = 0.46, 0.7
"""What a mention must be worth, and what one within another must."""
_REMEMBERED = 500
_LAST = 16
"""Texts: a question is linked for its readings, and again for what is told of it."""
_MOST_LINKERS = 2
_WEAK = 0.7
"""What is worth less may as well be misspelt."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word at [start, end), in one form; `typed` in lower case."""

    start: int
    end: int
    typed: str
    form: str


class Linker:
    """Links questions to what the database of `index` stores, as `profile` lays it out; `library` gives the concepts
    that a word may name. It remembers what words meant: a question is understood again at every key."""

    def __init__(self, index: ValueIndex, profile: Profile, library: Library | None = None) -> None:
        self._index = index
        self._profile = profile
        self._library = library
        self._meanings = lru_cache(_REMEMBERED)(self._look_up)
        self._linked = lru_cache(_LAST)(self._link)

    def link(self, text: str) -> tuple[Mention, ...]:
        """As the function `link`."""
        return self._linked(text)

    def _link(self, text: str) -> tuple[Mention, ...]:
        lower = text.lower() if len(text.lower()) == len(text) else text
        found = list(find_codes(lower, self._index, self._profile))
        words = [_Word(*match.span(), match[0], stem(match[0])) for match in _WORD.finditer(lower)][:_MOST_WORDS]
        for run in _runs(words, lower):
            found += self._mentions(run, lower, text)
        return tuple(sorted(_outermost(_best(found)), key=lambda one: (one.start - one.end, one.start)))

    def _mentions(self, run: Sequence[_Word], lower: str, text: str) -> Iterator[Mention]:
        typed = tuple(word.typed for word in run)
        sentence = frozenset(typed)
        for start, first in enumerate(run):
            stored = {size for size, _ in self._index.at(typed[start : start + _LONGEST], 0)}
            forms = tuple(word.form for word in run[start : start + _LONGEST])
            if forms != typed[start : start + _LONGEST]:  # in the plural
                stored |= {size for size, _ in self._index.at(forms, 0)}
            named = True
            for size in range(1, min(_LONGEST, len(run) - start) + 1):
                span = run[start : start + size]
                form = tuple(word.form for word in span)
                loose = _is_glue(first) or _is_glue(span[-1])
                if loose and not is_said(form):
                    continue
                plain = _is_plain(first) or (_is_plain(span[-1]) and not is_noun(span[-1].form))
                plain = plain and not self._begins(span) and not self._is_ward(span)
                if size == 1 and start and _is_unit(first, run[start - 1]):
                    continue
                alone = all(len(word.typed) == 1 or word.typed.isdigit() for word in span)
                only_said = alone or (size not in stored and (loose or (size > 1 and plain) or not named))
                only_said = only_said and (alone or not self._is_inverted(typed[start : start + size]))
                raw = lower[first.start : span[-1].end]
                near = near_words(form) & sentence
                candidates = self._found(span, raw, near, only_said=only_said)
                if size == 1 and not text[first.start : first.end].isupper():
                    candidates = [_in_passing(one, first) for one in candidates]
                if size > 1 and not only_said and not candidates:
                    named = False  # nor has any longer run of words names
                if candidates:
                    around = (*typed[max(0, start - 4) : start], *typed[start + size : start + size + 4])
                    best = ranked(candidates, form, around, typed)
                    if best[0].score >= _LEAST:
                        yield Mention(first.start, span[-1].end, best)

    def _begins(self, span: Sequence[_Word]) -> bool:
        """True for a plain word and one that is none, where a stored name begins so: "emergency caesarean"."""
        if not 1 < len(span) <= _LONGEST_BEGUN or all(map(_is_plain, span)) or _is_plain(span[-1]):
            return False
        begun = " ".join((*(word.typed for word in span[:-1]), singular(span[-1].typed)))
        return any(
            not one.field and one.said.startswith(f"{begun} ") for one in self._index.starting(begun, _BEGUN_LOOKED_AT)
        )

    def _is_ward(self, span: Sequence[_Word]) -> bool:
        """True for a number and a word that stand in the name of a ward: "4 West"."""
        if len(span) != _WARD_WORDS or not span[0].typed[0].isdigit() or not span[1].typed.isalpha():
            return False
        named = self._index.matching(query_of([word.form for word in span]))
        return any(kind_of(one.role).place for one in named)

    def _is_inverted(self, words: Sequence[str]) -> bool:
        """True for a name whose parts are stored the other way round: "whole blood potassium" for "Potassium, whole
        blood"."""
        splits = range(1, len(words)) if len(words) <= _LONGEST_INVERTED else ()
        return any(self._index.of((*words[at:], *words[:at])) for at in splits)

    def _found(self, span: Sequence[_Word], raw: str, near: frozenset[str], *, only_said: bool) -> list[Candidate]:
        """What a stretch may mean: as it is spelled, and where that means little, as what it was misspelt from."""
        unknown = [word for word in span if not _is_plain(word) and not is_known(word.form, self._index)]
        found: list[Candidate] = []
        if not unknown or self._is_concept(span, raw):
            found = list(self._meanings(tuple(word.form for word in span), raw, near, only_said))
            if not found and len(span) > 1 and not only_said:
                found = self._imported(span, raw)
            if unknown or len(span) > 1 or any(one.score >= _WEAK for one in found) or _is_plain(span[0]):
                return found  # a concept that nothing is stored of is no misspelling either
        elif imported := self._imported(span, raw):
            return imported
        if len(span) > _LONGEST_MISSPELT:
            return found
        forms, likeness = [], 1.0
        for word in span:
            nearest: tuple[str, float] | None = (word.form, 1.0)
            if word in unknown or len(span) == 1:
                nearest = nearest_word(word.form, self._index, alone=len(span) == 1)
                only_said = only_said or (len(span) > 1 and is_short(word.form))
            if nearest is None:
                return found
            forms.append(nearest[0])
            likeness = min(likeness, nearest[1])
        only_said = only_said or all(form in plain_words() for form in forms)
        meant = self._meanings(tuple(forms), " ".join(forms), near, only_said)
        through = " ".join(forms)
        return found + [
            replace(one, how="misspelt", score=one.score * likeness * _MISSPELT, through=through) for one in meant
        ]

    def _imported(self, span: Sequence[_Word], raw: str) -> list[Candidate]:
        """What an imported vocabulary knows of the words, and nobody else."""
        if self._library is None or self._library.vocabulary is None or len(span) > _LONGEST_MISSPELT:
            return []
        return list(find_imported(raw, self._library.vocabulary, self._index, self._profile, self._library))

    def _is_concept(self, span: Sequence[_Word], raw: str) -> bool:
        """True where the library has a concept of that name, whatever words of it are stored."""
        if self._library is None:
            return False
        texts = (raw, *said_otherwise(tuple(word.form for word in span)))
        return any(self._library.named(text) for text in texts)

    def _look_up(
        self, words: tuple[str, ...], raw: str, near: frozenset[str], only_said: bool
    ) -> tuple[Candidate, ...]:
        return tuple(meanings(words, raw, self._index, self._profile, self._library, near, only_said=only_said))


_linkers: OrderedDict[tuple[int, int, int], Linker] = OrderedDict()
"""The linkers that were last asked for, by what they were made of; these keep it alive."""


def link(text: str, index: ValueIndex, profile: Profile, library: Library | None = None) -> tuple[Mention, ...]:
    """All names in a question with what each may mean, the longest first, equally long ones in reading order. They may
    overlap. `library` gives the concepts that a word may name."""
    key = id(index), id(profile), id(library)
    linker = _linkers.pop(key, None) or Linker(index, profile, library)
    _linkers[key] = linker
    while len(_linkers) > _MOST_LINKERS:
        _linkers.popitem(last=False)
    return linker.link(text)


def _runs(words: Sequence[_Word], lower: str) -> Iterator[list[_Word]]:
    """The words between the ends of sentences."""
    run: list[_Word] = []
    for word in words:
        if run and _END.search(lower, run[-1].end, word.start):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _is_glue(word: _Word) -> bool:
    return word.typed in GLUE


def _is_unit(word: _Word, before: _Word) -> bool:
    """True for a short word behind a number: "40 mg"."""
    return before.typed.isdigit() and len(word.typed) <= _SHORT_LETTERS


def _in_passing(one: Candidate, word: _Word) -> Candidate:
    """A candidate of one word that is not written in capitals: what is plain English as well, or has a letter or two,
    is seldom a short form then."""
    short = len(word.typed) <= _SHORT_LETTERS
    if _is_plain(word) or is_noun(word.form):
        return replace(one, score=one.score * (_PLAIN_VALUE if one.field and not short else _PLAIN))
    return replace(one, score=one.score * _SHORT) if short else one


def _outermost(found: Sequence[Mention]) -> list[Mention]:
    """The mentions without the unlikely ones within others."""
    return [
        one
        for one in found
        if one.candidates[0].score >= _LIKELY
        or not any(other.start <= one.start and one.end <= other.end for other in found if other is not one)
    ]


def _is_plain(word: _Word) -> bool:
    return word.typed in GLUE or word.typed in plain_words() or word.form in plain_words() or word.typed.isdigit()


def _best(found: Iterable[Mention]) -> list[Mention]:
    """The mentions of each place once."""
    places: dict[tuple[int, int], Mention] = {}
    for one in found:
        before = places.get((one.start, one.end))
        if before is None or before.candidates[0].score < one.candidates[0].score:
            places[one.start, one.end] = one
    return list(places.values())
