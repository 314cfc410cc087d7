"""What no value of somebody ever was: "whose sodium never fell below 130", "potassium always under 5"."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import All, Comparison, Has, Not, Own, Set, Statement, Test, Value
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.event_rules import measured_in
from ehrtui.planning.reader.grammar import BOTH, Context, rule
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import Event, Limit, Trait, limited, parts_of, plain

_WENT = {"went", "fell", "dropped", "rose", "got", "was", "been", "go", "fall", "drop", "rise", "get", "is", "were"}
_OPPOSITE: dict[Comparison, Comparison] = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_LOST = 4.0
"""What it costs that something which was always so is told as what once was."""


@rule("negation", "limit")
def _never_limited(context: Context, negation: Node, limit: Node) -> Iterator[Made]:
    """ "Never above 2", "did not go below 130"."""
    if negation.sense != "neither" and set(context.between(negation, limit)) <= _WENT:
        yield Made("never-limit", limit.sense, 0.0)


@rule("event", "never-limit")
def _event_never_so(context: Context, event: Node, never: Node) -> Iterator[Made]:
    """Measured, and never so."""
    one: Event = event.sense
    limit: Limit = never.sense
    if _plain(one) and not limit.unit and measured_in(one.role, context.world):
        yield Made("trait", _never(one, limit.tests), -0.2, "never")


@rule("always", "limit", either=True)
def _always_limited(context: Context, always: Node, limit: Node) -> Iterator[Made]:
    """ "Always under 5", "below 5 throughout"."""
    said: Limit = limit.sense
    if len(said.tests) == 1 and said.tests[0][0] in _OPPOSITE and set(_between(context, always, limit)) <= _WENT:
        [(sign, number)] = said.tests
        yield Made("never-limit", Limit(((_OPPOSITE[sign], number),), said.unit), 0.0)


def _between(context: Context, one: Node, other: Node) -> tuple[str, ...]:
    first, last = sorted((one, other), key=lambda node: node.start)
    return context.between(first, last)


def always_lost(statement: Statement, one: Lexed) -> Iterator[tuple[float, str]]:
    """The price of a statement that says of no value that it never was, where something was always so."""
    always = [node for node in one.nodes if node.kind == "always"]
    bounds = [node for node in one.nodes if node.kind == "limit"] if always else []
    told = any(
        word.end == bound.start or (bound.end == word.start and bound.sense.tests[0][0] in _OPPOSITE)
        for word in always
        for bound in bounds
    )
    if told and not any(isinstance(part, Not) and _is_of_values(part.of) for part in walk(statement)):
        yield _LOST, "always-lost"


def _is_of_values(part: object) -> bool:
    tests = parts_of(part.of.where) if isinstance(part, Has) else ()
    return any(isinstance(one, Test) and one.left == Own("value") for one in tests)


def _plain(one: Event) -> bool:
    return one.of.pick is None and not one.others and not one.noun and bool(one.of.items)


def _never(one: Event, tests: tuple[tuple[Comparison, float], ...]) -> Trait:
    values = [Test(Own("value"), sign, Value(plain(number))) for sign, number in tests]
    measured: Set = one.of
    return Trait(All((Has(measured), Not(Has(limited(measured, *values))))), BOTH, event=one, negated=True)
