"""Which rows two earlier answers share, or one has and the other has not: "which are in both lists", "in the first but
not in the second", "both during the same stay?"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Combined,
    Has,
    Not,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.follow.groups_told import with_groups
from ehrtui.planning.follow.listed import lists_names
from ehrtui.planning.follow.recounting import is_count, stays_with
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import Subject, as_patients, subject_of
from ehrtui.planning.follow.together import beside, combined
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, maybe, parts_of

_LISTS = {"list", "lists", "answer", "answers", "result", "results", "group", "groups", "set", "sets", "question"}
_ROWS = {"patients", "people", "who", "admissions", "stays", "visits", "encounters", "ids", "patient",
         "admission", "stay", "hospital", "icu"}  # fmt: skip
_BOTH = {"both", "overlap", "overlaps", "overlapping", "intersection", "common", "shared"}
_EITHER = {"either", "union", "combined", "together"}
_ORDINALS = {"first": 0, "second": 1, "third": 2}
_WORDS = {"last", "two", "latest", "previous", "very", "but", "not", "also", "same", "during", "how", "many", "count",
          "number", "among", "appear", "appears", "have", "had", "between", "any", "share", "within", "none", "no",
          "never", "on", "at"}  # fmt: skip
_TURN = re.compile(r"a(\d{1,4})")
_SAME_STAY = re.compile(
    r"\b(?:same|one|single) (?:icu |hospital )?(?:stay|admission|visit|encounter|hospitali[sz]ation)\b"
)
_NOT_IN = re.compile(r"\b(?:not|but not|never|none) (?:also )?(?:in|on|among)\b|\bnot (?:also )?(?:in |on )?(?:the )?")


def among_lists(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """The rows that earlier answers share, or that one has and another has not."""
    if (names := _names_in_both(one, earlier, latest)) is not None:
        return names
    known = {word for word in one.words if _TURN.fullmatch(word)}
    counts = not {*one.words}.isdisjoint(("many", "count", "number"))
    if len(known) > 1 and not counts:
        return None  # the kept rows of two answers are compared as they are
    words = {*_LISTS, *_ROWS, *_BOTH, *_EITHER, *_ORDINALS, *_WORDS, *known}
    if not covers(one, words, ()):
        return None
    text = " ".join(one.words)
    subjects = {
        turn: subject
        for turn, statement in earlier.items()
        if turn <= latest and (subject := subject_of(turn, statement)) is not None and subject.of.where is not None
    }
    named = _named(one.words, earlier, subjects)
    said = {*one.words}
    pair = beside(with_groups(subjects, earlier), 2)
    same_stay = bool(_SAME_STAY.search(text))
    if said & _BOTH and not named and len(pair) == 2 and (said & (_LISTS | {"two"}) or same_stay):
        sets = [pair[1].of, pair[0].of]
        of = _in_one_stay(sets, text) if same_stay else combined(sets, "and")
    elif said & _EITHER and not named and len(pair) == 2 and said & _LISTS:
        of = combined([pair[1].of, pair[0].of], "or")
    elif len(named) == 2 and _NOT_IN.search(text):
        of = _without(named[0].of, named[1].of)
    elif len(named) == 2:
        of = combined([subject.of for subject in named], "and")
    elif len(named) == 1 and said & {"these", "those", "them"} and latest in subjects and named[0].turn != latest:
        sets = [subjects[latest].of, named[0].of]
        of = _without(*sets) if _NOT_IN.search(text) else _shared(*sets)
    else:
        return None
    if of is None:
        return None
    counts = counts or (not said & {"which", "list", "show", "who", "ids"} and is_count(earlier[latest]))
    return Single((Aggregate("count", of),)) if counts else Rows(of, (Own("id"),))


def _names_in_both(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """The names that the two latest answers share, where both list names of one kind."""
    before = max((turn for turn in earlier if turn < latest), default=None)
    kind = lists_names(earlier[latest])
    nouns = [node for node in one.nodes if node.kind == "event" and node.sense.noun]
    if before is None or kind is None or lists_names(earlier[before]) != kind or _BOTH.isdisjoint(one.words):
        return None
    if not covers(one, {*_LISTS, *_BOTH, "two", "last", "on", "have", "do", "appear"}, nouns):
        return None
    return Combined(earlier[before], "and", earlier[latest])


def _named(words: Sequence[str], earlier: Mapping[int, Statement], subjects: Mapping[int, Subject]) -> list[Subject]:
    """The answers that are named by their number, or by their place among the lists, in the order of the words."""
    lists = [turn for turn in sorted(subjects) if isinstance(earlier[turn], Rows) and subjects[turn].unit in UNITS]
    found: list[Subject] = []
    for at, word in enumerate(words):
        if (turn := _TURN.fullmatch(word)) and int(turn[1]) in subjects:
            found.append(subjects[int(turn[1])])
        elif word in _ORDINALS and _ORDINALS[word] < len(lists) >= 2 and _is_of_list(words, at):
            found.append(subjects[lists[_ORDINALS[word]]])
    return found


def _is_of_list(words: Sequence[str], at: int) -> bool:
    """True for "the first list", and for "the first" alone."""
    behind = next((word for word in words[at + 1 :] if word[0].isalnum()), "")
    return behind in _LISTS or behind in ("", "but", "not", "and", "one", "are", "also")


def _shared(one: Set, other: Set) -> Set | None:
    """The rows of one set that are in another; rows of another kind by their patients."""
    if one.unit != other.unit:
        return None
    return limited(one, *parts_of(other.where))


def _without(one: Set, other: Set) -> Set | None:
    """The rows of one set that are not in another."""
    where = maybe(parts_of(other.where))
    if one.unit != other.unit or where is None or one.unit not in UNITS:
        return None
    return limited(one, Not(where))


def _in_one_stay(sets: Sequence[Set], text: str) -> Set | None:
    """The patients, or stays, that have what two answers tell of in one and the same stay."""
    unit = ICU if "icu" in text.split() else HOSPITAL
    stays = combined([stays_with(of, unit) for of in sets], "and")
    if stays is None or stays.unit != unit:
        return None
    patients = all(as_patients(of) == of for of in sets) and "stays" not in text.split()
    return Set(PATIENT, where=Has(stays)) if patients else stays
