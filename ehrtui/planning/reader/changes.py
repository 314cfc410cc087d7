"""Between two moments: how much a value changed, how long ago something was, what one order costs."""

from __future__ import annotations

import re
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    AnyOf,
    Has,
    Interval,
    Math,
    Near,
    Of,
    Own,
    Pick,
    Picked,
    Related,
    Rows,
    Set,
    Single,
    Statement,
    Times,
    TimeUnit,
)
from ehrtui.logic.algebra.model import Aggregate as Number
from ehrtui.logic.model import Window
from ehrtui.planning.reader.balances import balance
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import Event, limited, maybe, parts_of
from ehrtui.planning.reader.sets import about_one, attach_to_event, has_values, stays_set, whose
from ehrtui.schema.kinds import kind_of

_TO_LAST = re.compile(r"\b(?:second|next) to last\b")
"""Ordinals whose "to" leads nowhere."""
_CHANGING = {"change", "changed", "changes", "increase", "increased", "rise", "risen", "rose", "gain", "gained"}
"""What says that the later value is told beside the earlier one, in whatever order both are named."""
_TO_NOW = {"since", "ago", "elapsed", "passed"}


def changed(frame: Frame) -> Statement | None:
    """ "Change in sodium from the first to the last value", "difference between the value of Monday and of Sunday"."""
    pieces = frame.pieces
    changes = pieces.of("change")
    if (found := balance(frame)) is not None:
        return found
    events = [node for node in pieces.of("event") if has_values(frame, node.sense) and not node.sense.noun]
    if len(events) != 1 or kind_of(events[0].sense.role).dosed:
        return None
    node = events[0]
    moments = _moments(frame, node)
    if moments is None:
        return None
    pieces.use(*changes, node)
    earlier, later = moments
    event = attach_to_event(frame, _untimed(node.sense))
    pieces.use(*[one for one in pieces.of("field") if one.sense.fields[0] in ("value", "time")])
    functions = [one.sense for one in frame.functions if one.sense in ("mean", "median")]
    solid = next((one for one in pieces.of("stays") if not one.sense.loose), None)
    pieces.use(*[one for one in pieces.of("stays") if solid is not None and one.sense == solid.sense])
    if functions and frame.who is None:
        stays = stays_set(frame, solid, HOSPITAL)
        both = [_at(event, stays_or_pick).of for stays_or_pick in (later, earlier)]
        change = Math("-", *(Picked(Own("value"), of) for of in both))
        pieces.use(*frame.functions)
        enough = Has(event.of, Times(">=", 2))
        return Single(tuple(Number(one, limited(stays, enough), change) for one in functions))
    if solid is not None:
        pieces.use(solid)
        event = replace(event, of=limited(event.of, Of(solid.sense.of)))
    of = [whose(frame, _at(event, moment).of) for moment in (later, earlier)]
    if not all(about_one(frame, one) for one in of):
        return None
    return Single((Math("-", *(Picked(Own("value"), one) for one in of)),))


def _at(event: Event, moment: Pick | tuple[object, ...]) -> Event:
    if isinstance(moment, Pick):
        return replace(event, of=replace(event.of, pick=moment))
    return replace(event, of=replace(limited(event.of, *moment), pick=Pick()))  # type: ignore[arg-type]


def _moments(frame: Frame, node: Node) -> tuple[Pick | tuple[object, ...], Pick | tuple[object, ...]] | None:
    """The two moments that values are compared at: what is subtracted, and what from."""
    pieces = frame.pieces
    picks = pieces.of("pick")
    pairs = pieces.of("picks", "windows")
    words = frame.context.lexed.words
    first: Pick | tuple[object, ...]
    second: Pick | tuple[object, ...]
    if len(pairs) == 1 and not picks and (pairs[0].kind == "windows" or pairs[0].sense[0] == "pick"):
        pair = pairs[0]
        first, second = pair.sense if pair.kind == "windows" else (_pick(pair.sense[1]), _pick(pair.sense[2]))
        pieces.use(pair)
        start, end = pair.start, pair.end
    elif len(picks) == 2 and not pairs and node.sense.of.pick is None:
        first, second = (_pick(one.sense) for one in picks)
        pieces.use(*picks, *pieces.of("and"))
        start, end = picks[0].start, picks[1].end
    elif not picks and not pairs and (times := _times(frame, node)) is not None:
        first, second, start, end = times
    else:
        return None
    within = set(_TO_LAST.sub("", " ".join(words[start:end])).split())
    onward = words[start - 1 : start] == ("from",) or bool(_CHANGING & set(words)) or bool({"to", ">", "→"} & within)
    compared = bool({"compared", "versus", "vs", "than", "relative"} & within)
    return (first, second) if onward and not compared else (second, first)


def _times(frame: Frame, node: Node) -> tuple[tuple[Window, ...], tuple[Window, ...], int, int] | None:
    """The two times at which values are meant, "at 9:00 and at 22:50", and the words between which they are told."""
    said = [leaf for one in frame.pieces.nodes for leaf in one.leaves() if leaf.kind == "window"]
    if len(said) != 2 or len(said[0].sense) != 1 or len(said[1].sense) != 1:
        return None
    frame.pieces.use(*frame.pieces.of("window"), *frame.pieces.of("and"))
    first, second = sorted(said, key=lambda one: one.start)
    return first.sense, second.sense, first.start, second.end


def _untimed(event: Event) -> Event:
    """The event without the times at which its values are set against each other."""
    kept = [part for part in parts_of(event.of.where) if not isinstance(part, Window | AnyOf)]
    return replace(event, of=replace(event.of, where=maybe(kept)))


def _pick(sense: str) -> Pick:
    nth = int(sense)
    return Pick(abs(nth), None, nth < 0)


def elapsed(frame: Frame, unit: TimeUnit) -> Statement | None:
    """ "How many days since the last transfusion of 10045": from then until the database now."""
    words = set(frame.context.lexed.words)
    if not words & _TO_NOW:
        return None
    pieces = frame.pieces
    since = [node for node in pieces.of("place") if isinstance(node.sense.condition, Related | Near)]
    named = [node for node in pieces.of("event") if node.sense.of.unit not in (HOSPITAL, ICU)]
    relations = pieces.of("relation")
    of: Set
    if since and isinstance(since[0].sense.condition, Related):
        pieces.use(since[0], *named)
        of = whose(frame, since[0].sense.condition.event)
        pieces.use(*pieces.of("stays"))
    elif named:
        pieces.use(named[0])
        of = whose(frame, attach_to_event(frame, named[0].sense).of)
        for stays in pieces.take("stays"):
            if not stays.sense.loose:
                of = limited(of, Of(stays.sense.of))
    elif frame.who is None:
        return None
    else:
        unit_said = [node for node in pieces.of("field") if node.sense.fields[0].endswith("admission time")]
        solid = next((node for node in pieces.of("stays") if not node.sense.loose), None)
        if not unit_said and not since and solid is None:
            return None
        icu = any(node.sense.fields[0].startswith("icu") for node in unit_said) or (
            any(node.sense.of.unit == ICU for node in pieces.of("stays"))
        )
        pieces.use(*unit_said, *since)
        of = stays_set(frame, solid, ICU if icu else HOSPITAL)
        pieces.use(*pieces.of("stays"))
    if not about_one(frame, of):
        return None
    pieces.use(*relations)
    if of.pick is None:
        of = replace(of, pick=Pick(1, None, True))
    return Rows(of, (Interval(unit, Own("time"), Own("now")),))
