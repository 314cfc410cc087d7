"""From a question to its marks: everything in it that has a meaning, each stretch claimed once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ehrtui.logic.model import Filter
from ehrtui.planning.offline.ages import ages_of_patients, find_ages
from ehrtui.planning.offline.asking_words import find_asking
from ehrtui.planning.offline.constructs import find_constructs
from ehrtui.planning.offline.group_words import group_span
from ehrtui.planning.offline.identifiers import find_lone_patient, find_patients
from ehrtui.planning.offline.lexicon import Lexicon, Meaning, lexicon
from ehrtui.planning.offline.phrasing import find_phrasings
from ehrtui.planning.offline.times import find_pointed_stays, find_times
from ehrtui.planning.offline.words import Mark, Marks, Text, Word
from ehrtui.schema.kinds import PATIENT, kind_of
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import Entry, ValueIndex

_TURN = re.compile(
    r"\b(?:(?:answer|result|results|query|turn|question)\s*(?:of\s+(?=a))?a?(?P<long>\d{1,4})"
    r"|(?<!\bcode )(?<!\bcoded )(?<!\bcodes )(?<!\bicd10 )(?<!\bicd-10 )(?<!\bicd )a(?P<short>\d{1,4})(?!\.\d)"
    r"|prev_(?:result|query)(?P<token>\d{1,4}))\b"
)
_LATEST_TURN = re.compile(r"\b(?:the\s+)?(?:previous|last|above)\s+(?:answer|result|results|query|question|list)\b")
_NTH_TURN = re.compile(
    r"\b(?:the\s+|my\s+)?(?P<nth>first|second|third|fourth|fifth)\s+(?:answer|query|question|list)\b"
)
_NTH = ("first", "second", "third", "fourth", "fifth")
_PAST = re.compile(r"\b(?:past|last)\b")
_ORDERED = re.compile(
    r"\b(?:after|follow\w*|then|subsequent\w*|later|before|prior|top|most|\w*frequent\w*|common\w*)\b"
)
_QUOTED = re.compile(r"[\"“'‘]([^\"”’']{2,})[\"”’']")
# Before times are looked for: "within 2 months", "since" of "how many days since".
_EARLY = (
    "elapsed",
    "link",
    "ward",
    "times",
    "duration",
    "years",
    "same age",
    "survival",
    "mortality",
    "percentile",
    "top",
    "balance",
    "naming",
    "other than",
)
_NUMBER = re.compile(r"(?<![\w/.-])\d+(?:\.\d+)?(?![\w/-])")
GIVEN = re.compile(r"\b(?:given|got|gets?|getting|receive(?:s|d)?|receiving|on)\s+$")
_IN_UNIT = re.compile(
    r"\bcare\s?units?\s+(?:the\s+)?$"
    r"|\b(?:stay(?:s|ed|ing)?|were|was|been|be|present|treated|transferred)\s+(?:in|at|to)\s+(?:the\s+)?$"
)
"""Words before the name of a care unit, which may as well be that of something else: "in the medicine"."""
_WHOLE_NAME = 5
"""Words: so long a name is meant as one, whatever its parts say ("bite of other animal except arthropod")."""
_LONGEST_SHORT_FORM = 2
"""Letters: "k", "hr" and "mi" mean other things as well."""
_SCHEMA_NAME = re.compile(r"[^\W_]+(?:_[^\W_]+)+")
_UNITS = ("mg",)
_AFTER_NUMBER = re.compile(r"\d\s*$")
_NEAR_ENOUGH = 0.86
_MOST_HELD = 8
"""Names: a word that more of them share says too little."""
_HELD = 0.95
"""How exactly a part of a name says which."""
_HELD_DRUG = 0.98
"""The same of a drug, whose stored names begin with it and go on with doses and forms."""
_SHORTEST_MISSPELT = 5
"""Letters: shorter words are too easily like another name."""
_LONGEST_MISSPELT = 4
"""Words: a longer run is a sentence that was not understood, not a name that was misspelt."""
_MOST_MISSPELT = 24
"""Words and runs of them: a text with more that mean nothing is no question with slips of the keyboard."""


@dataclass(frozen=True)
class Mention:
    """A stored name that was mentioned, with everything it may stand for."""

    entries: tuple[Entry, ...]


def mark(text: Text, index: ValueIndex, words: Lexicon, profile: Profile) -> Marks:
    """All marks of a question: "turn" (number; 0 for the latest, -1 for the first…), "patient" (ids), "window",
    "stay", "ordinal", "age", "number", "mention" (a Mention), "phrase" (one Meaning or several: "ward" is a role and a
    field) and "by" (what such a phrase means that a number is taken by)."""
    marks = Marks()
    for found in find_pointed_stays(text.lower):
        marks.add(found)
    for match in _TURN.finditer(text.lower):
        marks.add(Mark(*match.span(), "turn", int(match["long"] or match["short"] or match["token"])))
    for match in _LATEST_TURN.finditer(text.lower):
        marks.add(Mark(*match.span(), "turn", 0))
    for match in _NTH_TURN.finditer(text.lower):
        marks.add(Mark(*match.span(), "turn", -1 - _NTH.index(match["nth"])))
    for found in find_patients(text, texts=profile.patient_ids == "text", nouns=profile.role("patient").nouns):
        marks.add(found)
    for found in find_ages(text.lower):
        marks.add(found)
    _add_quoted(text, index, marks)
    if "_" in text.lower:
        _add_phrases(text, marks, words, of_schema=True)
    names = _names(text, index, words)
    _add_names(text, index, marks, words, [name for name in names if name.words >= _WHOLE_NAME and name.exact], ())
    shapes, times = list(find_constructs(text.lower)), list(find_times(text.lower))
    for found in shapes:
        if found.kind in _EARLY and not (found.kind == "link" and _is_time(text, found)):
            marks.add(found)
    for found in times:
        if found.kind != "ordinal":
            marks.add(found)
    for found in times:
        if found.kind == "ordinal" and text.lower[: found.end].endswith("time"):
            marks.add(found)
    _add_names(text, index, marks, words, names, profile.partly)
    for found in ages_of_patients(text.lower, marks):
        marks.add(found)
    for found in find_phrasings(text.lower):
        marks.add(found)
    for found in shapes:
        marks.add(found)
    for found in find_asking(text.lower):
        marks.add(found)
    _add_phrases(text, marks, words)
    if marks.of("percentile"):
        for match in _NUMBER.finditer(text.lower):
            marks.add(Mark(*match.span(), "number", float(match[0])))
    for found in times:
        marks.add(found)
    for found in find_lone_patient(text.lower):
        marks.add(found)
    return marks


def add_near_mentions(
    text: Text, index: ValueIndex, marks: Marks, roles: Sequence[str], partly: Sequence[str] = ()
) -> None:
    """Link runs of unexplained words to the stored names that have them in them ("metformin" in each of its tablets,
    for the roles `partly`), or to one that differs by a few letters; only of `roles`, where there are any."""
    runs = _runs(text, marks)
    several = [([run] if 1 < len(run) <= _LONGEST_MISSPELT else []) + [[word] for word in run] for run in runs]
    said = [words for each in several for words in each if words[-1].end - words[0].start >= _SHORTEST_MISSPELT]
    for words in said[:_MOST_MISSPELT]:
        begin, end = words[0].start, words[-1].end
        if not marks.free(begin, end):
            continue
        if held := _holding(text, index, marks, words, partly):
            drugs = all(kind_of(entry.role).dosed for entry in held)
            marks.add(Mark(begin, end, "mention", Mention(held), _HELD_DRUG if drugs else _HELD))
            continue
        near = index.nearest(text.lower[begin:end], roles or None, limit=1, at_least=_NEAR_ENOUGH)
        if near and not _is_person(near[0][0]):  # who is meant is not guessed
            entry, likeness = near[0]
            marks.add(Mark(begin, end, "mention", Mention((entry,)), likeness))


def _holding(
    text: Text, index: ValueIndex, marks: Marks, words: Sequence[Word], partly: Sequence[str]
) -> tuple[Entry, ...]:
    """The names that have these words in them; none for words beside a name, which they may go with."""
    begin, end = words[0].start, words[-1].end
    beside = any(abs(mark.end - begin) <= 1 or abs(mark.start - end) <= 1 for mark in marks.of("mention", "value"))
    return () if beside else index.holding(text.lower[begin:end], partly, limit=_MOST_HELD)


def unexplained(text: Text, marks: Marks) -> tuple[str, ...]:
    """The words that no mark covers and that are not mere grammar."""
    return tuple(word.text for word in unexplained_words(text, marks))


def unexplained_words(text: Text, marks: Marks) -> list[Word]:
    """The unexplained words, with their places."""
    return [word for run in _runs(text, marks) for word in run]


def _runs(text: Text, marks: Marks) -> list[list[Word]]:
    """The unexplained words, neighbours together."""
    stop = lexicon().stop
    runs: list[list[Word]] = []
    last = None
    for at, word in enumerate(text.words):
        if word.text in stop or not marks.free(word.start, word.end):
            continue
        if last is not None and last == at - 1:
            runs[-1].append(word)
        else:
            runs.append([word])
        last = at
    return runs


def _add_quoted(text: Text, index: ValueIndex, marks: Marks) -> None:
    for match in _QUOTED.finditer(text.lower):
        words = [word.text for word in text.words if match.start() <= word.start and word.end <= match.end()]
        found = index.at(words, 0)
        if found and found[0][0] == len(words):
            marks.add(Mark(*match.span(), "mention", Mention(found[0][1])))


@dataclass(frozen=True)
class _Name:
    """A stored name over so many words at [start, end) of the question; `exact` where spelled letter by letter."""

    words: int
    exact: bool
    start: int
    end: int
    entries: tuple[Entry, ...]


def _names(text: Text, index: ValueIndex, words: Lexicon) -> list[_Name]:
    """Stored names, the longest first; among equally long ones those spelled letter by letter."""
    plain = [word.text for word in text.words]
    found = []
    for start in range(len(plain)):
        for size, entries in index.at(plain, start):
            span = text.words[start].start, text.words[start + size - 1].end
            entries = tuple(entry for entry in entries if _is_meant(text, entry, span, words))
            units = tuple(entry for entry in entries if kind_of(entry.role).place and not entry.field)
            if units and _IN_UNIT.search(text.lower[: span[0]]):
                found.append(_Name(size, True, *span, units))
                continue
            entries = _of_its_noun(entries, plain[start : start + size], words)
            if not entries:
                continue
            grammar = all(words.knows(word) or word.isdigit() for word in plain[start : start + size])
            if grammar and (size == 1 or not any(entry.said in text.lower for entry in entries)):
                continue
            if tuple(plain[start : start + size]) in words.phrases:
                continue
            spelled = [(place, entry) for entry in entries if (place := _spelled(entry.said, text.lower, span))]
            # "ivpb." and "ivpb" are two stored names: the longer one was typed.
            begin, end = max((place for place, _ in spelled), key=lambda one: one[1] - one[0], default=span)
            exact = tuple(entry for place, entry in spelled if place == (begin, end))
            found.append(_Name(size, bool(exact), begin, end, exact or entries))
    return sorted(found, key=lambda one: (-one.words, not one.exact, one.start))


def _add_names(
    text: Text, index: ValueIndex, marks: Marks, words: Lexicon, names: Sequence[_Name], partly: Sequence[str]
) -> None:
    said = _roles_said(text, words)
    for name in names:
        begin, end, entries = name.start, name.end, name.entries
        score = 1.0 if name.exact else 0.97
        if people := tuple(entry.name for entry in entries if _is_person(entry)):
            marks.add(Mark(begin, end, "patient", people, score))
            continue
        named = tuple(entry for entry in entries if not entry.field)
        if len(named) < len(entries) and _is_of_role(entries, said):
            named = ()
        given = [role for role in partly if kind_of(role).dosed]
        drugs = _drugs_given(text, index, named, begin, words, given) if given else ()
        loose = all(kind_of(entry.role).loose and entry.role not in said for entry in named)
        if drugs:
            marks.add(Mark(begin, end, "mention", Mention(drugs), _HELD))
        elif named and not (len(named) < len(entries) and loose):
            marks.add(Mark(begin, end, "mention", Mention(named), score))
        else:
            value = next(entry for entry in entries if entry.field)
            marks.add(Mark(begin, end, "value", (value.role, Filter(value.field, "=", value.name)), score))


def _is_person(entry: Entry) -> bool:
    """True for the name of a patient, which stands for the identifier."""
    return entry.role == PATIENT and entry.field == "id"


def _drugs_given(
    text: Text, index: ValueIndex, named: tuple[Entry, ...], begin: int, words: Lexicon, roles: Sequence[str]
) -> tuple[Entry, ...]:
    """ "Patients given potassium": the drugs that have it, where nothing that is given is called so and the question
    speaks of nothing that is found."""
    given = GIVEN.search(text.lower[:begin]) and all(kind_of(entry.role).found for entry in named)
    said = (meaning for word in text.words for meaning in words.phrases.get((word.text,), ()))
    if not named or not given or any(meaning.kind == "role" and kind_of(meaning.which).found for meaning in said):
        return ()
    return index.holding(named[0].said, roles, limit=_MOST_HELD)


def _of_its_noun(entries: tuple[Entry, ...], words: Sequence[str], lexicon: Lexicon) -> tuple[Entry, ...]:
    """ "Urine culture": where a name ends in the noun of one of its roles, that role is meant."""
    roles = {meaning.which for meaning in lexicon.phrases.get((words[-1],), ()) if meaning.kind == "role"}
    return tuple(entry for entry in entries if entry.role in roles) or entries


def _is_time(text: Text, link: Mark) -> bool:
    """ "Within the last two years" is a time, unless one thing follows another or is ranked behind it."""
    return bool(_PAST.search(text.lower[link.start : link.end])) and not _ORDERED.search(text.lower)


def _roles_said(text: Text, words: Lexicon) -> set[str]:
    """The kinds of records that a word of the question names."""
    return {
        meaning.which
        for word in text.words
        for meaning in words.phrases.get((word.text,), ())
        if meaning.kind in ("role", "verb")
    }


def _is_of_role(entries: tuple[Entry, ...], said: set[str]) -> bool:
    """True when the question names the kind of record that a value belongs to ("a stool culture"), and not the kind of
    an item of the same name."""
    return any(entry.field and entry.role in said for entry in entries) and not any(
        entry.role in said for entry in entries if not entry.field
    )


def _is_meant(text: Text, entry: Entry, span: tuple[int, int], words: Lexicon) -> bool:
    """False where a name of one or two letters may as well be a word or a unit: an abbreviation must be written as one
    ("K", "Hb") or stand with a word that goes with its role ("last k"), and not behind a number ("24 hr")."""
    if len(entry.said) > _LONGEST_SHORT_FORM or entry.field:
        return True
    if text.lower.startswith(("'s", "’s"), span[1]):
        return False  # "the pt's sodium": a patient, not a prothrombin time
    typed = text.typed[slice(*span)]
    if entry.said == entry.name.lower():
        return True
    if typed in _UNITS or _AFTER_NUMBER.search(text.lower[: span[0]]):
        return False
    if not typed.islower() and not text.typed.isupper():
        return True
    return not words.cues.get(entry.role, frozenset()).isdisjoint(word.text for word in text.words)


def _spelled(said: str, lower: str, span: tuple[int, int]) -> tuple[int, int] | None:
    """Where `said` stands, letter by letter, over the words of `span` (it may have punctuation at its ends)."""
    at = lower.find(said, max(0, span[0] - len(said)), span[1] + len(said))
    while at >= 0:
        if at <= span[0] and span[1] <= at + len(said):
            return at, at + len(said)
        at = lower.find(said, at + 1, span[1] + len(said))
    return None


def _add_phrases(text: Text, marks: Marks, words: Lexicon, *, of_schema: bool = False) -> None:
    """Add the phrases of the lexicon, the longest first; with `of_schema`, only those that are written as nothing but
    the name of a table or a column is ("diagnoses_icd")."""
    found: list[tuple[int, int, int, tuple[Meaning, ...]]] = []
    for start in range(len(text.words)):
        for size, meanings in words.at(text, start):
            found.append((size, text.words[start].start, text.words[start + size - 1].end, meanings))
    for _, begin, end, meanings in sorted(found, key=lambda one: (-one[0], one[1])):
        if of_schema and not _SCHEMA_NAME.fullmatch(text.lower, begin, end):
            continue
        group = group_span(text.lower, begin, end, meanings)
        if group is None or not marks.add(Mark(*group, "by", meanings)):
            marks.add(Mark(begin, end, "phrase", meanings))
