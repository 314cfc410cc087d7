"""Means, medians, sums and ranges over values, lengths and ages."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Function,
    Has,
    Measure,
    Of,
    Own,
    Picked,
    Set,
    Statement,
)
from ehrtui.planning.reader.ages import age_at, at_a_stay, at_onset
from ehrtui.planning.reader.between import between_moments
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.costs import costs_of
from ehrtui.planning.reader.counts_of_each import counts_unsaid, of_counts
from ehrtui.planning.reader.frame import Frame, unit_asked
from ehrtui.planning.reader.keys import grouped, numbered
from ehrtui.planning.reader.meanings import (
    FUNCTIONS,
    PERCENTILE,
    Event,
    length_of,
    limited,
    maybe,
    parts_of,
    pressures,
    unit_of,
)
from ehrtui.planning.reader.record_lengths import lasting
from ehrtui.planning.reader.sets import attach_to_event, has_values, people_set, stays_set, whose
from ehrtui.planning.reader.traits import having, trait_of
from ehrtui.schema.kinds import kind_of

_MONEY = ("cost", "coverage", "expenses", "income")
"""How amounts of money are called."""
_OVER_COUNTS = {"mean", "median", "sd", "iqr", *(one for one in FUNCTIONS if one.startswith(PERCENTILE))}
"""Functions that are made of counts wherever something is counted."""
_READ_ELSEWHERE = ("age", "length", "value", "dose")
"""Amounts that have a meaning of their own."""
_AGAINST = {"vs", "versus", "v", "against"}
_EACH = {"each", "every", "per"}
_PICKS_MERGED = 2.5
"""What it costs that one number is told over records that are picked apart: "mean first and last sodium"."""


def summed(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "Urine output per day": what flowed in or out, in all; None where nothing such is named."""
    flows = [node for node in frame.pieces.of("event") if kind_of(node.sense.role).flow and not node.sense.noun]
    if len(flows) != 1 or flows[0].sense.of.pick is not None or len(frame.pieces.of("event")) != 1:
        return None
    frame.pieces.use(*flows)
    of = whose(frame, attach_to_event(frame, flows[0].sense).of)
    return grouped(frame, of, keys, Aggregate("sum", None, Own("value")))


