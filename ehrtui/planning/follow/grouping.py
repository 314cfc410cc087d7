"""Groups of the latest answer, by the value of what they are made by, or by their figure: "medicare only", "and the
CCU?", "which hospital had the most?"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    Aggregate,
    Among,
    Condition,
    Groups,
    Order,
    Own,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.planning.follow.saying import covers, outermost
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import maybe, parts_of, values_of

_WORDS = {"about", "how", "same", "restrict", "limit", "narrow", "patients", "stays", "admissions", "group"}

_MOST = {"most", "highest", "largest", "longest", "greatest"}
_FEWEST = {"fewest", "least", "lowest", "smallest", "shortest"}
_NO_KEYS = ("length", "age", "time", "value", "cost", "id")
"""Fields by which no groups are made."""
_BY_COUNT = {"most", "fewest"}
_SHARES = {"percent", "share"}


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


def most_of_groups(one: Lexed, statement: Statement) -> Statement | None:
    """The group with the most of what was counted, or the highest figure, by an attribute that is named: "which
    hospital had the most?"."""
    said = {*one.words}
    ends = said & (_MOST | _FEWEST)
    number = number_over(statement)
    if not ends or ends & _MOST == ends & _FEWEST or number is None:
        return None
    words = _MOST | _FEWEST | {"who", "had", "has", "have", "number", "overall"}
    for node in outermost(node for node in one.nodes if node.kind == "field"):
        if node.sense.fields[0] in _NO_KEYS or not said & {"which", "what"} or not covers(one, words, [node]):
            continue
        of, figure = number
        if ends & _BY_COUNT and figure.function not in ("count", "distinct", "sum"):
            figure = Aggregate("count", None)
        order = Order(figure, bool(ends & _MOST), 1, ties=True)
        return Groups(of, (Own(node.sense.fields[0]),), (figure,), order=order)
    return None


def number_over(statement: Statement) -> tuple[Set, Aggregate] | None:
    """The rows of which an answer tells a figure, and that figure."""
    match statement:
        case Single(columns=(Aggregate(of=Set() as of, function=function) as number,)) if function not in _SHARES:
            return of, replace(number, of=None)
        case Groups(of=of, columns=(Aggregate() as number,), having=None):
            return of, number
    return None


def _demanded(statement: Groups, field: str) -> Condition | None:
    """What is demanded of a key of groups already."""
    for part in parts_of(statement.of.where):
        match part:
            case Test(left=Own(field=name), relation="=") | Among(measure=Own(field=name)) if name == field:
                return part
    return None
