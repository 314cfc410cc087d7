"""Another unit than the one that was taken: "no, I meant hospital stays", "ICU stays, not admissions", "sorry,
patients"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Groups,
    Has,
    Is,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.nodes import mapped
from ehrtui.planning.follow.pointing import STAY_NOUNS
from ehrtui.planning.follow.recounting import is_count, stays_with
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.statements import with_main
from ehrtui.planning.follow.subject import as_patients
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, parts_of

_CORRECTS = {"no", "nope", "sorry", "actually", "meant", "mean", "rather", "instead", "not", "wait", "oops", "wrong",
             "thinking", "asked", "wanted", "correction"}  # fmt: skip
_NAMES = {"icu", "hospital", "intensive", "care", "unit", "whole", "entire", "full", *STAY_NOUNS}
_PEOPLE = {"patients", "people", "persons", "individuals", "pts"}
_COUNTING = {"count", "number", "how", "many", "different", "distinct", "unique", "individual", "them", "those"}
_ONLY = {"only", "just", "restrict", "limit", "narrow", "keep"}
_ONES = {*_ONLY, "icu", "ones", "patients", "people", "down", "who", "went", "had", "have", "been", "stay", "an"}
_DENIES = {"not", "than", "instead"}


def other_stays(one: Lexed, statement: Statement) -> Statement | None:
    """The same of the stays of the other kind."""
    if not covers(one, _CORRECTS | _NAMES | {"of", "than"}, ()) or _CORRECTS.isdisjoint(one.words):
        return None
    unit = _meant(one.words)
    if unit not in (HOSPITAL, ICU):
        return None
    other = ICU if unit == HOSPITAL else HOSPITAL

    def turned(of: Set) -> Set:
        if of.unit == other:
            return replace(of, unit=unit)
        return of if of.unit == unit else mapped(of, _counted)

    def _counted(node: object) -> object:
        if isinstance(node, Has | Of) and node.of.unit == other:
            return replace(node, of=replace(node.of, unit=unit))
        return node

    return with_main(statement, turned)


def other_unit(one: Lexed, statement: Statement) -> Statement | None:
    """The same rows counted, or listed, as patients in the place of stays, or the reverse."""
    words = _CORRECTS | _NAMES | _PEOPLE | _COUNTING | {"of", "than"}
    of = rows_about(statement)
    counts = is_count(statement)
    lists = isinstance(statement, Rows) and statement.columns == (Own("id"),)
    if not covers(one, words, ()) or _CORRECTS.isdisjoint(one.words):
        return None
    if _PEOPLE.isdisjoint(one.words) and (of is None or of.unit != PATIENT):
        return None
    meant = _meant(one.words)
    if isinstance(statement, Groups) and statement.columns == (Aggregate("count", None),) and meant == PATIENT:
        different = Aggregate("distinct", None, Own(PATIENT))
        return replace(statement, columns=(different,)) if statement.of.unit in (HOSPITAL, ICU) else None
    if of is None or of.unit not in UNITS or meant in (None, of.unit) or not (counts or lists):
        return None
    rows = as_patients(of) if meant == PATIENT else stays_with(of, meant)
    return Single((Aggregate("count", rows),)) if counts else Rows(rows, (Own("id"),))


def in_the_icu(one: Lexed, statement: Statement) -> Statement | None:
    """Of the patients, or hospital stays, of the answer those with an ICU stay: "only the ICU ones"."""
    if not covers(one, _ONES, ()) or "icu" not in one.words or _ONLY.isdisjoint(one.words):
        return None

    def narrowed(of: Set) -> Set:
        return limited(of, Has(Set(ICU))) if of.unit in (PATIENT, HOSPITAL) else of

    return with_main(statement, narrowed)


def now_in_the_icu(one: Lexed, statement: Statement) -> Statement | None:
    """ "And in the ICU?" behind those who are in the hospital now: those who are in an ICU now."""
    if not covers(one, _AND_IN_THE_ICU, ()) or "icu" not in one.words:
        return None

    def moved(node: object) -> object:
        there = (
            isinstance(node, Set) and node.unit == HOSPITAL and Is(Own("end time"), "missing") in parts_of(node.where)
        )
        return replace(node, unit=ICU) if there and isinstance(node, Set) else node

    changed: Statement = mapped(statement, moved)
    return changed if changed != statement else None


_AND_IN_THE_ICU = {
    *("and", "what", "about", "how", "in", "on", "the", "icu", "an", "right", "now", "currently", "?", "at"),
    *("moment", "then", ","),
}


def _meant(words: tuple[str, ...]) -> str | None:
    """The unit that is meant: the one that nothing denies."""
    meant: list[str] = []
    denied = False
    for at, word in enumerate(words):
        if word in _DENIES and (at == 0 or at + 1 < len(words)):
            denied = word != "instead" or words[at + 1 : at + 2] == ("of",)
        elif word in ("meant", "mean", ",", "but", ".", "wanted"):
            denied = False
        kind = _kind(words, at)
        if kind and not denied:
            meant.append(kind)
    return meant[0] if len({*meant}) == 1 else None


def _kind(words: tuple[str, ...], at: int) -> str:
    """The unit that a word names; "" for none, and for a noun of either kind of stay beside a word for its kind."""
    word = words[at]
    if word in _PEOPLE:
        return PATIENT
    if word in ("icu", "intensive"):
        return ICU
    if word == "hospital" or word.startswith("admission"):
        return HOSPITAL
    lone = word in STAY_NOUNS and not _PEOPLE.isdisjoint(words) and {"icu", "intensive"}.isdisjoint(words)
    return HOSPITAL if lone else ""
