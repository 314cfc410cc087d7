"""Coming back: the share of discharges that were followed by another stay, and ICU stays behind another of one stay."""

from __future__ import annotations

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    Has,
    Interval,
    Is,
    Neighbour,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Times,
    Value,
)
from ehrtui.planning.reader.frame import Frame, unit_asked
from ehrtui.planning.reader.meanings import FUNCTIONS, limited, parts_of
from ehrtui.planning.reader.sets import whose
from ehrtui.planning.reader.traits import next_stay

_OF_STAYS = {"rate", "rates", "discharge", "discharges", "stays", "admissions", "hospitalizations", "hospitalisations"}
_PEOPLE = {"patient", "patients", "people", "persons", "pts"}
_TWO = 2
_EXTREMES = {"highest:length": "maximum", "lowest:length": "minimum", "highest:value": "maximum"}
_BETWEEN = {"between", "gap", "gaps", "apart"}


def share_coming_back(frame: Frame) -> Statement | None:
    """ "30-day readmission rate": of the discharges of the living, those that a stay followed so soon; None where the
    share is of people, or of something else."""
    pieces, words = frame.pieces, set(frame.context.lexed.words)
    back = pieces.of("readmission", "readmitted")
    if len(back) != 1 or not words & _OF_STAYS or words & _PEOPLE or frame.who is not None:
        return None
    named = [node for node in pieces.of("event") if not (node.sense.noun and node.sense.role == "discharge")]
    if named or pieces.of("window", "trait") or not frame.world.has_stays(HOSPITAL):
        return None
    stays = pieces.of("stays")
    if any(node.sense.of.where is not None or node.sense.of.unit == ICU for node in stays):
        return None
    pieces.use(*back, *stays, *pieces.of("event", "dead", "excluded", "negation"))
    pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] == "discharge time"])
    left = (Is(Own("discharge time"), "present"), Test(Own("hospital death"), "=", Value(0)))
    within = back[0].sense if isinstance(back[0].sense, tuple) else None
    return Single((Aggregate("percent", limited(whose(frame, Set(HOSPITAL)), *left), next_stay(within)),))


def between_stays(frame: Frame) -> Statement | None:
    """ "Average time between admissions", "longest gap between two stays": from a discharge to the next admission."""
    words, pieces = frame.context.lexed.words, frame.pieces
    stays = [node for node in pieces.of("stays") if not node.sense.loose and node.sense.of == Set(node.sense.of.unit)]
    pairs = [node for node in stays if "between" in words[max(0, node.start - 3) : node.start]]
    if len(pairs) != 1 or len(stays) != 1 or words[pairs[0].end - 1][-1] != "s" or frame.count or frame.by:
        return None
    if pieces.of("event", "trait", "dead") or not frame.world.has_stays(HOSPITAL) or pairs[0].sense.of.unit == ICU:
        return None
    gap = Interval(unit_asked(frame) or "day", Neighbour("previous", Own("discharge time")), Own("admission time"))
    of = limited(whose(frame, Set(HOSPITAL)), Is(Neighbour("previous", Own("id")), "present"))
    extremes = {one.sense: FUNCTIONS[_EXTREMES[one.sense]] for one in frame.superlatives if one.sense in _EXTREMES}
    functions = [one for node in frame.functions for one in FUNCTIONS[node.sense]]
    functions += [one for found in extremes.values() for one in found]
    pieces.use(*pairs, *frame.functions, *pieces.of("moment", "ask"))
    pieces.use(*[one for one in frame.superlatives if one.sense in extremes])
    pieces.use(*[node for node in pieces.of("number") if node.sense == _TWO])
    pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] in ("time", "length")])
    if not functions:
        return Rows(of, (Own(PATIENT), Own("id"), gap))
    return Single(tuple(Aggregate(one, of, gap) for one in functions))


def gaps_in_one_stay(frame: Frame) -> Statement | None:
    """ "Hospital stays with two or more ICU stays, and the hours between them": each gap between two."""
    words = set(frame.context.lexed.words)
    if not words & _BETWEEN or frame.who is not None or not frame.world.has_stays(ICU):
        return None
    stays = [node for node in frame.pieces.of("stays") if _with_several(node.sense.of)]
    pieces = frame.pieces
    if len(stays) != 1 or stays[0].sense.of.unit != HOSPITAL or not pieces.of("moment", "pronoun"):
        return None
    pieces.use(*stays, *pieces.of("readmitted", "pronoun", "ask", "and", "moment"))
    pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] in ("icu discharge time", "time")])
    pieces.use(*[node for node in pieces.of("stays") if node.sense.of == Set(ICU)])
    same = Test(Neighbour("previous", Own(HOSPITAL)), "=", Own(HOSPITAL))
    unit = unit_asked(frame) or "hour"
    gap = Interval(unit, Neighbour("previous", Own("icu discharge time")), Own("icu admission time"))
    return Rows(Set(ICU, (), same), (Own(HOSPITAL), gap))


def _with_several(of: Set) -> bool:
    """True for stays whose only condition is that there were several in the ICU."""
    [*parts] = parts_of(of.where)
    return len(parts) == 1 and isinstance(parts[0], Has) and parts[0].of == Set(ICU) and _several(parts[0].times)


def _several(times: Times | None) -> bool:
    return times is not None and times.relation == ">=" and times.count == _TWO
