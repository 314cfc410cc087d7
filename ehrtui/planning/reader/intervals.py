"""The time between two events: "days from the first diagnosis to the first insulin"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Among,
    Condition,
    Has,
    Interval,
    Measure,
    Near,
    Neighbour,
    Of,
    Own,
    Pick,
    Picked,
    Related,
    Relation,
    Rows,
    Set,
    Single,
    Statement,
    TimeUnit,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame, unit_asked
from ehrtui.planning.reader.meanings import FUNCTIONS, limited, maybe, parts_of
from ehrtui.planning.reader.sets import about_one, whose

_LEADS = {"from", "between", "after", "before", "until", "till", "to", "since", "following"}
_ASKS = {"interval", "gap", "delay", "lag"}
_TIME = {("time", lead) for lead in ("from", "between", "to", "until", "till")}
_TAKING = {("time", "to"), ("time", "until"), ("hours", "to"), ("days", "to"), ("hours", "until"), ("days", "until")}
_BEHIND = {
    *(("after", "it"), ("after", "that"), ("after", "this"), ("since", "then")),
    *((span, "after") for span in ("long", "soon", "minutes", "hours", "days", "weeks", "months", "years")),
}
_OWN = (
    *("ed arrival time", "ed departure time", "admission time", "icu admission time", "icu discharge time"),
    *("discharge time", "death time"),
)


@dataclass(frozen=True)
class _Moment:
    """A moment: an attribute of a stay or a patient, or the first of some records; where in the question it stands."""

    at: int
    own: str = ""
    of: Set | None = None


def time_between(frame: Frame) -> Statement | None:
    """The time from one event to another, of one patient or stay, or a number over that of all; None where the question
    does not ask for the time between two."""
    pieces, words = frame.pieces, frame.context.lexed.words
    unit = unit_asked(frame)
    asked = unit is not None or bool(_ASKS & set(words) or _TIME & set(pairwise(words)))
    asked |= any(node.sense == "long" for node in frame.asks)
    at_once = any("at-once" in node.why for node in pieces.nodes)  # "A and B at the same time": nothing lies between
    if at_once or not asked or not _LEADS & set(words) or (frame.count and not frame.functions):
        return None
    before = frame.state()
    ends = _ends(frame)
    if ends is None:
        frame.restore(before)
        return _from_one_to_the_next(frame, unit)
    ends = _in_order(*ends, behind=bool(_BEHIND & set(pairwise(words))))
    of = _whose(frame, *ends)
    start, end = map(_of_anyone, ends)
    measure = Interval(unit or "day", _measure(start, of), _measure(end, of))
    pieces.use(*[node for node in frame.asks if node.sense == "long" and node in pieces.left()])
    pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] in ("length", "time", "death time")])
    pieces.use(*pieces.of("relation", "pronoun", "and", "moment"))
    words_of_unit = [node for node in frame.functions if words[node.start] == "min" and words[node.start - 1] == "in"]
    pieces.use(*words_of_unit)
    if "survival" in words:
        pieces.use(*[node for node in pieces.of("dead") if node.sense == "alive"])
    if about_one(frame, of) or frame.who is not None:
        return Rows(of, (measure,))
    functions = [one for node in frame.functions if node not in words_of_unit for one in FUNCTIONS[node.sense]]
    pieces.use(*[node for node in frame.functions if node not in words_of_unit])
    pieces.use(*(frame.by if frame.per_patient else ()))
    if not functions:
        frame.pay(0.0 if frame.per_patient else 0.3, "mean-unsaid")
        return Rows(of, (Own("id") if of.unit == PATIENT else Own(PATIENT), measure))
    return Single(tuple(Aggregate(one, of, measure) for one in functions))


def _from_one_to_the_next(frame: Frame, unit: TimeUnit | None) -> Statement | None:
    """ "The average time between two visits": from the end of one to the beginning of the next of the same patient."""
    pieces, words = frame.pieces, frame.context.lexed.words
    stays = [node for node in pieces.of("stays") if not node.sense.loose and node.sense.of.pick is None]
    functions = [one for node in frame.functions for one in FUNCTIONS[node.sense]]
    if (
        len(stays) != 1
        or not functions
        or pieces.of("event", "picks", "pick")
        or not words[stays[0].end - 1].endswith("s")
    ):
        return None
    if "between" not in words[max(0, stays[0].start - 4) : stays[0].start]:
        return None
    pieces.use(*stays, *frame.functions, *frame.asks, *pieces.of("number", "moment", "pronoun"))
    pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] in ("length", "time")])
    of = whose(frame, stays[0].sense.of)
    left = "icu discharge time" if of.unit == ICU else "discharge time"
    gap = Interval(unit or "day", Neighbour("previous", Own(left)), Own(left.replace("discharge", "admission")))
    return Single(tuple(Aggregate(one, of, gap) for one in functions))


def _ends(frame: Frame) -> tuple[_Moment, _Moment] | None:
    """The earlier and the later of the two moments that are named, both marked as said; None for fewer, or more."""
    pieces = frame.pieces
    if (found := _first_record_to_last(frame)) is not None:
        return found
    events = [node for node in pieces.of("event") if not node.sense.noun and not node.sense.others]
    events += [node for node in pieces.of("event") if node.sense.noun and node.sense.of.pick is not None]
    places = [node for node in pieces.of("place") if isinstance(node.sense.condition, Near | Related)]
    fields = [node for node in pieces.of("field") if node.sense.fields[0] in _OWN]
    dead = [node for node in pieces.of("dead") if node.sense == "died"]
    if not (events or places or fields or dead) and (found := _first_to_last(frame)) is not None:
        return found
    if len(events) == 1 and not places and not fields and not dead and (found := _unfolded(events[0])) is not None:
        pieces.use(events[0])
        return found
    told = sorted((*events, *places, *fields, *dead), key=lambda node: node.start)
    if len(told) == 1 and events and _since_admission(frame, events[0]):
        pieces.use(events[0])
        return _Moment(-1, own="admission time"), _Moment(events[0].start, of=events[0].sense.of)
    of_both = {field.sense.fields[0].startswith("icu") for field in fields} == {
        True,
        False,
    }  # "from admission to the ICU"
    related = any(isinstance(one.sense.condition, Related) for one in places)
    if len(told) != 2 or not (events or related or of_both):
        return None
    made = [_moment(node) for node in told]
    first, second = made
    if first is None or second is None:
        return None
    pieces.use(*told)
    turned = "after" in _lies(frame, told[1]) or "before" in _lies(frame, told[0])
    return (second, first) if turned else (first, second)


def _in_order(start: _Moment, end: _Moment, *, behind: bool) -> tuple[_Moment, _Moment]:
    """ "From the diagnosis to the drug": the first such drug since then, for those who had had it before, too; "the
    first drug" is that of all, unless it is said to lie `behind`."""
    if start.of is None or end.of is None or replace(start.of, pick=None) == replace(end.of, pick=None):
        return start, end
    if end.of.pick is not None and not (behind and end.of.pick == Pick()):
        return start, end
    began = start.of if start.of.pick is not None else replace(start.of, pick=Pick())
    since = Near(Relation("after"), Picked(Own("time"), began))
    return start, replace(end, of=limited(replace(end.of, pick=None), since))


