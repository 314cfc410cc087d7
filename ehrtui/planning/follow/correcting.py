"""Another kind of stay than the one that was taken: "no, I meant hospital stays", "ICU stays, not admissions"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, Has, Of, Set, Statement
from ehrtui.logic.nodes import mapped
from ehrtui.planning.follow.pointing import STAY_NOUNS
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.statements import with_main
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited

_CORRECTS = {"no", "nope", "sorry", "actually", "meant", "mean", "rather", "instead", "not", "wait", "oops", "wrong",
             "thinking", "asked", "wanted", "correction"}  # fmt: skip
_NAMES = {"icu", "hospital", "intensive", "care", "unit", "whole", "entire", "full", *STAY_NOUNS}
_ONLY = {"only", "just", "restrict", "limit", "narrow", "keep"}
_ONES = {*_ONLY, "icu", "ones", "patients", "people", "down", "who", "went", "had", "have", "been", "stay", "an"}
_DENIES = {"not", "than", "instead"}


def other_stays(one: Lexed, statement: Statement) -> Statement | None:
    """The same of the stays of the other kind."""
    if not covers(one, _CORRECTS | _NAMES | {"of", "than"}, ()) or _CORRECTS.isdisjoint(one.words):
        return None
    unit = _meant(one.words)
    if unit is None:
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


def in_the_icu(one: Lexed, statement: Statement) -> Statement | None:
    """Of the patients, or hospital stays, of the answer those with an ICU stay: "only the ICU ones"."""
    if not covers(one, _ONES, ()) or "icu" not in one.words or _ONLY.isdisjoint(one.words):
        return None

    def narrowed(of: Set) -> Set:
        return limited(of, Has(Set(ICU))) if of.unit in (PATIENT, HOSPITAL) else of

    return with_main(statement, narrowed)


def _meant(words: tuple[str, ...]) -> str | None:
    """The kind of stays that is meant: the one that nothing denies."""
    meant: list[str] = []
    denied = False
    for at, word in enumerate(words):
        if word in _DENIES and (at == 0 or at + 1 < len(words)):
            denied = word != "instead" or words[at + 1 : at + 2] == ("of",)
        elif word in ("meant", "mean", ",", "but", ".", "wanted"):
            denied = False
        kind = (
            ICU
            if word in ("icu", "intensive")
            else HOSPITAL
            if word == "hospital" or word.startswith("admission")
            else ""
        )
        if kind and not denied:
            meant.append(kind)
    return meant[0] if len({*meant}) == 1 else None
