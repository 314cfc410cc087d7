"""How long records lasted that have an end: conditions, courses of drugs, periods of observation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    Aggregate,
    Function,
    Interval,
    Is,
    Measure,
    Own,
    Pick,
    Rows,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.frame import Frame, unit_asked
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.keys import numbered
from ehrtui.planning.reader.meanings import Event, length_of, limited, plain
from ehrtui.planning.reader.numbers import time_unit
from ehrtui.planning.reader.observation_words import PERIODS
from ehrtui.planning.reader.sets import attach_to_event, whose

_OF = {"of", "a", "an", "the", "all", "for", "on", "with", "treatment", "therapy", "in", "is", "was", "(", ")"}
_LASTS = {
    "run",
    "runs",
    "ran",
    "last",
    "lasts",
    "lasted",
    "take",
    "takes",
    "took",
    "continue",
    "continued",
    "go",
    "orders",
    "prescriptions",
    "courses",
}
_LONGER = {"longer", "shorter", "lasting", "lasted", "lasts", "last", "spanning", "covering", "took", "take", "taking"}
"""Words by which a limit is one of how long something lasted."""
_BEYOND = {"over", "under", "above", "below", "beyond", ">", "<", ">=", "<="}
"""Words by which it is so right behind a noun for records: "attendances over 4 hours"."""


@rule("event", "limit")
def _lasting_event(context: Context, event: Node, limit: Node) -> Iterator[Made]:
    """ "Observation periods longer than 5 years", "courses of warfarin lasting over a month"."""
    one: Event = event.sense
    unit = time_unit(limit.sense.unit)
    if unit is None or one.others or not context.world.profile.role(one.role).end:
        return
    words = context.lexed.words
    right_behind = one.noun and event.end == limit.start and words[limit.start] in _BEYOND
    if not (right_behind or _LONGER & {*words[event.end : limit.end]}):
        return
    lasted = Interval(unit, Own("time"), Own("end time"))
    tests = (Test(lasted, sign, Value(plain(number))) for sign, number in limit.sense.tests)
    yield Made("event", replace(one, of=limited(one.of, *tests)), -0.2, "lasting")


def lasting(frame: Frame, functions: list[Function], keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "Average duration of pneumonia", "how long on average do heparin orders run": from begin to end of records."""
    pieces, words = frame.pieces, frame.context.lexed.words
    events = [node for node in pieces.of("event") if _lasts_so_long(frame, node)]
    long = [node for node in frame.asks if node.sense == "long"]
    long += [node for node in pieces.of("field") if node.sense.fields[0] == "length"]
    observed = len(events) == 1 and events[0].sense.role == PERIODS  # "average follow-up": nothing else is to be told
    if len(events) != 1 or not (long or observed) or pieces.of("stays"):
        return None
    [node] = events
    if observed:
        keys = tuple(key for key in keys if key != Own(PATIENT))  # of each person there is one, and no mean
    ended = [word for word in words[node.end :] if word.isalpha()][:2]
    said = [at for one in frame.functions for at in range(one.start, one.end)]
    direct = any(one.end <= node.start and _only_joins(words, one.end, node.start, said) for one in long)
    if not (direct or observed or _LASTS & set(ended)):
        return None
    pieces.use(node, *long, *frame.functions, *pieces.of("moment"))
    verbs = [one for one in pieces.of("pick") if one.start >= node.end and words[one.start] == "last"]
    pieces.use(*verbs)  # "how long do they last"
    of = whose(frame, attach_to_event(frame, node.sense).of)
    unit = unit_asked(frame) or "day"
    lasted: Measure = Own("duration")
    if frame.world.profile.role(node.sense.role).end:
        of, lasted = limited(of, Is(Own("end time"), "present")), Interval(unit, Own("time"), Own("end time"))
    return numbered(frame, of, keys, *(Aggregate(one, None, lasted) for one in functions))


def _lasts_so_long(frame: Frame, event: Node) -> bool:
    """True for records that tell when they ended, or how long they took."""
    role = frame.world.profile.role(event.sense.role)
    return bool(role.end) or "duration" in role.fields


def lengths_listed(frame: Frame, event: Event, said: Sequence[Node]) -> Statement:
    """ "The duration of her operations in minutes": how long each of the records lasted."""
    frame.pieces.use(*said, *frame.pieces.of("moment"))
    lasted = length_of(unit_asked(frame) or "day")
    whom: list[Measure] = [] if frame.who is not None else [Own(PATIENT)]
    name: list[Measure] = [Own("name")] if event.noun else []
    of = limited(whose(frame, event.of), Is(Own("end time"), "present"))
    return Rows(of, (*whom, *name, lasted), distinct=False)


def _only_joins(words: Sequence[str], start: int, end: int, said: Sequence[int]) -> bool:
    """True where nothing stands in [start, end) but words that join, units of time and the words `said`."""
    return all(at in said or words[at] in _OF or time_unit(words[at]) for at in range(start, end))


def longest_record(frame: Frame, event: Node, count: int, highest: bool) -> Statement:
    """ "Whose condition lasted longest": the record, whose, and how long."""
    of = limited(whose(frame, attach_to_event(frame, event.sense).of), Is(Own("end time"), "present"))
    lasted = length_of(unit_asked(frame) or "day")
    of = replace(of, pick=Pick(count, lasted, highest, "all", through=count > 1))
    return Rows(of, (Own(PATIENT), Own("name"), lasted), distinct=True)