def reckoned(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """Numbers over values, lengths, ages or costs."""
    pieces = frame.pieces
    said = [node for node in frame.functions if not _of_totals(frame, node)]
    functions = list(dict.fromkeys(one for node in said for one in FUNCTIONS[node.sense]))
    names = ((node, node.sense.fields[0]) for node in pieces.of("field"))
    amounts = [node for node, name in names if is_numeric(frame, name) or frame.world.is_amount(name)]
    if amounts and any(node.end == amounts[0].start for node in frame.count):
        pieces.use(*frame.count)  # "how many days supply on average"
    elif (frame.count and (_OVER_COUNTS & {*functions} or _extreme_count(frame))) or counts_unsaid(frame, keys):
        before = frame.state()
        found = of_counts(frame, functions, keys)
        if found is None:
            frame.restore(before)
        return found
    if frame.count and functions == ["sum"]:
        pieces.use(*frame.functions)
        return None
    if (between := between_moments(frame)) is not None:
        of, interval = between
        pieces.use(*frame.functions, *[node for node in frame.asks if node.sense == "long"])
        numbers = [Aggregate(one, None, interval) for one in functions]
        return numbered(frame, of, keys, *numbers)
    if (lasted := lasting(frame, functions, keys)) is not None:
        return lasted
    if (aged := age_at(frame)) is not None:
        people, age = aged
        pieces.use(*frame.functions)
        return numbered(frame, people, keys, *(Aggregate(one, None, age) for one in functions))
    measured = [node for node in pieces.of("event") if has_values(frame, node.sense)]
    named = [node for node in measured if not node.sense.noun]
    columns: list[Aggregate] = []
    fields = [
        node
        for node in pieces.of("field")
        if node.sense.fields[0] in ("age", "length", "cost", "value", "dose") or is_numeric(frame, node.sense.fields[0])
    ]
    numeric = [node for node in fields if node.sense.fields[0] not in ("value",)]
    if (paid := _of_amount(frame, functions, keys)) is not None:
        return paid
    if (over := _over_totals(frame, functions, keys)) is not None:
        return over
    if named:
        node = named[0]
        pieces.use(node, *frame.functions)
        event = attach_to_event(frame, node.sense)
        of = whose(frame, event.of)
        for during in pieces.of("stays"):
            if during.sense.of.where is not None or during.sense.of.pick is not None or (during.sense.of.unit == ICU):
                of = limited(of, Of(during.sense.of))
            pieces.use(during)
        for other in [
            one for one in pieces.of("event") if one.start > node.start and not _set_against(frame, node, one)
        ]:
            of = limited(of, Of(Set(PATIENT, (), having(other.sense))))
            pieces.use(other)
            frame.pay(0.3, "other-event")
        value = Own("dose") if kind_of(event.role).dosed else Own("value")
        pieces.use(*[one for one in pieces.of("field") if one.sense.fields[0] == value.field])
        if (stay := _each_stay(frame, keys)) and of.pick is not None and not event.others:
            keys = tuple(key for key in keys if key != Own(stay))
            first = Picked(value, replace(of, where=maybe([one for one in parts_of(of.where) if one != Of(Set(stay))])))
            return numbered(frame, Set(stay), keys, *(Aggregate(one, None, first) for one in functions))
        if of.pick is not None and len(keys) > 1:
            keys = tuple(key for key in keys if key != Own(PATIENT))  # a pick is one of each patient already
        elif of.pick is not None and keys == (Own(PATIENT),):
            keys = ()
        rivals = [one for one in named[1:] if one.sense.role == event.role and _set_against(frame, node, one)]
        others = (*event.others, *(one.sense for one in rivals))
        pieces.use(*[one for one in rivals if one in pieces.left()])
        if any(one.of.pick is not None for one in others):
            frame.pay(_PICKS_MERGED, "picks-merged")
        if others:
            items = tuple(item for one in (event, *others) for item in one.of.items)
            of = limited(replace(of, items=items), *(part for one in rivals for part in parts_of(one.sense.of.where)))
            keys = (*keys, "event") if event.joint == "and" or rivals else keys
        elif pressures(of) and of.pick is None and "event" not in keys:
            keys = (*keys, "event")
        for trait in pieces.of("trait"):
            of = limited(of, Of(Set(PATIENT, (), trait_of(frame.context, trait.sense))))
            pieces.use(trait)
        columns = [Aggregate(one, None, value) for one in functions]
        if any(isinstance(key, str) and key.startswith("event:") and key[6:] != event.role for key in keys):
            frame.pay(2.5, "foreign-key")  # "creatinine by drug": no value of a test belongs to a drug
        return numbered(frame, of, keys, *columns)
    if functions == ["sum"] and not numeric and not frame.asks and (several := _several_stays(frame)) is not None:
        pieces.use(*frame.functions)  # "total admissions": how many
        return numbered(frame, stays_set(frame, several), keys, Aggregate("count", None))
    if numeric or (frame.asks and any(node.sense in ("long", "old") for node in frame.asks)) or stays_only(frame):
        name = (
            numeric[0].sense.fields[0]
            if numeric
            else "age"
            if any(node.sense == "old" for node in frame.asks)
            else "length"
        )
        pieces.use(*numeric[:1], *frame.functions, *(at_onset(frame) if name == "age" else ()))
        pieces.use(*[node for node in frame.asks if node.sense in ("long", "old")])
        if name == "cost":
            if not frame.world.has("cost"):
                return None
            of = costs_of(frame)
            for window in pieces.take("window"):
                of = limited(of, *window.sense)
            columns = [Aggregate(one, None, Own("value")) for one in functions]
            return numbered(frame, of, tuple(Own("kind") if key == "event" else key for key in keys), *columns)
        stays = pieces.of("stays")
        of_patients = name == "age" and not at_a_stay(frame)
        unit = stays[0].sense.of.unit if stays else (frame.world.aged if of_patients else HOSPITAL)
        if name == "length" and not numeric and not frame.asks and _says_value(frame):
            frame.pay(_VALUE_LOST, "value-lost")
        if name == "length" and numeric and {"icu"} & set(frame.context.lexed.words[numeric[0].start : numeric[0].end]):
            unit = ICU
        of = stays_set(frame, stays[0] if stays else None, unit)
        if frame.group is not None and frame.group.where is not None and frame.who is None:
            of = limited(of, Of(frame.group))
        columns = [
            Aggregate(one, None, length_of(unit_asked(frame) or "day") if name == "length" else Own(name))
            for one in functions
        ]
        pieces.use(*[node for node in pieces.of("moment") if name == "length"])
        return numbered(frame, of, keys, *columns)
    if measured:
        node = measured[0]
        pieces.use(node, *frame.functions)
        event = attach_to_event(frame, node.sense)
        of = whose(frame, event.of)
        columns = [Aggregate(one, None, Own("value")) for one in functions]
        return numbered(frame, of, keys, *columns)
    if functions == ["sum"]:
        pieces.use(*frame.functions)
        frame.pay(0.2, "sum-idle")
        return None
    return None


def _of_totals(frame: Frame, node: Node) -> bool:
    """ "The 90th percentile of total cost", where what each cost is kept as a total, and no sum beside it."""
    if frame.world.has("cost"):
        return False
    before = [one for one in frame.functions if one.end <= node.start and one.sense != "sum"]
    costs = [one for one in frame.fields if one.start == node.end and one.sense.fields[0].endswith(_MONEY)]
    between = set(frame.context.lexed.words[before[-1].end : node.start]) if before else set()
    return node.sense == "sum" and bool(before and costs) and between <= {"of", "the", "their"}


def _extreme_count(frame: Frame) -> bool:
    """ "The maximum number of admissions per patient": of numbers, and of no value."""
    return any(one.end == count.start for one in frame.functions for count in frame.count)


def _says_value(frame: Frame) -> bool:
    """True for "the peak value", which is of no stay's length."""
    words = frame.context.lexed.words
    return any(not _A_VALUE.isdisjoint(words[node.start : node.end + 1]) for node in frame.functions)


_A_VALUE = {"value", "values", "level", "levels", "result", "results", "reading", "readings"}
_VALUE_LOST = 2.5
"""What it costs that a value is told as a length."""


def _set_against(frame: Frame, node: Node, other: Node) -> bool:
    """ "Mean creatinine vs urea": each has a number of its own."""
    against = bool(_AGAINST & set(frame.context.between(node, other)))
    return against and other.sense.role == node.sense.role and not other.sense.noun


def _each_stay(frame: Frame, keys: tuple[Measure | str, ...]) -> str:
    """The unit of the stays that each have a value of their own: "first sodium of each admission"; "" for none."""
    units = [key.field for key in keys if isinstance(key, Own) and key.field in (HOSPITAL, ICU)]
    words = frame.context.lexed.words
    for node in (leaf for piece in frame.pieces.nodes for leaf in piece.leaves() if leaf.kind == "stays"):
        if _EACH & set(words[max(0, node.start - 2) : node.start]) and node.sense.of.where is None:
            units.append(node.sense.of.unit)
    return units[0] if units else ""


def _of_amount(frame: Frame, functions: list[Function], keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "Average claim cost of an emergency encounter", "mean income by race", "median number of tablets": amounts that
    records, stays or people have themselves."""
    pieces, world = frame.pieces, frame.world
    said = [node for node in pieces.of("field") if _is_amount(frame, node.sense.fields[0])]
    if len(said) != 1 or world.has("cost"):
        return None
    name = said[0].sense.fields[0]
    events = [node for node in pieces.of("event") if world.holds(unit_of(node.sense.role), name)]
    if not events and (other := _priced(frame, name)):
        events, name = [other], "cost"
    stays = pieces.of("stays")
    keys = tuple(key for key in keys if not _each_record(frame, key))
    told_by = [key[6:] for key in keys if isinstance(key, str) and key.startswith("event:")]
    if not events and told_by and not stays:
        name = name if world.holds(unit_of(told_by[0]), name) else "cost"
    if not events and not stays and told_by and world.holds(unit_of(told_by[0]), name):
        own = Event(told_by[0], Set(unit_of(told_by[0])), noun=True)
        of = whose(frame, attach_to_event(frame, own).of)  # "average cost per drug"
    elif len(events) == 1 and not events[0].sense.others and not (stays and not stays[0].sense.loose):
        pieces.use(events[0])
        of = whose(frame, attach_to_event(frame, events[0].sense).of)
    elif world.holds(HOSPITAL, name) and (stays or not world.holds(PATIENT, name)):
        of = stays_set(frame, stays[0] if stays else None, HOSPITAL)
    elif world.holds(PATIENT, name):
        of = people_set(frame)
    elif not events and not stays and world.owner(name):
        own = Event(world.owner(name).replace(" ", "_"), Set(world.owner(name)), noun=True)
        of = whose(frame, attach_to_event(frame, own).of)  # "mean days supplied, by drug"
    else:
        return None
    pieces.use(*said, *frame.functions)
    keys = tuple(key for key in keys if key != Own(of.unit))  # "per visit": what each costs
    if Own(PATIENT) in keys and _OVER_COUNTS & {*functions} and "per" in frame.context.lexed.words:
        keys = tuple(key for key in keys if key != Own(PATIENT))
        theirs = [part for part in parts_of(of.where) if isinstance(part, Of) and part.of.unit == PATIENT]
        of = replace(of, where=maybe([part for part in parts_of(of.where) if part not in theirs]))
        people = limited(Set(PATIENT, (), Has(of)), *(one for part in theirs for one in parts_of(part.of.where)))
        each = Aggregate("sum", of, Own(name))  # "the average cost per patient": of all that each had
        return numbered(frame, people, keys, *(Aggregate(one, None, each) for one in functions))
    return numbered(frame, of, keys, *(Aggregate(one, None, Own(name)) for one in functions))


def _over_totals(frame: Frame, functions: list[Function], keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "Average total urine output per ICU stay": a number over what flowed in or out in each stay, or of each patient,
    in all."""
    words = frame.context.lexed.words
    total = any(_TOTALS & set(words[node.start : node.end]) for node in frame.functions)
    units = [key for key in keys if isinstance(key, Own) and key.field in UNITS]
    flows = [node for node in frame.pieces.of("event") if kind_of(node.sense.role).flow and not node.sense.noun]
    averaged = [one for one in functions if one != "sum"]
    if not total or len(units) != 1 or len(flows) != 1 or flows[0].sense.of.pick is not None or not averaged:
        return None
    frame.pieces.use(
        flows[0], *frame.functions, *[node for node in frame.stays if node.sense.of == Set(units[0].field)]
    )
    of = attach_to_event(frame, flows[0].sense).of
    each = limited(whose(frame, Set(units[0].field)), Has(of))
    rest = tuple(key for key in keys if key != units[0])
    return numbered(frame, each, rest, *(Aggregate(one, None, Aggregate("sum", of, Own("value"))) for one in averaged))


_TOTALS = {"total", "totals", "cumulative", "summed"}


def _each_record(frame: Frame, key: Measure | str) -> bool:
    """ "The mean number of refills per prescription": what each record has, where "per drug" is by their names."""
    words = frame.context.lexed.words
    nodes = [one for one in frame.pieces.nodes if one.kind == "event" and key == f"event:{one.sense.role}"]
    return bool(frame.functions) and any(words[one.end - 1] in _RECORD for one in nodes)


_RECORD = {"prescription", "order", "claim", "transaction", "record", "dispense"}


def asks_for_amount(frame: Frame) -> bool:
    """ "How much of the visit was covered by insurance": an amount that is kept, and no share of anything."""
    words = frame.context.lexed.words
    much = all(words[one.start : one.start + 2] == ("how", "much") for one in frame.share)
    return much and any(frame.world.is_amount(one.sense.fields[0]) for one in frame.pieces.of("field"))


def beside_own_numbers(frame: Frame) -> bool:
    """ "All payers with their revenue and number of customers": columns, of which one is a number that is kept with the
    same records, and nothing to count."""
    fields = frame.pieces.of("field")
    counted = [one for one in fields if any(count.end == one.start for count in frame.count)]
    events = frame.pieces.of("event")
    if len(counted) != len(frame.count) or len(events) != 1 or not 0 < len(counted) < len(fields):
        return False
    unit = unit_of(events[0].sense.role)
    numbers = all(frame.world.is_number(one.sense.fields[0]) for one in counted)
    return numbers and all(frame.world.holds(unit, one.sense.fields[0]) for one in fields)


def counted_amounts(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "The number of refills of heparin", "how many customers has the payer": a number that is kept with records, of
    which there is a sum, and no records to count."""
    fields = [node for node in frame.pieces.of("field") if any(one.end == node.start for one in frame.count)]
    if len(fields) != 1 or not frame.world.is_number(fields[0].sense.fields[0]):
        return None
    name = fields[0].sense.fields[0]
    held = [node for node in frame.pieces.of("event") if frame.world.holds(unit_of(node.sense.role), name)]
    before = frame.state()
    told_by = [key for key in keys if isinstance(key, str) and key.startswith("event:")]  # "refills per drug"
    found = _of_amount(frame, ["sum"], keys) if len(held) == 1 or told_by else None
    if found is None:
        frame.restore(before)
        return None
    frame.pieces.use(*frame.count)
    return found


def _is_amount(frame: Frame, name: str) -> bool:
    return name.endswith(_MONEY) or (name not in _READ_ELSEWHERE and frame.world.is_amount(name))


def _priced(frame: Frame, name: str) -> Node | None:
    """The only records that are named, where they have a cost, though none that is called so."""
    events = frame.pieces.of("event")
    only = events[0] if len(events) == 1 and name.endswith("cost") else None
    return only if only is not None and frame.world.holds(unit_of(only.sense.role), "cost") else None


def is_numeric(frame: Frame, name: str) -> bool:
    """True for attributes that are numbers."""
    return name.endswith((" count", "days supply", "days", "quantity"))


def _several_stays(frame: Frame) -> Node | None:
    """The stays of a noun in the plural, where only stays are spoken of."""
    stays = [node for node in frame.pieces.of("stays") if not node.sense.loose]
    said = frame.context.lexed.words
    several = [node for node in stays if any(word.endswith("s") for word in said[node.start : node.end])]
    return several[0] if several and stays_only(frame) else None


def stays_only(frame: Frame) -> bool:
    """ "Median hospital stay": its length."""
    return (
        any(not node.sense.loose for node in frame.pieces.of("stays"))
        and not frame.count
        and not frame.pieces.of("event")
    )
