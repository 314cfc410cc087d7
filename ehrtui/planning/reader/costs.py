"""What was charged: for one order, in all, and by what groups are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Among,
    Groups,
    Is,
    Measure,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.harmless import KIND_NOUNS
from ehrtui.planning.reader.keys import grouped, numbered
from ehrtui.planning.reader.meanings import FUNCTIONS, limited, parts_of, unit_of
from ehrtui.planning.reader.sets import attach_to_event, people_set, stays_set, whose
from ehrtui.planning.reader.traits import trait_of

_OF_ONE = {("does", "a"), ("does", "an"), ("does", "one")}
"""What asks for what each costs: "what does a lab test cost", and not all of them."""
_KEY_UNKNOWN = 0.9
"""What it costs that costs are told by their kind where they are asked for by something."""


def costs_asked(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """What was charged, by what the question says of it; None where it asks for no costs."""
    pieces = frame.pieces
    costs = [node for node in pieces.of("field") if node.sense.fields[0] == "cost"]
    in_groups = bool(frame.by or keys)
    if not costs:
        return None
    if not in_groups and (found := priced(frame) or cost_of_one(frame, costs)) is not None:
        return found
    if not frame.world.has("cost"):
        return None
    units = [key.field for key in keys if isinstance(key, Own) and key.field in UNITS]
    if len(units) == 1 and frame.functions and all(node.sense != "sum" for node in frame.functions):
        pieces.use(*costs, *frame.functions, *frame.by)
        return _per_unit(frame, units[0], tuple(key for key in keys if key != Own(units[0])))
    if not in_groups and (stays := _of_whole_stays(frame)) is not None:
        pieces.use(*costs, *frame.functions, *[node for node in frame.asks if node.sense == "much"])
        return _per_unit(frame, stays.sense.of.unit, (), None if stays.sense.loose else stays)
    if in_groups and not frame.functions:
        pieces.use(*costs, *frame.by, *[node for node in frame.asks if node.sense == "much"])
        told_by = any(node.sense != "breakdown" for node in frame.by)
        if not keys and told_by and KIND_NOUNS.isdisjoint(frame.context.lexed.words):
            frame.pay(_KEY_UNKNOWN, "key-unknown")
        return grouped(frame, _within(frame), keys or (Own("kind"),), Aggregate("sum", None, Own("value")))
    if in_groups or frame.asks or frame.most or frame.superlatives:
        return None
    one_of_them = not _OF_ONE.isdisjoint(pairwise(frame.context.lexed.words))
    functions = [one for node in frame.functions for one in FUNCTIONS[node.sense]] or ["mean" if one_of_them else "sum"]
    pieces.use(*costs, *frame.functions)
    of = _within(frame)
    if any(isinstance(part, Among) for part in parts_of(of.where)):
        return Groups(of, (Own("kind"),), tuple(Aggregate(one, None, Own("value")) for one in functions))
    return Single(tuple(Aggregate(one, of, Own("value")) for one in functions))


def _of_whole_stays(frame: Frame) -> Node | None:
    """ "The average cost of stays with sepsis", "the average total hospital cost of diabetics": what each stay cost in
    all is averaged; None where single orders may be meant."""
    if not frame.functions or frame.who is not None or any(node.sense == "sum" for node in frame.functions):
        return None
    kinds = frame.world.profile.costs
    if any(kinds is not None and node.sense.noun and node.sense.role in kinds.kinds for node in frame.events):
        return None
    stays = [node for node in frame.pieces.of("stays") if not node.sense.one]
    solid = [node for node in stays if not node.sense.loose]
    total = "total" in frame.context.lexed.words
    if len(solid) == 1 and (total or _costing(frame, solid[0])):
        return solid[0]
    return stays[0] if total and len(stays) == 1 and not solid else None


def _costing(frame: Frame, stays: Node) -> bool:
    """True for stays that cost something, and in which nothing else did: "the cost of stays", "what a stay costs"."""
    before = frame.context.before(stays, 2)
    return before[-1:] in (("of",), ("a",), ("an",), ("one",), ("per",), ("for",)) or before[-2:] == ("of", "the")


def _per_unit(frame: Frame, unit: str, keys: tuple[Measure | str, ...], stays: Node | None = None) -> Statement:
    """ "Average cost per admission, by insurance": numbers over what each stay or patient cost in all."""
    functions = [one for node in frame.functions for one in FUNCTIONS[node.sense]]
    cost = Aggregate("sum", Set("cost"), Own("value"))
    of = people_set(frame) if unit == PATIENT else stays_set(frame, stays, unit)
    columns = tuple(Aggregate(one, None, cost) for one in functions)
    return numbered(frame, of, keys, *columns)


def _within(frame: Frame) -> Set:
    of = costs_of(frame)
    for window in frame.pieces.take("window"):
        of = limited(of, *window.sense)
    return of


def costs_of(frame: Frame) -> Set:
    """What was charged, for a kind of records where one is named."""
    of = whose(frame, Set("cost"))
    known = frame.world.profile.costs
    kinds: list[str] = []
    for node in frame.pieces.of("event"):
        kind = known.kinds.get(node.sense.role) if known is not None else None
        if kind and node.sense.noun:
            kinds.append(kind)
            of = limited(of, *parts_of(node.sense.of.where))
            frame.pieces.use(node)
    if kinds:
        test = Test(Own("kind"), "=", Value(kinds[0])) if len(kinds) == 1 else Among(Own("kind"), tuple(kinds))
        of = limited(of, test)
    for stays in frame.pieces.of("stays"):
        if stays.sense.of.where is not None or stays.sense.of.pick is not None:
            of = limited(of, Of(stays.sense.of))
        frame.pieces.use(stays)
    for trait in frame.pieces.of("trait"):
        of = limited(of, Of(Set(PATIENT, (), trait_of(frame.context, trait.sense))))
        frame.pieces.use(trait)
    frame.pieces.use(*frame.pieces.of("list"))
    return of


def cost_of_one(frame: Frame, costs: Sequence[Node]) -> Statement | None:
    """ "How much does one colonoscopy cost": the mean of what each was charged at, where records tell that themselves;
    None where they do not, or no single one is meant."""
    events = frame.pieces.of("event")
    if frame.who is not None or frame.functions or len(events) != 1 or frame.by:
        return None
    unit = unit_of(events[0].sense.role)
    if not frame.world.holds(unit, "cost") or _OF_ONE.isdisjoint(pairwise(frame.context.lexed.words)):
        return None
    ones = [one for one in frame.pieces.of("number") if one.sense == 1]
    frame.pieces.use(*events, *costs, *ones, *frame.count, *[one for one in frame.asks if one.sense == "much"])
    return Single((Aggregate("mean", attach_to_event(frame, events[0].sense).of, Own("cost")),))


def priced(frame: Frame) -> Statement | None:
    """ "What does heparin cost": what one order or test was charged at."""
    known = frame.world.profile.costs
    events = [node for node in frame.pieces.of("event") if not node.sense.noun]
    if known is None or frame.who is not None or frame.group_said or frame.functions or len(events) != 1:
        return None
    node = events[0]
    if node.sense.role not in known.kinds or frame.stays:
        return None
    pieces = frame.pieces
    pieces.use(node, *[one for one in pieces.of("field") if one.sense.fields[0] == "cost"])
    pieces.use(*[one for one in frame.asks if one.sense == "much"])
    of = attach_to_event(frame, node.sense).of
    columns: tuple[Measure, ...] = (Own("cost"),)
    if node.sense.others:
        items = tuple(item for one in (node.sense, *node.sense.others) for item in one.of.items)
        of, columns = replace(of, items=items), (Own("name"), Own("cost"))
    return Rows(limited(of, Is(Own("cost"), "present")), columns, distinct=True)
