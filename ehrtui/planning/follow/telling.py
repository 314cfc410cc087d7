"""Those of an answer one by one, each with something of theirs: "list them with their latest sodium", "what are
their ages?", "show me the values"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Groups,
    Has,
    Measure,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.listed import is_named
from ehrtui.planning.follow.recounting import is_count
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import Subject, subject_of
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited
from ehrtui.schema.kinds import kind_of

_WHOSE = {Own("id"), Own(PATIENT), Own(HOSPITAL), Own(ICU)}
_TELL = {"list", "show", "give", "display", "print", "name", "tell", "get", "see", "return", "report"}
_WHOM = {"them", "those", "these", "they", "patients", "people", "pts", "ones", "each", "every", "all", "of", "the",
         "stays", "admissions", "me", "us", "please", "out", "can", "could", "you", "and", "now", "ok"}  # fmt: skip
_WITH = {"with", "plus", "including", "alongside", "together"}
_OWN = {"their", "its", "the", "his", "her"}
_BEFORE = {"what", "which", "are", "is", "were", "was", "and", "so", "now", "ok", "me", "us", "all", "please"}
"""Words before "their" in what is asked of each."""
_THE_LIST = {"the", "list", "can", "could", "may", "i", "we", "have", "get", "give", "me", "us", "need", "want",
             "please", "and", "now", "ok", "show", "i'd", "like", "would", "also"}  # fmt: skip
_SHORT = 4
"""Words: what is asked of each of them is no longer."""
_NUMBERS = {"number", "numbers", "count", "counts", "many", "mean", "average", "total", "times"}
_FIGURES = _NUMBERS | {
    "median",
    "most",
    "top",
    "commonest",
    "common",
    "main",
    "range",
    "distribution",
    "rate",
    "overall",
}
"""Words with which one figure is asked of all of them."""
_VALUES = {"value", "values", "result", "results", "level", "levels", "reading", "readings", "measurement",
           "measurements", "actual", "individual", "their", "its"}  # fmt: skip


def values_shown(one: Lexed, statement: Statement) -> Statement | None:
    """The values by which patients or stays were told, each beside whose it is: "show me the values"."""
    if not {*one.words} & (_VALUES - _OWN - {"actual", "individual"}) or not covers(one, _VALUES | _TELL, ()):
        return None
    if not is_count(statement) and not _lists_ids(statement):
        return None
    subject = subject_of(0, statement)
    records = [node.of for node in walk(statement) if isinstance(node, Has) and _is_measured(node.of)]
    if len({*records}) != 1 or subject is None:
        return None
    of = rows_about(statement) or subject.of
    return Rows(limited(records[0], Of(of)), (_whose(subject), Own("value")))


def listed_with(
    one: Lexed, statement: Statement, latest: int, asked: Callable[[str, Statement], Statement | None]
) -> Statement | None:
    """Those of the answer, each with what the words behind "with" name; `asked` reads some words as asked of those of a
    statement."""
    words = [word for word in one.words if word[0].isalnum() or word in ",&/"]
    subject = subject_of(latest, statement)
    theirs = _theirs(words) if is_count(statement) else ()
    if (
        not (theirs or asks_with(words) or _adds_records(one, words))
        or subject is None
        or subject.unit not in UNITS
        or subject.of.where is None
    ):
        return None
    rest = " ".join(theirs or _behind_with(words))
    whom = Single((Aggregate("count", subject.of),))
    for text in (f"for each of them: {rest}", f"{rest} of each of them", f"their {rest}"):
        made = asked(text, whom)
        told = None if made is None else _beside_whose(made, subject)
        if told is not None and (isinstance(told, Rows) or _NUMBERS & {*words}):
            return told
    return None


def _adds_records(one: Lexed, words: Sequence[str]) -> bool:
    """True for "with their drugs", "and with diagnoses": records of a kind, by no name."""
    start = 1 if words[:1] == ["and"] else 0
    nouns = [node for node in one.nodes if node.kind == "event" and node.sense.noun and not node.sense.of.items]
    return words[start : start + 1] == ["with"] and covers(one, _OWN, nouns)


def _behind_with(words: Sequence[str]) -> Sequence[str]:
    """What the words behind "with" name."""
    at = next(at for at, word in enumerate(words) if word in _WITH)
    return words[at + 2 if words[at + 1] in _OWN else at + 1 :]


def _theirs(words: Sequence[str]) -> Sequence[str]:
    """What is named behind "their" in "what are their ages?", "show me their admission dates"; nothing where it is one
    figure of all of them, or where no verb asks, as in what is tried here itself."""
    at = words.index("their") if "their" in words else len(words)
    opening, rest = {*words[:at]}, words[at + 1 :]
    asks = bool(opening & _TELL) or ({"what", "which"} & opening and {"are", "is", "were", "was"} & opening)
    return rest if asks and opening <= _TELL | _BEFORE and _FIGURES.isdisjoint(rest) and len(rest) <= _SHORT else ()


def asks_with(words: Sequence[str]) -> bool:
    """True for "list them with…", "show those together with…", "can I have the list with…"."""
    at = next((at for at, word in enumerate(words) if word in _WITH), None)
    if at is None or not words[at + 1 :]:
        return False
    said = {*words[:at]}
    if {"the", "list"} <= said <= _THE_LIST:
        return True
    return bool(said & _TELL and said & {"them", "those", "these", "each"}) and said <= _TELL | _WHOM


def tells_whose(statement: Statement) -> bool:
    """True for an answer that names the patient or stay in each of its rows."""
    keys = statement.columns if isinstance(statement, Rows) else statement.by if isinstance(statement, Groups) else ()
    return not _WHOSE.isdisjoint(keys)


def _beside_whose(statement: Statement, subject: Subject) -> Statement | None:
    """What is told of those of a subject beside whose it is; None for one figure over all of them."""
    match statement:
        case Groups() if tells_whose(statement):
            return statement
        case Rows(of=of, columns=columns) if columns != (Own("id"),):
            if tells_whose(statement):
                return statement
            first = Own("id") if of.unit == subject.unit else _whose(subject)
            return replace(statement, columns=(first, *columns), distinct=of.unit not in UNITS and _are_names(columns))
    return None


def _are_names(columns: Sequence[Measure]) -> bool:
    return Own("name") in columns and Own("value") not in columns


def _whose(subject: Subject) -> Own:
    return Own(PATIENT if subject.unit == PATIENT else subject.unit)


def _lists_ids(statement: Statement) -> bool:
    return isinstance(statement, Rows) and statement.columns == (Own("id"),)


def _is_measured(of: Set) -> bool:
    kind = kind_of(of.unit.replace(" ", "_"))
    return of.unit not in UNITS and is_named(of) and kind.limited and of.pick is None
