"""More of what was listed or counted: "show in and out times", "with their sex too", "the longest one, in days"."""

from __future__ import annotations

import re
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Answer,
    Groups,
    InAnswer,
    Measure,
    Order,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.saying import covers, outermost
from ehrtui.planning.follow.subject import as_patients
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import length_of
from ehrtui.planning.reader.numbers import time_unit, unit_said

BOTH_ENDS = re.compile(
    r"\b(?:(?:in|entry|start|begin|admission|admit|intime)(?:ning|s)?(?: times?| dates?)? ?(?:and|/|&|,|-) ?"
    r"(?:out|exit|end|finish|discharge|outtime)(?:ing|s)?|from when (?:to|until) when|"
    r"when (?:did|do) (?:they|each|it|these|those)(?: of them)? (?:start|begin) and (?:end|stop|finish))"
    r"(?: times?| dates?| moments?)?\b"
)
"""Words for when something began and when it ended."""
_SHOWING = {"add", "include", "including", "plus", "column", "columns", "their", "its", "his", "her", "well",
            "as", "next", "beside", "alongside", "together", "respective", "need", "get", "how", "about",
            "days", "hours", "minutes", "id", "ids", "stay", "stays", "admission", "admissions", "patient",
            "patients", "on", "both"}  # fmt: skip
_TELLING = {
    "show",
    "add",
    "include",
    "including",
    "with",
    "plus",
    "list",
    "display",
    "give",
    "column",
    "columns",
    "each",
}
"""Words that ask for more of what was told."""
_NUMBERS = {"counts", "count", "numbers", "number", "n", "frequencies", "frequency", "totals", "many", "often"}
_BESIDE_NAMES = {"add", "include", "including", "plus", "how", "their", "respective", "beside", "next"}
_IDS = {"id", "ids", "identifier", "identifiers", "mrns", "mrn"}
_LISTED = {"patient", "patients", "people", "subject", "their", "get", "need", "full", "out", "stay", "stays"}
_THINGS = {"stays", "people", "event"}
_LONGEST = {"longest": True, "shortest": False}
_OF_EXTREME = {"days", "hours", "minutes", "how", "long", "stay", "stays", "admission", "admissions"}


def shown_with(one: Lexed, statement: Statement) -> Statement | None:
    """The rows that were told of, each with more of what is known of it."""
    rows = rows_told(statement)
    if rows is None:
        return None
    text = " ".join(one.words)
    ends = BOTH_ENDS.search(text)
    at = len(text[: ends.start()].split()) if ends else 0
    to = at + len(ends[0].split()) if ends else 0
    things = [node for node in one.nodes if node.kind in _THINGS]
    said = [
        node
        for node in one.nodes
        if node.kind == "field" and (node.end <= at or node.start >= to) and _is_asked(one, node, things)
    ]
    fields = outermost(said)
    lines = {*range(at, to)}
    rest = replace(one, words=tuple("," if here in lines else word for here, word in enumerate(one.words)))
    if not (fields or ends) or not covers(rest, _SHOWING, fields):
        return None
    if not (ends or _TELLING & {*one.words}):
        return None
    unit = unit_said(one.words)
    if rows.of.unit == PATIENT and len(fields) == 1 and not ends:
        return None  # "their gender": of each of them, once
    if rows.of.unit == PATIENT and any(node.sense.fields[0] == "age" for node in fields):
        return None  # patients have one for each stay
    wanted: list[Measure] = [_measure(node.sense.fields[0], rows.of, unit) for node in fields]
    if ends:
        wanted = [Own("time"), Own("end time"), *wanted]
    return replace(rows, columns=tuple(dict.fromkeys((*rows.columns, *wanted))), distinct=False)


def with_numbers(one: Lexed, statement: Statement) -> Statement | None:
    """How many there are of each of those that a ranking names: "with counts please", "and the numbers"."""
    if not isinstance(statement, Groups) or statement.asked != "keys" or _NUMBERS.isdisjoint(one.words):
        return None
    return replace(statement, asked="all") if covers(one, _NUMBERS | _BESIDE_NAMES, ()) else None


def listed_ids(one: Lexed, statement: Statement) -> Statement | None:
    """Those who were counted, or told of in groups, one by one: "list the ids", "give me the patient numbers"."""
    said = {*one.words}
    if said.isdisjoint(_IDS) or "how" in said or not covers(one, _IDS | _LISTED, ()):
        return None
    if isinstance(statement, Rows) and Own("id") in statement.columns:
        return None
    of = rows_about(statement)
    if of is None or of.unit not in UNITS or isinstance(of, Answer):
        return None
    if isinstance(statement, Rows | Groups) and statement.order is not None and statement.order.first is not None:
        return None
    people = said & {"patient", "patients", "people", "subject"}
    return Rows(as_patients(of) if people else of, (Own("id"),))


def _is_asked(one: Lexed, node: Node, things: list[Node]) -> bool:
    """False for the unit of a length, and for a noun of rows of some kind: "the ICU stays" are no care units."""
    said = one.words[node.start : node.end]
    if len(said) == 1 and (time_unit(said[0]) is not None or said[0] in ("id", "ids")):
        return False
    return not any(other.start <= node.start and node.end <= other.end and _is_longer(other, node) for other in things)


def _is_longer(other: Node, node: Node) -> bool:
    return other.end - other.start > node.end - node.start or other.kind == "people"


def _measure(field: str, of: Set, unit: str | None) -> Measure:
    """An attribute of the rows of a set: a stay's own beginning is its time."""
    if field == "length":
        return length_of(unit or "day")
    own = {HOSPITAL: "", ICU: "icu "}.get(of.unit)
    if own is not None and field == f"{own}admission time":
        return Own("time")
    if own is not None and field == f"{own}discharge time":
        return Own("end time")
    return Own(field)


def rows_told(statement: Statement) -> Rows | None:
    """The rows that an answer lists, or counts, one by one."""
    match statement:
        case Rows(of=of, columns=columns) if of.unit in UNITS and all(isinstance(one, Own) for one in columns):
            first = () if Own("id") in columns else (Own("id"),)
            return replace(statement, columns=(*first, *columns))
        case Rows(of=of) if of.unit in UNITS and Own("id") in statement.columns:
            return statement
        case Single(columns=(Aggregate(function="count", of=Set() as of),)) if of.unit in UNITS:
            return Rows(of, (Own("id"),))
    return None


def extreme_shown(one: Lexed, statement: Statement) -> Statement | None:
    """The longest or shortest of the stays that were told of, and how long it was."""
    superlatives = [word for word in one.words if word in _LONGEST]
    rows = rows_told(statement)
    if len(superlatives) != 1 or rows is None or rows.of.unit == PATIENT or rows.of.where is None:
        return None
    if "first" in one.words or not covers(one, {*_LONGEST, *_OF_EXTREME}, ()):
        return None
    if any(isinstance(node, InAnswer) for node in walk(rows.of)) and rows.of.pick is not None:
        return None
    unit = unit_said(one.words)
    length = length_of(unit or "day")
    columns = tuple(dict.fromkeys((*rows.columns, length)))
    return Rows(rows.of, columns, order=Order(length, _LONGEST[superlatives[0]], 1))
