"""Who is in hospital now: whether the one of an answer is ("is this patient still here?", "is she still an
inpatient?"), and who of several has been there the longest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Has,
    Is,
    Of,
    Own,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
    Whether,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import as_patients, as_stays, subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited
from ehrtui.planning.reader.so_far import until_now

_THERE = {"house", "hospital", "here", "inpatient", "admitted", "in", "us"}
_WORDS = {"still", "she", "he", "patient", "pt", "person", "now", "currently", "at", "with", "moment", "right", "today",
          "an", "as", "inpatient", "or", "not"} | _THERE  # fmt: skip

_LONGEST = _THERE | {"which", "who", "who's", "of", "them", "these", "those", "has", "been", "one", "patient", "for",
                     "there", "how", "many", "long", "days", "up", "now", "far"}  # fmt: skip


def still_there(one: Lexed, statement: Statement, *, latest: int) -> Statement | None:
    """Whether the one patient whom an answer told of, or the one whose stay, has not been discharged."""
    said = {*one.words}
    if "still" not in said or not said & _THERE or not said & {"is", "are", "she", "he"} or not covers(one, _WORDS, ()):
        return None
    subject = subject_of(latest, statement)
    if subject is None or not isinstance(statement, Rows) or not _is_of_one(statement):
        return None
    stays = limited(Set(HOSPITAL), Of(subject.of if subject.unit == PATIENT else _hospital(subject.of)))
    return Single((Whether(Has(limited(stays, Is(Own("end time"), "missing")))),))


def there_longest(
    one: Lexed, statement: Statement, *, earlier: Mapping[int, Statement], latest: int
) -> Statement | None:
    """Who of those in hospital now, whom an answer tells of, has been there the longest: till now, as the stay goes
    on."""
    said = {*one.words}
    ends = said & {"longest", "shortest"}
    if len(ends) != 1 or not said & {"been", "here"} or not covers(one, _LONGEST | ends, ()):
        return None
    subject = subject_of(latest, statement)
    whole = alone_if_near(statement, earlier) or statement
    if subject is None or Is(Own("end time"), "missing") not in walk(whole):
        return None
    there = limited(Set(HOSPITAL, (), Is(Own("end time"), "missing")), Of(as_patients(subject.of)))
    picked = replace(there, pick=Pick(1, Own("length"), "longest" in ends, "all"))
    return until_now(Rows(picked, (Own(PATIENT), Own("id"), Own("length"))))


def _hospital(of: Set) -> Set:
    return as_stays(of, HOSPITAL) if of.unit == ICU else of


def _is_of_one(statement: Rows) -> bool:
    """True where the first of an order is told of, or the one that was picked of all."""
    pick, order = statement.of.pick, statement.order
    return (pick is not None and pick.per == "all" and not pick.through) or (order is not None and order.first == 1)
