"""Words for the records that an earlier answer named: "who never got it", "how many were on that drug"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ehrtui.logic.algebra.model import UNITS, Condition, InAnswer, Like, Not, Of, Own, Set, Statement, Test, Value
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.listed import is_named, is_of_list
from ehrtui.planning.follow.pointing import OF_TURN
from ehrtui.planning.follow.statements import with_main
from ehrtui.planning.follow.subject import as_patients
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.asking import Asked
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import Event, every, limited, maybe, parts_of
from ehrtui.planning.reader.spelled_out import spelled_out
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import Kind, kind_of

NAMED_AGAIN = "named again"
"""What a node was paid for that means records which an earlier answer named."""
_HAVING = {"got", "get", "gets", "had", "have", "has", "received", "receive", "given", "on", "taking", "took", "taken",
           "needed", "getting", "used", "prescribed", "without"}  # fmt: skip
"""Words behind which "it" is what patients have."""
_HAD = {"had", "have", "has"}
_DONE = {"given", "prescribed", "ordered", "measured", "done", "performed", "checked", "taken", "administered",
         "diagnosed", "started", "stopped", "used", "tested", "recorded"}  # fmt: skip
"""What is done with records: "how often was it given"."""
_POINTING = {"that", "this", "the", "same"}
_DRUGS = {"drug", "medication", "medicine", "med", "agent", "antibiotic"}
_ORDERS = {"orders", "prescriptions", "courses", "infusions", "doses", "medications"}
_MEASURED = {"measurements", "results", "values", "tests", "levels"}
_THESE = {"these", "those", "the"}
_EACH_OF = {("each", "of"), ("all", "of"), ("any", "of")}
_TESTS = {"test", "lab", "measurement"}
_DISEASES = {"diagnosis", "condition", "disease"}
_COST = -0.1
_NOT_OF_OTHERS = 2.2
"""What it costs that records are said to be others, and are not."""


def named_again_nodes(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> list[Node]:
    """The nodes of such words: they mean the records named by the latest answer that names any."""
    of = _named_before(earlier, latest)
    if of is None:
        return []
    role = of.unit.replace(" ", "_")
    why = "points", NAMED_AGAIN
    found = []
    for start, end in _said(one.words, kind_of(role)):
        within = bool({*one.words[max(0, start - 1) : start]} & _HAD)  # "who had it twice": a value within the limits
        parts = [
            part
            for part in parts_of(of.where)
            if is_of_list(part) or not isinstance(part, Window if within else Window | Test)
        ]
        found.append(Node("event", Event(role, replace(of, where=maybe(parts), pick=None)), start, end, _COST, why))
    return [*found, *_their_records(one.words, of, earlier, latest)]


def _their_records(words: Sequence[str], of: Set, earlier: Mapping[int, Statement], latest: int) -> Iterator[Node]:
    """ "These orders", right after those who had them were told: the records by which they were."""
    told = rows_about(earlier[latest])
    kind = kind_of(of.unit.replace(" ", "_"))
    nouns = _ORDERS if kind.dosed else _MEASURED if kind.measured else set()
    if told is None or told.unit not in UNITS or not nouns or nouns.isdisjoint(words):
        return
    whose = as_patients(Set(told.unit, (), InAnswer(latest, told.unit)))
    theirs = limited(replace(of, pick=None), Of(whose))
    for at in range(1, len(words)):
        if words[at] in nouns and words[at - 1] in _THESE:
            start = at - 3 if tuple(words[max(0, at - 3) : at - 1]) in _EACH_OF else at - 1
            why = "points", f"{OF_TURN}{latest}", NAMED_AGAIN
            yield Node("event", Event(of.unit.replace(" ", "_"), theirs), start, at + 1, _COST, why)


@dataclass(frozen=True)
class Others:
    """Records of a `unit` that are said to be others than those of before, and the `condition` that says so."""

    unit: str
    condition: Condition


def others_said(one: Lexed, earlier: Mapping[int, Statement], latest: int, world: World) -> Others | None:
    """What "other" says of records in "which other drugs did they get": that they have none of the names of before;
    None where it says nothing of that kind."""
    of = _named_before(earlier, latest)
    if of is None or _other_at(one, of.unit) is None:
        return None
    spelled = cast(Set, spelled_out(of, world))
    if not spelled.items or any(item.kind not in ("name", "like") for item in spelled.items):
        return None
    name = Own("name")
    same = [Test(name, "=", Value(it.text)) if it.kind == "name" else Like(name, it.text) for it in spelled.items]
    return Others(of.unit, every([Not(condition) for condition in same]))


def without_other(one: Lexed, others: Others) -> Lexed:
    """The words of a question, in which "other" is no name, and costs nothing to pass over."""
    at = _other_at(one, others.unit)
    nodes = tuple(node for node in one.nodes if not (node.start == at and node.end == node.start + 1))
    prices = tuple(0.0 if place == at else price for place, price in enumerate(one.prices))
    return replace(one, nodes=nodes, prices=prices)


def of_others(made: Asked, others: Others) -> Asked:
    """What is asked, of other records than those of before."""
    of = rows_about(made.statement)
    if of is None or of.unit != others.unit or of.items:
        return replace(made, cost=made.cost + _NOT_OF_OTHERS)
    new = with_main(made.statement, lambda old: limited(old, others.condition))
    return made if new is None else replace(made, statement=new, why=(*made.why, "others"))


def _other_at(one: Lexed, unit: str) -> int | None:
    """The place of "other" before the name of a kind of records."""
    kinds = [node for node in one.nodes if node.kind == "event" and node.sense.noun and node.sense.of == Set(unit)]
    return next((node.start - 1 for node in kinds if node.start and one.words[node.start - 1] == "other"), None)


def without_places(one: Lexed) -> Lexed:
    """The words without what "it" is short for in a list of routes."""
    kept = tuple(node for node in one.nodes if one.words[node.start : node.end] != ("it",) or node.kind != "trait")
    return replace(one, nodes=kept)


def _said(words: Sequence[str], kind: Kind) -> Iterator[tuple[int, int]]:
    """Where words stand for records of a kind."""
    nouns = _DRUGS if kind.dosed else _TESTS if kind.measured else _DISEASES if kind.disease else set()
    for at in range(1, len(words)):
        behind = words[at + 1] if at + 1 < len(words) else ""
        if words[at] == "its" or (words[at] == "it" and (words[at - 1] in _HAVING or behind in _DONE)):
            yield at, at + 1
        elif words[at] in nouns and words[at - 1] in _POINTING:
            yield at - 1, at + 1


def _named_before(earlier: Mapping[int, Statement], latest: int) -> Set | None:
    known = (_named_in(earlier[turn]) for turn in sorted(earlier, reverse=True) if turn <= latest)
    return next((found for found in known if found is not None), None)


def _named_in(statement: Statement) -> Set | None:
    """The records with names that a statement mentions last."""
    sets = [node for node in walk(statement) if isinstance(node, Set) and node.unit not in UNITS]
    found = [node for node in sets if is_named(node)]
    return found[-1] if found else None
