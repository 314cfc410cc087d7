"""What was recorded, each with how often: "which procedures were done in 2018, and how many of each"."""

from __future__ import annotations

from ehrtui.logic.algebra.model import PATIENT, UNITS, Aggregate, Groups, Order, Own, Set, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.keys import key_of
from ehrtui.planning.reader.meanings import Event, limited, unit_of
from ehrtui.planning.reader.sets import attach_to_event, people_set, stays_set, whose
from ehrtui.schema.kinds import kind_of

_OFTEN = (("how", "often"), ("how", "many", "times"), ("how", "frequently"))
_OFTEN_WORDS = ("often", "times", "frequently", "many", "of")
_LAST = 3
"""Words: so few stand behind the number at the end of a question."""
_PEOPLE = {"patients", "people", "persons", "individuals", "pts", "subjects", "women", "men", "children"}
_STAYS = {"stay", "stays", "admissions", "visits", "encounters", "hospitalizations", "hospitalisations"}
_JOINS = {"and", "&", ",", ";", ":", "plus", "-", "–", "with", "by"}
_KINDS = {"kinds", "kind", "types", "type", "sorts", "sort", "of", "different", "other", "the", "all", "our"}
"""Words between "which" and what is asked for."""
_ASKS: tuple[list[str], ...] = ([], ["which"], ["what"], ["list"], ["show"], ["me"])
_SAID = -0.3
"""What it saves that the number stands behind what it is of."""


def tallied(frame: Frame) -> Statement | None:
    """The names of records of a kind, or of a family of names, each with the number of its records, or of the people
    who have one; None where the question does not ask for both."""
    if len(frame.count) != 1 or frame.functions or frame.superlatives or frame.most or frame.share:
        return None
    [count] = frame.count
    if not _is_beside(frame, count):
        return None
    if frame.context.lexed.words[count.end - 1] not in (*_OFTEN_WORDS, "counts", "number", "count"):
        return None
    events = [node for node in frame.pieces.of("event") if node.end <= count.start and _is_asked(frame, node)]
    fields = [node for node in frame.pieces.of("field") if node.end <= count.start and _is_kept(frame, node)]
    whom = {*frame.context.lexed.words[count.end : count.end + _LAST]} & (_PEOPLE | _STAYS)
    if whom and events and not events[0].sense.noun and _opens(frame, events[0]) and not frame.pieces.of("each"):
        return None  # "gout - number of stays": of those with it
    pieces = frame.pieces
    counted = [node for node in pieces.of("stays") if 0 <= node.start - count.end <= 1 or node.end == count.start]
    if any(node.sense.of.where is not None or node.sense.of.pick is not None for node in counted):
        return None
    if len(events) == 1 and not fields:
        pieces.use(*events)
        of, by = whose(frame, attach_to_event(frame, events[0].sense).of), Own("name")
    elif len(fields) == 1 and not events:
        by = Own(fields[0].sense.fields[0])
        pieces.use(*fields)
        of = _rows_with(frame, by.field)
    else:
        return None
    pieces.use(count, *frame.by, *pieces.of("each"), *counted)
    number = Aggregate("count", None)
    people = _of_people(frame, count) or (of.unit in UNITS and frame.group_said)
    units = [node.sense.of.unit for node in counted] or ([PATIENT] if people else [])
    if units and units[0] != of.unit:
        number = Aggregate("distinct", None, Own(units[0]))
    frame.pay(_SAID, "")
    return Groups(of, (by,), (number,), order=Order(number, True))


def _opens(frame: Frame, event: Node) -> bool:
    """True for a name that nothing asks for: no "which", no "list"."""
    return not [word for word in frame.context.lexed.words[: event.start] if word[0].isalnum()]


def _is_kept(frame: Frame, field: Node) -> bool:
    """True for an attribute whose values are asked for by its name: "which organisms", "list the insurances"."""
    name = field.sense.fields[0]
    before = [word for word in frame.context.lexed.words[: field.start] if word not in _KINDS]
    told = isinstance(key_of(frame, field), Own) and name not in (PATIENT, "id") and not frame.world.is_number(name)
    return before[-1:] in _ASKS and told and not name.endswith(("time", "date")) and bool(frame.world.owner(name))


def _rows_with(frame: Frame, name: str) -> Set:
    """The rows that have an attribute, as far as the question speaks of them."""
    world = frame.world
    unit, of = world.owner(name), None
    if name == "organism":
        grown = max((one for one in world.roles if kind_of(one).microbial), key=lambda one: kind_of(one).grown)
        unit, of = unit_of(grown), limited(Set(unit_of(grown)), world.growth("present"))
    if unit == PATIENT:
        return people_set(frame)
    if unit in UNITS:
        return stays_set(frame, None, unit)
    role = unit.replace(" ", "_")
    return whose(frame, attach_to_event(frame, Event(role, of or Set(unit), noun=True)).of)


def _is_asked(frame: Frame, event: Node) -> bool:
    """True for the records that "which" asks for by what they are called."""
    several = event.sense.noun or len(event.sense.of.items) > 1 or event.sense.how == "concept"
    kind = kind_of(event.sense.role)
    if not several or not (event.sense.noun or kind.coded or kind.dosed) or event.sense.of.pick is not None:
        return False
    if "any" in frame.context.lexed.words[max(0, event.start - 1) : event.end]:
        return False  # "E. coli, any specimen - number of admissions"
    before = [word for word in frame.context.lexed.words[: event.start] if word not in _KINDS]
    return before[-1:] in _ASKS


def _is_beside(frame: Frame, count: Node) -> bool:
    """True for a number that is asked for at the end, beside what was asked before."""
    words = frame.context.lexed.words
    often = words[count.start : count.end] in _OFTEN
    joined = bool(_JOINS & set(words[max(0, count.start - 3) : count.start]))
    numbered = words[count.end - 1] in ("number", "count", "of") and len(words) - count.end <= _LAST
    return joined and (often or numbered or "each" in words[count.end :] or words[count.end - 1] == "counts")


def _of_people(frame: Frame, count: Node) -> bool:
    """ "In how many patients each": people are what is counted."""
    words = frame.context.lexed.words
    return bool(_PEOPLE & set(words[count.end : count.end + 2])) or "patient" in words[count.start - 1 : count.start]
