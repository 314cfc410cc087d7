"""Records that a noun points at by which the patients of an earlier answer were told: "how many of the isolates were
resistant?", "the average of those prescriptions", after how many patients had such."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, Has, Of, Set, Statement
from ehrtui.planning.follow.offers import records_had, spelled_in_full
from ehrtui.planning.follow.pointing import OF_TURN, tells_of_records
from ehrtui.planning.follow.subject import Subject
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import Event, every, limited, parts_of

_POINTING = {"those", "these"}
_COST = -0.5


def records_meant(one: Lexed, subject: Subject | None, earlier: Mapping[int, Statement]) -> Iterator[Node]:
    """The nodes of such words: the records that those of the latest answer had."""
    if subject is None or subject.unit != PATIENT:
        return
    nouns = [node for node in one.nodes if node.kind == "event" and node.sense.noun and _points(one, node.start)]
    if not nouns:
        return
    of = spelled_in_full(subject.of, earlier)
    for node in nouns:
        meant = [records for records in records_had(of) if records.unit == node.sense.of.unit]
        if len(meant) == 1 and meant[0].pick is None:
            rest = [part for part in parts_of(of.where) if part != Has(meant[0])]
            records = limited(meant[0], Of(Set(PATIENT, (), every(rest)))) if rest else meant[0]
            event: Event = replace(node.sense, of=records)
            yield Node("event", event, node.start - 1, node.end, _COST, ("points", f"{OF_TURN}{subject.turn}"))


def _points(one: Lexed, at: int) -> bool:
    """True for a noun behind "of the", "those"."""
    before = one.words[max(0, at - 2) : at]
    told = one.words[max(0, at - 3) : at - 1] == ("of", "the") and tells_of_records(one.words, at - 1)
    return told or (before[-1:] != () and (before[-1] in _POINTING or before == ("of", "the")))
