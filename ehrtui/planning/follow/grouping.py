"""Groups of the latest answer, by the value of what they are made by: "medicare only", "and the CCU?"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import Among, Condition, Groups, Own, Statement, Test
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import maybe, parts_of, values_of

_WORDS = {"about", "how", "same", "restrict", "limit", "narrow", "patients", "stays", "admissions", "group"}


def of_group(one: Lexed, statement: Statement) -> Statement | None:
    """The groups whose key has a value that is named, where the key is an attribute of the rows themselves."""
    if not isinstance(statement, Groups):
        return None
    keys = {key.field for key in statement.by if isinstance(key, Own)}
    nodes = [
        node
        for node in one.nodes
        if node.kind == "trait"
        and not node.sense.negated
        and node.sense.field in keys
        and values_of(node.sense.condition)
        and isinstance(node.sense.condition, Test | Among)
        and node.sense.condition != _demanded(statement, node.sense.field)
    ]
    node = min(nodes, key=lambda node: (node.start - node.end, node.cost), default=None)
    if node is None or not covers(one, _WORDS, [node]):
        return None
    condition: Condition = node.sense.condition
    kept = [part for part in parts_of(statement.of.where) if part != _demanded(statement, node.sense.field)]
    return replace(statement, of=replace(statement.of, where=maybe([*kept, condition])))


def _demanded(statement: Groups, field: str) -> Condition | None:
    """What is demanded of a key of groups already."""
    for part in parts_of(statement.of.where):
        match part:
            case Test(left=Own(field=name), relation="=") | Among(measure=Own(field=name)) if name == field:
                return part
    return None
