"""Which group has the highest or the lowest rate or average: "which insurance has the highest mortality"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Age,
    Aggregate,
    Groups,
    Interval,
    Measure,
    Of,
    Order,
    Own,
    Set,
    Statement,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.keys import grouped, key_of
from ehrtui.planning.reader.meanings import Event, limited
from ehrtui.planning.reader.reckoning import reckoned
from ehrtui.planning.reader.sets import attach_to_event, conditioned, stays_set, whose
from ehrtui.planning.reader.shares import mortality, shared

_HANDFUL = 5
_WHICH = (("which",), ("what",))
_NO_GROUPS = ("patient", "id", "name", "value", "time", "length", "age", "cost", "dose", "code", "unit")


def extreme_group(frame: Frame) -> Statement | None:
    """The groups whose share or average is the highest or the lowest, where the question names what makes the groups;
    None where it names none."""
    pieces = frame.pieces
    node = frame.superlatives[0]
    direction, by = node.sense.split(":")
    key = next((one for one in pieces.of("field", "moment") if _makes_groups(frame, one)), None)
    if key is None and (ranked := _kind_of_records(frame, node, by)) is not None:
        return ranked
    if key is None or frame.count or frame.by or frame.who is not None:
        return None
    found = key_of(frame, key)
    if found is None:
        return None
    before = frame.state()
    number = next((one for one in pieces.of("number") if one.end == node.start or one.start == node.end), None)
    pieces.use(node, key, *([number] if number else []))
    asks = frame.context.lexed.words[: key.start][-1:] in (("which",), ("what",)) and key.end <= node.start
    made = (_mean_of_each(frame, (found,), by) if asks else None) or _by(frame, (found,), by)
    if not isinstance(made, Groups) or len(made.columns) != 1 or made.order is not None:
        frame.restore(before)
        return None
    order = Order(made.columns[0], direction == "highest", int(number.sense) if number else 1)
    return replace(made, order=order, asked="keys")


def _kind_of_records(frame: Frame, superlative: Node, by: str) -> Statement | None:
    """ "Which diagnosis has the longest stays", "what procedure costs the most on average": by what their records, or
    the stays that they belong to, have on average."""
    pieces, words = frame.pieces, frame.context.lexed.words
    nouns = [node for node in pieces.of("event") if node.sense.noun and words[: node.start][-1:] in _WHICH]
    if len(nouns) != 1 or superlative.start < nouns[0].end or frame.count or frame.by or frame.who is not None:
        return None
    [noun] = nouns
    measured = _measured(frame, noun.sense, by)
    if measured is None or any(one.sense != "mean" for one in frame.functions):
        return None
    number = next((one for one in pieces.of("number") if one.end == noun.start), None)
    pieces.use(noun, superlative, *frame.functions, *([number] if number else []))
    pieces.use(*[one for one in pieces.of("field") if one.sense.fields[0] in ("length", "cost", "age")])
    of = whose(frame, attach_to_event(frame, noun.sense).of)
    for stays in pieces.take("stays"):
        of = limited(of, *([Of(stays.sense.of)] if stays.sense.of.where is not None else []))
    mean = Aggregate("mean", None, measured)
    plural = words[noun.end - 1].endswith("s") and not words[noun.end - 1].endswith("is")
    size = int(number.sense) if number else _HANDFUL if plural else 1
    order = Order(mean, superlative.sense.startswith("highest"), size)
    return Groups(of, (Own("name"),), (mean,), order=order, asked="keys")


def _measured(frame: Frame, event: Event, by: str) -> Measure | None:
    """What records are ranked by: how long their stays lasted, what they or their stays cost, how old people were."""
    world, fields = frame.world, [one.sense.fields[0] for one in frame.fields]
    role = world.profile.role(event.role)
    stays = any(not one.sense.loose for one in frame.stays)
    if (by == "length" or (by == "value" and fields == ["length"])) and (stays or fields == ["length"]):
        if event.role == "transfer":
            return Interval("day", Own("time"), Own("end time"))  # how long they lay there
        moments = {"hospital": ("admission", "discharge"), "icu": ("icu admission", "icu discharge")}.get(role.stay)
        return None if moments is None else Interval("day", *(Own(f"{one} time") for one in moments))
    if (by == "cost" or (by == "value" and fields == ["cost"])) and not world.has("cost"):
        kept = world.holds(event.of.unit, "cost") or (role.stay == "hospital" and world.holds(HOSPITAL, "cost"))
        return Own("cost") if kept else None
    if by == "age" and frame.group_said and role.time and world.knows("birth date"):
        return Age(Own("time"))
    return None


def _makes_groups(frame: Frame, node: Node) -> bool:
    if node.kind == "moment":
        before = frame.context.lexed.words[: node.start][-1:]
        return before in (("which",), ("what",))
    name = node.sense.fields[0]
    return not name.endswith(("time", "date")) and name not in _NO_GROUPS


def _by(frame: Frame, keys: tuple[Measure | str, ...], by: str) -> Statement | None:
    pieces = frame.pieces
    if by == "value" and frame.share:
        pieces.use(*frame.share)
        return shared(frame, keys)
    if by == "value" and pieces.of("dead") and not frame.functions and not pieces.of("event"):
        return mortality(frame, keys)
    if by in ("value", "length") and frame.functions:
        return reckoned(frame, keys)
    return None


def _mean_of_each(frame: Frame, keys: tuple[Measure | str, ...], by: str) -> Statement | None:
    """ "Which insurance has the longest stays", "which ward has the oldest patients": those of each, on average."""
    if by not in ("age", "length") or any(one.sense != "mean" for one in frame.functions):
        return None
    frame.pieces.use(*frame.functions)
    if by == "age":
        of = whose(frame, conditioned(frame, Set(frame.world.aged)))
    else:
        stays = frame.pieces.of("stays")
        lengths = [one for one in frame.pieces.of("field") if one.sense.fields[0] == "length"]
        frame.pieces.use(*lengths)
        owner = next((frame.world.owner(key.field) for key in keys if isinstance(key, Own)), "")
        said = next((one.sense.of.unit for one in stays if not one.sense.loose), owner if owner == ICU else HOSPITAL)
        of = replace(stays_set(frame, stays[0] if stays else None, said), unit=said)
    return grouped(frame, of, keys, Aggregate("mean", None, Own(by)))
