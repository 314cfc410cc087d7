"""From a cover of the question to what is asked: the pieces, in whatever order they came, as one statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ehrtui.logic.algebra.model import (
    Aggregate,
    Among,
    Groups,
    Own,
    Single,
    Statement,
)
from ehrtui.planning.reader.changes import changed, priced
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.counting import counted, counted_each, several_counted
from ehrtui.planning.reader.frame import Frame, about_one, costs_of, fields_wanted, has_values, listing
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.keys import grouped, keys_of
from ehrtui.planning.reader.listing import asked_whose, listed
from ehrtui.planning.reader.meanings import limited, parts_of
from ehrtui.planning.reader.questions import joined_moments, questioned
from ehrtui.planning.reader.ranking import extreme_asked, ranked
from ehrtui.planning.reader.reckoning import FUNCTIONS, reckoned
from ehrtui.planning.reader.several import numbers_of
from ehrtui.planning.reader.shares import shared
from ehrtui.planning.reader.yes_no import any_such, asks_any, whether

_UNUSED = {
    "and": 0.05,
    "or": 0.6,
    "negation": 3.4,
    "number": 2.6,
    "relation": 0.25,
    "pronoun": 1.0,
    "by": 0.8,
    "distinct": 0.1,
    "list": 0.0,
    "order": 0.3,
    "together": 1.6,
    "advice": 2.5,
    "unkept": 2.5,
    "principal": 2.6,
    "moment": 1.2,
    "growth": 1.2,
    "state": 1.5,
    "few": 2.0,
    "begun": 0.7,
    "people-and": 0.4,
    "people-or": 2.0,
    "trait-and": 1.0,
    "trait-or": 2.0,
    "stays-and": 0.6,
    "stays-or": 2.0,
    "dying": 2.5,
    "often": 2.6,
    "span": 2.2,
    "limit": 2.8,
    "superlative": 2.2,
    "pick": 2.0,
    "most": 1.8,
    "current": 1.6,
    "interpretation": 1.8,
    "pair": 1.5,
    "readmitted": 2.5,
    "readmission": 2.5,
    "function": 2.2,
    "trait": 2.8,
    "event": 3.0,
    "stays": 0.9,
    "people": 0.25,
    "field": 0.9,
    "window": 2.8,
    "place": 1.8,
    "ask": 0.7,
    "count": 1.5,
    "share": 2.2,
    "dead": 2.4,
    "change": 2.4,
    "windows": 2.8,
    "windows-begun": 1.5,
    "commas": 3.0,
    "commas-begun": 3.0,
    "placed-people": 2.0,
    "either": 0.5,
    "event-or": 1.0,
    "picks-begun": 1.5,
    "picks": 2.0,
    "each": 1.8,
}
"""What a piece costs that no part of the statement says."""


_TELLING_ASKS = ("long", "much", "old", "heavy", "tall")
"""Question words that ask for a number of one kind."""


@dataclass(frozen=True)
class Asked:
    """A statement that a cover may ask for, what saying it so costs, and the names of what it was paid for."""

    statement: Statement
    cost: float
    why: tuple[str, ...] = ()


def asked(context: Context, cover: Sequence[Node]) -> Iterator[Asked]:
    """What a cover may ask for, with what each costs beyond the cover itself."""

    def read(part: Sequence[Node]) -> tuple[Statement, float] | None:
        made = statement_of(Frame(context, part, ""))
        return None if made is None else (made.statement, made.cost)

    for statement, cost in numbers_of(context, cover, read):
        yield Asked(statement, cost, ("several",))
    for reading in (Frame(context, cover, ""), Frame(context, cover, "people"), Frame(context, cover, "records")):
        made = statement_of(reading)
        if made is not None:
            yield made


def statement_of(frame: Frame) -> Asked | None:
    """What a way to see a cover asks for, with what its unused pieces cost; None where it asks for nothing."""
    pieces = frame.pieces
    statement = made_of(frame)
    if statement is None:
        return None
    for node in pieces.left():
        price = _UNUSED.get(node.kind, 1.0)
        if node.kind == "ask" and node.sense in _TELLING_ASKS:
            price = 1.6
        if node.kind == "ask" and frame.context.lexed.words[node.start] == "with":
            price = 1.6  # "with times"
        if node.kind == "event" and node.sense.noun:
            price = 1.0
        if node.kind == "field" and node.sense.fields[0] in ("value", "name", "time"):
            price = 0.25
        if node.kind == "people" and node.sense.of.where is not None:
            price = 3.0
        if node.kind == "stays" and (node.sense.of.where is not None or node.sense.of.pick is not None):
            price = 2.6
        frame.pay(price, f"unused:{node.kind}")
    return Asked(statement, frame.cost, tuple(frame.why))


def made_of(frame: Frame) -> Statement | None:
    """The statement that the pieces make, by what sort of answer is wanted."""
    pieces = frame.pieces
    keys = keys_of(frame)
    if frame.per_patient and not frame.count and any(node.sense.of.pick is not None for node in frame.events):
        frame.group_said, frame.group_at = True, len(frame.context.lexed.words)
        return listed(frame)
    costs = [node for node in pieces.of("field") if node.sense.fields[0] == "cost"]
    if pieces.of("change") and (found := changed(frame)) is not None:
        return found
    if costs and not (frame.by or keys) and (found := priced(frame)) is not None:
        return found
    if (
        costs
        and frame.world.has("cost")
        and not (frame.by or keys)
        and not frame.asks
        and not frame.most
        and not frame.superlatives
    ):
        functions = [one for node in frame.functions for one in FUNCTIONS[node.sense]] or ["sum"]
        pieces.use(*costs, *frame.functions)
        of = costs_of(frame)
        for window in pieces.take("window"):
            of = limited(of, *window.sense)
        if any(isinstance(part, Among) for part in parts_of(of.where)):
            return Groups(of, (Own("kind"),), tuple(Aggregate(one, None, Own("value")) for one in functions))
        return Single(tuple(Aggregate(one, of, Own("value")) for one in functions))
    if costs and frame.world.has("cost") and (frame.by or keys) and not frame.functions:
        pieces.use(*costs, *frame.by, *[node for node in frame.asks if node.sense == "much"])
        of = costs_of(frame)
        for window in pieces.take("window"):
            of = limited(of, *window.sense)
        return grouped(frame, of, keys or (Own("kind"),), Aggregate("sum", None, Own("value")))
    if frame.share:
        pieces.use(*frame.share)
        return shared(frame, keys)
    if frame.most and (found := ranked(frame, keys)) is not None:
        return found
    if frame.superlatives and (found := extreme_asked(frame)) is not None:
        return found
    if frame.functions:
        found = reckoned(frame, keys)
        if found is not None:
            return found
    pieces.use(*joined_moments(frame))
    if frame.asks:
        before = frame.state()
        found = questioned(frame, keys)
        if found is not None:
            return found
        frame.restore(before)
    if frame.count and (found := several_counted(frame)) is not None:
        return found
    if frame.count and (found := counted_each(frame)) is not None:
        return found
    if frame.count or (keys and not fields_wanted(frame)):
        if not frame.count and any(not node.sense.noun and has_values(frame, node.sense) for node in frame.events):
            frame.pay(1.8, "keys-without-number")  # "creatinine by gender": which number is not said
        if not frame.count and asked_whose(frame):
            frame.pay(1.0, "keys-for-who")
        pieces.use(*frame.count)
        return counted(frame, keys)
    if keys:
        frame.pay(1.8, "keys-without-number")
        return counted(frame, keys)
    if (
        frame.yes
        and not listing(frame)
        and (frame.who is not None or any(about_one(frame, one.sense.of) for one in frame.events))
    ):
        return whether(frame)
    if frame.yes and frame.who is None and not listing(frame) and asks_any(frame):
        return any_such(frame)
    return listed(frame)
