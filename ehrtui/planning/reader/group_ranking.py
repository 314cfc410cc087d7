"""Which group has the highest or the lowest rate or average: "which insurance has the highest mortality"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import Groups, Measure, Order, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.keys import key_of
from ehrtui.planning.reader.reckoning import reckoned
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
    made = _by(frame, (found,), by)
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
