"""What is left of what went in and what came out, when both were told: "so what's the net balance?"."""

from __future__ import annotations

from ehrtui.logic.algebra.model import Aggregate, Math, Set, Single, Statement
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.schema.kinds import kind_of

_BALANCE = {"balance", "net"}
_WORDS = {"net", "fluid", "fluids", "balance", "volume", "i", "o", "his", "her", "their", "then", "day", "overall",
          "result", "resulting", "time", "period", "same", "on", "what's", "over"}  # fmt: skip


def net_balance(one: Lexed, statement: Statement) -> Statement | None:
    """The one figure less the other, where the latest answer told how much went in and how much came out."""
    if _BALANCE.isdisjoint(one.words) or not isinstance(statement, Single) or len(statement.columns) != 2:
        return None
    flows = {_flow(column): column for column in statement.columns}
    if flows.keys() != {"in", "out"} or not covers(one, _WORDS, ()):
        return None
    return Single((Math("-", flows["in"], flows["out"]),))


def _flow(column: object) -> str:
    """Which way a sum of records went: "in", "out", or "" for anything else."""
    match column:
        case Aggregate(function="sum", of=Set(unit=unit)):
            return kind_of(unit.replace(" ", "_")).flow
    return ""
