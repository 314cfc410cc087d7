"""The same of another stay of the patient, or of all of them: "same for the last admission", "and over all her stays
together?", "how long was the third one?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, Pick, Rows, Set, Statement
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.one_of_stays import OF_HOSPITAL, PLACES, outermost, stays_of
from ehrtui.planning.follow.pointing import STAY_NOUNS
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import Subject, person_in, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import length_of
from ehrtui.planning.reader.numbers import unit_said

_BESIDE = {"same", "about", "how", "during", "from", "at", "icu", "hospital", "unit", "his", "her", "their", "figure",
           "figures", "numbers", "number", "compare"} | STAY_NOUNS  # fmt: skip
_ALL = {"over", "across", "together", "whole", "throughout", "every"}
_LASTING = {"how", "long", "did", "last", "lasted", "take", "days", "hours"}


def same_of_other_stay(one: Lexed, statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    """What was asked of one stay of a patient, asked of another by its place, or of all of them."""
    places, everything = {*one.words} & {*PLACES}, bool({*one.words} & {"all", "every"})
    within = "one" in one.words and not {"in", "during", "for"}.isdisjoint(one.words)
    if len(places) + everything != 1 or ({*one.words}.isdisjoint(STAY_NOUNS | {"same"}) and not within):
        return None
    if not covers(one, {*PLACES, *_BESIDE, *_ALL}, ()):
        return None
    whole = alone_if_near(statement, earlier) or statement
    picked = {node for node in walk(whole) if isinstance(node, Set) and node.unit in (HOSPITAL, ICU) and node.pick}
    found = {node for node in outermost(picked) if len(picked) > 1 or _has_place(node)}
    if len(found) != 1 or not any(person_in(node) for node in walk(whole) if isinstance(node, Set)):
        return None
    old = found.pop()
    if old.unit == ICU and not OF_HOSPITAL.isdisjoint(one.words):
        return None
    nth = PLACES[places.pop()] if places else 0
    new = replace(old, pick=Pick(abs(nth), None, nth < 0) if nth else None)
    return mapped(whole, lambda node: new if node == old else node) if new != old else None


def length_of_one(one: Lexed, statement: Statement, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """How long one of the stays was that an answer told of, by its place among them."""
    words = {*one.words}
    places = words & {*PLACES} - {"last"} or words & {"last"}
    if not {"how", "long"} <= words or len(places) != 1 or not covers(one, {*PLACES, *_LASTING, *_BESIDE}, ()):
        return None
    subject: Subject | None = subject_of(latest, statement)
    stays = stays_of(subject, earlier) if subject is not None else None
    if stays is None:
        return None
    nth = PLACES[places.pop()]
    unit = unit_said(one.words)
    return Rows(replace(stays, pick=Pick(abs(nth), None, nth < 0)), (length_of(unit or "day"),))


def _has_place(of: Set) -> bool:
    return of.unit in (HOSPITAL, ICU) and of.pick is not None and of.pick.by is None and not of.pick.through
