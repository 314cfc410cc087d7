"""Whether somebody is among those of an earlier answer: "is patient 7 one of them?", "was 7 in A2?"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import Among, Condition, Has, Own, Set, Single, Statement, Whether
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import as_patients, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, maybe, parts_of

_LIST = r"(?:the|that|this)(?:\s+\w+)?\s+(?:list|group|answer|cohort|set|result)"
_THEM = rf"(?:them|those|these|{_LIST}|(?:answer\s+)?a\d{{1,4}})"
_ASKED = re.compile(
    rf"^(?:and\s+)?(?:is|was|are|were)\s+.*\b(?:one of|among|amongst|in|part of|on)\s+{_THEM}(?:\s+patients)?$"
    rf"|^(?:and\s+)?(?:does|did|do)\s+{_THEM}\s+(?:include|contain|have)\b"
)
_TURN = re.compile(r"a(\d{1,4})")
_WORDS = {
    *(
        "is",
        "was",
        "are",
        "were",
        "does",
        "did",
        "do",
        "and",
        "also",
        "one",
        "of",
        "among",
        "amongst",
        "in",
        "part",
        "on",
    ),
    *("them", "those", "these", "the", "that", "this", "list", "group", "answer", "cohort", "set", "result", "patient"),
    *("on", "what", "about", "how", "patients", "include", "contain", "have", "first", "second", "last", "previous"),
}


def asks_if_among(words: Sequence[str]) -> bool:
    """True for words that ask whether a patient, who is named, is one of those before."""
    named = "patient" in words or any(any(letter.isdigit() for letter in word[1:]) for word in words)
    return named and _ASKED.match(" ".join(word for word in words if word[0].isalnum())) is not None


def asked_if_among(statement: Statement) -> bool:
    """True where it was asked whether a patient who is named is one of some."""
    match statement:
        case Single(columns=(Whether(condition=Has(of=Set(unit="patient", where=where))),)):
            parts = parts_of(where)
            return len(parts) > 1 and any(map(_is_named, parts))
    return False


def is_among(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """Whether the patient who is named is among those of the latest answer, or of the one that is named."""
    whom = [node.sense.of.where for node in one.nodes if node.kind == "people" and node.sense.one]
    again = asked_if_among(earlier[latest])  # "and patient 9?"
    if not (asks_if_among(one.words) or again) or len(set(whom)) != 1 or not isinstance(whom[0], Among):
        return None
    named = [int(found[1]) for word in one.words if (found := _TURN.fullmatch(word))]
    turn = named[0] if named else latest
    subject = subject_of(turn, earlier[turn]) if turn in earlier else None
    numbers = {str(value) for value in whom[0].values}
    known = {word for word in one.words if _TURN.fullmatch(word) or word in numbers}
    if subject is None or not covers(one, {*_WORDS, *known}, ()):
        return None
    group = as_patients(subject.of)
    if isinstance(earlier[turn], Single):  # of another patient it was asked just so
        group = replace(group, where=maybe([part for part in parts_of(group.where) if not _is_named(part)]))
    return Single((Whether(Has(limited(group, whom[0]))),))


def _is_named(part: Condition) -> bool:
    return isinstance(part, Among) and part.measure == Own("id")
