"""What the records were by which those of an answer are told: "which organisms?", after the number of patients with a
positive blood culture, asks what grew in these cultures of theirs."""

from __future__ import annotations

from ehrtui.logic.algebra.model import PATIENT, UNITS, Aggregate, Groups, Has, Is, Of, Own, Rows, Set, Single, Statement
from ehrtui.planning.follow.saying import covers, outermost
from ehrtui.planning.follow.subject import subject_of
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, maybe, parts_of, unit_of
from ehrtui.schema.kinds import kind_of

_ASKING = {"which", "what", "what's"}
_GROUPING, _COUNTING = (
    {"by", "per"},
    {"how", "many", "patients", "people", "count", "number", "numbers", "type", "types"},
)
_SITES = {"site", "sites", "source", "sources", "specimen", "specimens", "sample", "samples"}
_BESIDE = {"from", "grew", "grown", "grow", "found", "seen", "isolated", "did", "they", "involved", "exactly",
           "specifically", "happened"}  # fmt: skip


def kinds_of_records(one: Lexed, statement: Statement) -> Statement | None:
    """What is asked of the only kind of records of which it can be, by those whom the latest answer counts or lists."""
    groups = not _GROUPING.isdisjoint(one.words)
    if (_ASKING.isdisjoint(one.words[:2]) and not groups) or not isinstance(statement, Single | Rows):
        return None
    nodes = outermost(node for node in one.nodes if node.kind == "field" or (node.kind == "event" and node.sense.noun))
    if groups and not _SITES.isdisjoint(one.words) and (sites := _by_site(one, statement)) is not None:
        return sites
    meant = {node.sense.role if node.kind == "event" else node.sense.fields[0] for node in nodes}
    if len(meant) != 1 or not covers(one, _BESIDE | (_GROUPING | _COUNTING if groups else set()), nodes):
        return None
    subject = subject_of(0, statement)
    of = subject.of if subject is not None else None
    found = _records(of, nodes[0]) if of is not None and of.unit in UNITS and of.pick is None else None
    if of is None or found is None:
        return None
    part, column = found
    whose = Of(Set(of.unit, of.items, maybe([other for other in parts_of(of.where) if other != part])))
    rest = [whose] if whose.of.where is not None or of.unit != PATIENT else []
    records = limited(part.of, *rest)
    if groups:
        number = Aggregate("distinct", None, Own(PATIENT)) if of.unit == PATIENT else Aggregate("count", None)
        return Groups(records, (column,), (number,)) if of.unit == PATIENT or "patients" not in one.words else None
    return Rows(records, (column,), distinct=True)


def _by_site(one: Lexed, statement: Statement) -> Statement | None:
    """How many of those who were counted had something in each kind of specimen: "by site?", of what grew."""
    subject = subject_of(0, statement)
    told = [part for part in parts_of(subject.of.where) if isinstance(part, Has)] if subject is not None else []
    cultures = [part for part in told if kind_of(part.of.unit.replace(" ", "_")).microbial and not part.of.items]
    if subject is None or subject.unit != PATIENT or len(cultures) != 1 or not covers(one, _SITES | _GROUPING, ()):
        return None
    rest = maybe([part for part in parts_of(subject.of.where) if part != cultures[0]])
    whose = [Of(Set(PATIENT, (), rest))] if rest is not None else []
    number = Aggregate("distinct", None, Own(PATIENT))
    return Groups(limited(cultures[0].of, *whose), (Own("name"),), (number,))


def _records(of: Set, node: Node) -> tuple[Has, Own] | None:
    """The only records of those that are asked of by which the rows of a set are told, and what is asked of them."""
    told = [part for part in parts_of(of.where) if isinstance(part, Has) and part.of.unit not in UNITS]
    if node.kind == "event":
        column = Own("name")
        records = [part for part in told if part.of.unit == unit_of(node.sense.role)]
    else:
        column = Own(node.sense.fields[0])
        records = [part for part in told if Is(column, "present") in parts_of(part.of.where)]
    if len(records) != 1 or records[0].of.pick is not None or (column == Own("name") and len(records[0].of.items) == 1):
        return None
    return records[0], column
