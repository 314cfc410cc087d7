"""Rules over values that rise or fall by so much, and over records that last so long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ehrtui.logic.algebra.model import (
    Comparison,
    Condition,
    Interval,
    Math,
    Neighbour,
    Own,
    Pick,
    Picked,
    Test,
    TimeUnit,
    Value,
)
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import BOTH, ONLY_PATIENTS, Context, rule
from ehrtui.planning.reader.meanings import Event, Limit, Trait, length_of, limited, plain
from ehrtui.schema.kinds import kind_of

_OF = {"in", "of", "the", "their", "a", "his", "her"}
_FOR = {"for", "lasting", "lasted", "longer", "over", "beyond", "running", "ran", ">", ">="}


@dataclass(frozen=True)
class Swing:
    """How much a value rises (or falls) from one record to the next, at most so long `within`."""

    rises: bool
    relation: Comparison
    amount: float
    within: tuple[float, TimeUnit] | None = None


@rule("swing", "limit")
@rule("swing", "number")
def _by_so_much(context: Context, swing: Node, amount: Node) -> Iterator[Made]:
    """ "Rose by 20 mg/dL at least"."""
    if amount.kind == "number":
        yield Made("swung", Swing(swing.sense == "rise", ">=", amount.sense), 0.1, "swing")
    elif not amount.sense.unit and len(amount.sense.tests) == 1:
        [(relation, number)] = amount.sense.tests
        yield Made("swung", Swing(swing.sense == "rise", relation, number), 0.0, "swing")


@rule("swung", "from-first-to-last")
def _from_first_to_last(context: Context, swung: Node, ends: Node) -> Iterator[Made]:
    """ "… between the first and the last value"."""
    if swung.sense.within is None:
        yield Made("swung-in-all", swung.sense, 0.0, "first-to-last")


@rule("event", "swung-in-all")
def _swung_in_all(context: Context, event: Node, swung: Node) -> Iterator[Made]:
    """ "Weight that went up by more than 10 kg overall"."""
    one: Event = event.sense
    if one.noun or one.others or one.of.pick is not None or not kind_of(one.role).measured:
        return
    first, last = (Picked(Own("value"), replace(one.of, pick=Pick(1, None, late))) for late in (False, True))
    change = Math("-", last, first) if swung.sense.rises else Math("-", first, last)
    yield Made(
        "trait", Trait(Test(change, swung.sense.relation, Value(plain(swung.sense.amount))), BOTH), 0.0, "in-all"
    )


@rule("swung", "span")
@rule("swung", "relation")
def _within_so_long(context: Context, swung: Node, span: Node) -> Iterator[Made]:
    """ "… within 24 hours"."""
    one, said = swung.sense, span.sense
    count, unit = getattr(said, "count", None), getattr(said, "unit", "")
    bound = getattr(said, "bound", "within")
    if one.within is None and count is not None and unit and bound != "beyond" and not getattr(said, "beyond", False):
        yield Made("swung", replace(one, within=(count, unit)), 0.0, "swing-within")


@rule("event", "swung")
def _swung_event(context: Context, event: Node, swung: Node) -> Iterator[Made]:
    """ "Sodium that rose by 8 within a day"."""
    yield from _with_swing(event.sense, swung.sense, 0.0)


@rule("swing", "event")
def _swing_of(context: Context, swing: Node, event: Node) -> Iterator[Made]:
    """ "A rise in sodium"."""
    between = set(context.between(swing, event))
    if between <= _OF and (between or context.lexed.words[swing.end - 1] == "in"):
        yield Made("swinging", (swing.sense, event.sense), 0.0)


@rule("event", "trend")
def _event_moving(context: Context, event: Node, trend: Node) -> Iterator[Made]:
    """ "Whose BMI went up", "patients whose sodium fell": the last value beside the first."""
    yield from _moved(event.sense, trend.sense == "rise", 0.1)


@rule("trend", "event")
def _moving_event(context: Context, trend: Node, event: Node) -> Iterator[Made]:
    """ "A rising creatinine"; "increased creatinine" is a high one."""
    if context.lexed.words[trend.end - 1].endswith("ing"):
        yield from _moved(event.sense, trend.sense == "rise", 0.1)


@rule("swing", "event")
def _swing_by_anything(context: Context, swing: Node, event: Node) -> Iterator[Made]:
    """ "An increase in creatinine", by whatever amount."""
    if not context.between(swing, event) and context.lexed.words[swing.end - 1] == "in":
        yield from _moved(event.sense, swing.sense == "rise", 0.6)


def _moved(event: Event, rises: bool, cost: float) -> Iterator[Made]:
    of = event.of
    if kind_of(event.role).measured and not (event.noun or event.others or of.pick is not None or of.where is not None):
        first, last = (Picked(Own("value"), replace(of, pick=Pick(1, None, late))) for late in (False, True))
        yield Made("trait", Trait(Test(last, ">" if rises else "<", first), ONLY_PATIENTS), cost, "trend")


@rule("swinging", "limit")
@rule("swinging", "number")
def _swinging_by(context: Context, swinging: Node, amount: Node) -> Iterator[Made]:
    """ "… of at least 8 mmol/L"."""
    which, event = swinging.sense
    if amount.kind == "number":
        yield from _with_swing(event, Swing(which == "rise", ">=", amount.sense), 0.1)
    elif not amount.sense.unit and len(amount.sense.tests) == 1:
        [(relation, number)] = amount.sense.tests
        yield from _with_swing(event, Swing(which == "rise", relation, number), 0.0)


def _with_swing(event: Event, swing: Swing, cost: float) -> Iterator[Made]:
    if not kind_of(event.role).measured or event.noun or event.of.pick is not None or event.others:
        return
    now, before = Own("value"), Neighbour("previous", Own("value"))
    change = Math("-", now, before) if swing.rises else Math("-", before, now)
    conditions: list[Condition] = [Test(change, swing.relation, Value(plain(swing.amount)))]
    if swing.within is not None:
        count, unit = swing.within
        apart = Interval(unit, Neighbour("previous", Own("time")), Own("time"))
        conditions.append(Test(apart, "<=", Value(plain(count))))
    yield Made("event", replace(event, of=limited(event.of, *conditions)), cost, "swung")


@rule("event", "limit")
def _lasting_event(context: Context, event: Node, limit: Node) -> Iterator[Made]:
    """ "Vancomycin > 48 h"; "vancomycin within 48 h" was given by then."""
    said: Limit = limit.sense
    if said.unit and context.lexed.words[limit.start] != "within":
        yield from _lasting(context, event, said.tests, said.unit)


@rule("event", "span")
def _lasting_span(context: Context, event: Node, span: Node) -> Iterator[Made]:
    """ "Vancomycin for more than 48 hours"."""
    bounds: dict[str, Comparison] = {"beyond": ">", "": ">="}
    words = {*context.between(event, span), *context.lexed.words[span.start : span.end]}
    if span.sense.bound in bounds and (span.sense.bound or words & _FOR):
        yield from _lasting(context, event, ((bounds[span.sense.bound], span.sense.count),), span.sense.unit)


def _lasting(context: Context, event: Node, tests: tuple[tuple[Comparison, float], ...], unit: str) -> Iterator[Made]:
    one: Event = event.sense
    kind, role = kind_of(one.role), context.world.roles.get(one.role)
    if one.noun or one.others or role is None or not role.end or not role.time or not (kind.dosed or kind.flow):
        return
    words = {*context.between(event, event), *context.lexed.words[event.end : event.end + 3]}
    cost = 0.0 if words & _FOR else 0.5
    length = length_of(unit) if unit != "day" else Interval("day", Own("time"), Own("end time"))
    conditions = [Test(length, relation, Value(plain(number))) for relation, number in tests]
    yield Made("event", replace(one, of=limited(one.of, *conditions)), cost, "lasting")
