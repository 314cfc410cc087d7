"""When the records were by which those of an answer are told: "when were these cultures taken?", after who had them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ehrtui.logic.algebra.model import PATIENT, UNITS, Of, Own, Rows, Set, Single, Statement
from ehrtui.planning.follow.offers import records_had, spelled_in_full
from ehrtui.planning.follow.record_words import means, words_of
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, unit_of

_WHEN = {"when", "date", "dates", "time", "times"}
_POINTING = {"these", "those"}
_RECORDS = {"sample", "samples", "specimen", "specimens", "orders", "order", "doses", "tests", "results", "values",
            "records", "measurements", "entries", "cultures", "prescriptions", "infusions"}  # fmt: skip
_DONE = {"taken", "collected", "drawn", "sent", "sampled", "given", "done", "recorded", "measured", "obtained",
         "positive", "ordered", "prescribed", "performed", "made", "on",
         "at", "did", "grow", "exact", "their"}  # fmt: skip


_WHO = {"who", "which", "patients", "with", "sample", "specimen", "culture", "test", "swab", "how", "long", "ago"}


def when_those_were(
    one: Lexed, statement: Statement, *, earlier: Mapping[int, Statement], latest: int
) -> Statement | None:
    """The time of each of those records of theirs, with whose it is."""
    said = {*one.words}
    if not said & _WHEN or not said & _POINTING or not isinstance(statement, Rows | Single):
        return None
    subject = subject_of(latest, statement)
    if subject is None or subject.unit not in UNITS or (isinstance(statement, Rows) and statement.of.unit not in UNITS):
        return None
    of = statement.of if isinstance(statement, Rows) else subject.of
    had = [records for records in records_had(spelled_in_full(of, earlier)) if records.pick is None]
    nouns = [node for node in one.nodes if node.kind == "event" and node.sense.noun]
    units = {unit_of(node.sense.role) for node in nouns}
    named = [records for records in had if any(means(word, words_of(records)) for word in said)]
    meant = named or had
    if len(meant) != 1 or not (meant[0].unit in units or (named and (said & _RECORDS or _points_at(one, named[0])))):
        return None
    known = {word for word in said if means(word, words_of(meant[0]))}
    if not covers(
        one, _WHEN | _POINTING | _DONE | _RECORDS | known, [node for node in nouns if unit_of(node.sense.role) in units]
    ):
        return None
    return Rows(limited(meant[0], Of(subject.of)), (Own(PATIENT), Own("time")))


def who_and_when(
    one: Lexed, statement: Statement, *, earlier: Mapping[int, Statement], latest: int
) -> Statement | None:
    """Who was counted, each with when the records were by which they were told: "who, and when was it taken?"."""
    said = {*one.words}
    if "who" not in said or not said & _WHEN or not isinstance(statement, Single | Rows):
        return None
    subject = subject_of(latest, statement)
    if subject is None or subject.unit != PATIENT or not covers(one, _WHO | _WHEN | _DONE | _RECORDS, ()):
        return None
    had = [records for records in records_had(spelled_in_full(subject.of, earlier)) if records.pick is None]
    if len(had) != 1 or had[0].unit in UNITS:
        return None
    return Rows(limited(had[0], Of(subject.of)), (Own(PATIENT), Own("time")), distinct=True)


def _points_at(one: Lexed, records: Set) -> bool:
    """True for "those transfusions": what is pointed at is called as the records are."""
    names = words_of(records)
    return any(word in _POINTING and means(noun, names) for word, noun in pairwise(one.words))
