"""What a statement costs that tells another length than is asked for, or none: that of a stay for that of a drug, that
in the hospital for that on the ICU, one value below another for one that is so far below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    UNITS,
    Aggregate,
    Groups,
    Interval,
    Math,
    Own,
    Rows,
    Set,
    Statement,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.observation_words import PERIODS
from ehrtui.schema.kinds import kind_of

_LOST = 2.8
"""What it costs that no such length is told where one is asked for."""
_STAYING = {"stay", "stays", "stayed", "hospital", "admitted", "admission", "icu", "unit", "ward", "los"}
_STAYING_NOUNS = ("stay", "admission", "hospital", "visit", "encounter", "los")
_BEING_DONE = {"are", "were", "is", "was", "been", "get", "got"}
_TAKING_IT = {"on", "taking", "took", "given", "getting", "got", "received", "receiving"}
_APART_FROM = {"below", "above", "under", "over", "higher", "lower", "more", "less", "heavier", "lighter"}
_PICKED_VALUES = {"first", "last", "initial", "baseline", "admission", "previous", "earliest", "latest"}


def lengths_lost(statement: Statement, one: Lexed) -> Iterator[tuple[float, str]]:
    """The prices of lengths and differences that are asked for and not told, each with its name."""
    if _by_so_much(one.words) and not any(isinstance(part, Math | Interval) for part in walk(statement)):
        yield _LOST, "difference-lost"
    if _icu_length(one.words) and _lengths_of(statement) == {HOSPITAL}:
        yield _LOST, "icu-lost"
    lasting = _what_lasted(one)
    of_stays = _longest_of_a_drug(one) and _picks_long_stays(statement)
    of_others = bool(lasting) and not _tells_of(statement, lasting)
    if of_stays or of_others or (not lasting and _on_a_course(one) and not has_interval(statement)):
        yield _LOST, "course-lost"


def has_interval(statement: Statement, *, of_two: bool = False) -> bool:
    """True where a time between is told; `of_two` moments: that from the beginning to the end of one thing is none."""
    told = (part for part in walk(statement) if isinstance(part, Interval | Math))
    return any(
        not (of_two and isinstance(part, Interval) and (part.start, part.end) == (Own("time"), Own("end time")))
        for part in told
    )


def _by_so_much(words: Sequence[str]) -> bool:
    """ "At least 5 kg below the first": so far one value lies from another."""
    for at in range(len(words) - 3):
        behind = [word for word in words[at + 1 : at + 6] if word not in ("than", "the", "their", "its", "his", "her")]
        apart = next((place for place, word in enumerate(behind[:2]) if word in _APART_FROM), None)
        if words[at][:1].isdigit() and apart is not None and {*behind[apart + 1 : apart + 2]} & _PICKED_VALUES:
            return True
    return False


def _icu_length(words: Sequence[str]) -> bool:
    """ "The average length of ICU stay", "how long were they in the ICU": of stays there."""
    text = f" {' '.join(words)} "
    if any(f" {said} " in text for said in ("length of icu stay", "length of icu stays", "icu los", "icu days")):
        return True
    asked = any(f" {said} " in text for said in ("how long", "days", "hours", "time"))
    return asked and _IN_HOSPITAL.isdisjoint(words) and any(f" {place} " in text for place in _IN_THE_ICU)


_IN_HOSPITAL = {"hospital", "admission", "admissions", "hospitalization", "hospitalisation", "los"}
_IN_THE_ICU = (
    "in the icu",
    "in icu",
    "on the icu",
    "in intensive care",
    "in the intensive care unit",
    "in critical care",
)


def _lengths_of(statement: Statement) -> set[str]:
    """The units of the stays whose length a statement tells or reckons."""
    return {
        part.of.unit
        for part in walk(statement)
        if isinstance(part, Aggregate) and isinstance(part.of, Set) and part.measure == Own("length")
    }


def _longest_of_a_drug(one: Lexed) -> bool:
    """ "Who was on heparin the longest": of the drug, where no stay is spoken of."""
    longest = any(node.kind == "superlative" and node.sense == "highest:length" for node in one.nodes)
    if longest and any(_in_a_place(node, one.words) for node in one.nodes):
        return True  # "who stayed the longest on that ward": there, and not in the hospital
    dosed = any(
        node.kind == "event"
        and not node.sense.noun
        and kind_of(node.sense.role).dosed
        and set(one.words[max(0, node.start - 2) : node.start]) & _TAKING_IT
        for node in one.nodes
    )
    return longest and dosed and not any(word.startswith(_STAYING_NOUNS) for word in one.words)


def _in_a_place(node: Node, words: Sequence[str]) -> bool:
    named = node.kind == "event" and not node.sense.noun and kind_of(node.sense.role).place
    return named and not {"in", "on", "at"}.isdisjoint(words[max(0, node.start - 2) : node.start])


def _picks_long_stays(statement: Statement) -> bool:
    return any(
        isinstance(part, Set) and part.unit in UNITS and part.pick is not None and part.pick.by == Own("length")
        for part in walk(statement)
    )


def _what_lasted(one: Lexed) -> set[str]:
    """ "How long were patients ventilated": the kinds of records of what was done to them, and no stay."""
    words = one.words
    if ("how", "long") not in set(pairwise(words)) or not _BEING_DONE & set(words) or _STAYING & set(words):
        return set()
    people = {node.end for node in one.nodes if node.kind == "people"}
    done = [
        node
        for node in one.nodes
        if node.kind == "event" and node.start in people and (not node.sense.noun or node.sense.role == PERIODS)
    ]
    return {node.sense.of.unit for node in done if words[node.end - 1].endswith("ed")}


def _tells_of(statement: Statement, units: set[str]) -> bool:
    """True where numbers or rows are of records of such a kind."""
    return any(
        isinstance(part, Aggregate | Rows | Groups) and isinstance(part.of, Set) and part.of.unit in units
        for part in walk(statement)
    )


def _on_a_course(one: Lexed) -> bool:
    """ "How long were patients on warfarin": of the drug, and of no stay."""
    words = one.words
    if not {("how", "long"), ("long", "were")} & set(pairwise(words)) or _STAYING & set(words):
        return False
    named = {node.start for node in one.nodes if node.kind == "event" and not node.sense.noun}
    behind = (at + 1 + (words[at + 1 : at + 2] in (("the",), ("a",))) for at, word in enumerate(words) if word == "on")
    return any(at in named for at in behind)
