"""Which group has the highest or the lowest rate or average: "which insurance has the highest mortality"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, Aggregate, Groups, Measure, Order, Own, Set, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.keys import grouped, key_of
from ehrtui.planning.reader.reckoning import reckoned
from ehrtui.planning.reader.sets import conditioned, stays_set, whose
from ehrtui.planning.reader.shares import mortality, shared

_NO_GROUPS = ("patient", "id", "name", "value", "time", "length", "age", "cost", "dose", "code", "unit")


def extreme_group(frame: Frame) -> Statement | None:
    """The groups whose share or average is the highest or the lowest, where the question names what makes the groups;
    None where it names none."""
    pieces = frame.pieces
    node = frame.superlatives[0]
    direction, by = node.sense.split(":")
    key = next((one for one in pieces.of("field", "moment") if _makes_groups(frame, one)), None)
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
