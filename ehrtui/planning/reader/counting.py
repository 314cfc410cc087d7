"""How many: patients, stays, records, different values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    Measure,
    Of,
    Order,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.reader.bands import Bands
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame, fields_wanted
from ehrtui.planning.reader.keys import grouped, numbered
from ehrtui.planning.reader.lexing import ISOLATE
from ehrtui.planning.reader.meanings import FUNCTIONS, OF_EXTREMES, limited, plain
from ehrtui.planning.reader.pronouns import THEIRS
from ehrtui.planning.reader.sets import about_one, attach_to_event, has_values, people_set, stays_set, whose
from ehrtui.planning.reader.traits import having, trait_of
from ehrtui.schema.kinds import kind_of

_HAD = {"got", "get", "had", "have", "has", "received", "took", "needed", "underwent", "were", "developed"}
_AMONG = {"of", "among", "amongst"}
_ALL_OF = {"of", "the", "all"}
_DIFFERENT = {"different", "distinct", "unique"}
_KINDS_COUNTED, _FIELD_COUNTED = 0.2, 1.0
"""What it costs that values of an attribute are counted, where no word says that they are different: "number of wards",
"how many insurance"."""
_OF = {"of", "the", "our", "all", "these", "for"}
_STAYS_NAMED = 0.9
"""What it costs to count the people of stays that a question begins with."""
_STAYS_LOST = 1.8
"""What it costs to count people or records where stays are named right behind "how many"."""
_EACH = -0.4
"""What it saves that a number is said to be of each."""
_BROKEN_DOWN = -0.5
"""What it saves that the number is asked for as a breakdown."""
_PEOPLE_MEANT = 0.5
"""What it costs to count records where a verb says what befell people."""
_ADMISSIONS = {"admission", "discharge", "visit", "encounter"}
_BEFALLS = {"got", "get", "had", "received", "needed", "underwent", "required", "have", "developed"}
_HAVING = {
    "got",
    "get",
    "had",
    "have",
    "has",
    "needed",
    "need",
    "were",
    "was",
    "are",
    "on",
    "received",
    "took",
    "take",
    "with",
    "went",
    "underwent",
    "developed",
    "suffered",
    "ended",
    "required",
}


def target_of(frame: Frame) -> Node | None:
    """The records or stays that a number is taken of; None where it is people."""
    nodes = [node for node in frame.pieces.of("event", "stays") if not (node.kind == "stays" and _in_passing(node))]
    if not nodes:
        return None
    if (base := _counted_among(frame)) is not None:
        return base
    if frame.prefers("people"):
        return None
    if len(frame.count) == 1 and _how_often(frame, frame.count[0]) and not frame.group_said:
        return nodes[0]  # "how often was it given"
    if frame.count and not frame.group_said and frame.who is None:
        later = set(frame.context.lexed.words[frame.count[0].end :])
        if all(node.kind == "event" and node.end <= frame.count[0].start for node in nodes) and _HAD & later:
            return None
    if frame.prefers("records"):
        if frame.count and not frame.group_said and frame.who is None and _whom_it_befell(frame, nodes[0]):
            frame.pay(_PEOPLE_MEANT, "people-meant")
        return nodes[0]
    solid = next((node for node in nodes if node.kind == "stays" and not node.sense.one), None)
    nobody = not frame.group_said and frame.who is None
    if nobody and solid is not None and nodes[0].kind == "event" and right_before(frame, nodes[0], solid):
        return solid  # "sepsis admissions"
    if frame.group_said and frame.who is None:
        first = frame.count[0].end if frame.count else 0
        behind = [node for node in nodes if node.start >= first]
        if frame.group_at >= first and (not behind or frame.group_at <= behind[0].start):
            return None
        if frame.group_at < first and not behind:
            return None
        return behind[0] if behind and frame.group_at > behind[0].start else None
    if frame.count:
        behind = [node for node in nodes if node.start >= frame.count[0].end]
        if behind and behind[0].kind == "event" and verb_between(frame, frame.count[0], behind[0]):
            return None
        return behind[0] if behind else nodes[0]
    return nodes[0]


def _whom_it_befell(frame: Frame, node: Node) -> bool:
    """ "How many got intubated", "how many underwent dialysis": people, of whom no noun speaks."""
    words, [count, *_] = frame.context.lexed.words, frame.count
    often = _said(frame, count)[:2] == ("how", "often") or _said(frame, count)[-1:] == ("times",)
    return node.kind == "event" and not often and bool(_BEFALLS & set(words[count.end : count.end + 1]))


def _counted_among(frame: Frame) -> Node | None:
    """ "Of the stays with sepsis, how many needed dialysis", "of the E. coli isolates, how many were resistant": these,
    where no other noun is counted."""
    if len(frame.count) != 1 or frame.group_said or frame.who is not None:
        return None
    [count] = frame.count
    words = frame.context.lexed.words
    isolates = [node for node in frame.events if any(word.startswith(ISOLATE) for word in words[node.start : node.end])]
    if isolates and isolates[0].end <= count.start and words[0] in _AMONG and isolates[0].start <= 2:
        return isolates[0]
    first = [node for node in frame.stays if node.end <= count.start and words[0] in _AMONG and node.start <= 2]
    named = [node for node in (*frame.stays, *frame.events) if node.start == count.end]
    solid = bool(first) and not first[0].sense.loose and not first[0].sense.one
    return first[0] if solid and not any(node.kind == "stays" or node.sense.noun for node in named) else None


def _in_passing(stays: Node) -> bool:
    """ "In the ICU", "admitted in 2105": where or when, and nothing to count."""
    return stays.sense.loose or next(stays.leaves()).kind == "field"


def _counts(frame: Frame, stays: Node) -> bool:
    """True for stays that are named right behind "how many"."""
    return not stays.sense.loose and not stays.sense.one and any(stays.start == count.end for count in frame.count)


def _of_stays(frame: Frame) -> bool:
    """True where stays are named right behind a word for a breakdown, said in the answer or not."""
    stays = [node for node in frame.context.lexed.nodes if node.kind == "stays" and not node.sense.loose]
    broken = [node for node in frame.by if node.sense == "breakdown"]
    words = frame.context.lexed.words
    return any({*words[node.end : one.start]} <= _OF for node in broken for one in stays if one.start >= node.end)


def _names_stays_first(stays: Node) -> bool:
    """True for stays that a question begins with: "visits per month"."""
    return not stays.sense.loose and stays.start == 0


def right_before(frame: Frame, event: Node, stays: Node) -> bool:
    """True for a name right before stays, which says what they were for."""
    return not event.sense.noun and frame.context.between(event, stays) in ((), (")",))


def verb_between(frame: Frame, count: Node, node: Node) -> bool:
    """ "How many needed vancomycin": people, whom nobody named; "how often was it given" is of the records."""
    if _said(frame, count)[:2] == ("how", "often") or _said(frame, count)[-1:] == ("times",):
        return False
    words = frame.context.lexed.words
    begins = bool(
        _BEFALLS & set(words[count.end : count.end + 1])
    )  # the verb may be a word of the name: "got intubated"
    return (begins or bool(set(words[count.end : node.start]) & _HAVING)) and not node.sense.noun


def several_counted(frame: Frame) -> Statement | None:
    """ "How many patients, admissions and ICU stays are there": one number for each."""
    nodes = [node for node in frame.pieces.nodes if node.kind not in ("and", "list", "count", "relation", "or")]
    plain = all(
        (node.kind in ("people", "stays") and node.sense.of.where is None and node.sense.of.pick is None)
        or (node.kind == "event" and node.sense.noun and node.sense.of.where is None)
        for node in nodes
    )
    sets = list(dict.fromkeys(node.sense.of for node in nodes)) if plain else []
    if len(sets) < 2 or len(sets) != len(nodes) or len(frame.count) != 1 or not _enumerated(frame, nodes):
        return None
    frame.pay(-0.3 * len(frame.pieces.of("and", "or")), "")
    frame.pieces.used = set(range(len(frame.pieces.nodes)))
    return Single(tuple(Aggregate("count", of) for of in sets))


def counted_and_measured(frame: Frame) -> Statement | None:
    """ "How many potassium tests were done, and what was the mean": how many values there are, and a number of them."""
    events = frame.pieces.of("event")
    functions = [*frame.functions, *[node for node in frame.superlatives if node.sense in OF_EXTREMES]]
    if len(frame.count) != 1 or len(events) != 1 or not functions:
        return None
    if frame.by or frame.group_said or frame.per_patient:
        return None
    [count], [event] = frame.count, events
    words = frame.context.lexed.words
    first = min(node.start for node in functions)
    apart = count.end <= event.start and event.end <= first and bool({",", "and", "&"} & {*words[event.end : first]})
    if not apart or event.sense.others or not has_values(frame, event.sense):
        return None
    frame.pieces.use(count, event, *functions, *[node for node in frame.asks if node.sense == "ask"])
    frame.pieces.use(*[node for node in frame.pieces.of("field") if node.sense.fields[0] == "value"])
    of = whose(frame, attach_to_event(frame, event.sense).of)
    figures = [one for node in functions for one in FUNCTIONS[OF_EXTREMES.get(node.sense, node.sense)]]
    return Single((Aggregate("count", of), *(Aggregate(one, of, Own("value")) for one in figures)))


def _enumerated(frame: Frame, nodes: Sequence[Node]) -> bool:
    """True where nothing but what joins stands between the pieces."""
    words = frame.context.lexed.words
    return all(
        set(words[left.end : right.start]) <= {",", "/", "and", "&", "+", "the", "how", "many", "or", "of", "number"}
        and right.start > left.end
        for left, right in pairwise(nodes)
    )


def counted(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """A number of patients, of stays, or of records, by the `keys` where there are any."""
    pieces = frame.pieces
    back = pieces.of("readmitted", "readmission")
    if back and keys and not frame.group_said and not pieces.of("event"):
        return grouped(frame, stays_set(frame, next(iter(frame.stays), None)), keys, Aggregate("count", None))
    if (
        back
        and not frame.group_said
        and frame.who is None
        and not frame.pieces.of("event")
        and said_as_noun(frame, back)
    ):
        return Single((Aggregate("count", stays_set(frame, next(iter(frame.stays), None))),))
    target = target_of(frame)
    distinct = pieces.of("distinct")
    organisms = [node for node in pieces.of("field") if node.sense.fields[0] == "organism"]
    if "event" in keys:
        events = pieces.of("event")
        target = next((node for node in events if node.sense.noun), events[0] if events else None)
    if target is None and frame.who is not None and not frame.group_said and not keys:
        field = _counted_field(frame)
        return times_admitted(frame) if field is None else counted_values(frame, field)
    if target is None and not frame.group_said and any(about_one(frame, node.sense.of) for node in frame.events):
        return None
    if target is None:
        counted_field = fields_wanted(frame)
        if counted_field and not frame.group_said and not keys:
            return counted_values(frame, counted_field[0])
        if not (
            frame.group_said
            or frame.events
            or pieces.of("dead", "trait", "readmission", "readmitted", "window", "stays")
            or keys
        ):
            return None
        verb = bool(frame.count and frame.events and verb_between(frame, frame.count[0], frame.events[0]))
        if not verb and not frame.group_said and (said := _said_of_them(frame)) is not None:
            pieces.use(said)
            frame.group = limited(frame.group or Set(PATIENT), trait_of(frame.context, said.sense))
            verb = True
        mix = bool(keys) and not frame.events and any(node.sense == "breakdown" for node in frame.by)
        if mix and _of_stays(frame):
            frame.pay(_STAYS_LOST, "stays-lost")  # "a breakdown of visits by type" is not one of patients
        if mix and _broken_down(frame):
            frame.pay(_BROKEN_DOWN, "")
        elif not frame.group_said and not verb and not mix:  # "language breakdown" is of people, unless it says of what
            frame.pay(_STAYS_NAMED if any(map(_names_stays_first, pieces.of("stays"))) else 0.35, "people-unsaid")
        if mix and not frame.group_said and not verb and _are_of_admissions(keys):
            return numbered(frame, stays_set(frame, None, HOSPITAL), keys, Aggregate("count", None))
        pieces.use(*pieces.of("people"))
        if any(_counts(frame, node) for node in pieces.of("stays")):
            frame.pay(_STAYS_LOST, "stays-lost")
        of = people_set(frame)
        return numbered(frame, of, keys, Aggregate("count", None))
    if target.kind == "stays":
        if frame.prefers("records") and frame.group_said and 0 <= frame.group_at < target.start:
            frame.pay(0.8, "records-preferred")  # "patients with an ICU stay, by sex"
        of = stays_set(frame, target)
        return numbered(frame, of, keys, Aggregate("count", None))
    if any(_counts(frame, node) for node in pieces.of("stays")):
        frame.pay(_STAYS_LOST, "stays-lost")
    pieces.use(target)
    event = attach_to_event(frame, target.sense)
    of = whose(frame, event.of)
    others = pieces.take("event")
    for node in others:
        of = limited(of, Of(Set(PATIENT, (), having(node.sense))))
        frame.pay(0.4, "other-event")
    if event.others:
        items = tuple(item for one in (event, *event.others) for item in one.of.items)
        of = replace(of, items=items)
        frame.pay(0.2, "list")
    for stays in pieces.of("stays"):
        if not (stays.sense.loose and stays.sense.of.unit == HOSPITAL) and (
            stays.sense.of.where is not None or stays.sense.of.pick is not None or stays.sense.of.unit == ICU
        ):
            of = limited(of, Of(stays.sense.of))
        elif not stays.sense.loose:
            frame.pay(0.9, "stays-idle")
        pieces.use(stays)
    number: Aggregate
    if organisms and kind_of(event.role).microbial:
        pieces.use(*organisms)
        number = Aggregate("distinct", None, Own("organism"))
    elif event.noun and (distinct or any(_DIFFERENT & set(_said(frame, count)) for count in frame.count)):
        pieces.use(*distinct)
        number = Aggregate("distinct", None, Own("name"))
    elif event.noun and event.role in ("prescription",) and not keys and about_one(frame, of):
        number = Aggregate("distinct", None, Own("name"))
    else:
        number = Aggregate("count", None)
    if keys and frame.group_said and _is_what_is_counted(frame, target):
        pass
    elif keys and frame.group_said and not frame.prefers("records"):
        number = Aggregate("distinct", None, Own(PATIENT))
    elif frame.group_said and (keys or frame.prefers("records")):
        frame.pay(0.8, "records-preferred")
    return numbered(frame, of, keys, number)


def _is_what_is_counted(frame: Frame, target: Node) -> bool:
    """ "Number of prescriptions by route for women": records, right behind the count, and people only where it is said
    whose they are."""
    words = frame.context.lexed.words
    behind = any(set(words[count.end : target.start]) <= _ALL_OF and count.end <= target.start for count in frame.count)
    return behind and target.sense.noun and frame.group_at > target.start


def _are_of_admissions(keys: Sequence[Measure | str]) -> bool:
    """ "Admission type breakdown", "the mix of discharge locations": what the attribute is called after is counted."""
    return any(isinstance(key, Own) and key.field.split(" ")[0] in _ADMISSIONS for key in keys)


def _said_of_them(frame: Frame) -> Node | None:
    """ "How many were discharged to a hospice": what a verb says of people whom nobody named."""
    if len(frame.count) != 1 or frame.events or frame.stays:
        return None
    [count] = frame.count
    for trait in frame.pieces.of("trait"):
        between = frame.context.lexed.words[count.end : trait.start]
        if between and set(between) <= _HAVING and not trait.sense.negated:
            return trait
    return None


def _broken_down(frame: Frame) -> bool:
    """ "Breakdown by sex", "insurance breakdown": people are what is counted where nothing else is named."""
    return any(node.sense == "breakdown" and "breakdown" in _said(frame, node) for node in frame.by)


def _said(frame: Frame, node: Node) -> tuple[str, ...]:
    return frame.context.lexed.words[node.start : node.end]


def times_admitted(frame: Frame) -> Statement | None:
    """ "How many times was she admitted": so many stays."""
    moments = {"admission time": HOSPITAL, "icu admission time": ICU}
    said = [node for node in frame.pieces.of("field") if node.sense.fields[0] in moments]
    if len(said) != 1 or frame.events:
        return None
    frame.pieces.use(*said)
    return Single((Aggregate("count", stays_set(frame, None, moments[said[0].sense.fields[0]])),))


def said_as_noun(frame: Frame, back: Sequence[Node]) -> bool:
    """ "How many readmissions": the stays themselves."""
    words = frame.context.lexed.words
    return any(word.endswith(("ion", "ions")) for node in back for word in words[node.start : node.end])


def counted_each(frame: Frame) -> Statement | None:
    """ "Which patients had a glucose below 40, and how often?", "people with 3 stays, and their number of stays"."""
    pieces = frame.pieces
    if frame.who is not None or not frame.group_said or len(frame.count) != 1:
        return None
    [count] = frame.count
    if _often_said(frame, count) and len(pieces.of("event")) == 1:
        events = pieces.take("event")
        pieces.use(count)
        event = attach_to_event(frame, events[0].sense)
        of = limited(people_set(frame, conditions_from_events=False), having(event))
        return Rows(of, (Own("id"), Aggregate("count", event.of)))
    counted = [
        node
        for node in (*pieces.of("stays"), *pieces.of("event"))
        if 0 <= node.start - count.end <= 2 and node.sense.of == Set(node.sense.of.unit)
    ]
    if len(counted) != 1 or not _of_each(frame, count):
        return None
    pieces.use(count, *counted, *[node for node in frame.by if frame.context.lexed.words[node.start] == "each"])
    frame.pay(_EACH, "")
    of, number = people_set(frame), Aggregate("count", counted[0].sense.of)
    if of.where is None and not frame.pieces.of("order"):
        return None
    sorted_as = pieces.take("order")
    order = Order(number, sorted_as[-1].sense == "highest") if sorted_as else None
    return Rows(of, (Own("id"), number), order=order)


def _how_often(frame: Frame, count: Node) -> bool:
    return frame.context.lexed.words[count.start : count.end] in (("how", "often"), ("how", "many", "times"))


def _often_said(frame: Frame, count: Node) -> bool:
    words = frame.context.lexed.words
    asks = any(node.sense == "which" for node in frame.pieces.of("list")) or "who" in words
    return asks and _how_often(frame, count)


def _of_each(frame: Frame, count: Node) -> bool:
    """ "With the count of their stays", "how often was each of them here": a number for each of them."""
    words = frame.context.lexed.words
    theirs = bool(THEIRS & set(words[max(0, count.start - 3) : count.start]))
    return theirs or any(set(pair) <= {"has", "had", "have", "each"} and "each" in pair for pair in pairwise(words))


def _counted_field(frame: Frame) -> Node | None:
    """ "How many different doctors has patient 7 seen": the attribute of stays right behind the count."""
    distinct = {node.end for node in frame.pieces.of("distinct")}
    ends = {node.end for node in frame.count} | distinct
    fields = [one for one in fields_wanted(frame) if one.start in ends]
    return fields[0] if len(fields) == 1 and frame.world.owner(fields[0].sense.fields[0]) == HOSPITAL else None


def counted_values(frame: Frame, node: Node) -> Statement | None:
    """ "How many different insurances are there"."""
    name = node.sense.fields[0]
    unit = frame.world.owner(name)
    if not unit or name == "hospital death":  # which is there or not, and has no kinds
        return None
    frame.pieces.use(*[one for one in frame.stays if one.sense.of == Set(HOSPITAL) and one in frame.pieces.left()])
    within = [one for window in frame.pieces.take("window") for one in window.sense]
    frame.pieces.use(*[one for one in frame.pieces.of("field") if one.sense == node.sense])  # "languages spoken"
    if frame.pieces.of("distinct"):
        frame.pieces.take("distinct")
        return Single((Aggregate("distinct", limited(whose(frame, Set(unit)), *within), Own(name)),))
    register = frame.world.roles.get(unit.replace(" ", "_"))
    if register is not None and register.is_register and frame.world.is_number(name):
        if not {"many", "total"} & {*frame.context.lexed.words}:
            return None  # "the wards with number of beds": of each
        return Single((Aggregate("sum", limited(whose(frame, Set(unit)), *within), Own(name)),))  # "how many beds"
    plural = frame.context.lexed.words[node.end - 1].endswith("s") and not name.endswith("s")
    frame.pay(_KINDS_COUNTED if plural else _FIELD_COUNTED, "count-of-field")
    return Single((Aggregate("distinct", limited(whose(frame, Set(unit)), *within), Own(name)),))


def counted_in_bands(frame: Frame) -> Statement | None:
    """How many values lie in each of the ranges that are listed; None where none of a measurement are."""
    bands = [node for node in frame.pieces.of("bands") if isinstance(node.sense, Bands)]
    events = [node for node in frame.pieces.of("event") if has_values(frame, node.sense)]
    if len(bands) != 1 or len(events) != 1 or not frame.count or frame.functions or frame.share:
        return None
    frame.pieces.use(*bands, *events, *frame.count)
    frame.pieces.use(*[node for node in frame.pieces.of("field") if node.sense.fields[0] == "value"])
    of = whose(frame, attach_to_event(frame, events[0].sense).of)
    return Single(
        tuple(
            Aggregate("count", limited(of, *(Test(Own("value"), sign, Value(plain(one))) for sign, one in limit.tests)))
            for limit in bands[0].sense.limits
        )
    )
