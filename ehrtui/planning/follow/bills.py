"""What was charged in an answer, told further: "split the bill by kind", "how much of it was labs?", "drugs as a
percentage of the total", "so what is that per day?"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Groups,
    Math,
    Measure,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.follow.earlier import newest_first
from ehrtui.planning.follow.pointing import SHARES
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.subject import subject_of
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.harmless import KIND_NOUNS
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, maybe, parts_of
from ehrtui.planning.reader.world import World

_COST = {"cost", "costs", "charge", "charges", "bill", "expense", "expenses", "spending", "money", "spent", "charged"}
_WHOLE = {"total", "sum", "amount", "whole", "figure"}
_OF_KIND = {"event", "events", "item", "items", "service", "services", "record", "records", "order", "orders"}
_PARTING = {"break", "breaks", "broken", "split", "divide", "divided", "down", "out", "up", "apart", "by", "into",
            "per", "separate", "breakdown", "different", "its", "various", "how",
            "does", "distributed"}  # fmt: skip
_PART_OF = {"as", "on", "make", "made", "makes", "went", "much", "how", "due", "from", "part", "came", "caused",
            "goes"}  # fmt: skip
_A_DAY = {"per", "a", "each", "every"}
_DAILY = {"day", "daily", "how", "much", "comes", "come", "work", "works", "out", "at", "average", "on", "mean",
          "does", "did", "hospital", "stay", "as"} | _A_DAY  # fmt: skip
_REACH = 6
"""Answers: so far back a bill may lie that is named again."""


def bill_told_further(
    one: Lexed, _: Statement, *, earlier: Mapping[int, Statement], latest: int, world: World
) -> Statement | None:
    """The bill of an earlier answer by kinds, a part of it, or what it comes to in a day."""
    said = {*one.words}
    parts, daily = said & (KIND_NOUNS | SHARES | {"much"}), said & {"day", "daily"}
    if not (parts or daily) or not world.has("cost"):
        return None
    costs = world.profile.costs
    kinds = [node for node in one.nodes if costs is not None and _is_kind(node, costs.kinds)]
    bill = _bill(earlier, latest, named=bool(said & (_COST | _WHOLE)))
    if bill is None:
        return None
    total = Aggregate("sum", bill, Own("value"))
    if said & KIND_NOUNS and said & _PARTING and covers(one, KIND_NOUNS | _OF_KIND | _PARTING | _COST | _WHOLE, ()):
        return Groups(bill, (Own("kind"),), (Aggregate("sum", None, Own("value")),))
    if daily and (said & _A_DAY or "daily" in said) and covers(one, _DAILY | _COST | _WHOLE, ()):
        return _a_day(bill)
    if costs is None or not kinds or not covers(one, SHARES | _PART_OF | _COST | _WHOLE, kinds):
        return None
    roles = {costs.kinds[node.sense.role] for node in kinds}
    if len(roles) != 1 or not (said & SHARES or "how" in said):
        return None
    part = Aggregate("sum", limited(bill, Test(Own("kind"), "=", Value(roles.pop()))), Own("value"))
    measure: Measure = Math("%", part, total) if said & SHARES else part
    return Single((measure,))


def _is_kind(node: Node, kinds: Mapping[str, str]) -> bool:
    """True for a noun for all records of a kind that is charged for: "labs"."""
    return node.kind == "event" and node.sense.noun and not node.sense.of.items and node.sense.role in kinds


def _bill(earlier: Mapping[int, Statement], latest: int, *, named: bool) -> Set | None:
    """All that was charged for those of whom an answer told what they cost: of the latest, or of one shortly before it
    where the bill is `named` again."""
    for turn in newest_first(earlier, latest, _REACH if named else 1):
        if (bill := next(_charged(turn, earlier[turn]), None)) is not None:
            parts = [part for part in parts_of(bill.where) if not _is_of_kind(part)]
            return replace(bill, where=maybe(parts))
    return None


def _is_of_kind(part: Condition) -> bool:
    return isinstance(part, Test) and part.left == Own("kind")


def _charged(turn: int, statement: Statement) -> Iterator[Set]:
    match statement:
        case Single(columns=(Aggregate("sum", Set(unit="cost") as of),)):
            yield of
        case Single(columns=(Math("%", Aggregate("sum"), Aggregate("sum", Set(unit="cost") as of)),)):
            yield of
        case Groups(of=Set(unit="cost") as of, by=(Own("kind"),)):
            yield of
        case Rows(columns=columns, order=order) if order is not None and order.first == 1 and order.by in columns:
            subject = subject_of(turn, statement)
            spent = order.by
            if subject is not None and isinstance(spent, Aggregate) and _is_sum_of_costs(spent):
                assert isinstance(spent.of, Set)
                yield limited(spent.of, Of(subject.of))
        case Rows(of=Set(unit=unit, pick=pick) as of, columns=columns) if unit in UNITS and pick is not None:
            if pick.per == "all" and pick.by in columns and pick.by is not None and _is_sum_of_costs(pick.by):
                yield Set("cost", (), Of(of))


def _is_sum_of_costs(measure: Measure) -> bool:
    return isinstance(measure, Aggregate) and measure.function == "sum" and _unit(measure.of) == "cost"


def _unit(of: Set | Statement | None) -> str:
    return of.unit if isinstance(of, Set) else ""


def _a_day(bill: Set) -> Statement | None:
    """What the stay, or all stays of the patient, cost on each of their days."""
    whose = [part.of for part in parts_of(bill.where) if isinstance(part, Of)]
    if len(whose) != 1 or not _is_one(whose):
        return None
    days: Measure = Own("length")
    if whose[0].unit == PATIENT:
        days = Aggregate("sum", Set(HOSPITAL), Own("length"))
    spent = Aggregate("sum", replace(bill, where=None), Own("value"))
    return Rows(whose[0], (Math("/", spent, days),))


def _is_one(whose: Sequence[Set]) -> bool:
    return whose[0].unit in (PATIENT, HOSPITAL, ICU) and (whose[0].pick is not None or whose[0].where is not None)
