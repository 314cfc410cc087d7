"""Whether somebody is among those of an earlier answer: "is patient 7 one of them?", "was 7 in A2?"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ehrtui.logic.algebra.model import Among, Has, Single, Statement, Whether
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import as_patients, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited

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
    *("on", "patients", "include", "contain", "have", "first", "second", "last", "previous"),
}


def asks_if_among(words: Sequence[str]) -> bool:
    """True for words that ask whether a patient, who is named, is one of those before."""
    named = "patient" in words or any(any(letter.isdigit() for letter in word[1:]) for word in words)
    return named and _ASKED.match(" ".join(word for word in words if word[0].isalnum())) is not None


def is_among(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """Whether the patient who is named is among those of the latest answer, or of the one that is named."""
    whom = [node.sense.of.where for node in one.nodes if node.kind == "people" and node.sense.one]
    if not asks_if_among(one.words) or len(set(whom)) != 1 or not isinstance(whom[0], Among):
        return None
    named = [int(found[1]) for word in one.words if (found := _TURN.fullmatch(word))]
    turn = named[0] if named else latest
    subject = subject_of(turn, earlier[turn]) if turn in earlier else None
    numbers = {str(value) for value in whom[0].values}
    known = {word for word in one.words if _TURN.fullmatch(word) or word in numbers}
    if subject is None or not covers(one, {*_WORDS, *known}, ()):
        return None
    return Single((Whether(Has(limited(as_patients(subject.of), whom[0]))),))