def _first_to_last(frame: Frame) -> tuple[_Moment, _Moment] | None:
    """ "Between the first and the last visit": both of the same noun, said once."""
    pieces = frame.pieces
    stays = [node for node in pieces.of("stays") if not node.sense.loose and node.sense.of.pick is None]
    picks = [node for node in pieces.of("picks") if node.sense[0] == "pick"]
    if len(stays) != 1 or len(picks) != 1:
        return None
    pieces.use(*stays, *picks)
    first, second = (
        _Moment(picks[0].start, of=replace(stays[0].sense.of, pick=Pick(abs(int(one)), None, int(one) < 0)))
        for one in picks[0].sense[1:]
    )
    return first, second


def _first_record_to_last(frame: Frame) -> tuple[_Moment, _Moment] | None:
    """ "From the first to the last creatinine": both of the same records, said once."""
    pieces = frame.pieces
    said, events = pieces.of("from-first-to-last"), pieces.of("event")
    if len(said) != 1 or len(events) != 1 or events[0].start < said[0].end or events[0].sense.of.pick is not None:
        return None
    if events[0].sense.others or pieces.of("place"):
        return None
    pieces.use(*said, *events)
    of: Set = events[0].sense.of
    return _Moment(said[0].start, of=replace(of, pick=Pick())), _Moment(
        events[0].start, of=replace(of, pick=Pick(descending=True))
    )


def _since_admission(frame: Frame, event: Node) -> bool:
    """ "Time to first antibiotic": how long it took, from the admission on."""
    words = frame.context.lexed.words[: event.start]
    first = event.sense.of.pick is not None and event.sense.of.pick.by is None and not event.sense.of.pick.descending
    return first and words[-2:] in _TAKING and frame.world.has_stays(HOSPITAL)


