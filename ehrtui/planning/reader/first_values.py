"""Rules over values beside the first one of the same stay or patient: "creatinine doubled"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.algebra.model import Math, Measure, Own, Pick, Picked, Test, Value
from ehrtui.planning.reader.beside_first import Beside
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import BOTH, Context, rule
from ehrtui.planning.reader.meanings import Event, Trait, plain
from ehrtui.planning.reader.pick_words import Against
from ehrtui.schema.kinds import kind_of


@rule("event", "beside-first")
def _beside_first(context: Context, event: Node, beside: Node) -> Iterator[Made]:
    """ "Lactate doubled": some value of the stay, or of the patient, is at least twice the first."""
    one: Event = event.sense
    if one.noun or one.others or one.of.pick is not None or not kind_of(one.role).measured:
        return
    said: Beside = beside.sense
    first = Picked(Own("value"), replace(one.of, pick=Pick()))
    extreme = Picked(Own("value"), replace(one.of, pick=Pick(1, Own("value"), not said.falls)))
    condition: Test
    if said.times:
        condition = Test(extreme, said.relation, Math("*", first, Value(plain(said.times))))
    else:
        change: Measure = Math("-", first, extreme) if said.falls else Math("-", extreme, first)
        condition = Test(change, said.relation, Value(plain(said.by)))
    yield Made("trait", Trait(condition, BOTH), 0.0, "beside-first")


@rule("event", "against-pick")
def _against_pick(context: Context, event: Node, against: Node) -> Iterator[Made]:
    """ "Whose last lactate was higher than the first": two values of one series."""
    one: Event = event.sense
    said: Against = against.sense
    if one.noun or one.others or one.of.pick is None or not kind_of(one.role).measured:
        return
    other = Pick(1, None, said.last, one.of.pick.per)
    if other != replace(one.of.pick, ties=None):
        left, right = (Picked(Own("value"), replace(one.of, pick=pick)) for pick in (one.of.pick, other))
        yield Made("trait", Trait(Test(left, said.relation, right), BOTH), 0.0, "against-pick")


@rule("beside-first", "event")
def _doubling_of(context: Context, beside: Node, event: Node) -> Iterator[Made]:
    """ "Which patients doubled their bilirubin"."""
    if set(context.between(beside, event)) <= {"their", "his", "her", "the", "in", "of"}:
        yield from _beside_first(context, event, beside)
