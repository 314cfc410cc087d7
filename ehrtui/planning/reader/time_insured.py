"""How long somebody was insured: by the periods of cover, where these are kept, and not by how long visits lasted."""

from __future__ import annotations

from ehrtui.logic.algebra.model import HOSPITAL, Aggregate, Interval, Own, Rows, Set, Single, Statement
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.world import World

_INSURED = {"insured", "covered", "enrolled", "insurance", "coverage"}
_COVER = "coverage"


def time_insured(statement: Statement, one: Lexed, world: World) -> Statement:
    """The lengths of visits under an insurance as the length of the cover, where it is asked how long somebody was
    insured."""
    said = not _INSURED.isdisjoint(one.words) and "long" in one.words
    if not (said and world.has(_COVER) and world.holds(_COVER, "insurance") and isinstance(statement, Rows)):
        return statement
    of, told = statement.of, statement.columns[-1:]
    lasted = told == (Own("length"),) or isinstance(told[0] if told else None, Interval)
    if of.unit != HOSPITAL or of.pick is not None or not lasted:
        return statement
    return Single((Aggregate("sum", Set(_COVER, (), of.where), told[0]),))