def _lies(frame: Frame, node: Node) -> tuple[str, ...]:
    """How a moment lies to the other one, where that is said of it."""
    return (_relation(node),) if node.kind == "place" else frame.context.before(node, 1)


def _relation(node: Node) -> str:
    """How a place lies to what it is said of."""
    if node.kind != "place":
        return ""
    condition = node.sense.condition
    one: Relation = condition.relation if isinstance(condition, Near) else condition.relations[0]
    return one.kind if one.count is None else "bound"


def _unfolded(node: Node) -> tuple[_Moment, _Moment] | None:
    """ "The first insulin after the diagnosis": both ends of one event that lies behind or before another."""
    of: Set = node.sense.of
    parts = parts_of(of.where)
    for part in parts:
        rest = replace(of, where=maybe([one for one in parts if one != part]))
        other = _of_condition(part, node.start)
        if other is not None:
            own = _Moment(node.start, of=rest)
            return (other, own) if _kind(part) == "after" else (own, other)
    return None


def _kind(part: Condition) -> str:
    if isinstance(part, Near):
        return part.relation.kind
    return part.relations[0].kind if isinstance(part, Related) else ""


def _of_condition(part: Condition, at: int) -> _Moment | None:
    if isinstance(part, Near) and part.relation.count is None and isinstance(part.moment, Own):
        return _Moment(at, own=part.moment.field) if part.moment.field in _OWN else None
    if isinstance(part, Related) and len(part.relations) == 1 and part.relations[0].count is None and not part.each:
        return _Moment(at, of=part.event)
    return None


def _moment(node: Node) -> _Moment | None:
    if node.kind == "event":
        return _Moment(node.start, of=node.sense.of)
    if node.kind == "place":
        return None if _relation(node) == "bound" else _of_condition(node.sense.condition, node.start)
    if node.kind == "dead":
        return _Moment(node.start, own="death time")
    return _Moment(node.start, own=node.sense.fields[0])


def _whose(frame: Frame, *ends: _Moment) -> Set:
    """Whose time it is: of the stay that is named, of the stays whose moment is one end, or of the patients."""
    pieces = frame.pieces
    named = [node for node in pieces.of("stays") if node.sense.one or node.sense.of.where is not None]
    names = [one.own for one in ends if one.own and one.own != "death time"]
    unit = ICU if any(name.startswith("icu") for name in names) else HOSPITAL if names else PATIENT
    if named:
        pieces.use(*pieces.of("stays"))
        stays: Set = named[0].sense.of
        return stays
    pieces.use(*[node for node in pieces.of("stays") if node.sense.of.where is None])
    of = Set(unit)
    if frame.who is not None:
        return limited(of, *([Of(frame.who.of)] if unit != PATIENT else parts_of(frame.who.of.where)))
    if (own := _owner(*ends)) is not None:
        return limited(of, *([Of(own)] if unit != PATIENT else parts_of(own.where)))
    # Who had a first stay is who had any.
    had = [Has(replace(one.of, pick=None) if one.of.unit in UNITS else one.of) for one in ends if one.of is not None]
    group = frame.group
    if group is not None and group.where is not None:
        of = limited(of, *(parts_of(group.where) if unit == PATIENT else [Of(group)]))
    return limited(of, *had)


def _owner(*ends: _Moment) -> Set | None:
    """The one patient whose records the ends are."""
    for end in ends:
        for part in parts_of(end.of.where if end.of is not None else None):
            if isinstance(part, Of) and part.of.unit == PATIENT and isinstance(part.of.where, Among):
                return part.of
    return None


def _of_anyone(moment: _Moment) -> _Moment:
    """A moment without saying whose it is, which the rows say that it is a measure of."""
    if moment.of is None:
        return moment
    rest = [
        one
        for one in parts_of(moment.of.where)
        if not (isinstance(one, Of) and one.of.unit == PATIENT and isinstance(one.of.where, Among))
    ]
    return replace(moment, of=replace(moment.of, where=maybe(rest)))


def _measure(moment: _Moment, of: Set) -> Measure:
    """A moment as a measure of the rows whose time it is."""
    if moment.of is not None:
        picked = moment.of if moment.of.pick is not None else replace(moment.of, pick=Pick())
        return Picked(Own("time"), picked)
    if of.unit in UNITS[1:] or moment.own == "death time":
        return Own(moment.own)
    return Picked(Own(moment.own), Set(HOSPITAL, pick=Pick()))
