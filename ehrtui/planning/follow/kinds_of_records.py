"""What the records were by which those of an answer are told: "which organisms?", after the number of patients with a
positive blood culture, asks what grew in these cultures of theirs."""

from __future__ import annotations

from ehrtui.logic.algebra.model import PATIENT, UNITS, Has, Is, Measure, Of, Own, Rows, Set, Single, Statement
from ehrtui.planning.follow.saying import covers, outermost
from ehrtui.planning.follow.subject import subject_of
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, maybe, parts_of, unit_of

_ASKING = {"which", "what", "what's"}
_BESIDE = {"from", "grew", "grown", "grow", "found", "seen", "isolated", "did", "they", "involved", "exactly",
           "specifically", "happened"}  # fmt: skip


def kinds_of_records(one: Lexed, statement: Statement) -> Statement | None:
    """What is asked of the only kind of records of which it can be, by those whom the latest answer counts or lists."""
    if _ASKING.isdisjoint(one.words[:2]) or not isinstance(statement, Single | Rows):
        return None
    nodes = outermost(node for node in one.nodes if node.kind == "field" or (node.kind == "event" and node.sense.noun))
    if len(nodes) != 1 or not covers(one, _BESIDE, nodes):
        return None
    subject = subject_of(0, statement)
    of = subject.of if subject is not None else None
    if of is None or of.unit not in UNITS or of.pick is not None:
        return None
    told = [part for part in parts_of(of.where) if isinstance(part, Has) and part.of.unit not in UNITS]
    if nodes[0].kind == "event":
        records = [part for part in told if part.of.unit == unit_of(nodes[0].sense.role)]
        column: Measure = Own("name")
    else:
        column = Own(nodes[0].sense.fields[0])
        records = [part for part in told if Is(column, "present") in parts_of(part.of.where)]
    if len(records) != 1 or records[0].of.pick is not None or (column == Own("name") and len(records[0].of.items) == 1):
        return None
    whose = Of(Set(of.unit, of.items, maybe([part for part in parts_of(of.where) if part != records[0]])))
    rest = [whose] if whose.of.where is not None or of.unit != PATIENT else []
    return Rows(limited(records[0].of, *rest), (column,), distinct=True)
