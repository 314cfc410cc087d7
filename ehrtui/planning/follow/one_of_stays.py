"""One of the stays of a patient that an answer told of, by its place among them: "diagnoses of the last one", "labs in
the longest", "drugs during the second of them"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, Is, Of, Own, Pick, Set, Statement
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.pointing import OF_TURN, STAY_NOUNS
from ehrtui.planning.follow.subject import Subject, person_in
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import Stays, limited, maybe, parts_of

ONE_OF_STAYS = "one of the stays"
"""What a node was paid for that means one of the stays of before by its place."""
PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "1st": 1, "2nd": 2,
           "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "last": -1,
           "latest": -1, "earliest": 1, "final": -1, "newest": -1}  # fmt: skip
_LENGTHS = {"longest": True, "shortest": False}
_AHEAD = {"of", "in", "during", "at", "on", "for", "from", "throughout", "after", "before"}
_DETERMINERS = {"the", "his", "her", "their", "that", "this", "very"}
_THEM = {"them", "these", "those"}
_IN_IT = {"there", "then"}
"""Words for the time in which something was, at the end of a question."""
_BEING = {"is", "are", "was", "were"}
_PERSONAL = {"she", "he", "her", "him", "his"}
OF_HOSPITAL = {"admission", "hospitalization", "hospitalisation"}
_ENDING = {"and", "then", "please", "last", "take", "though"}
_COST = -0.6


def one_of_stays_nodes(
    words: Sequence[str], subject: Subject | None, earlier: Mapping[int, Statement]
) -> Iterator[Node]:
    """The nodes of such words, where the answer of the `subject` was about the stays of one patient, or what was in one
    of them."""
    if subject is None:
        return
    why = "points", f"{OF_TURN}{subject.turn}", ONE_OF_STAYS
    ending = next((at for at in range(len(words) - 1, 0, -1) if words[at][0].isalnum()), 0)
    of_whom = not _PERSONAL.isdisjoint(words)  # "what did she have then?" is of one patient as it is
    if words and words[ending] in _IN_IT and words[ending - 1] not in _BEING and not of_whom:
        stay = _one_stay(subject, earlier)
        if stay is not None:
            yield Node("stays", Stays(stay), ending, ending + 1, _COST, why)
    places = [*_said(words)]
    of = stays_of(subject, earlier) if places else None
    if of is None:
        return
    for start, at, end in places:
        if end == at + 2 and words[at + 1] in OF_HOSPITAL and of.unit == ICU:
            continue
        nth = PLACES.get(words[at])
        pick = Pick(1, Own("length"), _LENGTHS[words[at]]) if nth is None else Pick(abs(nth), None, nth < 0)
        yield Node("stays", Stays(replace(of, pick=pick)), start, end, _COST, why)


def stays_of(subject: Subject, earlier: Mapping[int, Statement]) -> Set | None:
    """The stays of one patient among which one has a place."""
    if subject.unit in (HOSPITAL, ICU):
        return replace(subject.of, pick=None) if subject.person is not None else None
    one = _one_stay(subject, earlier)
    return replace(one, pick=None) if one is not None and person_in(one) is not None else None


def _one_stay(subject: Subject, earlier: Mapping[int, Statement]) -> Set | None:
    """The one stay, by its place or its length, that an answer was of, with whose it is."""
    whole = alone_if_near(earlier[subject.turn], earlier)
    found = outermost(
        {node for node in walk(whole) if isinstance(node, Set) and node.unit in (HOSPITAL, ICU) and node.pick}
    )
    one = found.pop() if len(found) == 1 else None
    if one is None and subject.unit in (HOSPITAL, ICU):
        one = subject.of if subject.of.pick is not None else None
    if one is None or one.pick is None or (one.pick.per != PATIENT and one.pick.by is None):
        return None
    person = person_in(one)
    about = rows_about(earlier[subject.turn]) if person is None else None
    person = person_in(about) if about is not None else person
    if person is None:
        return one if one.pick.per == "all" else None  # each patient has one
    ended = [part for part in parts_of(one.where) if part != Is(Own("end time"), "present")]
    told = replace(one, where=maybe(ended))
    return told if person_in(told) is not None else limited(told, Of(person))


def _of_that_stay(words: Sequence[str], at: int) -> int:
    """How far "the last one of that hospital stay" reaches behind its place; 0 where it ends in "one"."""
    if len(words) < at + 3 or words[at] not in ("of", "in") or words[at + 1] not in ("that", "this"):
        return 0
    noun = at + 2 + (words[at + 2] == "hospital")
    return noun + 3 - at if noun < len(words) and words[noun] in STAY_NOUNS else 0


def outermost(stays: AbstractSet[Set]) -> set[Set]:
    """Those of some stays that are within no other of them: of "the last ICU stay of the first hospital stay" that in
    the ICU."""
    return {one for one in stays if not any(one is not other and one in {*walk(other)} for other in stays)}


def _said(words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Where such words begin, where the place stands, and where they end."""
    for at, word in enumerate(words):
        if word not in PLACES and word not in _LENGTHS:
            continue
        start = at
        while start and words[start - 1] in _DETERMINERS:
            start -= 1
        if start == at or not start or words[start - 1] not in _AHEAD:
            continue
        behind = tuple(words[at + 1 : at + 3])
        if behind[:1] == ("one",):
            yield start, at, at + (_of_that_stay(words, at + 2) or 2)
        elif behind[:1] == ("of",) and behind[1:] and behind[1] in _THEM:
            yield start, at, at + 3
        elif behind[:1] and behind[0] in STAY_NOUNS and behind[0][-1] != "s" and word in PLACES:
            yield start, at, at + 2
        elif not behind or not behind[0][0].isalnum() or behind[0] in _ENDING:
            yield start, at, at + 1
